"""Open a store as the file is now, though this process may hold open the one that it replaced."""

from __future__ import annotations

from pathlib import Path

import duckdb

from ragduck.store.connection import CLOSED_CONFIG, Database, file_at, open_database
from ragduck.store.work_file import quoted

AT_THE_END = ("enable_external_access", "lock_configuration")  # not before the file is attached
NAME = "live"


class FreshDatabase(Database):
    """A store attached to an engine of its own."""

    catalog = NAME


def open_fresh(path: str | Path) -> Database:
    """Open a store read-only, as `open_database` does and with its errors, but the file that is there now.

    DuckDB gives all who connect to a path in one process the same engine, and that goes on reading the file that was
    there when the first of them came. Only where it is another file is an engine of its own taken: the common one
    also keeps this process from writing conversations into a file that it reads.
    """
    path = Path(path)
    database = open_database(path)
    if database.file == file_at(path):  # to open it twice and close one would free the lock of the other
        return database
    database.close()
    return _attached(path)


def _attached(path: Path) -> Database:
    config = {name: value for name, value in CLOSED_CONFIG.items() if name not in AT_THE_END}
    connection = duckdb.connect(":memory:", config=config)
    try:
        connection.execute(f"attach '{quoted(path)}' as {NAME} (read_only)")
        connection.execute(f"use {NAME}")
        for name in AT_THE_END:
            connection.execute(f"set {name} = {str(CLOSED_CONFIG[name]).lower()}")
        return FreshDatabase(connection, path)
    except BaseException:
        connection.close()
        raise
