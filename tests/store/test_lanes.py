"""Two connections write at the same time, and neither goes on when the other fails."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import duckdb
import pytest

from ragduck.store.lanes import Lanes, two_lanes

ENDLESS = "select sum(a.range * b.range) from range(10_000_000) as a, range(10_000_000) as b"


@pytest.fixture
def lanes() -> Iterator[Lanes]:
    with duckdb.connect() as connection, two_lanes(connection) as found:
        yield found


def test_both_write_at_the_same_time(lanes: Lanes) -> None:
    other_began, own_began = Event(), Event()

    def write() -> bool:
        other_began.set()
        lanes.other.execute("create table b as select 2 as value")
        return own_began.wait(10)

    with lanes.beside(write) as met:
        assert other_began.wait(10)
        lanes.own.execute("create table a as select 1 as value")
        own_began.set()

    assert met.result()
    assert lanes.own.execute("from a, b").fetchall() == [(1, 2)]


def test_what_fails_meanwhile_is_raised(lanes: Lanes) -> None:
    def fail() -> None:
        lanes.other.execute("from missing")

    with pytest.raises(duckdb.CatalogException), lanes.beside(fail):
        lanes.own.execute("select 1")


def test_other_work_is_interrupted_when_its_own_fails(lanes: Lanes) -> None:
    with pytest.raises(KeyboardInterrupt), lanes.beside(lambda: lanes.other.execute(ENDLESS)):
        raise KeyboardInterrupt
