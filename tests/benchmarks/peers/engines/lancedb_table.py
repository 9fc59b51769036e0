"""LanceDB: a native full-text index, bitmap indexes on what is filtered, and flat or indexed vectors.

Its hybrid search with its own reciprocal rank fusion. The indexes rerank candidates exactly (``refine_factor``), as
its guide recommends for recall.
"""

from __future__ import annotations

from pathlib import Path

import lancedb
import numpy as np
from contract import Filter, Hit
from lancedb.index import FTS, Bitmap, HnswSq, IvfPq
from lancedb.rerankers import RRFReranker
from numpy.typing import NDArray
from rows import LABELS, read_rows

INDEXES = {"IVF_PQ": IvfPq, "IVF_HNSW_SQ": HnswSq}
REFINED = 10  # times as many candidates as results are compared exactly
EF = 100  # candidates of an HNSW search; its guide starts at 1.5 times the results


def build(rows: Path, folder: Path, *, index: str) -> None:
    """Write the table and its indexes."""
    table = lancedb.connect(folder).create_table("rows", read_rows(rows))
    table.create_index("text", config=FTS())
    for name in LABELS:
        table.create_index(name, config=Bitmap())
    if index != "flat":
        table.create_index("embedding", config=INDEXES[index](distance_type="dot"))


class Rows:
    """The open table."""

    def __init__(self, folder: Path, *, index: str) -> None:
        self._table = lancedb.connect(folder).open_table("rows")
        self._index = index
        self._reranker = RRFReranker()

    def keyword(self, text: str, k: int) -> list[Hit]:
        query = self._table.search(text, query_type="fts", fts_columns="text")
        return _hits(query.select(["id", "text", "_score"]).limit(k))

    def vector(self, vector: NDArray[np.float32], k: int) -> list[Hit]:
        return _hits(self._tuned(self._nearest(vector).limit(k)))

    def filtered(self, vector: NDArray[np.float32], where: Filter, k: int) -> list[Hit]:
        field, value = where
        return _hits(
            self._tuned(self._nearest(vector).where(f"{field} = '{value}'", prefilter=True).limit(k))
        )

    def hybrid(self, text: str, vector: NDArray[np.float32], k: int) -> list[Hit]:
        query = self._table.search(query_type="hybrid", vector_column_name="embedding", fts_columns="text")
        query = query.vector(vector).text(text).distance_type("dot").rerank(self._reranker)
        return _hits(self._tuned(query.select(["id", "text"]).limit(k)))

    def _nearest(self, vector: NDArray[np.float32]) -> lancedb.query.LanceVectorQueryBuilder:
        query = self._table.search(vector, vector_column_name="embedding")
        return query.distance_type("dot").select(["id", "text", "_distance"])

    def _tuned(self, query: lancedb.query.LanceQueryBuilder) -> lancedb.query.LanceQueryBuilder:
        if self._index == "flat":
            return query
        query = query.refine_factor(REFINED)
        return query.ef(EF) if self._index == "IVF_HNSW_SQ" else query


def _hits(query: lancedb.query.LanceQueryBuilder) -> list[Hit]:
    found = query.to_arrow()
    return list(zip(found["id"].to_pylist(), found["text"].to_pylist(), strict=True))


def open_peer(folder: Path, *, index: str) -> Rows:
    """Open the table."""
    return Rows(folder, index=index)
