"""What goes wrong with vectors of LlamaIndex is said with the node, or with what helps."""

from __future__ import annotations

from pathlib import Path

import pytest
from llama_index.core.schema import TextNode

import ragduck
from ragduck.errors import EmbeddingError
from ragduck.integrations.llamaindex import RagduckVectorStore


@pytest.fixture
def store(tmp_path: Path) -> RagduckVectorStore:
    return RagduckVectorStore(tmp_path / "notes.duckdb", embed_dim=2)


def test_vector_that_is_not_finite_is_named_by_its_node(store: RagduckVectorStore) -> None:
    with pytest.raises(EmbeddingError, match="node memo-7 has a number that is not finite"):
        store.add([TextNode(id_="memo-7", text="x", embedding=[1.0, float("nan")])])


def test_question_to_vectors_of_an_unnamed_model_is_told_what_helps(store: RagduckVectorStore) -> None:
    store.add([TextNode(text="x", embedding=[1.0, 0.0])])

    with ragduck.open(store.path) as opened, pytest.raises(EmbeddingError) as caught:
        opened.search("x", mode="semantic")

    assert "--mode bm25" in (caught.value.hint or "")
