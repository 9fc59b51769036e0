"""Measure on a store's own vectors whether comparing sign bits first finds what an exact scan finds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import duckdb
import numpy as np
from numpy.typing import NDArray

from ragduck.store.vectors import VectorBatch, batches_in, one_batch

Floats = NDArray[np.float32]

ALL = 2_000_000_000  # candidates of a search that compares every vector
CANDIDATES = (500, 1000, 2000)  # fewer do for chunks, but questions lie further off
SMALL = 8_000  # vectors; below, an exact scan takes no longer
MOST = 1 / 16  # of the vectors: to compare more of them one by one takes as long as comparing all
MIN_RECALL = 0.99
HITS = 10  # nearest vectors that have to be found
SAMPLE = 100  # vectors asked for their neighbours
EXACT_DEPTH = 160  # neighbours that are known, so that equal ones count alike
TIE = 1e-6  # cosines that differ by less are equal: engines sum in different order
CHUNK_BITS = 32


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


def choose_scan(connection: duckdb.DuckDBPyConnection) -> VectorScan:
    """Take the fewest candidates that reach recall@10 of 0.99; the exact scan where they would be too many."""
    count = int(connection.execute("select count(embedding) from documents").fetchall()[0][0])
    if count < SMALL:
        return VectorScan("exact", 0, 1.0)
    neighbours = Neighbours(_sample(connection, count))
    neighbours.read(batches_in(connection))
    for candidates in (some for some in CANDIDATES if some <= MOST * count):
        recall = neighbours.recall(candidates)
        if recall >= MIN_RECALL:
            return VectorScan("signs", candidates, recall)
    return VectorScan("exact", 0, 1.0)


@dataclass
class Neighbours:
    """What is nearest to some vectors of a store, exactly and by signs; none is an answer to itself."""

    asked: VectorBatch
    _cosines: Floats = field(init=False)
    _chunks: NDArray[np.int32] = field(init=False)
    _by_signs: NDArray[np.int64] = field(init=False)  # distance and chunk in one number, the closest first

    def read(self, batches: Iterable[VectorBatch]) -> None:
        """Find the neighbours in all vectors."""
        rows = len(self.asked.vectors)
        self._cosines = np.empty((rows, 0), np.float32)
        self._chunks = np.empty((rows, 0), np.int32)
        self._by_signs = np.empty((rows, 0), np.int64)
        sizes = _sizes(self.asked.vectors)
        asked = _signs(self.asked.vectors)
        positive = (asked * sizes).sum(axis=1, keepdims=True)
        weights = sizes - 2 * asked * sizes  # of a sign that is positive, too, or against one that is not
        for batch in batches:
            self._add_exact(self.asked.vectors @ batch.vectors.T, batch.chunk_nos)
            differing = positive + weights @ _signs(batch.vectors).T
            self._add_by_signs(differing.astype(np.int64), batch.chunk_nos)
        self._by_signs.sort(axis=1)

    def _add_exact(self, cosines: Floats, chunks: NDArray[np.int32]) -> None:
        cosines = np.hstack([self._cosines, cosines])
        chunks = np.hstack([self._chunks, np.broadcast_to(chunks, (len(cosines), len(chunks)))])
        last = min(EXACT_DEPTH, cosines.shape[1]) - 1
        kept = np.argpartition(-cosines, last, axis=1)[:, : last + 1]
        self._cosines = np.take_along_axis(cosines, kept, axis=1)
        self._chunks = np.take_along_axis(chunks, kept, axis=1)

    def _add_by_signs(self, distances: NDArray[np.int64], chunks: NDArray[np.int32]) -> None:
        keys = np.hstack([self._by_signs, (distances << CHUNK_BITS) | chunks])
        last = min(max(CANDIDATES), keys.shape[1]) - 1
        self._by_signs = np.partition(keys, last, axis=1)[:, : last + 1]

    def recall(self, candidates: int) -> float:
        """Return the share of the nearest that are among so many ``candidates`` by signs."""
        shares = []
        closest = self._by_signs[:, :candidates] & ((1 << CHUNK_BITS) - 1)
        for row, own in enumerate(self.asked.chunk_nos.tolist()):
            others = self._chunks[row] != own
            cosines, chunks = self._cosines[row][others], self._chunks[row][others]
            good = chunks[cosines >= np.sort(cosines)[-HITS] - TIE]
            shares.append(min(np.isin(good, closest[row]).sum() / HITS, 1.0))
        return float(np.mean(shares))


def _sample(connection: duckdb.DuckDBPyConnection, count: int) -> VectorBatch:
    """Return vectors spread evenly over the store."""
    step = max(count // SAMPLE, 1)
    return one_batch(connection, "build/vectors_asked.sql", {"step": step, "sample": SAMPLE})


def _sizes(vectors: Floats) -> Floats:
    """Return by how much each component counts, as a search does: halves of their root mean square, at most 3."""
    unit = np.maximum(np.sqrt(np.mean(np.square(vectors), axis=1, keepdims=True)), np.float32(1e-30))
    sizes: Floats = np.minimum(np.floor(2 * np.abs(vectors) / unit + np.float32(0.5)), np.float32(3))
    return sizes


def _signs(vectors: Floats) -> Floats:
    """Return 1 for a component that is positive, else 0."""
    return (vectors > 0).astype(np.float32)
