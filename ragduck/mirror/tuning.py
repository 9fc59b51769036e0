"""Measure an index on its own vectors, and find the cheapest search that is good enough."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from time import perf_counter
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from ragduck.mirror.index import Floats, find, one_thread
from ragduck.mirror.manifest import DEEP, SHALLOW, IndexKind
from ragduck.mirror.plan import IndexPlan

MIN_RECALL = 0.99
TUNED_FOR = {  # on stored vectors and on those between them: questions lie further off still
    SHALLOW: 0.995,
    DEEP: 0.985,  # the last of a hundred hits count little once they are fused
}
FAST_MS = 2.0
NOWHERE = -1  # the position of what is not stored
SAMPLE = 160  # stored vectors asked for their neighbours, and as many between them
EXACT_DEPTH = 160  # neighbours that are known, so that equal ones count alike
TIE = 1e-6  # cosines that differ by less are equal: engines sum in different order


@dataclass(frozen=True, slots=True)
class Truth:
    """Questions and their exact neighbours. The first are stored vectors, each left out of its own answer."""

    own_positions: NDArray[np.int64]
    queries: Floats
    cosines: Floats
    positions: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Measured:
    """How an index is asked, how much of the exact answer it finds, and how long one question takes.

    ``search`` is for ten hits; ``deep_search`` for a hundred, of which a fusion with other hits takes its best.
    """

    search: Mapping[str, int]
    recall: float
    deep_search: Mapping[str, int]
    deep_recall: float
    latency_ms: Mapping[str, float]
    deep_latency_ms: Mapping[str, float]

    @property
    def cost(self) -> float:
        """Milliseconds of one search for ten hits and one for a hundred."""
        return self.latency_ms["p50"] + self.deep_latency_ms["p50"]

    @property
    def is_fast(self) -> bool:
        """Whether neither search takes longer than a mirror should."""
        return max(self.latency_ms["p50"], self.deep_latency_ms["p50"]) <= FAST_MS

    @property
    def is_enough(self) -> bool:
        """Whether the recall is what is promised."""
        return self.recall >= MIN_RECALL


def between(vectors: Floats) -> Floats:
    """Return a vector between each and the next; questions lie further off than what is stored, as these do."""
    sums = vectors + np.roll(vectors, 1, axis=0)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    halfway: Floats = np.where(lengths > 0, sums / np.maximum(lengths, np.float32(1e-12)), vectors)
    return halfway.astype(np.float32)


def exact_neighbours(batches: Iterable[Floats], queries: Floats, own_positions: NDArray[np.int64]) -> Truth:
    """Return the exact neighbours of questions, the first of them at their own positions; reads all vectors once."""
    cosines = np.full((len(queries), 0), -np.inf, dtype=np.float32)
    positions = np.zeros((len(queries), 0), dtype=np.int64)
    start = 0
    for vectors in batches:
        depth = min(EXACT_DEPTH, len(vectors))
        found, places = faiss.knn(queries, vectors, depth, metric=faiss.METRIC_INNER_PRODUCT)
        cosines, positions = np.hstack([cosines, found]), np.hstack([positions, places + start])
        best = np.argsort(-cosines, axis=1, kind="stable")[:, :EXACT_DEPTH]
        cosines = np.take_along_axis(cosines, best, axis=1)
        positions = np.take_along_axis(positions, best, axis=1)
        start += len(vectors)
    return Truth(own_positions, queries, cosines, positions)


def tune(index: Any, plan: IndexPlan, truth: Truth) -> Measured:
    """Return the first searches, from cheap to thorough, that find enough; else the best there are."""
    search, recall = _cheapest(index, plan, truth, SHALLOW)
    deep_search, deep_recall = _cheapest(index, plan, truth, DEEP)
    latency, deep_latency = (
        _latency(index, plan.kind, truth, each, depth)
        for each, depth in ((search, SHALLOW), (deep_search, DEEP))
    )
    return Measured(search, recall, deep_search, deep_recall, latency, deep_latency)


def _cheapest(index: Any, plan: IndexPlan, truth: Truth, depth: int) -> tuple[Mapping[str, int], float]:
    """Return the search that is taken, and its recall of stored vectors; it is to find as much of those between."""
    best: tuple[Mapping[str, int], float] = {}, 1.0
    least = -1.0
    for search in _ladder(plan, index):
        recalls = _recalls(index, plan.kind, truth, search, depth)
        if min(recalls) > least:
            best, least = (search, recalls[0]), min(recalls)
        if min(recalls) >= TUNED_FOR[depth]:
            break
    return best


def _ladder(plan: IndexPlan, index: Any) -> Iterator[dict[str, int]]:
    """Yield searches from cheap to thorough, with the parameters that were given."""
    steps: dict[str, list[int]] = {}
    if plan.kind == "hnsw":
        steps["ef_search"] = _steps(32, 2048)
    if plan.kind in ("ivf", "pq"):
        steps["nprobe"] = _steps(1, index.nlist)
    if plan.kind == "pq":
        steps["candidates"] = [200, 1000, 4000]
    for name, value in plan.search.items():
        steps[name] = [value]
    for values in product(*steps.values()):
        yield dict(zip(steps, values, strict=True))


def _steps(low: int, high: int) -> list[int]:
    """Return numbers from low to high, each a third or a half more than the one before."""
    powers = [low << step for step in range((high // low).bit_length())]
    return sorted({high, *(each for power in powers for each in (power, power * 3 // 2) if each < high)})


def _recalls(
    index: Any, kind: IndexKind, truth: Truth, search: Mapping[str, int], depth: int
) -> tuple[float, float]:
    """Return the shares of the nearest ``depth`` that are found: of stored vectors, and of those between them.

    Of codes, in what will be compared exactly.
    """
    size = min(search.get("candidates", depth + 1), index.ntotal)
    found = find(index, kind, truth.queries, depth=size, search=search)
    stored = len(truth.own_positions)
    shares: tuple[list[float], list[float]] = [], []
    for row in range(len(truth.queries)):
        others = truth.positions[row] != (truth.own_positions[row] if row < stored else NOWHERE)
        cosines, positions = truth.cosines[row][others], truth.positions[row][others]
        wanted = min(depth, len(positions))
        if wanted:
            good = positions[cosines >= cosines[wanted - 1] - TIE]
            share = min(np.isin(good, found.positions[row]).sum() / wanted, 1.0)
            shares[row >= stored].append(float(share))
    of_stored, of_others = (sum(each) / len(each) if each else 1.0 for each in shares)
    return of_stored, of_others


def _latency(
    index: Any, kind: IndexKind, truth: Truth, search: Mapping[str, int], depth: int
) -> dict[str, float]:
    times = []
    depth = min(search.get("candidates", depth), index.ntotal)
    with one_thread():
        for query in truth.queries:
            start = perf_counter()
            find(index, kind, query[None], depth=depth, search=search)
            times.append((perf_counter() - start) * 1000)
    return {"p50": round(statistics.median(times), 3), "p95": round(float(np.percentile(times, 95)), 3)}
