"""Keep vectors in a small SQLite file that several processes share and none depends on."""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from time import time
from typing import TypeVar

MAX_VECTORS = 20_000  # 45 MB of the default model's
APPLICATION_ID = 0x5261_4475  # marks the file as ours; another program's is never written to
BUSY_SECONDS = 0.1  # to embed anew costs no more than waiting longer
USE_SECONDS = 3_600  # how exactly the last use is known, since not every question that is read may write
SCHEMA = (
    "create table vectors"
    " (key blob not null primary key, used integer not null, checksum integer not null, vector blob not null)",
    "create index vectors_by_use on vectors (used)",
    f"pragma application_id = {APPLICATION_ID}",
)
READ = (
    "select vector, checksum, used from vectors"
    " where key = ? and typeof(vector) = 'blob' and typeof(used) = 'integer'"
)
WRITE = "insert or replace into vectors (key, used, checksum, vector) values (?, ?, ?, ?)"
USE = "update vectors set used = ? where key = ?"
PRUNE = (
    "delete from vectors where rowid in"
    " (select rowid from vectors order by used desc, rowid desc limit -1 offset ?)"
)


Answer = TypeVar("Answer")


class VectorFile:
    """Vectors as bytes under keys; those unused for longest go first once there are more than ``limit``.

    With a file that is locked, read-only, damaged or another program's nothing is found and nothing kept, and
    nothing is raised. A damaged one of our own is removed, so that the next vector begins a new one.
    """

    def __init__(self, path: Path, *, limit: int = MAX_VECTORS) -> None:
        self.path = path
        self._limit = limit

    def read(self, key: bytes) -> bytes | None:
        """Return what was written under a key, bit for bit."""
        row = self._attempt(lambda connection: _row(connection, key), mode="ro")
        if row is None:
            return None
        vector, used = row
        if time() - used > USE_SECONDS:
            self._attempt(lambda connection: connection.execute(USE, (int(time()), key)), mode="rw")
        return vector

    def write(self, key: bytes, vector: bytes) -> None:
        """Keep a vector; folder and file are made when missing, for the user alone."""

        def written(connection: sqlite3.Connection) -> None:
            connection.execute("begin immediate")
            if not _is_ours(connection):
                _make_ours(connection)
            row = connection.execute(WRITE, (key, int(time()), _checksum(key, vector), vector)).lastrowid or 0
            if row % max(1, self._limit // 100) == 0:
                connection.execute(PRUNE, (self._limit,))
            connection.execute("commit")

        self._attempt(written, mode="rwc")

    def _attempt(self, transaction: Callable[[sqlite3.Connection], Answer], *, mode: str) -> Answer | None:
        """Run one short transaction; where the file does not allow it, return None."""
        try:
            with closing(self._connect(mode)) as connection:
                return transaction(connection)
        except (OSError, ValueError, sqlite3.Error) as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT:
                self._remove_damaged()
            return None

    def _connect(self, mode: str) -> sqlite3.Connection:
        if mode == "rwc":  # sqlite would make the file readable for everyone
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        address = f"{self.path.absolute().as_uri()}?mode={mode}"
        connection = sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        # Waiting for the disk takes 16 ms a question; what a power failure may spoil here can be had again.
        connection.execute("pragma synchronous = off")
        return connection

    def _remove_damaged(self) -> None:
        """Remove the file if its header is ours, since sqlite reads no more of it."""
        with suppress(OSError):
            if self.path.read_bytes()[68:72] == APPLICATION_ID.to_bytes(4, "big"):
                self.path.unlink()


def _row(connection: sqlite3.Connection, key: bytes) -> tuple[bytes, int] | None:
    """Return a vector, if it is whole, and when it was last used."""
    row = connection.execute(READ, (key,)).fetchone() if _is_ours(connection) else None
    if row is None or _checksum(key, row[0]) != row[1]:
        return None
    return row[0], row[2]


def _checksum(key: bytes, vector: bytes) -> int:
    return zlib.crc32(vector, zlib.crc32(key))


def _is_ours(connection: sqlite3.Connection) -> bool:
    found = connection.execute("pragma application_id").fetchone()
    return bool(found[0] == APPLICATION_ID)


def _make_ours(connection: sqlite3.Connection) -> None:
    """Lay out an empty database; raise ``sqlite3.Error`` for another program's."""
    if connection.execute("select count(*) from sqlite_master").fetchone()[0]:
        raise sqlite3.DatabaseError("another program's")
    for statement in SCHEMA:
        connection.execute(statement)
