"""Rank hits by signals in memory: `sql/search/ranked.sql` over arrays, where the signals are arrays already.

A statement over two hundred hits takes the engine milliseconds, whatever it computes. Both give the same numbers, so
that a part which is changed in one has to be changed in the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

Array: TypeAlias = Any  # of numpy, which a keyword search does not otherwise import
Asked = Mapping[str, Any]
Hits = Mapping[str, Sequence[Any]]

FLAGS = ("is_member", "type_head")
NUMBERS = (
    "bm25_rank", "bm25_terms", "vector_rank", "centrality", "loose_chunks", "file_share", "folder_share", "rarity",
)  # fmt: skip


def may_rank(asked: Asked, *, names: Iterable[str]) -> bool:
    """Say whether what the ranking reads of a question, by ``names``, is there, and numbers are finite.

    A store may come from anyone, and the engine knows what to make of all else.
    """
    told = [asked.get(name) for name in names]
    return all(isinstance(one, list) or (isinstance(one, int | float) and math.isfinite(one)) for one in told)


def best_hits(hits: Hits, asked: Asked, *, top_k: int) -> list[dict[str, Any]]:
    """Return the best hits as `search/best.sql` does: chunk_no, bm25_rank, vector_rank, score and score_parts.

    ``hits`` are columns with those of `chunk_signals` and `named_files.sql`, one row per chunk; ``asked`` is a row of
    the macro `question` with which one ``may_rank``.
    """
    if not hits["chunk_no"]:
        return []
    import numpy as np

    with np.errstate(all="ignore"):  # what is infinite, or divided by nothing, is so for the engine, too
        ranking = _Ranking(hits, asked)
        own, evidence = ranking.own_parts()
        parts, factors = ranking.with_file_parts(own, evidence)
        total = sum(parts.values())
        parts["same_file"] = np.where(total > 0, total * (factors - 1), 0.0)
        scores = total * np.where(total > 0, factors, 1.0)
    names = ("chunk_no", "bm25_rank", "vector_rank")
    return [
        {
            **{name: hits[name][row] for name in names},
            "score": _number(scores[row]),
            "score_parts": {name: _number(part[row]) for name, part in parts.items()},
        }
        for row in ranking.in_order(-scores)[:top_k].tolist()
    ]


class _Ranking:
    """The hits of one question as arrays, each with as many rows as there are hits."""

    def __init__(self, hits: Hits, asked: Asked) -> None:
        import numpy as np

        self._np = np
        self._hits = hits
        self._asked = asked
        self._columns = {name: np.array(hits[name], dtype=float) for name in NUMBERS}
        self._columns |= {name: np.array([flag is True for flag in hits[name]]) for name in FLAGS}
        self._chunk_nos = np.array(hits["chunk_no"])

    def in_order(self, *keys: Array) -> Array:
        """Return the rows by ``keys``, the last of them first, and by place where these are equal."""
        columns = self._columns
        return self._np.lexsort((self._chunk_nos, columns["bm25_rank"], columns["vector_rank"], *keys))

    def own_parts(self) -> tuple[dict[str, Array], Array]:
        """Return the parts that a hit has by itself, and what it tells of its file."""
        np, asked = self._np, self._asked
        keyword, vector = (self._place(name) for name in ("bm25_rank", "vector_rank"))
        firsts = (self._columns[name] == 1 for name in ("bm25_rank", "vector_rank"))
        first_keyword, first_vector = (np.where(is_first, asked["first_place"], 0.0) for is_first in firsts)
        parts = {
            "bm25": (1 - asked["vector_share"]) * (keyword + first_keyword),
            "vector": asked["vector_share"] * (vector + first_vector),
            "coverage": self._coverage(keyword),
            "definition": self._definition(),
            "type_head": np.where(self._columns["type_head"], asked["type_head_weight"], 0.0),
        }
        return parts, (1 - asked["evidence_share"]) * keyword + asked["evidence_share"] * vector

    def _place(self, name: str) -> Array:
        rank, rrf_k = self._columns[name], self._asked["rrf_k"]
        return self._np.where(self._np.isnan(rank), 0.0, (rrf_k + 1) / (rrf_k + rank))

    def _coverage(self, keyword: Array) -> Array:
        np, asked = self._np, self._asked
        covered = self._columns["bm25_terms"] >= asked["min_coverage"] * asked["terms"]
        longer, enough = max(asked["terms"] - 2, 0), asked["coverage_terms"]
        length = min(longer / enough, 1) if enough else 1.0
        quoted = np.where(np.isin(self._chunk_nos, asked["quoted_chunks"]), asked["quoted_weight"], 0.0)
        return quoted + np.where(covered, asked["coverage_weight"] * keyword * length, 0.0)

    def _definition(self) -> Array:
        """Return what a hit gets that defines a name of the question, written or spelled out."""
        np, asked, hits = self._np, self._asked, self._hits
        of_words, spelled = set(asked["word_keys"]), self._spelled()
        own_factor = np.where(self._columns["is_member"], asked["member_definition"], 1.0)
        packed, least = asked["packed_definition"], asked["min_spelled"]
        members = [keys or () for keys in hits["member_keys"]]
        is_named = np.array([key in of_words for key in hits["name_key"]])
        has_named = np.array([not of_words.isdisjoint(keys) for keys in members])
        word = np.where(is_named, own_factor, np.where(has_named, packed, 0.0)) * asked["definition_weight"]
        own = np.array([spelled.get(key, 0.0) for key in hits["spelled_key"]])
        member = np.array(
            [max((spelled[key] for key in spelled.keys() & keys), default=0.0) for keys in members]
        )
        shares = np.maximum(
            np.where(own >= least, own, 0.0) * own_factor, np.where(member >= least, member, 0.0) * packed
        )
        return np.maximum(word, asked["spelled_weight"] * shares)

    def _spelled(self) -> dict[int, float]:
        """Return the share of each name that the question may spell; of equal names the first counts."""
        pairs = [*zip(self._asked["spelled_keys"], self._asked["spelled_shares"], strict=False)]
        return dict(reversed(pairs))

    def with_file_parts(self, own: Mapping[str, Array], evidence: Array) -> tuple[dict[str, Array], Array]:
        """Return all parts but that of `same_file`, and the factor of each hit that gives it."""
        np, asked, columns = self._np, self._asked, self._columns
        _, files = np.unique(np.array(self._hits["file_no"]), return_inverse=True)
        in_order = self.in_order(-sum(own.values()), files)
        others = (
            np.bincount(files[in_order], weights=evidence[in_order])[files] - evidence
        ) * self._looseness()
        share = np.nan_to_num(columns["file_share"])
        named = share * np.fmin(columns["rarity"], 1.0)
        parts = {
            **own,
            "file_name": np.where(
                share >= asked["min_file_name"], asked["file_name"] * np.nan_to_num(named), 0.0
            ),
            "folder_name": asked["folder_name"] * np.nan_to_num(columns["folder_share"]),
            "file_evidence": np.where(
                others > 0, asked["file_evidence"] * others / (others + asked["file_evidence_half"]), 0.0
            ),
            "centrality": asked["centrality_weight"] * columns["centrality"],
            "file_class": self._penalties(),
        }
        return parts, self._factors(files, in_order)

    def _looseness(self) -> Array:
        """Return how much other chunks of each hit's file tell."""
        chunks, most = self._columns["loose_chunks"], self._asked["loose_file"]
        return self._np.where(chunks > most, most / chunks, 1.0)

    def _penalties(self) -> Array:
        asked = self._asked
        penalties = {
            "test": -asked["test_penalty"],
            "migration": -asked["migration_penalty"],
            "generated": -asked["generated_penalty"],
            "vendored": -asked["generated_penalty"],
        }
        wanted = set(asked["stem_keys"])
        of_files = zip(self._hits["file_class"], self._hits["class_key"], strict=True)
        return self._np.array([0.0 if key in wanted else penalties.get(name, 0.0) for name, key in of_files])

    def _factors(self, files: Array, in_order: Array) -> Array:
        """Return the factor of each hit: the more hits of its file come before it, the less."""
        np = self._np
        sorted_files = files[in_order]
        before = np.arange(len(files)) - np.searchsorted(sorted_files, sorted_files)
        factors = np.empty(len(files))
        factors[in_order] = [_power(self._asked["same_file"], count) for count in before.tolist()]
        factors[np.isin(self._chunk_nos, self._asked["placed_chunks"])] = 1.0
        return factors


def _power(base: float, exponent: int) -> float:
    """Return a power as the engine does; numpy's differs in the last place on some machines."""
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return math.copysign(math.inf, base) if exponent % 2 else math.inf


def _number(value: float) -> float | None:
    """Return what the engine would: nothing for what was made of nothing."""
    return None if math.isnan(value) else float(value)
