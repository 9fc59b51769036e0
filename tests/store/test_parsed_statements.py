"""Statements are parsed once and answered anew, in any thread."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ragduck.store import Database, open_database
from ragduck.store.connection import MAX_STATEMENTS


@pytest.fixture(scope="module")
def database(shop_store: Path) -> Iterator[Database]:
    with open_database(shop_store) as opened:
        yield opened


def test_values_are_bound_anew(database: Database) -> None:
    sql = "select $value as value"

    assert [database.rows(sql, {"value": value})[0]["value"] for value in (1, "one", None, [1, 2])] == [
        1, "one", None, [1, 2],
    ]  # fmt: skip


def test_several_statements_in_one_text_are_all_run(database: Database) -> None:
    assert database.rows("select 1 as value; select 2 as value") == [{"value": 2}]


def test_threads_share_what_was_parsed_while_older_statements_are_forgotten(database: Database) -> None:
    def ask(number: int) -> int:
        sql = f"select {number % (MAX_STATEMENTS + 40)} + $value as value"
        return int(database.rows(sql, {"value": number})[0]["value"])

    numbers = range(2 * MAX_STATEMENTS)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, numbers))

    assert answers == [number % (MAX_STATEMENTS + 40) + number for number in numbers]
