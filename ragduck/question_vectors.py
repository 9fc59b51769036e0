"""Make the vectors of questions to an open store, and remember them."""

from __future__ import annotations

from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING

from ragduck.model import EmbeddingModel
from ragduck.search.request import Vector

if TYPE_CHECKING:
    import numpy as np
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from numpy.typing import NDArray

    from ragduck.embed import Embedder
    from ragduck.embed.query_cache import QueryCache

    Model = str | BaseEmbedding | Embedder | None


class QuestionVectors:
    """The vectors of questions; ``embed_model`` replaces the embedder that the store has ``recorded``, if given."""

    def __init__(self, embed_model: Model, *, recorded: str | None) -> None:
        self._embed_model = embed_model
        self._recorded = recorded
        self._embedder: Embedder | None = None

    def of(self, text: str, *, model: EmbeddingModel) -> Vector:
        """Return the vector of a question; for one that is remembered, the store's own model is not even loaded."""
        if not self._asks_own_model:
            model = self._embedder_for(model).model
        remembered = self._remembered.find(text, model=model)
        if remembered is not None:
            return remembered
        import numpy as np

        from ragduck.embed.batches import checked

        embedder = self._embedder_for(model)
        start = perf_counter()
        given = np.asarray(embedder.embed_query(text), dtype=np.float32)
        vector: NDArray[np.float32] = checked(given[None], 1, embedder)[0]
        self._remembered.keep(text, vector, model=embedder.model, seconds=perf_counter() - start)
        return vector

    @property
    def _asks_own_model(self) -> bool:
        """Whether no other object or place was given for the model: those are compared with it before they count."""
        return self._embed_model is None or self._embed_model == self._recorded

    @cached_property
    def _remembered(self) -> QueryCache:
        from ragduck.embed.query_cache import open_query_cache

        return open_query_cache(on_disk=self._asks_own_model)

    def _embedder_for(self, model: EmbeddingModel) -> Embedder:
        if self._embedder is None:
            from ragduck.embed import embedder_for

            self._embedder = embedder_for(model, model=self._embed_model)
        return self._embedder
