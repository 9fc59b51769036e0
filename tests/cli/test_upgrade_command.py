"""`ragduck upgrade` and the commands that serve a sqlrooms-rag file as it is."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ragduck.embed.hashing import HashingEmbedder

Invoke = Callable[..., Any]
TEXTS = {"a.md": "# Orders\n\nOrders are placed by mail.", "b.md": "# Stock\n\nStock is counted in May."}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sqlrooms-rag file of two chunks; not to be changed."""
    path = tmp_path_factory.mktemp("made") / "old.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "create table documents "
            "(node_id varchar, text varchar, metadata_ json, embedding float[64], doc_id varchar)"
        )
        connection.execute(
            "create table embedding_metadata (key varchar, value varchar, created_at timestamp)"
        )
        connection.execute("insert into embedding_metadata values ('embedding_model', 'hashing', null)")
        for name, text in TEXTS.items():
            row = [name, text, json.dumps({"file_path": name}), HashingEmbedder().embed_query(text).tolist()]
            connection.execute("insert into documents values (?, ?, ?, ?, null)", row)
    return path


@pytest.fixture
def old(made: Path, tmp_path: Path) -> Path:
    """A copy to be changed at will."""
    return Path(shutil.copy(made, tmp_path / "old.duckdb"))


def test_the_store_is_made_beside_the_file(invoke: Invoke, old: Path, tmp_path: Path) -> None:
    before = old.read_bytes()

    done = invoke("upgrade", old, "-o", tmp_path / "new.duckdb", "--repo", "docs", "--json", "--quiet")

    report = json.loads(done.stdout)
    assert (report["embedded"], report["counts"]["vectors"], report["backup"]) == (0, 2, None)
    assert report["sources"][0]["repo"] == "docs"
    assert old.read_bytes() == before


def test_the_store_takes_the_place_of_the_file_which_is_kept(invoke: Invoke, old: Path) -> None:
    before = old.read_bytes()

    done = invoke("upgrade", old)

    assert done.exit_code == 0
    assert "kept as" in done.stderr
    assert old.with_name("old.duckdb.bak").read_bytes() == before
    assert invoke("search", old, "stock", "--mode", "bm25", "-k", "1").stdout.startswith("1. Stock")
    assert sorted(path.name for path in old.parent.iterdir() if "lock" not in path.name) == [
        "old.duckdb", "old.duckdb.bak",
    ]  # fmt: skip


def test_a_store_is_not_upgraded_twice(invoke: Invoke, old: Path) -> None:
    invoke("upgrade", old)

    done = invoke("upgrade", old)

    assert done.exit_code == 2
    assert "is a store of this ragduck already" in done.stderr


@pytest.mark.parametrize("taken", ["new.duckdb", "old.duckdb.bak"])
def test_what_is_there_is_not_replaced(invoke: Invoke, old: Path, tmp_path: Path, taken: str) -> None:
    (tmp_path / taken).write_text("mine")
    arguments = ["-o", tmp_path / taken] if taken == "new.duckdb" else []

    done = invoke("upgrade", old, *arguments)

    assert done.exit_code == 2
    assert (tmp_path / taken).read_text() == "mine"


def test_another_file_is_refused(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "other.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create table invoices (id integer)")

    done = invoke("upgrade", path)

    assert done.exit_code == 1
    assert "hint: " in done.stderr


def test_search_reads_the_file_and_says_how(invoke: Invoke, made: Path) -> None:
    done = invoke("search", made, "when is stock counted", "-k", "1")

    assert done.stdout.startswith("1. Stock")
    assert f"ragduck upgrade {made}" in done.stderr


def test_sql_asks_the_tables_of_the_file(invoke: Invoke, made: Path) -> None:
    done = invoke("sql", made, "select node_id from documents order by node_id", "--json")

    assert json.loads(done.stdout) == [{"node_id": "a.md"}, {"node_id": "b.md"}]


def test_sql_may_not_write_to_the_file(invoke: Invoke, made: Path) -> None:
    done = invoke("sql", made, "delete from documents")

    assert done.exit_code == 2
    assert "DELETE is not allowed" in done.stderr


@pytest.mark.parametrize(
    "statement", ["select * from '/etc/passwd'", "select * from read_text('/etc/passwd')"]
)
def test_sql_may_not_leave_the_file(invoke: Invoke, made: Path, statement: str) -> None:
    done = invoke("sql", made, statement)

    assert done.exit_code == 2
    assert "root:" not in done.stdout


def test_info_tells_what_the_file_says_of_itself(invoke: Invoke, made: Path) -> None:
    told = json.loads(invoke("info", made, "--json").stdout)

    assert told["kind"] == "sqlrooms-rag file"
    assert told["metadata"] == {"embedding_model": "hashing"}
    assert told["tables"] == {"documents": 2, "embedding_metadata": 1}


def test_a_file_with_changes_in_its_log_is_not_upgraded_in_place(
    invoke: Invoke, old: Path, tmp_path: Path
) -> None:
    log = old.with_name(old.name + ".wal")
    log.write_bytes(b"pending")
    before = old.read_bytes()

    done = invoke("upgrade", old)

    assert done.exit_code == 2
    assert "changes that wait in old.duckdb.wal" in done.stderr
    assert f"ragduck upgrade {old} -o NEW" in done.stderr
    assert (old.read_bytes(), log.read_bytes()) == (before, b"pending")


def test_a_file_that_is_somebodys_is_not_removed(invoke: Invoke, old: Path) -> None:
    other = old.with_name(old.name + ".upgraded")
    other.write_text("my notes")

    done = invoke("upgrade", old)

    assert done.exit_code == 1
    assert other.read_text() == "my notes"


def test_a_question_about_the_file_says_that_the_conversation_is_not_kept(invoke: Invoke, old: Path) -> None:
    done = invoke("ask", old, "How are orders placed?", "--session", "s1")

    assert "the conversation is not kept" in done.stderr
    assert "go on:" not in done.stderr
