"""Tell which vectors of a sqlrooms-rag file can be used, and under which hash."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ragduck.imports.contract import VectorBatch
from ragduck.imports.sqlrooms.tables import CHUNKS
from ragduck.imports.vectors import UNIT_LENGTH, is_usable, lengths_of, unit_batch
from ragduck.model import Finding

VECTORS = "embedding"  # the column


class VectorRun:
    """Vectors that can be gone through again and again; each time the file is opened."""

    def __init__(self, batches: partial[Iterator[VectorBatch]]) -> None:
        self._batches = batches

    def __iter__(self) -> Iterator[VectorBatch]:
        return self._batches()


class UsableVectors:
    """Vectors by row: ``hashes`` and ``numbers`` are those of the chunks that are taken over."""

    def __init__(self, hashes: Mapping[int, str], numbers: Mapping[int, int]) -> None:
        self.hashes = hashes
        self._numbers = numbers
        self._missing = set(hashes)
        self._bad: list[int] = []
        self._scaled = 0

    def check(self, rows: NDArray[np.int64], vectors: NDArray[np.float32]) -> int:
        """Count the vectors that can be used, and remember those that cannot."""
        lengths = lengths_of(vectors)
        usable = is_usable(lengths)
        self._scaled += int((np.abs(lengths[usable] - 1) > UNIT_LENGTH).sum())
        self._bad += [row for row in rows[~usable].tolist() if row in self.hashes]
        self._missing.difference_update(rows.tolist())
        return sum(row in self.hashes for row in rows[usable].tolist())

    def findings(self) -> Iterator[Finding]:
        """Yield one finding per vector that is left out, and one for all that were not of length one."""
        for row in self._bad:
            yield self._left_out(row, "it is zero or not finite")
        for row in sorted(self._missing):
            yield self._left_out(row, "there is none of that length")
        if self._scaled:
            message = f"{self._scaled:,} vectors were scaled to length one"
            yield Finding("repaired", "vector length", CHUNKS, 0, VECTORS, message)

    def _left_out(self, row: int, message: str) -> Finding:
        return Finding("left out", "bad vector", CHUNKS, self._numbers[row], VECTORS, message)

    def batch(self, rows: NDArray[np.int64], vectors: NDArray[np.float32], given: set[str]) -> VectorBatch:
        """Return the usable vectors of hashes that were not given before, scaled to length one."""
        hashes = [self.hashes.get(row) for row in rows.tolist()]
        return unit_batch(hashes, vectors, lengths_of(vectors), given=given)
