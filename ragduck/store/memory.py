"""Tell how much memory the engine may use while a store is made; beyond it spills to disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import duckdb

SPILLED_LIMIT = 60  # MB
READING_LIMIT = 500  # meanwhile the graph is made in memory, too
WRITING_LIMIT = 1000
CHUNKS_PER_MB = 700  # of the limit when writing: indexes and hash tables of keys cannot spill


def allow(connection: duckdb.DuckDBPyConnection, *, chunks_in: str) -> None:
    """Raise the limit for a large store, by the chunks in a table."""
    chunks = int(connection.execute(f"select count(*) from {chunks_in}").fetchall()[0][0])
    _limit(connection, max(WRITING_LIMIT, chunks // CHUNKS_PER_MB))


@contextmanager
def spilled(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Let what waits in memory wait on disk, as far as it can."""
    with suppress(duckdb.OutOfMemoryException):
        _limit(connection, SPILLED_LIMIT)
    try:
        yield
    finally:
        _limit(connection, READING_LIMIT)


def _limit(connection: duckdb.DuckDBPyConnection, megabytes: int) -> None:
    connection.execute(f"set memory_limit = '{megabytes}MB'")
