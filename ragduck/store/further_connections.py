"""Open further connections to a store, one for each thread that needs one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

import duckdb

Connection = duckdb.DuckDBPyConnection


class FurtherConnections:
    """What connects further to where a connection leads. Threads may call it at once.

    ``catalog`` is what the engine calls the store where it is not the only one.
    """

    def __init__(self, connection: Connection, catalog: str | None) -> None:
        self._connection = connection
        self._catalog = catalog
        self._changed = Condition()  # the engine refuses to copy a connection for two threads at once
        self._lent = 0
        self._is_ended = False

    @property
    def is_ended(self) -> bool:
        """Whether there are no more."""
        return self._is_ended

    def open(self) -> Connection:
        """Open a further connection. Raises duckdb.ConnectionException after `end`."""
        with self._changed:
            if self._is_ended:
                raise duckdb.ConnectionException("Connection already closed!")
            further = self._connection.cursor()
        if self._catalog:
            further.execute(f"use {self._catalog}")
        return further

    @contextmanager
    def lent(self) -> Iterator[Connection]:
        """Lend a further connection, which `end` waits for: to close what is in use would make it fail."""
        with self._changed:
            further = self.open()
            self._lent += 1
        try:
            with further:
                yield further
        finally:
            with self._changed:
                self._lent -= 1
                self._changed.notify_all()

    def end(self) -> None:
        """Open no more, and wait until all that are lent are given back."""
        with self._changed:
            self._is_ended = True
            self._changed.wait_for(lambda: not self._lent)
