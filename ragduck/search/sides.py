"""Search by keyword and by meaning: the hits of both sides, before they are ranked together."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragduck.model import EmbeddingModel
from ragduck.resources import SIGN_WORD, for_dimension, sql_text
from ragduck.search.at_once import at_once
from ragduck.search.filters import Clause, filtered
from ragduck.search.kept_filters import KeptFilters
from ragduck.search.nearest import KeywordHits, Mirror
from ragduck.search.ranking import CHUNK_TYPES, ranks_signals
from ragduck.search.request import Mode, SearchRequest, Vector
from ragduck.search.scored_chunks import filtered_hits
from ragduck.search.signals import LoadedSignals

Row = dict[str, Any]
Rows = Callable[[str, dict[str, object]], list[Row]]

MIN_DEPTH = 100  # hits of each side that are fused
CANDIDATES_PER_HIT = 10  # sign matches compared exactly for each hit wanted
MAX_COARSE_DEPTH = 500
LEAST_UNIT = 1e-30  # so that a vector of zeros has sizes, too
MIN_POOL = 50  # seed 003: semantic_rerank widens to max(50, 3 * top_k)
SIDE = "-- side"
BEST_FIRST = "order by score desc"


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
    """A question to both sides; ``term_keys`` gives what is looked up by keyword.

    ``preferred`` gives the chunks that are hits by keyword before better ones, unless all are. ``meanwhile`` is what
    a core does that would be idle; ``signals`` are those of all chunks, where they are at hand; so are ``filters``.
    """

    rows: Rows
    request: SearchRequest
    mode: Mode
    vector: Vector | None
    index: VectorIndex
    mirror: Mirror | None
    term_keys: Callable[[], Sequence[int]]
    meanwhile: Callable[[], object]
    signals: LoadedSignals | None = None
    filters: KeptFilters | None = None
    preferred: Callable[[], Clause] = Clause

    def hits(self, clause: Clause) -> dict[str, list[Any]]:
        """Return the hits among the chunks that a clause leaves, as columns by name.

        Both sides are searched at once. One that the mode does not ask has none.
        """
        keyword, meaning = self._both(clause)
        if self.signals:
            return self.signals.of_chunks(merged(keyword, meaning))
        return merged(keyword, meaning, with_signals=self._with_signals)

    def _both(self, clause: Clause) -> tuple[list[Row], list[Row]]:
        vector = self.vector
        if vector is None or self.mode == "bm25":
            if self.signals:
                return self._keyword_hits(clause), []
            self.term_keys()  # which both need
            return at_once(lambda: self._keyword_hits(clause), self.meanwhile)[0], []
        if self.mode == "hybrid" or self._with_signals:
            return at_once(lambda: self._by_keyword(clause), lambda: self._vector_hits(vector, clause))
        return [], self._vector_hits(vector, clause)

    def _by_keyword(self, clause: Clause) -> list[Row]:
        found = self._keyword_hits(clause) if self.mode == "hybrid" else []
        self.meanwhile()
        return found

    def _keyword_hits(self, clause: Clause) -> list[Row]:
        """Return chunks and scores, best first: what the mirror finds if there is one that can, else a statement."""
        preferred = self.preferred()
        if self.mirror and not self.request.bm25:
            given = self.mirror.by_keyword(
                self.term_keys(),
                depth=self._keyword_depth,
                clause=clause,
                preferred=lambda: self._numbers(preferred),
            )
            if given is not None:
                return self._of_mirror(_as_rows(given))
        if self.signals and self.filters and not (clause.is_open or self.request.bm25):
            given = filtered_hits(
                self.filters,
                clause,
                self.term_keys(),
                depth=self._keyword_depth,
                preferred=self._numbers(preferred),
            )
            if given is not None:
                return _as_rows(given)
        return self._keyword_hits_of_store(clause, preferred)

    def _numbers(self, preferred: Clause) -> list[int]:
        if preferred.is_open:
            return []
        found = self.rows(f"select chunk_no from chunk_signals where {preferred.sql}", preferred.parameters)
        return [hit["chunk_no"] for hit in found]

    def _keyword_hits_of_store(self, clause: Clause, preferred: Clause) -> list[Row]:
        condition = clause.of_chunks
        values: dict[str, object] = {"depth": self._keyword_depth} | clause.parameters
        if self.request.bm25:
            changed = ", ".join(f"{name} := $bm25_{name}" for name in self.request.bm25)
            sql = sql_text("search/keyword_hits_by_counts.sql").replace("k1 := $bm25_k1", changed)
            values |= {f"bm25_{name}": float(value) for name, value in self.request.bm25.items()}
            values["query_text"] = self.request.text
        else:
            sql = sql_text("search/keyword_hits.sql")
        values["term_keys"] = self.term_keys()
        if preferred.is_open:
            return self._hits(filtered(sql, condition), values)
        sql = sql.replace(BEST_FIRST, f"order by ({preferred.sql}) desc, score desc")
        return sorted(self._hits(filtered(sql, condition), values | preferred.parameters), key=_place)

    def _vector_hits(self, vector: Vector, clause: Clause) -> list[Row]:
        """Return what the mirror finds if there is one that can, else what a scan does."""
        depth = self._vector_depth
        given = self.mirror.nearest(vector, depth=depth, clause=clause) if self.mirror else None
        if given is not None:
            scored = zip(given.chunk_nos, given.cosines, given.scores, strict=True)
            return self._of_mirror(
                [
                    {"chunk_no": int(chunk), "cosine": float(cosine), "score": float(score)}
                    for chunk, cosine, score in scored
                ]
            )
        values: dict[str, object] = {"query_vector": _as_text(vector), "depth": depth}
        values |= clause.parameters
        name = "vector_hits_exact"
        # whether the coarse scan was measured to be good enough; very deep searches compare every vector
        if self.index.candidates > 0 and depth <= MAX_COARSE_DEPTH:
            name = "vector_hits_signs"
            values["candidates"] = max(self.index.candidates, CANDIDATES_PER_HIT * depth)
            values |= _sign_words(vector)
        sql = for_dimension(sql_text(f"search/{name}.sql"), self.index.dimension)
        return self._hits(filtered(sql, clause.sql), values)

    def _hits(self, sql: str, values: dict[str, object]) -> list[Row]:
        """Return the hits of a side, best first, with their signals where these count: one statement plans faster."""
        if self.signals or not self._with_signals:
            return self.rows(sql, values)
        return sorted(self.rows(sql_text("search/with_signals.sql").replace(SIDE, sql), values), key=_place)

    def _of_mirror(self, hits: list[Row]) -> list[Row]:
        """Return hits of the mirror with their signals where these count and are not in memory."""
        if self.signals or not self._with_signals:
            return hits
        chunks = json.dumps([hit["chunk_no"] for hit in hits])
        signals = {
            row["chunk_no"]: row for row in self.rows(sql_text("search/signals.sql"), {"chunks": chunks})
        }
        return [hit | signals[hit["chunk_no"]] for hit in hits if hit["chunk_no"] in signals]

    @property
    def _with_signals(self) -> bool:
        return ranks_signals(self.request, self.mode)

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


def _as_rows(hits: KeywordHits) -> list[Row]:
    found = zip(hits.chunk_nos, hits.scores, hits.terms, strict=True)
    return [{"chunk_no": chunk, "score": score, "terms": terms} for chunk, score, terms in found]


def merged(
    keyword: Sequence[Row], vector: Sequence[Row], *, with_signals: bool = False
) -> dict[str, list[Any]]:
    """Return the hits of both sides as columns, one row per chunk; ranks count from 1."""
    found = {hit["chunk_no"] for hit in keyword}
    hits = [*keyword, *(hit for hit in vector if hit["chunk_no"] not in found)]
    by_meaning = {hit["chunk_no"]: (rank, hit["cosine"], hit["score"]) for rank, hit in enumerate(vector, 1)}
    placed = [by_meaning.get(hit["chunk_no"], (None, None, None)) for hit in hits]
    missing = [None] * (len(hits) - len(keyword))
    columns = {
        "chunk_no": [hit["chunk_no"] for hit in hits],
        "bm25_rank": [*range(1, len(keyword) + 1), *missing],
        "bm25_score": [*(hit["score"] for hit in keyword), *missing],
        "bm25_terms": [*(hit["terms"] for hit in keyword), *missing],
        "vector_rank": [rank for rank, _, _ in placed],
        "vector_score": [cosine for _, cosine, _ in placed],
        "weighted_score": [score for _, _, score in placed],
    }
    return columns | {name: [hit[name] for hit in hits] for name in (CHUNK_TYPES if with_signals else ())}


def _place(hit: Row) -> tuple[float, int]:
    """Return what sorts hits as `order by score desc, chunk_no` does."""
    score = hit["score"]
    return math.inf if score is None else -math.inf if math.isnan(score) else -score, hit["chunk_no"]


def _as_text(vector: Vector) -> str:
    """Return a list of numbers as exact as a float of the engine is; shorter, so that it is read sooner."""
    components = tuple(vector.tolist())
    return f"[{', '.join(['%.9g'] * len(components))}]" % components


def _sign_words(vector: Vector) -> dict[str, object]:
    """Return bits for each sign column: which components are positive, which count once and which twice.

    One counts by its size, rounded to halves of their root mean square; three halves are both, and the most.
    """
    components = vector.tolist()
    unit = max(math.sqrt(sum(one * one for one in components) / len(components)), LEAST_UNIT)
    sizes = [min(int(2 * abs(one) / unit + 0.5), 3) for one in components]
    planes = {
        "sign": "".join("1" if one > 0 else "0" for one in components),
        "once_sign": "".join("0101"[size] for size in sizes),
        "twice_sign": "".join("0011"[size] for size in sizes),
    }
    return {
        f"{name}_{start // SIGN_WORD}": bits[start : start + SIGN_WORD]
        for name, bits in planes.items()
        for start in range(0, len(bits), SIGN_WORD)
    }
