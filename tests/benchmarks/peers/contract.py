"""What a peer is to the benchmark: a module in `engines` that builds its files from the rows, then answers.

A module has ``build(rows, folder, **settings)`` and ``open_peer(folder, **settings)``. What the latter returns has
those of the methods below that the peer can serve. Every answer holds ids and texts, best first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

KINDS = ("keyword", "vector", "narrow", "wide", "hybrid")  # narrow and wide: vector search with a filter
FUSED = 100  # hits of each side, where the benchmark has to fuse two lists itself; ragduck fuses as many
RRF_K = 60

Hit = tuple[int, str]
Filter = tuple[str, str]


class Peer(Protocol):
    """Answer questions from the files that were built."""

    def keyword(self, text: str, k: int) -> list[Hit]:
        """Return the rows with the best of the words."""

    def vector(self, vector: Any, k: int) -> list[Hit]:
        """Return the rows nearest to a vector, shape (DIMENSION,)."""

    def filtered(self, vector: Any, where: Filter, k: int) -> list[Hit]:
        """Return the nearest of the rows whose column has a value."""

    def hybrid(self, text: str, vector: Any, k: int) -> list[Hit]:
        """Return the best rows by both."""


def fused(rankings: Iterable[Sequence[int]], k: int) -> list[int]:
    """Return the best ids by reciprocal rank fusion, for peers that have none of their own."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for place, row in enumerate(ranking, start=1):
            scores[row] = scores.get(row, 0.0) + 1 / (RRF_K + place)
    return sorted(scores, key=lambda row: (-scores[row], row))[:k]
