"""Keep parsed files in a SQLite file that several processes share and none depends on."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from time import time
from typing import TypeVar

MAX_BYTES = 1_000_000_000  # some thirty times what a checkout of 7,000 files takes
LARGEST = 16_000_000  # bytes of one parsed file
APPLICATION_ID = 0x5261_4470  # marks the file as ours
BUSY_SECONDS = 5.0  # to parse a batch anew takes longer than waiting
USE_SECONDS = 3_600  # how exactly the last use is known
AT_ONCE = 200  # keys of one statement
SCHEMA = (
    "create table parsed"
    " (id integer primary key, key blob not null unique, used integer not null, size integer not null,"
    " value blob not null)",
    "create index parsed_by_use on parsed (used, size)",
    f"pragma application_id = {APPLICATION_ID}",
)
WRITE = "insert or replace into parsed (key, used, size, value) values (?, ?, ?, ?)"
PRUNE = (
    "delete from parsed where id in (select id from"
    " (select id, sum(size) over (order by used desc, id desc) as newer from parsed) where newer > ?)"
)
_NOT_A_DATABASE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})

Answer = TypeVar("Answer")


class ParsedFiles:
    """Bytes under keys; those unused for longest go first once there are more than ``limit`` bytes.

    With a file that is locked or cannot be written nothing is found and nothing kept, and nothing is raised. One
    that is torn or another program's is thrown away.
    """

    def __init__(self, path: Path, *, limit: int = MAX_BYTES) -> None:
        self.path = path
        self._limit = limit

    def read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return what was written under some of the keys."""
        return self._attempt(lambda connection: _read(connection, keys)) or {}

    def write(self, values: Mapping[bytes, bytes]) -> None:
        """Keep bytes under their keys, in one step."""
        now = int(time())
        rows = [(key, now, len(value), value) for key, value in values.items() if len(value) <= LARGEST]
        if rows:
            self._attempt(lambda connection: self._write(connection, rows))

    def _write(self, connection: sqlite3.Connection, rows: Sequence[tuple[bytes, int, int, bytes]]) -> None:
        connection.execute("begin immediate")
        connection.executemany(WRITE, rows)
        if _used_bytes(connection) > self._limit:
            connection.execute(PRUNE, (self._limit * 9 // 10,))
        connection.execute("commit")

    def _attempt(self, transaction: Callable[[sqlite3.Connection], Answer]) -> Answer | None:
        """Run one short transaction; where the file does not allow it, return None."""
        try:
            with closing(self._connect()) as connection:
                return transaction(connection)
        except (OSError, ValueError, sqlite3.Error) as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _NOT_A_DATABASE:
                self._throw_away()
            return None

    def _connect(self) -> sqlite3.Connection:
        # Sqlite would make the file readable for everyone.
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600))
        connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            connection.execute("pragma synchronous = off")  # what a power failure spoils is thrown away
            _make_ours(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _throw_away(self) -> None:
        """Remove the file; its log goes first, since a new file would take it for its own."""
        for path in (self.path.with_name(self.path.name + "-journal"), self.path):
            with suppress(OSError):
                path.unlink()


def _read(connection: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    for start in range(0, len(keys), AT_ONCE):
        some = list(keys[start : start + AT_ONCE])
        places = ", ".join("?" * len(some))
        of_some = f"key in ({places}) and typeof(value) = 'blob'"
        found.update(connection.execute(f"select key, value from parsed where {of_some}", some).fetchall())
        _mark_used(connection, of_some, some)
    return found


def _mark_used(connection: sqlite3.Connection, of_some: str, keys: Sequence[bytes]) -> None:
    """Note that rows were of use; when others write at this moment, that can wait for the next time."""
    now = int(time())
    stale = f"{of_some} and used < ?"
    with suppress(sqlite3.OperationalError):
        if connection.execute(
            f"select 1 from parsed where {stale} limit 1", [*keys, now - USE_SECONDS]
        ).fetchone():
            connection.execute(f"update parsed set used = ? where {stale}", [now, *keys, now - USE_SECONDS])


def _used_bytes(connection: sqlite3.Connection) -> int:
    pages, free, size = (
        int(connection.execute(f"pragma {name}").fetchone()[0])
        for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size


def _make_ours(connection: sqlite3.Connection) -> None:
    """Lay out an empty database; raise ``sqlite3.Error`` for another program's."""
    if _is_ours(connection):
        return
    connection.execute("begin immediate")
    if not _is_ours(connection):  # else another process was faster
        if connection.execute("select count(*) from sqlite_master").fetchone()[0]:
            error = sqlite3.DatabaseError("another program's")
            error.sqlite_errorcode = sqlite3.SQLITE_NOTADB
            raise error
        for statement in SCHEMA:
            connection.execute(statement)
    connection.execute("commit")


def _is_ours(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("pragma application_id").fetchone()[0] == APPLICATION_ID)
