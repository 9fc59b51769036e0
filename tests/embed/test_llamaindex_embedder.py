"""Any LlamaIndex embedding as an embedder."""

from __future__ import annotations

import numpy as np
import pytest
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.embeddings import MockEmbedding

from ragduck.embed import load_embedder
from ragduck.embed.llamaindex import LlamaIndexEmbedder
from ragduck.errors import EmbeddingError


class LengthEmbedding(BaseEmbedding):
    """Embed a text as its length and a constant; a question also has a mark of its own."""

    def _get_text_embedding(self, text: str) -> list[float]:
        return [float(len(text)), 1.0, 0.0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return [float(len(query)), 1.0, 5.0]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


class BrokenEmbedding(LengthEmbedding):
    """Fail the way a client without network does."""

    def _get_text_embedding(self, text: str) -> list[float]:
        raise ConnectionError("no route to host")


def test_the_model_is_named_after_class_and_model_name() -> None:
    embedder = load_embedder(LengthEmbedding(model_name="len-1"))

    assert embedder is not None
    assert embedder.model.name == "LengthEmbedding:len-1"


def test_vectors_are_scaled_to_unit_length() -> None:
    embedder = LlamaIndexEmbedder(LengthEmbedding())

    vectors = embedder.embed_texts(["abc", ""])

    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert vectors[1].tolist() == [0, 1, 0]


def test_questions_use_the_models_own_way_of_embedding_questions() -> None:
    embedder = LlamaIndexEmbedder(LengthEmbedding())

    assert embedder.embed_query("abc")[2] > 0
    assert embedder.embed_texts(["abc"])[0, 2] == 0


def test_the_dimension_is_learned_by_probing() -> None:
    assert LlamaIndexEmbedder(MockEmbedding(embed_dim=7)).model.dimension == 7


def test_no_texts_give_no_rows() -> None:
    assert LlamaIndexEmbedder(MockEmbedding(embed_dim=7)).embed_texts([]).shape == (0, 7)


def test_a_failing_model_is_a_clear_error() -> None:
    with pytest.raises(EmbeddingError, match="ConnectionError: no route to host"):
        LlamaIndexEmbedder(BrokenEmbedding()).embed_texts(["abc"])
