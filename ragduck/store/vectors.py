"""Read vectors and chunk numbers as arrays, for copies of them outside the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
from numpy.typing import NDArray

from ragduck.resources import sql_text
from ragduck.store.connection import Database

BATCH_CHUNKS = 16_384  # as many as a row group holds


@dataclass(frozen=True, slots=True)
class VectorBatch:
    """Vectors, shape (rows, dimension), and the numbers of their chunks, rising."""

    chunk_nos: NDArray[np.int32]
    vectors: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class VectorChunks:
    """All chunks that have a vector, in order of their numbers, and the factor of their scores."""

    chunk_nos: NDArray[np.int32]
    importance: NDArray[np.float64]


def vector_batches(database: Database) -> Iterator[VectorBatch]:
    """Yield all vectors in order of their chunks, a row group at a time."""
    with database.cursor() as cursor:
        yield from batches_in(cursor)


def batches_in(connection: duckdb.DuckDBPyConnection) -> Iterator[VectorBatch]:
    """Yield all vectors of the store that a connection uses, as `vector_batches` does."""
    last = connection.execute("select coalesce(max(chunk_no), 0) from documents").fetchall()[0][0]
    for low in range(0, int(last), BATCH_CHUNKS):
        batch = one_batch(connection, "mirror/vectors.sql", {"low": low, "high": low + BATCH_CHUNKS})
        if len(batch.chunk_nos):
            yield batch


def vectors_of(database: Database, chunk_nos: Sequence[int]) -> VectorBatch:
    """Return the vectors of some chunks, in order of their numbers."""
    with database.cursor() as cursor:
        return one_batch(cursor, "mirror/vectors_of_chunks.sql", {"chunks": list(chunk_nos)})


def one_batch(connection: duckdb.DuckDBPyConnection, name: str, parameters: dict[str, object]) -> VectorBatch:
    """Return what a statement of `sql/` selects as `chunk_no` and `embedding`."""
    table = connection.sql(sql_text(name), params=parameters).to_arrow_table().combine_chunks()
    chunk_nos = np.array(table.column("chunk_no").to_numpy(), dtype=np.int32)
    dimension = table.schema.field("embedding").type.list_size
    flat = np.concatenate(
        [np.empty(0, np.float32), *(part.flatten().to_numpy() for part in table.column("embedding").chunks)]
    )
    return VectorBatch(chunk_nos, flat.reshape(-1, dimension))


def vector_chunks(database: Database) -> VectorChunks:
    """Return which chunks have a vector."""
    with database.cursor() as cursor:
        columns = cursor.execute(sql_text("mirror/chunks.sql")).fetchnumpy()
    return VectorChunks(
        np.asarray(columns["chunk_no"], dtype=np.int32),
        np.asarray(columns["importance_score"], dtype=np.float64),
    )
