"""Embed texts with the static model: numpy alone, the same vectors on every platform up to 1e-5."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ragduck.embed.static.model import SHA256, StaticModel, load_model
from ragduck.embed.vectors import clean_text, remember_queries, unit_rows
from ragduck.model import EmbeddingModel

DIMENSION = 256
LONGEST_TEXT = 4_096  # characters; 128 different words of code end before


class StaticEmbedder:
    """Embed by looking words up; a text's vector does not depend on the texts beside it."""

    def __init__(self, weights: StaticModel | None = None) -> None:
        self._given = weights
        self._query_vector = remember_queries(self._embed_query)

    @property
    def model(self) -> EmbeddingModel:
        """Describe the model, which is known without loading it."""
        sha256 = self._given.sha256 if self._given else SHA256
        dimension = self._given.vectors.shape[1] if self._given else DIMENSION
        return EmbeddingModel(
            name="static", revision=f"sha256:{sha256}", dimension=dimension, provider="ragduck"
        )

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit row per text, made from its first 128 words; one without any gets the first axis."""
        sums = np.empty((len(texts), self.model.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            sums[row] = self._weights.chunk_sum(clean_text(text, longest=LONGEST_TEXT))
        return unit_rows(sums) if texts else sums

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed a question, whose words have other weights than those of chunks; the latest ones are remembered."""
        return self._query_vector(text)

    def _embed_query(self, text: str) -> NDArray[np.float32]:
        row: NDArray[np.float32] = unit_rows(self._weights.query_sum(clean_text(text, longest=LONGEST_TEXT)))[
            0
        ]
        return row

    @cached_property
    def _weights(self) -> StaticModel:
        return self._given or load_model()
