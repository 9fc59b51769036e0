"""The yardstick: every vector compared by numpy, everything in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from contract import Filter, Hit
from numpy.typing import NDArray
from rows import Sidecar, matrix_of, read_rows


def build(rows: Path, folder: Path) -> None:
    """Write the matrix as it is."""
    table = read_rows(rows)
    np.save(folder / "vectors.npy", matrix_of(table))
    Sidecar.of(table).save(folder)


class Exact:
    """Multiply, take the best."""

    def __init__(self, folder: Path) -> None:
        self._vectors = np.load(folder / "vectors.npy")
        self._sidecar = Sidecar.load(folder)

    def vector(self, vector: NDArray[np.float32], k: int) -> list[Hit]:
        return self._sidecar.hits(best(self._vectors @ vector, k))

    def filtered(self, vector: NDArray[np.float32], where: Filter, k: int) -> list[Hit]:
        allowed = self._sidecar.rows_where(*where)
        return self._sidecar.hits(allowed[best(self._vectors[allowed] @ vector, k)])


def best(scores: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """Return the places of the highest scores, highest first."""
    k = min(k, len(scores))
    if k == 0:
        return np.empty(0, dtype=np.int64)
    places = np.argpartition(-scores, k - 1)[:k]
    return places[np.argsort(-scores[places], kind="stable")]


def open_peer(folder: Path) -> Exact:
    """Load everything."""
    return Exact(folder)
