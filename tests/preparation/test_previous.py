"""What a store held is read once, unless the file is another by the time that nobody else may change it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.preparation import prepare as preparing
from ragduck.preparation.previous import previous_of
from ragduck.store import open_database

SETTINGS: dict[str, Any] = {"embed_model": None, "cache": False, "processes": 1}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    code = tmp_path / "code"
    code.mkdir()
    (code / "a.py").write_text("def a():\n    return 1\n", encoding="utf-8")
    ragduck.prepare(code, tmp_path / "s.duckdb", repo="code", branch="main", **SETTINGS)
    return tmp_path / "s.duckdb"


def test_a_store_that_nobody_changed_is_the_one_that_was_read(store: Path) -> None:
    previous = previous_of(store, overwrite=False)
    assert previous is not None
    assert previous.is_of(store)


def test_a_store_that_is_gone_is_not_the_one_that_was_read(store: Path) -> None:
    previous = previous_of(store, overwrite=False)
    assert previous is not None
    store.unlink()
    assert not previous.is_of(store)


def prepare_while_another_does(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = store.with_name("code")
    walk = preparing.gather
    others = iter(["other"])

    def walk_while_another_prepares(*args: Any, **kwargs: Any) -> Any:
        for repo in others:
            ragduck.prepare(code, store, repo=repo, branch="main", **SETTINGS)
        return walk(*args, **kwargs)

    (code / "b.py").write_text("def b():\n    return 2\n", encoding="utf-8")
    monkeypatch.setattr(preparing, "gather", walk_while_another_prepares)
    ragduck.prepare(code, store, repo="code", branch="main", **SETTINGS)


def test_what_another_writer_put_in_during_the_walk_is_kept(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare_while_another_does(store, monkeypatch)
    with open_database(store) as database:
        found = database.rows("select repo from snapshots order by repo")
    assert [row["repo"] for row in found] == ["code", "other"]


def test_what_another_writer_replaced_during_the_walk_is_read_again(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[object] = []

    def noted(target: Path, *, overwrite: bool) -> Any:
        read.append(previous_of(target, overwrite=overwrite))
        return read[-1]

    monkeypatch.setattr(preparing, "previous_of", noted)
    prepare_while_another_does(store, monkeypatch)
    assert len(read) == 3  # twice for the one, once for the other
