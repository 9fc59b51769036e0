"""Embed chunks by their words, thousands a second with numpy alone, and questions as sentences, with MiniLM."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ragduck.embed.minilm import MiniLMEmbedder
from ragduck.embed.static.model import SHA256, StaticModel, load_model
from ragduck.embed.static.tokens import IDENTIFIER
from ragduck.embed.vectors import clean_text, remember_queries, unit_rows
from ragduck.model import EmbeddingModel

DIMENSION = 256
LONGEST_TEXT = 4_096  # characters; 128 different words of code end before


class StaticEmbedder:
    """Embed chunks by looking words up; a text's vector does not depend on the texts beside it.

    Chunks are many and questions few: only a question is worth a run of a model that understands sentences. The more
    of its words are names, the more it is also looked up as a chunk is.
    """

    def __init__(self, weights: StaticModel | None = None) -> None:
        self._given = weights
        self._sentences = MiniLMEmbedder(threads=1)
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
        """Embed a question as a sentence, in 6 to 10 ms after the first; the latest ones are remembered."""
        return self._query_vector(text)

    def _embed_query(self, text: str) -> NDArray[np.float32]:
        question = clean_text(text, longest=LONGEST_TEXT)
        row = unit_rows(self._weights.query_sum(self._sentences.embed_texts([question])[0]))
        words = self._weights.chunk_sum(question)
        if words.any():  # a sum of no words would be the vector of all chunks without any
            row = unit_rows(row + self._share_of_names(question) * unit_rows(words))
        first: NDArray[np.float32] = row[0]
        return first

    def _share_of_names(self, question: str) -> float:
        """Return the share of words that MiniLM has in pieces only: names, words of other languages, rare ones."""
        words = IDENTIFIER.findall(question)
        return sum(not self._sentences.knows(word) for word in words) / max(len(words), 1)

    @cached_property
    def _weights(self) -> StaticModel:
        return self._given or load_model()
