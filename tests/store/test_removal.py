"""Dropping branches: what stays is what a store of the others would hold, and the live file is never half done."""

from __future__ import annotations

import hashlib
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

import ragduck
from ragduck.conversation import Turn
from ragduck.errors import StoreError, UsageError
from ragduck.preparation.reembedding import embed
from ragduck.store import removal
from ragduck.store.builder import StoreBuilder
from ragduck.store.history import StoreHistory
from ragduck.store.removal import drop, purge
from ragduck.store.roots import roots_of

pytestmark = pytest.mark.slow

TIMES = {"source_documents": "created_at", "snapshots": "prepared_at", "embedding_metadata": "created_at"}
META = ("created_at", "fingerprint")


def source(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir()
    for path, text in files.items():
        (folder / path).write_text(text)
    return folder


@pytest.fixture
def sources(tmp_path: Path) -> dict[tuple[str, str], Path]:
    """Two branches of a shop, and a database that it names and that is defined elsewhere."""
    code = 'class Orders:\n    def place(self, db):\n        db.execute("exec dbo.Order_Place")\n'
    procedure = "create procedure dbo.Order_Place as insert into dbo.[Order] (Id) values (1);\n"
    return {
        ("db", "main"): source(
            tmp_path / "db", {"proc.sql": procedure, "t.sql": "create table dbo.[Order] (Id int);\n"}
        ),
        ("shop", "main"): source(tmp_path / "shop_main", {"orders.py": code}),
        ("shop", "next"): source(
            tmp_path / "shop_next", {"orders.py": code, "more.py": "def more():\n    return 1\n"}
        ),
    }


def prepared(store: Path, sources: dict[tuple[str, str], Path], *left_out: tuple[str, str]) -> Path:
    for (repo, branch), folder in sources.items():
        if (repo, branch) not in left_out:
            ragduck.prepare(folder, store, repo=repo, branch=branch, embed_model="hashing")
    return store


def rows_of(store: Path) -> dict[str, list[Any]]:
    with duckdb.connect(str(store), read_only=True) as connection:
        names = [name for (name,) in connection.execute("select table_name from duckdb_tables()").fetchall()]
        return {name: connection.execute(timeless(name)).fetchall() for name in sorted(names)}


def timeless(table: str) -> str:
    if table in ("ragduck_meta", "embedding_metadata"):
        return (
            f"select key, value from {table} where not regexp_matches(key, '{'|'.join(META)}') order by key"
        )
    return f"select *{f' exclude ({TIMES[table]})' if table in TIMES else ''} from {table} order by all"


@pytest.mark.parametrize(
    ("repo", "branch", "gone"),
    [
        ("shop", "next", [("shop", "next")]),
        ("shop", "main", [("shop", "main")]),
        ("shop", None, [("shop", "main"), ("shop", "next")]),
        ("db", None, [("db", "main")]),
    ],
)
def test_what_stays_is_what_a_store_of_the_others_holds(
    tmp_path: Path,
    sources: dict[tuple[str, str], Path],
    repo: str,
    branch: str | None,
    gone: list[tuple[str, str]],
) -> None:
    store = prepared(tmp_path / "all.duckdb", sources)

    report = drop(store, repo=repo, branch=branch)

    assert [(each.repo, each.branch) for each in report.dropped] == gone
    assert rows_of(store) == rows_of(prepared(tmp_path / "others.duckdb", sources, *gone))
    with ragduck.open(store) as opened:
        assert [result.name for result in opened.check() if not result.passed] == []


def test_the_others_keep_when_they_were_prepared(
    tmp_path: Path, sources: dict[tuple[str, str], Path]
) -> None:
    store = prepared(tmp_path / "s.duckdb", sources)
    with ragduck.open(store) as opened:
        before = [each for each in opened.snapshots() if each.repo == "shop"]

    report = drop(store, repo="db")

    assert list(report.kept) == before


@pytest.fixture
def shop(shop_store: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(shop_store, tmp_path / "shop.duckdb"))


def test_the_last_branch_is_not_dropped(shop: Path) -> None:
    before = hashlib.sha256(shop.read_bytes()).hexdigest()

    with pytest.raises(UsageError, match="nothing but shop, main") as error:
        drop(shop, repo="shop")

    assert error.value.hint == f"remove the file: rm {shop}"
    assert hashlib.sha256(shop.read_bytes()).hexdigest() == before
    assert [path.name for path in shop.parent.iterdir()] == [shop.name]


@pytest.mark.parametrize(
    ("repo", "branch", "message"),
    [
        ("shopp", None, "the store holds no shopp; did you mean shop?"),
        ("shop", "mian", "the store holds no shop, mian; did you mean main?"),
        ("x", "main", "the store holds no x, main"),
    ],
)
def test_an_unknown_name_is_an_error_that_names_the_known(
    shop: Path, repo: str, branch: str | None, message: str
) -> None:
    with pytest.raises(UsageError) as error:
        drop(shop, repo=repo, branch=branch)

    assert error.value.message == message
    assert error.value.hint == "it holds shop, main"


def test_a_missing_store_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store"):
        drop(tmp_path / "none.duckdb", repo="shop")


def test_a_link_to_a_store_stays_a_link(tmp_path: Path, sources: dict[tuple[str, str], Path]) -> None:
    store = prepared(tmp_path / "s.duckdb", sources)
    link = tmp_path / "link.duckdb"
    link.symlink_to(store)

    drop(link, repo="db")

    assert link.is_symlink()
    with ragduck.open(link) as opened:
        assert {each.repo for each in opened.snapshots()} == {"shop"}


def test_where_a_dropped_branch_came_from_is_forgotten(
    tmp_path: Path, sources: dict[tuple[str, str], Path]
) -> None:
    store = prepared(tmp_path / "s.duckdb", sources)

    drop(store, repo="shop", branch="next")

    assert set(roots_of(store)) == {("db", "main"), ("shop", "main")}


def test_conversations_survive(tmp_path: Path, sources: dict[tuple[str, str], Path]) -> None:
    store = prepared(tmp_path / "s.duckdb", sources)
    at = datetime(2026, 1, 1, tzinfo=UTC)
    turn = Turn("t1", "session", at, "Wer?", "Who?", "Ada", "Ada")
    StoreHistory(store).save_turn(turn)

    drop(store, repo="db")

    assert StoreHistory(store).load("session").turns == (turn,)


@pytest.mark.parametrize("command", [lambda store: drop(store, repo="db"), purge])
def test_a_store_that_gets_other_vectors_while_its_writer_is_waited_for_is_left_alone(
    sources: dict[tuple[str, str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Any
) -> None:
    store = prepared(tmp_path / "s.duckdb", sources)

    class Waiting(StoreBuilder):
        def __enter__(self) -> Waiting:
            embed(store, None)
            super().__enter__()
            return self

    monkeypatch.setattr(removal, "StoreBuilder", Waiting)

    with pytest.raises(StoreError, match="other vectors since") as failure:
        command(store)

    assert failure.value.hint == "run the command again"
    assert rows_of(store)["documents"]
