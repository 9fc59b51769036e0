"""Both sides are searched at once; their hits are columns, one row per chunk."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import duckdb
import numpy as np
import pytest

import ragduck
from ragduck.errors import StoreError, UsageError
from ragduck.resources import PLANNED_ONCE
from ragduck.search import SearchRequest, VectorIndex, run_search
from ragduck.search.filters import clause_of
from ragduck.search.ranking import (
    CHUNK_TYPES,
    HIT_TYPES,
    MOST_NAMED,
    asked_values,
    hits_sql,
    named_files,
    names_of_files,
    question_keys,
)
from ragduck.search.sides import merged
from ragduck.store import Database, open_database

MANY = 1000
SOME_SIGNALS = dict.fromkeys(CHUNK_TYPES)


@pytest.fixture(scope="module")
def database(shop_store: Path) -> Iterator[Database]:
    with open_database(shop_store) as opened:
        yield opened


def by_keyword(*hits: tuple[int, float]) -> list[dict[str, Any]]:
    return [{"chunk_no": chunk, "score": score, "terms": 1} for chunk, score in hits]


def by_meaning(*hits: tuple[int, float, float]) -> list[dict[str, Any]]:
    return [{"chunk_no": chunk, "cosine": cosine, "score": score} for chunk, cosine, score in hits]


def rows_of(database: Database, hits: dict[str, list[Any]]) -> list[tuple[Any, ...]]:
    texts = {name: json.dumps(hits[name]) for name in HIT_TYPES}
    return [tuple(row.values()) for row in database.rows(PLANNED_ONCE + hits_sql(HIT_TYPES), texts)]


def test_no_hits_are_no_rows(database: Database) -> None:
    assert rows_of(database, merged([], [])) == []


def test_a_side_without_hits_leaves_its_columns_empty(database: Database) -> None:
    keyword = merged(by_keyword((7, 2.5), (3, 1.25)), [])
    meaning = merged([], by_meaning((9, 0.5, 0.25)))

    assert rows_of(database, keyword) == [(7, 1, 2.5, None, None, None), (3, 2, 1.25, None, None, None)]
    assert rows_of(database, meaning) == [(9, None, None, 1, 0.5, 0.25)]


def test_a_chunk_of_both_sides_is_one_row(database: Database) -> None:
    hits = merged(by_keyword((7, 2.5), (3, 1.25)), by_meaning((3, 0.75, 0.75), (9, 0.5, 0.25)))

    assert rows_of(database, hits) == [
        (7, 1, 2.5, None, None, None),
        (3, 2, 1.25, 1, 0.75, 0.75),
        (9, None, None, 2, 0.5, 0.25),
    ]


def test_signals_stand_beside_the_hit_of_either_side() -> None:
    keyword = [hit | SOME_SIGNALS | {"file_no": 1} for hit in by_keyword((7, 2.5))]
    meaning = [hit | SOME_SIGNALS | {"file_no": 2} for hit in by_meaning((9, 0.5, 0.25), (7, 0.5, 0.25))]

    hits = merged(keyword, meaning, with_signals=True)

    assert (hits["chunk_no"], hits["file_no"], hits["name_key"]) == ([7, 9], [1, 2], [None, None])


def test_scores_are_bound_to_the_last_bit(database: Database) -> None:
    scores = np.random.default_rng(0).normal(size=200) * np.logspace(-12, 12, 200)
    cosines = scores.astype(np.float32).astype(float)

    found = rows_of(
        database, merged([], by_meaning(*zip(range(200), cosines.tolist(), scores.tolist(), strict=True)))
    )

    assert [row[5] for row in found] == scores.tolist()
    assert [row[4] for row in found] == cosines.tolist()


def test_scores_that_are_no_numbers_are_bound(database: Database) -> None:
    hits = merged(by_keyword((1, float("nan")), (2, float("inf")), (3, float("-inf"))), [])

    assert [str(row[2]) for row in rows_of(database, hits)] == ["nan", "inf", "-inf"]


def test_many_hits_are_bound_in_a_moment(database: Database) -> None:
    hits = merged(by_keyword(*((number, 1.0) for number in range(MANY))), [])
    rows_of(database, hits)

    start = perf_counter()
    found = rows_of(database, hits)

    assert perf_counter() - start < 1  # lists of values took four seconds on DuckDB 1.3
    assert [row[0] for row in found] == list(range(MANY))


def test_an_error_on_the_side_of_meaning_is_raised(database: Database) -> None:
    def rows(sql: str, parameters: dict[str, object]) -> list[dict[str, Any]]:
        if "query_vector" in parameters:
            raise UsageError("the vectors cannot be read")
        return database.rows(sql, parameters)

    with pytest.raises(UsageError, match="the vectors cannot be read"):
        run_search(
            rows,
            SearchRequest("where are orders placed"),
            vector=np.ones(64, dtype=np.float32),
            index=VectorIndex.from_meta(database.meta),
            clause=clause_of({"data_type": "regular_code"}),
        )


@pytest.mark.parametrize("question", ["InvoiceService", "where are invoices created", "orders of customers"])
def test_files_named_by_a_question_are_the_same_when_there_are_too_many_to_read(
    database: Database, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stems = question_keys(database.rows, SearchRequest(question))["stem_keys"]
    files = [
        row["file_no"] for row in database.rows("select distinct file_no from chunk_signals order by all")
    ]
    found = named_files(database.rows, stems)
    assert found
    named = names_of_files(database.rows, stems, files, found=found)

    monkeypatch.setattr("ragduck.search.ranking.MOST_NAMED", len(found) - 1)

    assert len(found) < MOST_NAMED
    assert named_files(database.rows, stems) is None
    assert names_of_files(database.rows, stems, files, found=None) == named
    assert sum(share is not None for share in named["file_share"]) == len(found)


@pytest.mark.parametrize(
    "settings",
    [{}, {"mode": "bm25"}, {"mode": "semantic", "signals": True}, {"signals": False}, {"use_rrf": False}],
    ids=str,
)
def test_what_is_planned_once_reads_no_table_and_names_each_value_once(
    database: Database, settings: dict[str, Any]
) -> None:
    """DuckDB would plan it anew for each question, without a word."""
    planned: list[str] = []

    def rows(sql: str, parameters: dict[str, object]) -> list[dict[str, Any]]:
        if sql.startswith(PLANNED_ONCE):
            planned.append(sql)
        return database.rows(sql, parameters)

    run_search(
        rows,
        SearchRequest("where are orders placed", **settings),
        vector=np.ones(64, dtype=np.float32) / 8,
        index=VectorIndex.from_meta(database.meta),
    )

    assert len(planned) == 2
    for sql in planned:
        names = re.findall(r"\$\w+", sql)
        assert len(names) == len(set(names))
        assert database.connection.get_table_names(re.sub(r"\$\w+", "null", sql)) == set()


def test_a_store_that_does_not_tell_a_weight_is_refused() -> None:
    with pytest.raises(StoreError, match="does not tell centrality_weight, coverage_terms, coverage_weight"):
        asked_values({})


def test_names_that_a_store_adds_do_not_become_sql(database: Database) -> None:
    row = database.rows("from question('orders')")[0]

    told = row | {"quoted_chunks": [], "placed_chunks": [], "terms": 1}

    assert asked_values(told | {"1; drop table documents": 1}).keys() <= told.keys()


def test_a_store_with_a_weight_of_null_is_still_searched(shop_store: Path, tmp_path: Path) -> None:
    copy = shutil.copy(shop_store, tmp_path / "changed.duckdb")
    with duckdb.connect(str(copy)) as connection:
        definition = connection.execute(
            "select macro_definition from duckdb_functions() where function_name = 'ranking'"
        ).fetchone()
        names = connection.execute(
            "select parameters from duckdb_functions() where function_name = 'ranking'"
        ).fetchone()
        values = connection.execute("select ranking() as weights").fetchone()
        assert definition is not None
        assert names is not None
        assert values is not None
        defaults = values[0] | {"first_place": None}
        parameters = ", ".join(f"{name} := {defaults[name] or 'null'}" for name in names[0])
        connection.execute(f"create or replace macro ranking({parameters}) as {definition[0]}")

    with ragduck.open(copy) as store:
        answer = store.search("where are orders placed", mode="bm25", top_k=500)

    assert len(answer.results) > 20
    assert answer.results[-1]["score"] is None


def test_a_chunk_without_a_vector_is_no_hit_by_meaning(database: Database) -> None:
    counted = database.rows("select count(*) as chunks, count(embedding) as vectors from documents")[0]
    assert 0 < counted["vectors"] < counted["chunks"]

    answer = run_search(
        database.rows,
        SearchRequest("orders", mode="semantic", top_k=counted["chunks"]),
        vector=np.ones(64, dtype=np.float32) / 8,
        index=VectorIndex(64, candidates=0),
    )

    assert len(answer.results) == counted["vectors"]
    cosines = [result["vector_score"] for result in answer.results]
    assert all(-1 <= cosine <= 1 for cosine in cosines)
    assert [r["score"] for r in answer.results] == sorted((r["score"] for r in answer.results), reverse=True)
