"""Statements that read no table are planned once, and answer as they would otherwise."""

from __future__ import annotations

import json
import timeit
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.resources import PLANNED_ONCE
from ragduck.store import open_database
from ragduck.store.planned import MAX_TEXT, PlannedStatements

ECHO = f"{PLANNED_ONCE}select $text::varchar as text, $number::varchar::double as number"


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        yield opened


@given(st.text(st.characters(exclude_categories=["Cs"])), st.floats(allow_nan=False))
def test_any_text_and_number_comes_back_as_it_was_given(
    connection: duckdb.DuckDBPyConnection, text: str, number: float
) -> None:
    planned = PlannedStatements(connection.cursor)

    assert planned.rows(ECHO, {"text": text, "number": number}) == [{"text": text, "number": number}]


def test_null_is_given(connection: duckdb.DuckDBPyConnection) -> None:
    values = {"text": None, "number": None}

    assert PlannedStatements(connection.cursor).rows(ECHO, values) == [values]


def test_a_statement_without_values_is_run(connection: duckdb.DuckDBPyConnection) -> None:
    assert PlannedStatements(connection.cursor).rows("select 42 as answer", {}) == [{"answer": 42}]


def test_values_too_long_for_a_statement_are_bound(connection: duckdb.DuckDBPyConnection) -> None:
    planned = PlannedStatements(connection.cursor)
    numbers = list(range(MAX_TEXT // 4))

    found = planned.rows("select len($n::varchar::integer[]) as length", {"n": json.dumps(numbers)})

    assert found == [{"length": len(numbers)}]


@pytest.mark.skipif(duckdb.__version__ < "2", reason="before, DuckDB planned each time anew")
def test_a_plan_is_kept() -> None:
    """Planning this takes many times as long as running it."""
    terms = " + ".join(f"abs(n - {number})" for number in range(200))
    sql = f"select {terms} as n from (select $n::varchar::integer as n)"
    with duckdb.connect() as connection:
        planned = PlannedStatements(connection.cursor)
        assert planned.rows(sql, {"n": 200}) == [{"n": sum(range(1, 201))}]

        kept = _quickest(lambda: planned.rows(sql, {"n": 300}))
        anew = _quickest(lambda: connection.execute(sql, {"n": "300"}).fetchall())

    assert kept < anew / 4


def _quickest(run: Callable[[], object]) -> float:
    return min(timeit.repeat(run, number=1, repeat=7))


def test_threads_have_connections_of_their_own_that_are_used_again(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    planned = PlannedStatements(connection.cursor)
    values = [{"text": str(number), "number": number} for number in range(200)]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda each: planned.rows(ECHO, each), values))

    assert [rows[0]["number"] for rows in found] == [float(number) for number in range(200)]
    assert len(planned._idle) <= 8


def test_a_statement_that_fails_leaves_the_next_one_unharmed(connection: duckdb.DuckDBPyConnection) -> None:
    planned = PlannedStatements(connection.cursor)

    with pytest.raises(duckdb.ConversionException):
        planned.rows(ECHO, {"text": "", "number": "no number"})

    assert planned.rows(ECHO, {"text": "", "number": 1}) == [{"text": "", "number": 1.0}]


def test_a_store_that_is_closed_is_free(shop_store: Path, tmp_path: Path) -> None:
    copy = tmp_path / "store.duckdb"
    copy.write_bytes(shop_store.read_bytes())
    with open_database(copy) as database:
        assert database.rows(ECHO, {"text": "a", "number": 2}) == [{"text": "a", "number": 2.0}]

    with duckdb.connect(str(copy)) as writer:  # which needs the file for itself
        writer.execute("create table more (number integer)")
