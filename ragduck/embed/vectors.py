"""Clean texts going in, unit vectors coming out: what every embedder needs at its borders."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ragduck.errors import EmbeddingError

REMEMBERED_QUERIES = 256  # a few hundred kilobytes; people page through and refine the same question


def clean_text(text: str, *, longest: int) -> str:
    """Cut a text to ``longest`` characters and replace what UTF-8 cannot carry.

    Leading blanks do not count, for a model drops them and they could push the content past the cut.
    """
    shortened = text if len(text) <= longest else text.lstrip()[:longest]
    if shortened.isascii():
        return shortened
    return shortened.encode("utf-8", "replace").decode("utf-8")


def unit_rows(vectors: ArrayLike) -> NDArray[np.float32]:
    """Scale each row to length one; a row of zeros becomes the first unit vector.

    Raises an ``EmbeddingError`` when a number is not finite.
    """
    rows = np.atleast_2d(np.asarray(vectors, dtype=np.float64))
    if not np.isfinite(rows).all():
        raise EmbeddingError(
            "the embedding model returned a number that is not finite",
            hint="try another model with --embed-model",
        )
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=0.0)
    empty = largest[:, 0] == 0
    rows = rows / np.where(largest == 0, 1.0, largest)  # keeps the squares below from overflowing
    rows[empty, :1] = 1.0
    lengths = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    unit: NDArray[np.float32] = (rows / lengths).astype(np.float32)
    return unit


def remember_queries(embed: Callable[[str], NDArray[np.float32]]) -> Callable[[str], NDArray[np.float32]]:
    """Keep the vectors of the latest questions; they are read-only, for all callers share them."""

    @lru_cache(maxsize=REMEMBERED_QUERIES)
    def embed_once(text: str) -> NDArray[np.float32]:
        vector = embed(text)
        vector.setflags(write=False)
        return vector

    return embed_once
