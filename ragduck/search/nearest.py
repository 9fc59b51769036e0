"""What stands in for statements over the vectors and postings of a store: hits that a mirror of them found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ragduck.search.filters import Clause
from ragduck.search.request import Vector


@dataclass(frozen=True, slots=True)
class VectorHits:
    """Chunks nearest to a question, best first, with their cosine and score, which is cosine times importance."""

    chunk_nos: Sequence[int]
    cosines: Sequence[float]
    scores: Sequence[float]


@dataclass(frozen=True, slots=True)
class KeywordHits:
    """The best chunks by keyword, best first, with their score and how many terms of the question each has."""

    chunk_nos: Sequence[int]
    scores: Sequence[float]
    terms: Sequence[int]


class Mirror(Protocol):
    """A copy of the vectors, and of the postings, that is faster to search than the store."""

    @property
    def refusal(self) -> str | None:
        """Why it is not used; None while nothing speaks against it."""

    def nearest(self, vector: Vector, *, depth: int, clause: Clause) -> VectorHits | None:
        """Return the best ``depth`` chunks that a clause leaves; None when the store has to be scanned."""

    def by_keyword(
        self, term_keys: Sequence[int], *, depth: int, clause: Clause, preferred: Callable[[], Sequence[int]]
    ) -> KeywordHits | None:
        """Return the best ``depth`` chunks that a clause leaves, ``preferred`` ones before better ones.

        None when the store has to be asked.
        """
