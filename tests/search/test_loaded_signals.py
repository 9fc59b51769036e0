"""Signals held in memory are those that each question would read, and a search answers the same with either."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import ragduck
from ragduck.errors import RagduckError
from ragduck.search import SearchRequest, VectorIndex, run_search
from ragduck.search.ranking import (
    CHUNK_TYPES,
    StoredRanking,
    named_files,
    names_of_files,
    question_keys,
)
from ragduck.search.signals import LoadedSignals
from ragduck.store import Database, open_database

QUESTIONS = (
    "InvoiceService",
    "where are invoices created",
    "orders of customers",
    "migration",
    "żółw",
    "what is it",
    "²",
)
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"mode": "bm25"},
    {"mode": "semantic", "signals": True},
    {"filters": {"data_type": ["db_code"]}},
    {"filters": {"repo": ["elsewhere"]}},
    {"filters": {"file_class": ["test"], "name_prefix": "zz"}, "relax": ("name_prefix", "file_class")},
    {"signals": False},
    {"top_k": 300},
)


@pytest.fixture(scope="module")
def database(shop_store: Path) -> Iterator[Database]:
    with open_database(shop_store) as opened:
        yield opened


@pytest.fixture(scope="module")
def signals(database: Database) -> LoadedSignals:
    return LoadedSignals.read(database.columns)


def vector_of(question: str) -> Any:
    drawn = np.random.default_rng(len(question)).standard_normal(64).astype(np.float32)
    return drawn / np.linalg.norm(drawn)


def test_signals_of_chunks_are_those_of_the_table(database: Database, signals: LoadedSignals) -> None:
    rows = database.rows("from chunk_signals order by hash(chunk_no)")
    assert len({row["file_class"] for row in rows}) > 2
    assert any(row["name_key"] is None for row in rows)
    assert any(len(row["member_keys"] or ()) > 1 for row in rows)

    told = signals.of_chunks({"chunk_no": [row["chunk_no"] for row in rows], "place": [*range(len(rows))]})

    assert told.pop("place") == [*range(len(rows))]
    assert set(told) == {"chunk_no", *CHUNK_TYPES}
    assert told == {name: [row[name] for row in rows] for name in told}
    kinds = [type(value) for column in told.values() for value in column if value is not None]
    assert set(kinds) == {int, float, bool, str, list}
    assert {type(key) for keys in told["member_keys"] for key in keys or ()} == {int}


@pytest.mark.parametrize("unknown", [0, 2_000_000_000])
def test_a_chunk_without_signals_is_no_hit(database: Database, signals: LoadedSignals, unknown: int) -> None:
    told = signals.of_chunks({"chunk_no": [7, unknown, 3], "vector_rank": [1, 2, None]})

    assert (told["chunk_no"], told["vector_rank"]) == ([7, 3], [1, None])
    assert len(told["file_no"]) == 2


def test_no_hits_have_no_signals(signals: LoadedSignals) -> None:
    assert signals.of_chunks({"chunk_no": []})["centrality"] == []
    assert signals.names_of([1, 2], []) == {"file_share": [], "folder_share": [], "rarity": []}


@pytest.mark.parametrize("question", QUESTIONS)
def test_names_of_files_are_those_of_the_table(
    database: Database, signals: LoadedSignals, question: str
) -> None:
    stems = question_keys(database.rows, SearchRequest(question))["stem_keys"]
    files = [
        row["file_no"] for row in database.rows("select file_no from chunk_signals order by chunk_no desc")
    ]

    told = signals.names_of(stems, files)

    assert told == names_of_files(database.rows, stems, files, found=named_files(database.rows, stems))


def test_a_store_without_files_has_no_names() -> None:
    empty: Mapping[str, Any] = {
        name: np.empty(0, np.int64)
        for name in ("stem_key", "file_no", "file_share", "folder_share", "rarity")
    }

    assert LoadedSignals({}, {}, empty).names_of([5], [1]) == {
        "file_share": [None], "folder_share": [None], "rarity": [None],
    }  # fmt: skip


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_the_first_question_and_those_after_it_are_answered_alike(
    database: Database, settings: dict[str, Any]
) -> None:
    index = VectorIndex.from_meta(database.meta)
    for question in QUESTIONS:
        stored = StoredRanking(database.columns)
        request = SearchRequest(question, **settings)
        answers = [
            run_search(database.rows, request, vector=vector_of(question), index=index, stored=stored)
            for _ in range(3)
        ]

        assert answers[0].results == answers[1].results == answers[2].results
        assert answers[0].status == answers[1].status


def test_signals_are_read_with_the_second_question_and_once(database: Database) -> None:
    read: list[str] = []

    def columns(sql: str, parameters: Mapping[str, object] | None = None) -> dict[str, Any]:
        read.append(sql)
        return database.columns(sql)

    stored = StoredRanking(columns)
    assert stored.signals() is None
    assert not read

    assert stored.signals() is stored.signals() is not None
    assert len(read) == 3


def test_who_cannot_read_columns_reads_the_signals_of_hits(database: Database) -> None:
    stored = StoredRanking()

    assert [stored.signals() for _ in range(3)] == [None] * 3


def test_a_question_with_loaded_signals_joins_none(database: Database) -> None:
    statements: list[str] = []

    def rows(sql: str, parameters: dict[str, object]) -> list[dict[str, Any]]:
        statements.append(sql)
        return database.rows(sql, parameters)

    stored = StoredRanking(database.columns)
    index = VectorIndex.from_meta(database.meta)
    for question in QUESTIONS[:2]:
        statements.clear()
        run_search(rows, SearchRequest(question), vector=vector_of(question), index=index, stored=stored)

    assert not [sql for sql in statements if "join chunk_signals" in sql or "from file_terms" in sql]


def test_an_error_while_they_are_read_is_raised(database: Database) -> None:
    def columns(sql: str, parameters: Mapping[str, object] | None = None) -> dict[str, Any]:
        raise duckdb.IOException("gone")

    stored = StoredRanking(columns)
    stored.signals()

    with pytest.raises(duckdb.IOException, match="gone"):
        stored.signals()


@pytest.fixture
def strange(shop_store: Path, tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The sample shop, to be changed as a stranger might have done."""
    shutil.copy(shop_store, tmp_path / "strange.duckdb")
    with duckdb.connect(str(tmp_path / "strange.duckdb")) as connection:
        yield connection


def ask_twice(path: Path, question: str = "NetTotal") -> list[Any]:
    with ragduck.open(path) as store:
        return [store.search(question, mode="bm25", top_k=5).results for _ in range(2)]


def test_endless_lists_of_members_are_read_in_part(
    strange: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    strange.execute("update chunk_signals set member_keys = range(100_000)")
    strange.close()

    first, second = ask_twice(tmp_path / "strange.duckdb")

    assert first == second
    with open_database(tmp_path / "strange.duckdb") as opened:
        listed = LoadedSignals.read(opened.columns).chunks["member_keys"].tolist()
    assert {len(keys) for keys in listed} == {200}


@pytest.mark.parametrize(
    "change",
    [
        "update chunk_signals set centrality = 'nan'",
        "update chunk_signals set centrality = 'infinity' where file_no % 2 = 0",
        "alter table chunk_signals alter centrality drop not null; update chunk_signals set centrality = null",
        "update file_terms set folder_share = 'nan' where file_no % 3 = 0",
    ],
)
def test_signals_that_are_no_numbers_are_ranked_alike(
    strange: duckdb.DuckDBPyConnection, tmp_path: Path, change: str
) -> None:
    strange.execute(change)
    strange.close()

    first, second = ask_twice(tmp_path / "strange.duckdb", "where are invoices created")

    assert [result["node_id"] for result in first] == [result["node_id"] for result in second]


@pytest.mark.parametrize(
    "change",
    ["alter column member_keys type date[] using [date '2026-01-01']", "drop column member_keys"],
)
def test_members_that_are_no_keys_are_an_error_in_words(
    strange: duckdb.DuckDBPyConnection, tmp_path: Path, change: str
) -> None:
    strange.execute(f"alter table chunk_signals {change}")
    strange.close()

    with pytest.raises(RagduckError):
        ask_twice(tmp_path / "strange.duckdb")
