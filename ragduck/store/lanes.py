"""Write different tables of one file at the same time, on two connections to the same engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent import futures
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import duckdb

INTERRUPT_SECONDS = 0.1  # between interrupts, each of which ends one statement

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Lanes:
    """Two connections to one engine. Temporary tables and variables are those of one of them."""

    own: duckdb.DuckDBPyConnection
    other: duckdb.DuckDBPyConnection
    _thread: ThreadPoolExecutor

    @contextmanager
    def beside(self, work: Callable[[], Result]) -> Iterator[Future[Result]]:
        """Do ``work`` on the other connection meanwhile; its result is there at the end.

        Raises what it raises. When what is done meanwhile fails, the work is interrupted.
        """
        future = self._thread.submit(work)
        try:
            yield future
        except BaseException:
            while not future.done():
                self.other.interrupt()
                futures.wait([future], timeout=INTERRUPT_SECONDS)
            raise
        future.result()


@contextmanager
def two_lanes(connection: duckdb.DuckDBPyConnection) -> Iterator[Lanes]:
    """Give a connection another one to its engine for a while."""
    with connection.cursor() as other, ThreadPoolExecutor(1) as thread:
        yield Lanes(connection, other, thread)
