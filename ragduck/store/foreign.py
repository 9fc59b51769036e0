"""Open a DuckDB file that another system wrote: for reading only, and closed to all that is outside of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from ragduck.errors import ForeignFileError, StoreError
from ragduck.store.connection import Database, connect
from ragduck.store.damage import first_line

MAGIC = b"DUCK"
MAGIC_AT = 8  # bytes into the file, after the checksum of its first block
FETCHED = 2048  # rows of text held twice at a time
VECTOR_ROWS = 16_384


class ForeignDatabase(Database):
    """A file without tables of ragduck. ``tables`` has the type of each column by table; views are not among them."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path) -> None:
        super().__init__(connection, path)
        self.tables = _tables(self)

    def read_meta(self) -> dict[str, str]:
        """Return nothing: what other systems tell of their files is in tables of their own."""
        return {}

    def read(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a statement; raise StoreError where the file does not give them."""
        try:
            with self.connection.cursor() as cursor:
                cursor.execute(sql)
                while rows := cursor.fetchmany(FETCHED):
                    yield from rows
        except (duckdb.Error, UnicodeError, OverflowError, ValueError) as error:
            raise StoreError(
                f"{self.path} cannot be read: {first_line(error)}",
                hint="check the file with the tool that made it",
            ) from error

    def vectors(self, table: str, column: str, *, dimension: int, last_row: int) -> Iterator[VectorRows]:
        """Yield the vectors of a column in order of their rows; those of another length are left out."""
        for low in range(0, last_row + 1, VECTOR_ROWS):
            rows = self._vector_rows(table, column, dimension, low)
            if len(rows[0]):
                yield rows

    def _vector_rows(self, table: str, column: str, dimension: int, low: int) -> VectorRows:
        sql = (
            f'select rowid as row_no, try("{column}"::float[{dimension}]) as vector from "{table}" '
            f"where rowid >= {low} and rowid < {low + VECTOR_ROWS} and vector is not null order by rowid"
        )
        try:
            with self.connection.cursor() as cursor:
                found = cursor.sql(sql).to_arrow_table().combine_chunks()
        except duckdb.Error as error:
            raise StoreError(f"the vectors of {self.path} cannot be read: {first_line(error)}") from error
        flat = np.concatenate(
            [
                np.empty(0, np.float32),
                *(part.flatten().to_numpy(zero_copy_only=False) for part in found.column("vector").chunks),
            ]
        )
        return np.array(found.column("row_no").to_numpy()), flat.reshape(-1, dimension)


VectorRows = tuple[NDArray[np.int64], NDArray[np.float32]]


def is_duckdb_file(path: Path) -> bool:
    """Whether a regular file begins as those of DuckDB do."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(MAGIC_AT + len(MAGIC))[MAGIC_AT:] == MAGIC
    except OSError:
        return False


def open_foreign(path: str | Path) -> ForeignDatabase:
    """Open a DuckDB file that is no store; raise ForeignFileError for another file, StoreError for a damaged one."""
    place = Path(path)
    if not is_duckdb_file(place):
        raise ForeignFileError(f"{place} is not a DuckDB file", hint="name a file made by sqlrooms-rag")
    connection = connect(place, read_only=True)
    try:
        return ForeignDatabase(connection, place)
    except duckdb.Error as error:
        connection.close()
        raise StoreError(f"{place} is damaged: {first_line(error)}", hint="make it again") from error
    except BaseException:
        connection.close()
        raise


def _tables(database: Database) -> Mapping[str, Mapping[str, str]]:
    """Return column types by table: the functions of the system are named in full, as a file may bring its own."""
    columns: dict[str, dict[str, str]] = {}
    for row in database.rows(_COLUMNS):
        columns.setdefault(row["table_name"], {})[row["column_name"]] = row["data_type"]
    return columns


_COLUMNS = (
    "select table_name, column_name, data_type from system.main.duckdb_columns() "
    "where schema_name = 'main' and not internal and table_name in "
    "(select table_name from system.main.duckdb_tables() where schema_name = 'main' and not internal)"
)
