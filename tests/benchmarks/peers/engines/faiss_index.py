"""FAISS through its Python API: a flat or HNSW index, texts and labels in memory beside it, filters as selectors."""

from __future__ import annotations

from pathlib import Path

import faiss
import numpy as np
from contract import Filter, Hit
from numpy.typing import NDArray
from rows import Sidecar, matrix_of, read_rows

NEIGHBOURS = 32  # per node; the value of FAISS's guide
EF_CONSTRUCTION = 200
EF_SEARCH = 64


def build(rows: Path, folder: Path, *, index: str) -> None:
    """Write the index file and the sidecar."""
    table = read_rows(rows)
    vectors = matrix_of(table)
    made = _empty(index, vectors.shape[1])
    made.add(vectors)
    faiss.write_index(made, str(folder / "vectors.faiss"))
    Sidecar.of(table).save(folder)


def _empty(index: str, dimension: int) -> faiss.Index:
    if index == "flat":
        return faiss.IndexFlatIP(dimension)
    made = faiss.IndexHNSWFlat(dimension, NEIGHBOURS, faiss.METRIC_INNER_PRODUCT)
    made.hnsw.efConstruction = EF_CONSTRUCTION
    return made


class Index:
    """A FAISS index with what it needs to answer in texts."""

    def __init__(self, folder: Path) -> None:
        self._index = faiss.read_index(str(folder / "vectors.faiss"))
        self.sidecar = Sidecar.load(folder)
        self._is_graph = isinstance(self._index, faiss.IndexHNSW)

    def nearest(
        self, vector: NDArray[np.float32], k: int, selector: faiss.IDSelector | None = None
    ) -> list[int]:
        """Return row numbers."""
        if self._is_graph:
            parameters = faiss.SearchParametersHNSW(efSearch=max(EF_SEARCH, k), sel=selector)
        else:
            parameters = faiss.SearchParameters(sel=selector)
        _, rows = self._index.search(vector[None, :], k, params=parameters)
        return [int(row) for row in rows[0] if row >= 0]

    def vector(self, vector: NDArray[np.float32], k: int) -> list[Hit]:
        return self.sidecar.hits(self.nearest(vector, k))

    def filtered(self, vector: NDArray[np.float32], where: Filter, k: int) -> list[Hit]:
        selector = faiss.IDSelectorBatch(self.sidecar.rows_where(*where))
        return self.sidecar.hits(self.nearest(vector, k, selector))


def open_peer(folder: Path, *, index: str) -> Index:
    """Read the index into memory; the file tells its kind."""
    return Index(folder)
