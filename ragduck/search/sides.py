"""Search by keyword and by meaning: the hits of both sides, before they are ranked together."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragduck.model import EmbeddingModel
from ragduck.resources import SIGN_WORD, for_dimension, sql_text
from ragduck.search.at_once import at_once
from ragduck.search.filters import Clause
from ragduck.search.nearest import Mirror, VectorHits
from ragduck.search.ranking import ranks_signals
from ragduck.search.request import Mode, SearchRequest, Vector

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

MIN_DEPTH = 100  # hits of each side that are fused
CANDIDATES_PER_HIT = 5  # sign matches compared exactly for each hit wanted
MAX_COARSE_DEPTH = 1000
MIN_POOL = 50  # seed 003: semantic_rerank widens to max(50, 3 * top_k)
FILTERS = "true -- filters"
NO_VECTOR_HITS = VectorHits([], [], [])


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """How a store's vectors are searched: ``candidates`` is 0 for the exact scan."""

    dimension: int
    candidates: int

    @classmethod
    def from_meta(cls, meta: Mapping[str, str]) -> VectorIndex:
        """Read what a store says of its vectors; without any, the dimension is a stand-in."""
        model = EmbeddingModel.from_dict(meta)
        if model is None:
            return cls(dimension=1, candidates=0)
        return cls(dimension=model.dimension, candidates=int(meta.get("vector_candidates", "0")))


@dataclass(frozen=True, slots=True)
class Sides:
    """A question to both sides; ``term_keys`` gives what is looked up by keyword."""

    rows: Rows
    request: SearchRequest
    mode: Mode
    vector: Vector | None
    index: VectorIndex
    mirror: Mirror | None
    term_keys: Callable[[], Sequence[int]]

    def hits(self, clause: Clause) -> dict[str, object]:
        """Return the hits among the chunks that a clause leaves, as `sql/search/hits.sql` binds them.

        Both sides are searched at once. One that the mode does not ask has none.
        """
        vector = self.vector
        if self.mode == "bm25" or vector is None:
            return merged(self._keyword_hits(clause), NO_VECTOR_HITS)
        if self.mode != "hybrid":
            return merged([], self._vector_hits(vector, clause))
        return merged(*at_once(lambda: self._keyword_hits(clause), lambda: self._vector_hits(vector, clause)))

    def _keyword_hits(self, clause: Clause) -> list[tuple[int, float]]:
        """Return chunks and scores, best first."""
        allowed = f"chunk_no in (select chunk_no from documents where {clause.sql})"
        condition = "true" if clause.is_open else allowed
        values: dict[str, object] = {"depth": self._keyword_depth} | clause.parameters
        if self.request.bm25:
            changed = ", ".join(f"{name} := $bm25_{name}" for name in self.request.bm25)
            sql = sql_text("search/keyword_hits_by_counts.sql").replace("k1 := $bm25_k1", changed)
            values |= {f"bm25_{name}": float(value) for name, value in self.request.bm25.items()}
            values["query_text"] = self.request.text
        else:
            sql = sql_text("search/keyword_hits.sql")
            values["term_keys"] = self.term_keys()
        return [(row["chunk_no"], row["score"]) for row in self.rows(filtered(sql, condition), values)]

    def _vector_hits(self, vector: Vector, clause: Clause) -> VectorHits:
        """Return what the mirror finds if there is one that can, else what a scan does."""
        depth = self._vector_depth
        given = self.mirror.nearest(vector, depth=depth, clause=clause) if self.mirror else None
        if given is not None:
            return given
        values: dict[str, object] = {"query_vector": json.dumps(vector.tolist()), "depth": depth}
        values |= clause.parameters
        name = "vector_hits_exact"
        # whether the coarse scan was measured to be good enough; very deep searches compare every vector
        if self.index.candidates > 0 and depth <= MAX_COARSE_DEPTH:
            name = "vector_hits_signs"
            values["candidates"] = max(self.index.candidates, CANDIDATES_PER_HIT * depth)
            values |= {f"sign_{word}": bits for word, bits in enumerate(_sign_bits(vector))}
        sql = for_dimension(sql_text(f"search/{name}.sql"), self.index.dimension)
        rows = self.rows(filtered(sql, clause.sql), values)
        return VectorHits(
            [row["chunk_no"] for row in rows], [row["cosine"] for row in rows], [row["score"] for row in rows]
        )

    @property
    def _keyword_depth(self) -> int:
        """How many keyword hits are ranked: fusion looks deeper than the results go."""
        request = self.request
        is_bare = self.mode == "bm25" and not ranks_signals(request, self.mode)
        return request.fts_top_k or (request.top_k if is_bare else max(MIN_DEPTH, 2 * request.top_k))

    @property
    def _vector_depth(self) -> int:
        request = self.request
        if self.mode == "semantic_rerank":
            return max(MIN_POOL, 3 * request.top_k)
        is_bare = self.mode == "semantic" and not ranks_signals(request, self.mode)
        return request.vector_top_k or (request.top_k if is_bare else max(MIN_DEPTH, 2 * request.top_k))


def merged(keyword: Sequence[tuple[int, float]], vector: VectorHits) -> dict[str, object]:
    """Return the hits of both sides as columns, one row per chunk; ranks count from 1.

    Each is the text of a list, which DuckDB reads faster than a list that is bound: 1.3 takes 0.2 ms for an element.
    """
    by_keyword = {chunk_no: (rank, score) for rank, (chunk_no, score) in enumerate(keyword, 1)}
    scored = zip(vector.chunk_nos, vector.cosines, vector.scores, strict=True)
    by_vector = {int(number): (rank, *map(float, both)) for rank, (number, *both) in enumerate(scored, 1)}
    chunks = list(by_keyword | by_vector)
    keyword_columns = list(zip(*(by_keyword.get(chunk, (None,) * 2) for chunk in chunks), strict=True))
    vector_columns = list(zip(*(by_vector.get(chunk, (None,) * 3) for chunk in chunks), strict=True))
    names = ("bm25_ranks", "bm25_scores", "vector_ranks", "vector_scores", "weighted_scores")
    columns = [*keyword_columns, *vector_columns] or [()] * len(names)
    lists = {"hit_chunks": chunks} | {f"hit_{name}": each for name, each in zip(names, columns, strict=True)}
    return {name: json.dumps(each) for name, each in lists.items()}


def filtered(sql: str, condition: str) -> str:
    """Put a condition where the SQL has room for filters."""
    return sql.replace(FILTERS, condition)


def _sign_bits(vector: Vector) -> list[str]:
    """Return which components are positive, as the bits of each sign column."""
    bits = "".join("1" if component > 0 else "0" for component in vector.tolist())
    return [bits[start : start + SIGN_WORD] for start in range(0, len(bits), SIGN_WORD)]
