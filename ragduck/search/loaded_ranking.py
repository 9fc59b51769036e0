"""Rank hits by signals in memory: `sql/search/ranked.sql` over arrays, where the signals are arrays already.

A statement over two hundred hits takes the engine milliseconds, whatever it computes. Both give the same numbers, so
that a part which is changed in one has to be changed in the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from ragduck.errors import StoreError

Array: TypeAlias = Any  # of numpy, which a keyword search does not otherwise import
Asked = Mapping[str, Any]
Hits = Mapping[str, Sequence[Any]]

FLAGS = ("is_member", "type_head")
NUMBERS = (
    "bm25_rank", "bm25_terms", "vector_rank", "centrality", "loose_chunks", "file_share", "folder_share", "rarity",
)  # fmt: skip


def best_hits(hits: Hits, asked: Asked, *, top_k: int) -> list[dict[str, Any]]:
    """Return the best hits as `search/best.sql` does: chunk_no, bm25_rank, vector_rank, score and score_parts.

    ``hits`` are columns with those of `chunk_signals` and `named_files.sql`, one row per chunk; ``asked`` is a row of
    the macro `question`. Raises StoreError where the store tells no number for a weight.
    """
    if not hits["chunk_no"]:
        return []
    ranked = _Ranking(hits, asked)
    return [ranked.told(row) for row in ranked.order[:top_k].tolist()]


class _Ranking:
    """The hits of one question as arrays, with every part of their scores."""

    def __init__(self, hits: Hits, asked: Asked) -> None:
        import numpy as np

        self._np = np
        self._hits = hits
        self._asked = asked
        self._columns = {name: np.array(hits[name], dtype=float) for name in NUMBERS}
        self._columns |= {name: np.array([flag is True for flag in hits[name]]) for name in FLAGS}
        self._chunk_nos = np.array(hits["chunk_no"])
        self.parts = self._own_parts()
        self._add_parts_of_files()
        total = sum(self.parts.values())
        self.parts["same_file"] = np.where(total > 0, total * (self._same_file - 1), 0.0)
        self.scores = total * np.where(total > 0, self._same_file, 1.0)
        columns = self._columns
        self.order = np.lexsort((
            self._chunk_nos, columns["bm25_rank"], columns["vector_rank"], -self.scores
        ))  # fmt: skip

    def told(self, row: int) -> dict[str, Any]:
        """Return one hit."""
        own = {name: self._hits[name][row] for name in ("chunk_no", "bm25_rank", "vector_rank")}
        parts = {name: _number(part[row]) for name, part in self.parts.items()}
        return {**own, "score": _number(self.scores[row]), "score_parts": parts}

    def _weight(self, name: str) -> float:
        try:
            return float(self._asked[name])
        except (KeyError, TypeError, ValueError) as error:
            raise StoreError(
                f"the store's macro question_weights does not tell {name}",
                hint="prepare the store again, or search with signals off",
            ) from error

    def _own_parts(self) -> dict[str, Array]:
        """Return the parts that a hit has by itself."""
        np, columns, weight = self._np, self._columns, self._weight
        share, first = weight("vector_share"), weight("first_place")
        places = {}
        for name in ("bm25_rank", "vector_rank"):
            places[name] = np.nan_to_num((weight("rrf_k") + 1) / (weight("rrf_k") + columns[name]), nan=0.0)
        keyword, vector = places["bm25_rank"], places["vector_rank"]
        of_files = weight("evidence_share")
        self._evidence = (1 - of_files) * keyword + of_files * vector
        return {
            "bm25": (1 - share) * (keyword + np.where(columns["bm25_rank"] == 1, first, 0.0)),
            "vector": share * (vector + np.where(columns["vector_rank"] == 1, first, 0.0)),
            "coverage": self._coverage(keyword),
            "definition": self._definition(),
            "type_head": np.where(columns["type_head"], weight("type_head_weight"), 0.0),
        }

    def _coverage(self, keyword: Array) -> Array:
        np, weight = self._np, self._weight
        terms = weight("terms")
        covered = self._columns["bm25_terms"] >= weight("min_coverage") * terms
        counted = min(max(terms - 2, 0) / weight("coverage_terms"), 1) if weight("coverage_terms") else 1.0
        quoted = np.isin(self._chunk_nos, self._asked["quoted_chunks"])
        return np.where(quoted, weight("quoted_weight"), 0.0) + np.where(
            covered, weight("coverage_weight") * keyword * counted, 0.0
        )

    def _definition(self) -> Array:
        """Return what a hit gets that defines a name of the question, written or spelled out."""
        np, weight = self._np, self._weight
        of_words, spelled = set(self._asked["word_keys"]), self._spelled()
        own_factor = np.where(self._columns["is_member"], weight("member_definition"), 1.0)
        packed, least = weight("packed_definition"), weight("min_spelled")
        members = [keys or () for keys in self._hits["member_keys"]]
        is_named = np.array([key in of_words for key in self._hits["name_key"]])
        has_named = np.array([not of_words.isdisjoint(keys) for keys in members])
        word = np.where(is_named, own_factor, np.where(has_named, packed, 0.0)) * weight("definition_weight")
        own = np.array([spelled.get(key, 0.0) for key in self._hits["spelled_key"]])
        member = np.array([_largest(spelled[key] for key in spelled.keys() & keys) for keys in members])
        shares = np.maximum(
            np.where(own >= least, own, 0.0) * own_factor, np.where(member >= least, member, 0.0) * packed
        )
        return np.maximum(word, weight("spelled_weight") * shares)

    def _spelled(self) -> dict[int, float]:
        """Return the share of each name that the question may spell; of equal names the first counts."""
        keys, shares = self._asked["spelled_keys"], self._asked["spelled_shares"]
        return dict(reversed([*zip(keys, shares, strict=True)]))

    def _add_parts_of_files(self) -> None:
        """Add the parts that a hit has by its file, and the factor of each further chunk of a file."""
        np, columns, weight, parts = self._np, self._columns, self._weight, self.parts
        file_nos, files = np.unique(np.array(self._hits["file_no"]), return_inverse=True)
        own = sum(parts.values())
        in_order = np.lexsort((
            self._chunk_nos, columns["bm25_rank"], columns["vector_rank"], -own, files
        ))  # fmt: skip
        sums = np.bincount(files[in_order], weights=self._evidence[in_order], minlength=len(file_nos))
        others = (sums[files] - self._evidence) * self._looseness()
        half = weight("file_evidence_half")
        share, rarity = columns["file_share"], np.fmin(columns["rarity"], 1.0)
        parts["file_name"] = np.nan_to_num(
            np.where(share >= weight("min_file_name"), weight("file_name") * share * rarity, 0.0), nan=0.0
        )
        parts["folder_name"] = np.nan_to_num(weight("folder_name") * columns["folder_share"], nan=0.0)
        parts["file_evidence"] = np.zeros(len(files))
        known = others > 0
        parts["file_evidence"][known] = weight("file_evidence") * others[known] / (others[known] + half)
        parts["centrality"] = weight("centrality_weight") * columns["centrality"]
        parts["file_class"] = self._penalty()
        self._same_file = self._factors(files, in_order)

    def _looseness(self) -> Array:
        """Return how much other chunks of each hit's file tell."""
        np, chunks, most = self._np, self._columns["loose_chunks"], self._weight("loose_file")
        return np.where(chunks > most, most / np.where(chunks > most, chunks, 1.0), 1.0)

    def _penalty(self) -> Array:
        generated = -self._weight("generated_penalty")
        penalties = {
            "test": -self._weight("test_penalty"),
            "migration": -self._weight("migration_penalty"),
            "generated": generated,
            "vendored": generated,
        }
        wanted = set(self._asked["stem_keys"])
        of_files = zip(self._hits["file_class"], self._hits["class_key"], strict=True)
        return self._np.array([0.0 if key in wanted else penalties.get(name, 0.0) for name, key in of_files])

    def _factors(self, files: Array, in_order: Array) -> Array:
        """Return the factor of each hit: the more hits of its file come before it, the less."""
        np = self._np
        sorted_files = files[in_order]
        first = np.searchsorted(sorted_files, sorted_files)
        base = self._weight("same_file")
        steps = [_power(base, step) for step in (np.arange(len(files)) - first).tolist()]
        factors = np.empty(len(files))
        factors[in_order] = steps
        factors[np.isin(self._chunk_nos, self._asked["placed_chunks"])] = 1.0
        return factors


def _largest(shares: Iterable[float]) -> float:
    return max(shares, default=0.0)


def _power(base: float, exponent: int) -> float:
    """Return a power as the engine does; numpy's differs in the last place on some machines."""
    try:
        return math.pow(base, exponent)
    except (OverflowError, ValueError):
        return math.nan


def _number(value: float) -> float | None:
    """Return what the engine would: nothing for what was made of nothing."""
    return None if math.isnan(value) else float(value)
