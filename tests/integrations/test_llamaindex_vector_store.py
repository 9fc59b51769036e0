"""A store below a VectorStoreIndex: modes, ids, nodes, threads, and what is refused."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.schema import NodeWithScore
from llama_index.core.vector_stores.types import (
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
)
from numpy.typing import NDArray

import ragduck
from ragduck.embed.hashing import HashingEmbedder
from ragduck.errors import EmbeddingError, UsageError
from ragduck.integrations.llamaindex import RagduckVectorStore, open_index
from ragduck.model import EmbeddingModel

QUESTION = "where are orders placed and invoices created"
VECTOR = HashingEmbedder().embed_query(QUESTION).tolist()


class QuestionsOnly:
    """Embed questions, and fail when a document is to be embedded."""

    def __init__(self) -> None:
        self._embedder = HashingEmbedder()

    @property
    def model(self) -> EmbeddingModel:
        return self._embedder.model

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise AssertionError("a document was embedded")

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._embedder.embed_query(text)


def pairs(found: list[NodeWithScore]) -> list[tuple[str, float | None]]:
    return [(hit.node.node_id, hit.score) for hit in found]


@pytest.mark.parametrize(
    ("mode", "settings", "own_mode", "own_settings"),
    [
        ("default", {}, "semantic", {}),
        ("text_search", {}, "bm25", {}),
        ("sparse", {}, "bm25", {}),
        ("hybrid", {}, "hybrid", {}),
        ("hybrid", {"alpha": 0.3}, "hybrid", {"use_rrf": False, "vector_weight": 0.3}),
        ("hybrid", {"sparse_top_k": 5}, "hybrid", {"fts_top_k": 5}),
        ("hybrid", {"vector_store_kwargs": {"rrf_k": 5}}, "hybrid", {"rrf_k": 5}),
        ("semantic_hybrid", {}, "semantic_rerank", {}),
    ],
)
def test_a_mode_answers_as_the_store_does(
    shop_path: Path,
    shop_index: VectorStoreIndex,
    mode: str,
    settings: dict[str, Any],
    own_mode: Any,
    own_settings: dict[str, Any],
) -> None:
    with ragduck.open(shop_path) as store:
        expected = store.search(QUESTION, mode=own_mode, top_k=8, **own_settings).results

    found = shop_index.as_retriever(similarity_top_k=8, vector_store_query_mode=mode, **settings).retrieve(
        QUESTION
    )

    assert pairs(found) == [(result["node_id"], result["score"]) for result in expected]


def test_hybrid_top_k_counts_results_and_similarity_top_k_vector_hits(
    shop_path: Path, shop_index: VectorStoreIndex
) -> None:
    with ragduck.open(shop_path) as store:
        expected = store.search(QUESTION, top_k=6, vector_top_k=3).results

    found = shop_index.as_retriever(
        similarity_top_k=3, hybrid_top_k=6, vector_store_query_mode="hybrid"
    ).retrieve(QUESTION)

    assert pairs(found) == [(result["node_id"], result["score"]) for result in expected]


def test_no_document_is_embedded_again(shop_path: Path) -> None:
    index = open_index(shop_path, embed_model=QuestionsOnly())

    assert len(index.as_retriever(similarity_top_k=3).retrieve(QUESTION)) == 3


def test_a_node_holds_text_columns_and_source(shop_path: Path, shop_index: VectorStoreIndex) -> None:
    node = shop_index.as_retriever(similarity_top_k=1).retrieve(QUESTION)[0].node
    with ragduck.open(shop_path) as store:
        row = store.sql("select * from documents where node_id = $id", {"id": node.node_id})[0]

    assert node.get_content() == row["text"]
    assert node.ref_doc_id == row["doc_id"]
    assert node.metadata["start_line"] == row["start_line"]
    assert node.metadata["file_path"] == row["source_file"]


def test_a_language_model_is_shown_place_and_name_alone(shop_index: VectorStoreIndex) -> None:
    node = shop_index.as_retriever(similarity_top_k=1).retrieve(QUESTION)[0].node

    shown = node.get_metadata_str("llm")

    assert [line.split(":")[0] for line in shown.splitlines()] == [
        "element_type",
        "element_name",
        "location",
    ]


def test_a_vector_needs_no_words_and_any_length(shop_nodes: RagduckVectorStore) -> None:
    by_vector = VectorStoreQuery(query_embedding=[4 * number for number in VECTOR], similarity_top_k=5)
    by_words = VectorStoreQuery(query_embedding=VECTOR, query_str=QUESTION, similarity_top_k=5)

    assert shop_nodes.query(by_vector).ids == shop_nodes.query(by_words).ids


def test_doc_ids_limit_the_answer_to_their_files(shop_nodes: RagduckVectorStore) -> None:
    doc_id = shop_nodes.get_nodes()[0].ref_doc_id
    assert doc_id is not None

    found = shop_nodes.query(VectorStoreQuery(query_embedding=VECTOR, similarity_top_k=500, doc_ids=[doc_id]))

    own = shop_nodes.get_nodes(
        filters=MetadataFilters(filters=[MetadataFilter(key="ref_doc_id", value=doc_id)])
    )
    assert sorted(found.ids or []) == sorted(node.node_id for node in own)


def test_no_doc_ids_at_all_allow_nothing(shop_nodes: RagduckVectorStore) -> None:
    found = shop_nodes.query(VectorStoreQuery(query_embedding=VECTOR, similarity_top_k=5, doc_ids=[]))

    assert found.ids == []


def test_node_ids_limit_the_answer(shop_nodes: RagduckVectorStore) -> None:
    wanted = [node.node_id for node in shop_nodes.get_nodes()[10:100]]

    found = shop_nodes.query(VectorStoreQuery(query_embedding=VECTOR, similarity_top_k=500, node_ids=wanted))

    assert found.ids
    assert set(found.ids) <= set(wanted)


def test_filters_and_the_where_of_ragduck_hold_together(shop_nodes: RagduckVectorStore) -> None:
    filters = MetadataFilters(filters=[MetadataFilter(key="data_type", value="db_code")])
    query = VectorStoreQuery(query_embedding=VECTOR, similarity_top_k=9, filters=filters)

    found = shop_nodes.query(query, where="start_line > 5 or start_line < 3")

    assert len(found.nodes or []) == 9
    for node in found.nodes or []:
        assert node.metadata["data_type"] == "db_code"
        assert node.metadata["start_line"] not in (3, 4, 5)


def test_get_nodes_returns_what_was_asked_for(shop_nodes: RagduckVectorStore) -> None:
    wanted = sorted(node.node_id for node in shop_nodes.get_nodes())[:4]

    assert sorted(node.node_id for node in shop_nodes.get_nodes(wanted)) == wanted
    assert shop_nodes.get_nodes([]) == []


def test_many_questions_at_once_get_their_own_answers(
    shop_index: VectorStoreIndex, shop_nodes: RagduckVectorStore
) -> None:
    questions = ["invoice", "customer address", "stock", "order status", "payment"] * 6
    retriever = shop_index.as_retriever(similarity_top_k=3, vector_store_query_mode="hybrid")
    expected = [pairs(retriever.retrieve(question)) for question in questions]

    async def ask_all() -> list[list[NodeWithScore]]:
        return await asyncio.gather(*(retriever.aretrieve(question) for question in questions))

    assert [pairs(found) for found in asyncio.run(ask_all())] == expected
    assert len(asyncio.run(shop_nodes.aget_nodes())) == len(shop_nodes.get_nodes())


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (VectorStoreQuery(query_embedding=VECTOR, mode=VectorStoreQueryMode.MMR), "mmr"),
        (VectorStoreQuery(query_str="order"), "query_embedding"),
        (VectorStoreQuery(query_embedding=VECTOR, mode=VectorStoreQueryMode.HYBRID), "empty"),
        (VectorStoreQuery(query_str=" ", mode=VectorStoreQueryMode.TEXT_SEARCH), "empty"),
        (VectorStoreQuery(query_embedding=VECTOR, similarity_top_k=0), "top_k"),
        (VectorStoreQuery(query_embedding=VECTOR, output_fields=["text"]), "output_fields"),
        (VectorStoreQuery(query_embedding=[1.0, 0.0]), "2 dimensions"),
    ],
)
def test_queries_that_cannot_be_served_are_refused(
    shop_nodes: RagduckVectorStore, query: VectorStoreQuery, said: str
) -> None:
    with pytest.raises((UsageError, EmbeddingError), match=said):
        shop_nodes.query(query)


def test_an_unknown_setting_is_refused(shop_nodes: RagduckVectorStore) -> None:
    with pytest.raises(UsageError, match="rff_k"):
        shop_nodes.query(VectorStoreQuery(query_embedding=VECTOR), rff_k=3)


def test_a_vector_store_survives_pickling(shop_nodes: RagduckVectorStore) -> None:
    copy = pickle.loads(pickle.dumps(shop_nodes))

    assert copy.path == shop_nodes.path
    assert len(copy.get_nodes()) == len(shop_nodes.get_nodes())
