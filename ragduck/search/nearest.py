"""What stands in for the scan of the vectors: hits that a mirror of them found."""

from __future__ import annotations

from collections.abc import Sequence
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


class Mirror(Protocol):
    """A copy of the vectors that is faster to search than the store."""

    @property
    def refusal(self) -> str | None:
        """Why it is not used; None while nothing speaks against it."""

    def nearest(self, vector: Vector, *, depth: int, clause: Clause) -> VectorHits | None:
        """Return the best ``depth`` chunks that a clause leaves; None when the store has to be scanned."""
