"""Choose the points of a map, and read the vector of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragduck.corpus_map.settings import MapSettings
from ragduck.resources import sql_text
from ragduck.store import Database
from ragduck.store.vectors import vector_batches

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Point:
    """A chunk, or a file, as the map shows it; ``chunk_no`` is None for a file."""

    node_id: str
    chunk_no: int | None
    doc_id: str
    repo: str
    branch: str
    source_file: str
    start_line: int
    end_line: int
    title: str


@dataclass(frozen=True, slots=True)
class Points:
    """Points in reading order, and their distinct unit vectors: that of point i is ``vectors[vector_of[i]]``.

    ``chunks`` are the numbers of the chunks behind the points and ``owners`` the point of each; they differ from the
    points themselves in a map of files. ``left_out`` counts the points that a sample leaves out, ``without_vector``
    those that have none.
    """

    points: tuple[Point, ...]
    vectors: Floats
    vector_of: Integers
    chunks: Integers
    owners: Integers
    left_out: int
    without_vector: int


def read_points(database: Database, settings: MapSettings) -> Points:
    """Read what the map shows, with its vectors; a vector without length or of no numbers has no place on it."""
    filters: dict[str, object] = {"repos": list(settings.repos), "branches": list(settings.branches)}
    asked = {**filters, "level": settings.level}
    total = int(database.rows(sql_text("map/count.sql"), asked)[0]["names"])
    rows = database.rows(sql_text("map/chunks.sql"), {**asked, "sample": settings.sample})
    names = int(rows[0]["names"]) if rows else 0
    is_of_files = settings.level == "file"
    keys, groups = _numbered([row["doc_id" if is_of_files else "content_hash"] for row in rows])
    chunks = np.array([row["chunk_no"] for row in rows], dtype=np.int64)
    vectors = _unit_vectors(database, chunks, groups, count=keys, is_sum=is_of_files)
    is_usable = np.isfinite(vectors).all(axis=1) & (vectors != 0).any(axis=1)
    is_kept = is_usable[groups]
    rows = [row for row, is_row_kept in zip(rows, is_kept, strict=True) if is_row_kept]
    vector_of = (np.cumsum(is_usable) - 1)[groups[is_kept]]
    points = _file_points(database, rows, filters) if is_of_files else tuple(map(_chunk_point, rows))
    in_order = np.arange(len(points), dtype=np.int64)
    return Points(
        points,
        vectors[is_usable],
        vector_of=in_order if is_of_files else vector_of,
        chunks=chunks[is_kept],
        owners=vector_of if is_of_files else in_order,
        left_out=max(0, names - settings.sample),
        without_vector=total - names + min(names, settings.sample) - len(points),
    )


def _numbered(keys: Sequence[str]) -> tuple[int, Integers]:
    """Count the distinct keys, and number each by its first appearance."""
    numbers: dict[str, int] = {}
    places = [numbers.setdefault(key, len(numbers)) for key in keys]
    return len(numbers), np.array(places, dtype=np.int64)


def _unit_vectors(
    database: Database, chunks: Integers, groups: Integers, *, count: int, is_sum: bool
) -> Floats:
    """Return a unit vector per group, of its chunks' sum or of any of them; they are read a row group at a time."""
    sums: Floats = np.zeros((count, 1), dtype=np.float32)
    for batch in vector_batches(database) if count else ():
        if sums.shape[1] != batch.vectors.shape[1]:
            sums = np.zeros((count, batch.vectors.shape[1]), dtype=np.float32)
        places = np.minimum(np.searchsorted(chunks, batch.chunk_nos), len(chunks) - 1)
        is_wanted = chunks[places] == batch.chunk_nos
        into, found = groups[places[is_wanted]], _normalized(batch.vectors[is_wanted])
        if is_sum:
            np.add.at(sums, into, found)
        else:
            sums[into] = found
    return _normalized(sums)


def _normalized(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def _chunk_point(row: dict[str, Any]) -> Point:
    return Point(**{field.name: row[field.name] for field in fields(Point)})


def _file_points(
    database: Database, rows: Sequence[dict[str, Any]], filters: dict[str, object]
) -> tuple[Point, ...]:
    """Return a point for each file that has a chunk, in order of the first."""
    files = {row["doc_id"]: row for row in database.rows(sql_text("map/files.sql"), filters)}
    wanted = dict.fromkeys(row["doc_id"] for row in rows)
    return tuple(_file_point(files[doc_id]) for doc_id in wanted)


def _file_point(file: dict[str, Any]) -> Point:
    return Point(
        node_id=file["doc_id"], chunk_no=None, doc_id=file["doc_id"], repo=file["repo"], branch=file["branch"],
        source_file=file["file_path"], start_line=1, end_line=file["lines"], title=file["file_name"],
    )  # fmt: skip
