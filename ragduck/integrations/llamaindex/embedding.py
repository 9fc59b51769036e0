"""Use ragduck's embedders where LlamaIndex wants one of its own."""

from __future__ import annotations

import asyncio
from typing import Any

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr

from ragduck.embed import DEFAULT_MODEL, Embedder, load_embedder
from ragduck.errors import UsageError

BATCH_SIZE = 256


class RagduckEmbedding(BaseEmbedding):
    """Let LlamaIndex embed with a model of ragduck's: one by name, such as `minilm` or `hashing`, or an embedder."""

    _embedder: Embedder = PrivateAttr()

    def __init__(
        self, embedder: Embedder | str | None = None, *, embed_batch_size: int = BATCH_SIZE, **fields: Any
    ) -> None:
        name = fields.pop("model_name", DEFAULT_MODEL)
        loaded = load_embedder(name if embedder is None else embedder)
        if loaded is None:
            raise UsageError("the model 'none' embeds nothing", hint="name a model, such as minilm")
        super().__init__(model_name=loaded.model.name, embed_batch_size=embed_batch_size, **fields)
        self._embedder = loaded

    @property
    def embedder(self) -> Embedder:
        """What it wraps."""
        return self._embedder

    @classmethod
    def class_name(cls) -> str:
        """Name the class in serialised form."""
        return "RagduckEmbedding"

    def _get_query_embedding(self, query: str) -> list[float]:
        vector: list[float] = self._embedder.embed_query(query).tolist()
        return vector

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        vectors: list[list[float]] = self._embedder.embed_texts(texts).tolist()
        return vectors

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return await asyncio.to_thread(self._get_query_embedding, query)

    async def _aget_text_embedding(self, text: str) -> list[float]:
        return await asyncio.to_thread(self._get_text_embedding, text)

    async def _aget_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return await asyncio.to_thread(self._get_text_embeddings, texts)
