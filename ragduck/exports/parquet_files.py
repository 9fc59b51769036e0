"""Write streams of rows into Parquet files, a row group at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ragduck.progress import Stage

GROUP_ROWS = 131_072
GROUP_BYTES = 64 * 1024 * 1024  # in memory; what an export needs beside the engine
COMPRESSION = "zstd"


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A Parquet file: its path below the export's folder, rows, bytes, and whose rows they are."""

    path: str
    rows: int
    size: int
    repo: str | None = None
    branch: str | None = None


def write_rows(path: Path, schema: pa.Schema, rows: Iterable[pa.RecordBatch], *, stage: Stage) -> int:
    """Write batches into a new file and return how many rows there were; none make a file that is empty but valid."""
    path.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with (
        pa.OSFile(str(path), "wb") as file,
        pq.ParquetWriter(file, schema, compression=COMPRESSION, use_dictionary=_repeating(schema)) as writer,
    ):
        for group in _row_groups(rows, schema):
            writer.write_table(group, row_group_size=max(group.num_rows, 1))
            written += group.num_rows
            stage.advance(group.num_rows)
    return written


def _row_groups(rows: Iterable[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.Table]:
    collected: list[pa.RecordBatch] = []
    count = size = 0
    for batch in rows:
        collected.append(batch)
        count += batch.num_rows
        size += batch.nbytes
        if count >= GROUP_ROWS or size >= GROUP_BYTES:
            yield pa.Table.from_batches(collected, schema)
            collected, count, size = [], 0, 0
    if collected:
        yield pa.Table.from_batches(collected, schema)


def _repeating(schema: pa.Schema) -> list[str]:
    """Return the Parquet columns in which values recur: not the numbers of vectors."""
    paths = []
    for field in schema:
        kind = field.type
        if pa.types.is_list(kind):
            paths.append(f"{field.name}.list.element")
        elif not (pa.types.is_fixed_size_list(kind) or pa.types.is_fixed_size_binary(kind)):
            paths.append(field.name)
    return paths
