"""A store is copied early, and again where it was changed since."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import duckdb
import pytest

import ragduck
from ragduck.errors import StoreError
from ragduck.store import early_copy
from ragduck.store.amendment import copy_store
from ragduck.store.early_copy import EarlyCopy
from ragduck.store.journal import Journal
from ragduck.store.seal import Seal, put_seal


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAGDUCK_CACHE_DIR", str(tmp_path / "cache"))
    code = tmp_path / "code"
    code.mkdir()
    (code / "a.py").write_text("def a():\n    return 1\n", encoding="utf-8")
    made = tmp_path / "s.duckdb"
    ragduck.prepare(code, made, repo="code", branch="main", embed_model=None, processes=1)
    put_seal(made, Seal("this", {}))
    return made


@pytest.fixture
def copies(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Note what is copied once more."""
    made: list[Path] = []

    def noted(target: Path, copy: Path) -> None:
        made.append(target)
        copy_store(target, copy)

    real = early_copy.copy_store
    monkeypatch.setattr(
        early_copy,
        "copy_store",
        lambda target, copy, **how: real(target, copy, **how) if how else noted(target, copy),
    )
    return made


def test_a_store_that_stays_as_it_was_is_copied_once(store: Path, copies: list[Path]) -> None:
    copy = EarlyCopy(store, store.with_name("copy"))

    assert copy.finish()

    assert store.with_name("copy").read_bytes() == store.read_bytes()
    assert copies == []


def test_what_somebody_wrote_since_is_in_the_copy(store: Path, copies: list[Path]) -> None:
    copy = EarlyCopy(store, store.with_name("copy"))
    copy.wait()
    with duckdb.connect(str(store)) as other:
        other.execute("create table theirs as select 1 as one")

    assert not copy.finish()

    assert store.with_name("copy").read_bytes() == store.read_bytes()
    assert copies == [store]


def test_a_copy_that_could_not_be_made_early_is_made_later(
    store: Path, copies: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(EarlyCopy, "_copy_file", full)
        copy = EarlyCopy(store, store.with_name("copy"))
        copy.wait()

    assert copy.finish()

    assert store.with_name("copy").read_bytes() == store.read_bytes()
    assert copies == [store]


def test_a_copy_that_nobody_wants_ends_at_once(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(early_copy, "BLOCK", 1000)
    begun, may_go_on = Event(), Event()
    real = EarlyCopy._copy_file

    def slowly(self: EarlyCopy, source: Path, target: Path) -> None:
        begun.set()
        may_go_on.wait(timeout=60)
        real(self, source, target)

    monkeypatch.setattr(EarlyCopy, "_copy_file", slowly)
    copy = EarlyCopy(store, store.with_name("copy"))
    begun.wait(timeout=60)
    copy._is_unwanted.set()
    may_go_on.set()
    copy.stop()

    assert store.with_name("copy").stat().st_size < store.stat().st_size
    with Journal(store).locked():  # which is free
        assert not copy._is_as_store()


def test_a_store_that_is_gone_is_told_when_it_is_wanted(store: Path) -> None:
    copy = EarlyCopy(store, store.with_name("copy"))
    copy.wait()
    store.unlink()

    with pytest.raises(StoreError, match="there is no store"):
        copy.finish()
