"""Use ragduck's embedders where LlamaIndex wants one of its own."""

from __future__ import annotations

import asyncio
from typing import Any

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr

from ragduck.embed import Embedder

BATCH_SIZE = 256


class RagduckEmbedding(BaseEmbedding):
    """Wrap an embedder, so that LlamaIndex asks with the model that the store was made with."""

    _embedder: Embedder = PrivateAttr()

    def __init__(self, embedder: Embedder, *, embed_batch_size: int = BATCH_SIZE, **fields: Any) -> None:
        super().__init__(model_name=embedder.model.name, embed_batch_size=embed_batch_size, **fields)
        self._embedder = embedder

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
