"""Measure on a store's own vectors whether scanning sign bits first finds what an exact scan finds."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb

ALL = 2_000_000_000  # candidates of a search that compares every vector
CANDIDATES = (200, 500, 1000, 2000)
SMALL = 20_000  # vectors; below, an exact scan takes a few milliseconds
MIN_RECALL = 0.99
SAMPLE = 24  # vectors asked for their neighbours


@dataclass(frozen=True, slots=True)
class VectorScan:
    """How vectors are searched: `exact`, or `signs` with so many candidates compared exactly."""

    kind: str
    candidates: int
    recall: float

    @property
    def macro_candidates(self) -> int:
        """Return the limit that makes the stored macros search in this way."""
        return self.candidates if self.kind == "signs" else ALL


def choose_scan(connection: duckdb.DuckDBPyConnection, *, dimension: int) -> VectorScan:
    """Take the fewest candidates that reach recall@10 of 0.99, else the exact scan."""
    vectors = int(connection.execute("select count(embedding) from documents").fetchall()[0][0])
    if vectors < SMALL:
        return VectorScan("exact", 0, 1.0)
    samples = _samples(connection, vectors)
    exact = [_nearest(connection, vector, dimension, candidates=vectors) for vector in samples]
    for candidates in CANDIDATES:
        found = [_nearest(connection, vector, dimension, candidates=candidates) for vector in samples]
        recall = sum(len(a & b) / len(a) for a, b in zip(exact, found, strict=True)) / len(samples)
        if recall >= MIN_RECALL:
            return VectorScan("signs", candidates, recall)
    return VectorScan("exact", 0, 1.0)


def _samples(connection: duckdb.DuckDBPyConnection, vectors: int) -> list[list[float]]:
    """Return vectors spread evenly over the store."""
    rows = connection.execute(
        "select embedding from documents where embedding is not null and chunk_no % $step = 0 "
        "order by chunk_no limit $sample",
        {"step": max(vectors // SAMPLE, 1), "sample": SAMPLE},
    ).fetchall()
    return [list(row[0]) for row in rows]


def _nearest(
    connection: duckdb.DuckDBPyConnection, vector: list[float], dimension: int, *, candidates: int
) -> set[int]:
    rows = connection.execute(
        f"select chunk_no from nearest_scores($vector::float[{dimension}], candidates := {candidates})",
        {"vector": vector},
    ).fetchall()
    return {row[0] for row in rows}
