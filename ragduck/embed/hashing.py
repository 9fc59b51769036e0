"""A tiny deterministic embedder: signed feature hashing of words and of the parts of identifiers.

Equal on every platform and in every process, so that tests can tell vectors by heart. Feature hashing after
Weinberger et al. 2009.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from ragduck.embed.vectors import unit_rows
from ragduck.errors import EmbeddingError
from ragduck.model import EmbeddingModel

DEFAULT_DIMENSION = 64
LARGEST_DIMENSION = 4_096
WORD = re.compile(r"\w+")
PART_BORDER = re.compile(r"_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
LONGEST_WORD = 256  # longer runs are encoded data, not words


class HashingEmbedder:
    """Embed by counting hashed words; similar texts share words, nothing more."""

    def __init__(self, *, dimension: int = DEFAULT_DIMENSION) -> None:
        if not 0 < dimension <= LARGEST_DIMENSION:
            raise EmbeddingError(
                f"hashing:{dimension} is no usable dimension",
                hint=f"choose one from 1 to {LARGEST_DIMENSION}, for example hashing:128",
            )
        name = "hashing" if dimension == DEFAULT_DIMENSION else f"hashing:{dimension}"
        self._model = EmbeddingModel(name=name, revision="1", dimension=dimension, provider="ragduck")

    @property
    def model(self) -> EmbeddingModel:
        """Describe the hashing, which is known without loading anything."""
        return self._model

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit row per text; a text without words gets the first unit vector."""
        counts = np.zeros((len(texts), self._model.dimension))
        for row, text in zip(counts, texts, strict=True):
            self._count_features(row, text)
        return unit_rows(counts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed a question like any other text."""
        vector: NDArray[np.float32] = self.embed_texts([text])[0]
        return vector

    def _count_features(self, row: NDArray[np.float64], text: str) -> None:
        hashes = np.fromiter(map(_feature_hash, iter_features(text)), dtype=np.uint64)
        signs = np.where(hashes & np.uint64(1), 1.0, -1.0)
        places = (hashes >> np.uint64(1)) % np.uint64(row.size)
        row += np.bincount(places.astype(np.intp), weights=signs, minlength=row.size)


def iter_features(text: str) -> Iterator[str]:
    """Yield the words of a text in lower case, and the camel and snake parts of those that have any."""
    for match in WORD.finditer(text):
        word = match.group()[:LONGEST_WORD]
        yield word.lower()
        parts = [part for part in PART_BORDER.split(word) if part]
        if len(parts) > 1:
            yield from (part.lower() for part in parts)


@lru_cache(maxsize=65_536)
def _feature_hash(feature: str) -> int:
    digest = blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")
