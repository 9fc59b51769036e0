"""Pack tables into bytes that wait in the cache, with a checksum, and read them back."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

import pyarrow as pa

from ragduck.edge_table import NUMBERS, EdgeTable

COMPRESSED = pa.ipc.IpcWriteOptions(compression="zstd")
CHECKSUM_BYTES = 4


def packed_tables(tables: Iterable[pa.Table], key: bytes) -> bytes:
    """Return tables as bytes; the key goes into the checksum, so that no row answers for another."""
    sink = pa.BufferOutputStream()
    for table in tables:
        with pa.ipc.new_stream(sink, table.schema, options=COMPRESSED) as writer:
            writer.write_table(table)
    body: bytes = sink.getvalue().to_pybytes()
    return _checksum(body, key) + body


def unpacked_tables(data: bytes, key: bytes, *, count: int) -> list[pa.Table] | None:
    """Read back what `packed_tables` gave; None for bytes that are not whole."""
    body = memoryview(data)[CHECKSUM_BYTES:]
    if data[:CHECKSUM_BYTES] != _checksum(body, key):
        return None
    source = pa.BufferReader(body)
    return [pa.ipc.open_stream(source).read_all() for _ in range(count)]


def edge_columns(edges: EdgeTable) -> Iterator[pa.Table]:
    """Yield what edges are made of: words, the rows of numbers one after the other, and confidences."""
    yield pa.table({"word": edges.words})
    yield pa.table({"number": pa.array(edges.numbers.ravel())})
    yield pa.table({"confidence": pa.array(edges.confidences)})


def edges_of(words: pa.Table, numbers: pa.Table, confidences: pa.Table) -> EdgeTable:
    """Return the edges that are made of what `edge_columns` gave."""
    rows, sure = (table.column(0).combine_chunks().to_numpy() for table in (numbers, confidences))
    return EdgeTable(words.column(0).combine_chunks(), rows.reshape(len(NUMBERS), -1), sure)


def _checksum(body: bytes | memoryview, key: bytes) -> bytes:
    return zlib.crc32(body, zlib.crc32(key)).to_bytes(CHECKSUM_BYTES, "little")
