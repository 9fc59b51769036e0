"""The hybrid that people put together by hand: FAISS, bm25s and reciprocal rank fusion, all in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from contract import FUSED, Filter, Hit, fused
from numpy.typing import NDArray
from rows import read_rows

from engines import bm25s_index, faiss_index


def build(rows: Path, folder: Path, *, index: str) -> None:
    """Write both indexes and one sidecar."""
    faiss_index.build(rows, folder, index=index)
    bm25s_index.index_texts(read_rows(rows)["text"].to_pylist(), folder)


class Both:
    """Two indexes over the same row numbers."""

    def __init__(self, folder: Path) -> None:
        self._keywords = bm25s_index.Keywords(folder)
        self._vectors = faiss_index.Index(folder)

    def keyword(self, text: str, k: int) -> list[Hit]:
        return self._vectors.sidecar.hits(self._keywords.nearest(text, k))

    def vector(self, vector: NDArray[np.float32], k: int) -> list[Hit]:
        return self._vectors.vector(vector, k)

    def filtered(self, vector: NDArray[np.float32], where: Filter, k: int) -> list[Hit]:
        return self._vectors.filtered(vector, where, k)

    def hybrid(self, text: str, vector: NDArray[np.float32], k: int) -> list[Hit]:
        rankings = (self._keywords.nearest(text, FUSED), self._vectors.nearest(vector, FUSED))
        return self._vectors.sidecar.hits(fused(rankings, k))


def open_peer(folder: Path, *, index: str) -> Both:
    """Open both."""
    return Both(folder)
