"""What a filter leaves is kept: keywords are then looked for without it, and the same is found."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ragduck
from ragduck.search.filters import Clause
from ragduck.search.kept_filters import KEPT_FILTERS, WIDE, KeptFilters
from ragduck.search.scored_chunks import filtered_hits
from ragduck.store import Database, open_database
from ragduck.store.statements import own_columns


class EagerFilters(KeptFilters):
    """Filters whose marks are used from the first time on, however few chunks they leave."""

    def marks_if_wide(self, clause: Clause) -> Any:
        return self.marks(clause)


@pytest.fixture(scope="module")
def database(shop_store: Path) -> Iterator[Database]:
    with open_database(shop_store) as opened:
        yield opened


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_hits_are_those_of_the_statement(
    database: Database, term_keys: list[int], hits_of_statement: Any, data: st.DataObject
) -> None:
    filters = EagerFilters(database.columns)
    asked = data.draw(st.lists(st.sampled_from(term_keys), max_size=8))
    depth = data.draw(st.sampled_from([1, 3, 100, 10_000]))
    least = data.draw(st.sampled_from([0, 10, 200, 10_000]))
    preferred = data.draw(st.lists(st.integers(1, 380), max_size=5))
    clause = Clause("start_line >= $least", {"least": least})
    expected = hits_of_statement(
        database, asked, clause.of_chunks, depth=depth, preferred=preferred, **clause.parameters
    )

    found = filtered_hits(filters, clause, asked, depth=depth, preferred=preferred)

    assert found is not None
    assert [*zip(found.chunk_nos, found.scores, found.terms, strict=True)] == expected


@pytest.mark.parametrize("mode", ["bm25", "hybrid"])
def test_from_the_second_time_on_keywords_are_looked_for_without_a_wide_filter(
    shop_store: Path, monkeypatch: pytest.MonkeyPatch, mode: Any
) -> None:
    asked: list[str] = []
    read = Database.rows

    def rows(self: Database, sql: str, *values: Any) -> list[dict[str, Any]]:
        asked.append(sql)
        return read(self, sql, *values)

    monkeypatch.setattr(Database, "rows", rows)
    with ragduck.open(shop_store) as store:
        store.search("warm")
        first = store.search("place order", mode=mode, filters={"file_class": ["source"]})
        assert any("from fts_postings\nwhere" in sql for sql in asked)
        asked.clear()

        again = store.search("place order", mode=mode, filters={"file_class": ["source"]})

    assert again.results == first.results
    assert not any("from fts_postings\nwhere" in sql for sql in asked)


def test_a_filter_that_leaves_few_chunks_is_left_to_the_engine(database: Database) -> None:
    filters = KeptFilters(database.columns)
    few, many = Clause("start_line > 300"), Clause("start_line >= 0")

    assert filters.marks_if_wide(few) is filters.marks_if_wide(many) is None
    assert filters.marks_if_wide(few) is filters.marks_if_wide(few) is None
    assert filters.marks_if_wide(many).all() or filters.marks_if_wide(many).mean() > WIDE


def test_filters_of_a_large_store_are_left_to_the_engine(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragduck.search.kept_filters.MOST_CHUNKS", 100)
    filters = KeptFilters(database.columns)

    assert [filters.marks_if_wide(Clause("start_line >= 0")) for _ in range(3)] == [None] * 3


def test_a_slow_filter_keeps_no_other_one_waiting(database: Database) -> None:
    begun, may_end = Event(), Event()

    def columns(sql: str, parameters: Mapping[str, object] | None = None) -> dict[str, Any]:
        if "slow" in sql:
            begun.set()
            assert may_end.wait(30)
            sql = sql.replace("'slow' = 'slow'", "true")
        return database.columns(sql, parameters)

    filters = KeptFilters(columns)
    with ThreadPoolExecutor(2) as pool:
        slow = [pool.submit(filters.marks, Clause("'slow' = 'slow'")) for _ in range(2)]
        assert begun.wait(30)
        quick = filters.marks(Clause("start_line > 5"))
        may_end.set()

    assert quick is not None
    assert slow[0].result() is slow[1].result() is not None


def test_an_error_is_told_to_all_who_wait_and_not_kept(database: Database) -> None:
    failing = [True]

    def columns(sql: str, parameters: Mapping[str, object] | None = None) -> dict[str, Any]:
        if failing and "documents\nwhere" in sql:
            raise MemoryError
        return database.columns(sql, parameters)

    filters = KeptFilters(columns)
    with pytest.raises(MemoryError):
        filters.marks(Clause("start_line > 5"))
    failing.clear()

    assert filters.marks(Clause("start_line > 5")) is not None


def test_a_filter_is_looked_up_once_and_the_oldest_forgotten(database: Database) -> None:
    read: list[Mapping[str, object] | None] = []

    def columns(sql: str, parameters: Mapping[str, object] | None = None) -> dict[str, Any]:
        read.append(parameters)
        return database.columns(sql, parameters)

    filters = KeptFilters(columns)
    clauses = [Clause("start_line > $line", {"line": line}) for line in range(KEPT_FILTERS + 1)]
    first = filters.marks(clauses[0])
    assert filters.marks(clauses[0]) is first
    assert read == [None, {"line": 0}]

    for clause in clauses:
        filters.marks(clause)

    read.clear()
    assert (filters.marks(clauses[-1]) == filters.marks(clauses[1])).sum() > 0
    assert read == []
    assert (filters.marks(clauses[0]) == first).all()
    assert read == [{"line": 0}]


@pytest.mark.parametrize(
    "change",
    [
        "update fts_postings set chunk_no = 2_000_000_000 where chunk_no = 5",
        "update fts_postings set chunk_no = -5 where chunk_no = 5",
        "alter table fts_postings alter chunk_no type bigint",
        "alter table fts_postings alter weight drop not null; update fts_postings set weight = null",
        "update fts_postings set weight = 'nan' where chunk_no = 5",
        "update fts_postings set weight = 'infinity' where chunk_no = 5",
        "create or replace table documents as "
        "select * replace (nullif(chunk_no, 5) as chunk_no) from documents",
        "update documents set chunk_no = 2_000_000_000 where chunk_no = 5",
        "delete from documents",
    ],
)
def test_strange_stores_are_left_to_the_engine(
    shop_store: Path, tmp_path: Path, term_keys: list[int], change: str
) -> None:
    shutil.copy(shop_store, tmp_path / "strange.duckdb")
    with duckdb.connect(str(tmp_path / "strange.duckdb")) as connection:
        connection.execute(change)

    with open_database(tmp_path / "strange.duckdb") as opened:
        filters = EagerFilters(partial(own_columns, opened))

        assert filtered_hits(filters, Clause("start_line >= 0"), term_keys, depth=9, preferred=()) is None


def test_what_the_engine_cannot_answer_is_left_to_the_statement_that_tells_why(database: Database) -> None:
    filters = KeptFilters(partial(own_columns, database))

    assert filters.marks(Clause("error('no') is null")) is None
