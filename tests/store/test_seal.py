"""A store that was written here is known again, as long as nobody changed it."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import duckdb
import pytest

from ragduck.conversation import Turn
from ragduck.store.history import StoreHistory
from ragduck.store.seal import Seal, put_seal, seal_of

SEAL = Seal("this code", {("shop", "main"): "name", ("shop", "§ 1"): "other"})


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("RAGDUCK_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "s.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create table a as select 1 as b")
    put_seal(path, SEAL)
    return path


def test_a_store_that_nobody_changed_is_known_again(store: Path) -> None:
    assert seal_of(store) == SEAL
    duckdb.connect(str(store), read_only=True).close()
    assert seal_of(store) == SEAL


def test_it_is_known_by_each_of_its_names(store: Path, tmp_path: Path) -> None:
    (tmp_path / "link.duckdb").symlink_to(store)
    assert seal_of(tmp_path / "link.duckdb") == SEAL


def written(store: Path) -> None:
    with duckdb.connect(str(store)) as connection:
        connection.execute("insert into a values (2)")


def written_with_its_old_times(store: Path) -> None:
    status = store.stat()
    written(store)
    os.utime(store, ns=(status.st_atime_ns, status.st_mtime_ns))


def touched(store: Path) -> None:
    os.utime(store, ns=(1, 1))


def beside_a_log(store: Path) -> None:
    store.with_name("s.duckdb.wal").write_bytes(b"")


def replaced(store: Path) -> None:
    copy = store.with_name("copy")
    copy.write_bytes(store.read_bytes())
    copy.replace(store)


def gone(store: Path) -> None:
    store.unlink()


@pytest.mark.parametrize(
    "change", [written, written_with_its_old_times, touched, beside_a_log, replaced, gone]
)
def test_one_that_changed_is_not_known(store: Path, change: object) -> None:
    assert callable(change)
    change(store)
    assert seal_of(store) is None


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"state": null}', "[" * 100_000])
def test_what_is_no_seal_is_passed_over(store: Path, cache: Path, text: str) -> None:
    [file] = cache.glob("sealed-*.json")
    file.write_text(text, encoding="utf-8")
    assert seal_of(store) is None


def test_none_is_kept_without_a_cache(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGDUCK_CACHE_DIR", "")
    put_seal(store, SEAL)
    assert seal_of(store) is None


@pytest.mark.skipif(os.name == "nt", reason="rights of POSIX")
def test_none_is_believed_that_others_may_have_written(store: Path, cache: Path) -> None:
    cache.chmod(0o777)
    assert seal_of(store) is None


def test_conversations_leave_the_seal(cache: Path, shop_store: Path, tmp_path: Path) -> None:
    store = tmp_path / "shop.duckdb"
    store.write_bytes(shop_store.read_bytes())
    put_seal(store, SEAL)
    history = StoreHistory(store)
    history.save_turn(Turn("1", "session", datetime(2026, 1, 1), "q", "q", "answer", "answer"))
    before = store.read_bytes()

    assert history.fold()

    assert store.read_bytes() != before
    assert seal_of(store) == SEAL


def test_conversations_in_a_store_of_others_seal_nothing(shop_store: Path, tmp_path: Path) -> None:
    store = tmp_path / "shop.duckdb"
    store.write_bytes(shop_store.read_bytes())
    history = StoreHistory(store)
    history.save_turn(Turn("1", "session", datetime(2026, 1, 1), "q", "q", "answer", "answer"))

    assert history.fold()

    assert seal_of(store) is None
