"""Both sides are searched at once; their hits are bound as columns, one row per chunk."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import duckdb
import numpy as np
import pytest

import ragduck
from ragduck.errors import UsageError
from ragduck.resources import sql_text
from ragduck.search import SearchRequest, VectorIndex, run_search
from ragduck.search.filters import clause_of
from ragduck.search.nearest import VectorHits
from ragduck.search.sides import merged
from ragduck.store import Database, open_database

NOTHING = VectorHits([], [], [])
MANY = 1000


@pytest.fixture(scope="module")
def database(shop_store: Path) -> Iterator[Database]:
    with open_database(shop_store) as opened:
        yield opened


def rows_of(database: Database, hits: dict[str, object]) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in database.rows(sql_text("search/hits.sql"), hits)]


def test_no_hits_are_no_rows(database: Database) -> None:
    assert rows_of(database, merged([], NOTHING)) == []


def test_a_side_without_hits_leaves_its_columns_empty(database: Database) -> None:
    by_keyword = merged([(7, 2.5), (3, 1.25)], NOTHING)
    by_meaning = merged([], VectorHits([9], [0.5], [0.25]))

    assert rows_of(database, by_keyword) == [(7, 1, 2.5, None, None, None), (3, 2, 1.25, None, None, None)]
    assert rows_of(database, by_meaning) == [(9, None, None, 1, 0.5, 0.25)]


def test_a_chunk_of_both_sides_is_one_row(database: Database) -> None:
    hits = merged([(7, 2.5), (3, 1.25)], VectorHits([3, 9], [0.75, 0.5], [0.75, 0.25]))

    assert rows_of(database, hits) == [
        (7, 1, 2.5, None, None, None),
        (3, 2, 1.25, 1, 0.75, 0.75),
        (9, None, None, 2, 0.5, 0.25),
    ]


def test_scores_are_bound_to_the_last_bit(database: Database) -> None:
    scores = np.random.default_rng(0).normal(size=200) * np.logspace(-12, 12, 200)

    hits = merged([], VectorHits(range(200), scores.astype(np.float32), scores))

    found = rows_of(database, hits)
    assert [row[5] for row in found] == scores.tolist()
    assert [row[4] for row in found] == scores.astype(np.float32).astype(float).tolist()


def test_many_hits_are_bound_in_a_moment(database: Database) -> None:
    hits = merged([(number, 1.0) for number in range(MANY)], NOTHING)
    rows_of(database, hits)

    start = perf_counter()
    rows_of(database, hits)

    assert perf_counter() - start < 1  # lists of values took four seconds on DuckDB 1.3
    assert json.loads(str(hits["hit_chunks"])) == list(range(MANY))


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
