"""Ragduck's own search as a retriever, and its embedder as an embedding."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.embed.hashing import HashingEmbedder
from ragduck.errors import UsageError
from ragduck.integrations.llamaindex import RagduckEmbedding, RagduckRetriever

QUESTION = "who may void an invoice"


def test_it_is_hybrid_unless_told_otherwise(shop_path: Path) -> None:
    with ragduck.open(shop_path) as store:
        found = RagduckRetriever(store, similarity_top_k=4).retrieve(QUESTION)
        expected = store.search(QUESTION, mode="hybrid", top_k=4).results

    assert [(hit.node.node_id, hit.score) for hit in found] == [
        (result["node_id"], result["score"]) for result in expected
    ]


def test_mode_filters_and_settings_are_those_of_the_store(shop_path: Path) -> None:
    retriever = RagduckRetriever(
        shop_path, mode="semantic", similarity_top_k=5, filters={"kind": "PROC"}, where="schema = 'dbo'"
    )

    found = retriever.retrieve(QUESTION)

    retriever.close()
    assert len(found) == 5
    assert {hit.node.metadata["kind"] for hit in found} == {"PROC"}


def test_it_retrieves_asynchronously(shop_path: Path) -> None:
    retriever = RagduckRetriever(shop_path, mode="bm25", similarity_top_k=3)

    async def ask() -> list[str]:
        answers = await asyncio.gather(*(retriever.aretrieve(QUESTION) for _ in range(8)))
        return [hit.node.node_id for answer in answers for hit in answer]

    assert asyncio.run(ask()) == [hit.node.node_id for hit in retriever.retrieve(QUESTION)] * 8


def test_an_unknown_mode_is_refused(shop_path: Path) -> None:
    settings: dict[str, Any] = {"mode": "fuzzy"}

    with pytest.raises(UsageError, match="unknown mode"):
        RagduckRetriever(shop_path, **settings).retrieve(QUESTION)


def test_the_embedding_returns_the_vectors_of_the_embedder() -> None:
    embedder = HashingEmbedder()
    embedding = RagduckEmbedding(embedder)

    assert embedding.model_name == "hashing"
    assert embedding.get_query_embedding(QUESTION) == embedder.embed_query(QUESTION).tolist()
    assert embedding.get_text_embedding_batch(["a b", "c"]) == embedder.embed_texts(["a b", "c"]).tolist()


def test_the_embedding_works_asynchronously() -> None:
    embedding = RagduckEmbedding(HashingEmbedder())

    assert asyncio.run(embedding.aget_query_embedding("a b")) == embedding.get_query_embedding("a b")
    assert asyncio.run(embedding.aget_text_embedding("a b")) == embedding.get_text_embedding("a b")
    assert asyncio.run(embedding.aget_text_embedding_batch(["a", "b c"])) == (
        embedding.get_text_embedding_batch(["a", "b c"])
    )
