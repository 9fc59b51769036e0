"""Tables of a store in memory as Arrow, whole or as a stream of batches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

from ragduck.errors import StoreError
from ragduck.exports.selection import Names, names_of, select
from ragduck.exports.tables import WRITTEN_AS_BITS, Column, table_named
from ragduck.store import Database

BATCH_ROWS = 2_048  # as many as DuckDB works on at once; texts of a batch must stay below 2 GiB
BITS = pa.binary(16)


def arrow_table(
    database: Database,
    table: str,
    *,
    columns: Names = (),
    repos: Names = (),
    branches: Names = (),
) -> pa.Table:
    """Return a table of the store; vectors are fixed size lists of float32.

    Without ``columns`` those that are computed from others are left out. Where repositories or branches are named,
    only rows that belong to them are taken. Raises UsageError for a name that the store does not have.
    """
    return arrow_batches(database, table, columns=columns, repos=repos, branches=branches).read_all()


def arrow_batches(
    database: Database,
    table: str,
    *,
    columns: Names = (),
    repos: Names = (),
    branches: Names = (),
) -> pa.RecordBatchReader:
    """Return a stream of a table's rows, for tables larger than memory; read it before the store is closed."""
    database.require_open()
    selection = select(database, repos, branches)
    stored = table_named(database, table)
    chosen = stored.chosen(names_of(columns))
    sql = stored.query(chosen, selection)
    stream = batches(database, sql, chosen, variables=selection.variables)
    return pa.RecordBatchReader.from_batches(schema_of(database, sql, chosen, selection.variables), stream)


def schema_of(
    database: Database, sql: str, columns: Sequence[Column], variables: Mapping[str, object]
) -> pa.Schema:
    """Return the schema of the batches that a query gives."""
    with _opened(database, f"{sql} limit 0", variables) as reader:
        return _fitted_schema(reader.schema, columns)


def batches(
    database: Database, sql: str, columns: Sequence[Column], *, variables: Mapping[str, object]
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a query of these columns, a few thousand at a time."""
    with _opened(database, sql, variables) as reader:
        schema = _fitted_schema(reader.schema, columns)
        try:
            for batch in reader:
                yield batch.cast(schema) if batch.schema != schema else batch
        except pa.ArrowException as error:
            reason = str(error).strip().split("\n", 1)[0]
            raise StoreError(
                f"{database.path} cannot be read: {reason}", hint="look what is wrong: ragduck check STORE"
            ) from error


@contextmanager
def _opened(database: Database, sql: str, variables: Mapping[str, object]) -> Iterator[Any]:
    """Run a query that is read as it goes: parameters would make older DuckDBs collect it, variables do not."""
    database.require_open()
    with database.cursor() as cursor:
        for name, value in variables.items():
            cursor.execute(f"set variable {name} = $value", {"value": value})
        relation = cursor.sql(sql)
        read = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader  # 2.0, before
        yield read(BATCH_ROWS)


def _fitted_schema(schema: pa.Schema, columns: Sequence[Column]) -> pa.Schema:
    """Return the schema with 128-bit words, first dimension in the highest bit, as 16 bytes each."""
    fields = [
        field.with_type(BITS) if column.data_type in WRITTEN_AS_BITS else field
        for field, column in zip(schema, columns, strict=True)
    ]
    return pa.schema(fields)
