"""Use any LlamaIndex embedding as an embedder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ragduck.embed.vectors import clean_text, remember_queries, unit_rows
from ragduck.errors import EmbeddingError
from ragduck.model import EmbeddingModel

if TYPE_CHECKING:
    from llama_index.core.base.embeddings.base import BaseEmbedding

LONGEST_TEXT = 32_768  # characters; a model cuts at its own length, but not before it has read everything
PROBE = "dimension"


class LlamaIndexEmbedder:
    """Wrap a ``BaseEmbedding``; its own query and text instructions stay in force."""

    def __init__(
        self,
        embedding: BaseEmbedding,
        *,
        name: str | None = None,
        revision: str = "",
        query_prefix: str = "",
        text_prefix: str = "",
        provider: str = "llama-index",
    ) -> None:
        self._embedding = embedding
        self._name = name or f"{type(embedding).__name__}:{embedding.model_name}"
        self._revision = revision
        self._query_prefix = query_prefix
        self._text_prefix = text_prefix
        self._provider = provider
        self._query_vector = remember_queries(self._embed_query)

    @cached_property
    def model(self) -> EmbeddingModel:
        """Describe the model; the dimension is learned by embedding one word."""
        return EmbeddingModel(
            name=self._name,
            revision=self._revision,
            dimension=self.embed_query(PROBE).size,
            query_prefix=self._query_prefix,
            text_prefix=self._text_prefix,
            provider=self._provider,
        )

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit row per text."""
        if not texts:
            return np.empty((0, self.model.dimension), dtype=np.float32)
        cleaned = [clean_text(text, longest=LONGEST_TEXT) for text in texts]
        try:
            vectors = self._embedding.get_text_embedding_batch(cleaned)
        except Exception as error:
            raise self._failure(error) from error
        if len(vectors) != len(texts) or len({len(vector) for vector in vectors}) != 1:
            raise EmbeddingError(f"{self._name} did not return one vector of one length for each text")
        return unit_rows(vectors)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question; the latest ones are remembered."""
        return self._query_vector(text)

    def _embed_query(self, text: str) -> NDArray[np.float32]:
        try:
            vector = self._embedding.get_query_embedding(clean_text(text, longest=LONGEST_TEXT))
        except Exception as error:
            raise self._failure(error) from error
        row: NDArray[np.float32] = unit_rows([vector])[0]
        return row

    def _failure(self, error: Exception) -> EmbeddingError:
        # Foreign classes raise whatever their client does; to the user it is a model that does not work.
        return EmbeddingError(
            f"{self._name} could not embed a text: {type(error).__name__}: {error}",
            hint="check the model by itself: embedding.get_text_embedding('hello')",
        )
