"""Take the vectors of a unified index, a slice of rows at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragduck.imports.contract import VectorBatch
from ragduck.imports.vectors import lengths_of, unit_batch
from ragduck.mirror.unified_reading import Unified

ROWS = 8_192

Slice = tuple[Sequence[int], NDArray[np.float32], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class IndexVectors:
    """The vectors that can be used, each content once; ``hashes`` are by row, from 0."""

    unified: Unified
    hashes: Mapping[int, str]

    def __iter__(self) -> Iterator[VectorBatch]:
        given: set[str] = set()
        for places, vectors, lengths in vector_slices(self.unified, list(self.hashes)):
            hashes = [self.hashes[place] for place in places]
            yield unit_batch(hashes, vectors, lengths, given=given)


def vector_slices(unified: Unified, places: Sequence[int]) -> Iterator[Slice]:
    """Yield rows with their vectors and the lengths of these."""
    for low in range(0, len(places), ROWS):
        some = places[low : low + ROWS]
        vectors = np.asarray(unified.vectors[some], dtype=np.float32)
        yield some, vectors, lengths_of(vectors)
