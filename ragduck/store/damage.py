"""Tell a file that is damaged, or was not copied to its end, from whatever else the engine may complain about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from ragduck.errors import StoreError
from ragduck.shell import quote

# What the engine raises of a file that it cannot make sense of, and of SQL that it has a fault with.
TORN = (duckdb.FatalException, duckdb.InternalException, duckdb.SerializationException)
CUT_OFF = "could not read enough bytes"
CORRUPT = "corrupt"
HELD = ("could not set lock", "already open in", "being used by another process")  # the last two on Windows
MAGIC, MAGIC_AT = b"DUCK", 8  # by which a file of DuckDB is known, and where it stands
COMPUTED = "metadata_"  # column of tables that takes no space in the file


class DamagedStoreError(StoreError):
    """Say that a store cannot be read to its end, so that it has to be copied or made again."""


def damage_of(error: duckdb.Error, path: Path) -> DamagedStoreError | None:
    """Return what to tell when a failure is the file's; None when it is not."""
    reason = first_line(error)
    hint = f"copy it again, or make it anew with: ragduck prepare FOLDER -o {quote(str(path))} --overwrite"
    if CUT_OFF in reason.lower() and _may_be_of_file(error):
        return DamagedStoreError(
            f"{path} is incomplete: the file ends before all that it should hold", hint=hint
        )
    is_told = CORRUPT in reason.lower() and _may_be_of_file(error)
    if is_told or (isinstance(error, TORN) and not _is_whole(path)):
        return DamagedStoreError(f"{path} is damaged: {reason}", hint=hint)
    return None


@contextmanager
def told_damage(path: Path) -> Iterator[None]:
    """Raise DamagedStoreError in place of a failure that is the file's."""
    try:
        yield
    except duckdb.Error as error:
        if damaged := damage_of(error, path):
            raise damaged from error
        raise


def first_line(error: BaseException) -> str:
    """Return the part of an engine's message that says what happened."""
    return str(error).strip().split("\n", 1)[0]


def is_held(error: BaseException) -> bool:
    """Whether a file could not be opened because others have it open."""
    told = str(error).lower()
    return any(sign in told for sign in HELD)


def may_be_of_duckdb(path: Path) -> bool:
    """Say whether a file that the engine could not open begins as those of DuckDB do.

    It wants an extension for what others wrote, such as SQLite. One that it has open must not be looked at: closing
    that would let go of its lock.
    """
    try:
        with path.open("rb") as file:
            return file.read(MAGIC_AT + len(MAGIC))[MAGIC_AT:] == MAGIC
    except OSError:  # the engine tells why
        return True


def _may_be_of_file(error: duckdb.Error) -> bool:
    """Whether a file may be what failed: a wrong checksum is an error of no kind, and SQL may quote all words."""
    return type(error) is duckdb.Error or isinstance(error, duckdb.IOException)


def _is_whole(path: Path) -> bool:
    """Whether all that a file holds can be read: then it is not the file that an error is about.

    Of one that is gone, or that another process writes, nothing is known, and nothing said against it.
    """
    if not path.is_file():
        return True
    place = str(path).replace("'", "''")
    try:
        with duckdb.connect() as engine:
            engine.execute(f"attach '{place}' as file (read_only)")
            for schema, table, column in engine.execute(
                "select schema_name, table_name, column_name from duckdb_columns() "
                "where database_name = 'file' and column_name <> $computed and (schema_name, table_name) in "
                "(select (schema_name, table_name) from duckdb_tables() where database_name = 'file')",
                {"computed": COMPUTED},
            ).fetchall():
                named = ".".join(_quoted(name) for name in (schema, table))
                engine.execute(f"select max(hash({_quoted(column)})) from file.{named}").fetchall()
    except duckdb.Error as error:
        return is_held(error)
    return True


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
