"""Pack rows and bytes into one record, and read it back."""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple, cast

import pyarrow as pa

CODEC = "zstd"  # part of every pyarrow
_HEADER = struct.Struct("<IIII")  # checksum, bytes of the rows, of what comes after, of both when packed


class Record(NamedTuple):
    """Rows, and bytes that belong to them."""

    rows: pa.RecordBatch
    data: bytes = b""


def packed(record: Record, *, key: bytes) -> bytes:
    """Return a record as bytes; the key goes into the checksum, so that nothing answers for another key."""
    rows = record.rows.serialize().to_pybytes()
    body = cast(bytes, pa.Codec(CODEC, 1).compress(rows + record.data, asbytes=True))
    checksum = zlib.crc32(body, zlib.crc32(key))
    return _HEADER.pack(checksum, len(rows), len(record.data), len(body)) + body


def unpacked_record(packed_record: bytes, *, key: bytes, schema: pa.Schema) -> Record | None:
    """Read back what `packed` gave; None for bytes that are not whole."""
    if len(packed_record) < _HEADER.size:
        return None
    checksum, rows_size, data_size, size = _HEADER.unpack_from(packed_record)
    body = memoryview(packed_record)[_HEADER.size :]
    if len(body) != size or zlib.crc32(body, zlib.crc32(key)) != checksum:
        return None
    try:
        content = pa.Codec(CODEC).decompress(body, decompressed_size=rows_size + data_size)
        batch = pa.ipc.read_record_batch(content.slice(0, rows_size), schema)
    except (pa.ArrowException, OSError, ValueError):
        return None
    return Record(batch, content.slice(rows_size).to_pybytes())
