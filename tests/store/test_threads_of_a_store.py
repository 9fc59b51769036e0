"""Threads share one open store: each gets the answers to its own statements, and one of them may close it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

import ragduck
from ragduck.errors import StoreError
from ragduck.library import Store

THREADS = 4
STATEMENTS = 40


@pytest.fixture
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


def test_each_thread_gets_the_rows_of_its_own_statements(store: Store) -> None:
    def ask(number: int) -> list[list[dict[str, object]]]:
        statement = f"select {number} as a{number} from range({number + 1})"
        return [store.sql(statement) for _ in range(STATEMENTS)]

    with ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(ask, range(THREADS)))

    for number, found in enumerate(answers):
        assert found == [[{f"a{number}": number}] * (number + 1)] * STATEMENTS


def test_each_thread_has_variables_of_its_own(store: Store) -> None:
    def ask(number: int) -> set[tuple[object, ...]]:
        tables = (
            store.table("select getvariable('name')", variables={"name": str(number)})
            for _ in range(STATEMENTS)
        )
        return {row for table in tables for row in table.rows}

    with ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(ask, range(THREADS)))

    assert answers == [{(str(number),)} for number in range(THREADS)]


def test_what_one_statement_was_given_the_next_does_not_know(store: Store) -> None:
    store.table("select getvariable('branch')", variables={"branch": "develop"})

    assert store.sql("select getvariable('branch') as branch") == [{"branch": None}]


def test_a_store_may_be_closed_while_other_threads_search(shop_store: Path) -> None:
    store = ragduck.open(shop_store)
    has_begun = Event()

    def search() -> str:
        while True:
            try:
                store.search("invoice", mode="bm25")
                store.neighbourhood("dbo.Invoice", depth=1)
                has_begun.set()
            except StoreError as error:
                return error.message

    with ThreadPoolExecutor(THREADS) as pool:
        searches = [pool.submit(search) for _ in range(THREADS)]
        assert has_begun.wait(timeout=60)
        store.close()
        told = {each.result() for each in searches}

    assert told == {f"{shop_store} is closed"}
