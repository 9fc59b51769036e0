"""Pack what parsing found in one file into bytes, and read it back."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import cast

import pyarrow as pa

CODEC = "zstd"  # part of every pyarrow
_HEADER = struct.Struct(
    "<IIII"
)  # checksum, bytes of the chunks, bytes of the facts, bytes of both when packed


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What parsing found in one file: rows without the file's own columns, and packed facts."""

    chunks: pa.RecordBatch
    facts: bytes


def packed(file: ParsedFile, *, key: bytes) -> bytes:
    """Return a file's parse as bytes; the key goes into the checksum, so that no row answers for another."""
    chunks = file.chunks.serialize().to_pybytes()
    body = cast(bytes, pa.Codec(CODEC, 1).compress(chunks + file.facts, asbytes=True))
    checksum = zlib.crc32(body, zlib.crc32(key))
    return _HEADER.pack(checksum, len(chunks), len(file.facts), len(body)) + body


def unpacked_record(data: bytes, *, key: bytes, schema: pa.Schema) -> ParsedFile | None:
    """Read back what `packed` gave; None for bytes that are not whole."""
    if len(data) < _HEADER.size:
        return None
    checksum, chunks_size, facts_size, size = _HEADER.unpack_from(data)
    body = memoryview(data)[_HEADER.size :]
    if len(body) != size or zlib.crc32(body, zlib.crc32(key)) != checksum:
        return None
    try:
        content = pa.Codec(CODEC).decompress(body, decompressed_size=chunks_size + facts_size)
        batch = pa.ipc.read_record_batch(content.slice(0, chunks_size), schema)
    except (pa.ArrowException, OSError, ValueError):
        return None
    return ParsedFile(batch, content.slice(chunks_size).to_pybytes())
