"""An index over a store that is there: it answers, and never embeds anew what the store holds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.ingestion import run_transformations
from llama_index.core.schema import BaseNode, TransformComponent
from llama_index.core.settings import Settings

from ragduck.embed import embedder_for
from ragduck.errors import UsageError
from ragduck.integrations.llamaindex.embedding import RagduckEmbedding
from ragduck.integrations.llamaindex.vector_store import RagduckVectorStore
from ragduck.model import EmbeddingModel

if TYPE_CHECKING:
    from llama_index.core.base.embeddings.base import BaseEmbedding

    from ragduck.embed import Embedder


class LateTransform(TransformComponent):
    """Do what the settings of LlamaIndex say to documents, once there are any to be inserted.

    Its default splitter takes a second to set up, and most who open an index ask only.
    """

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> Sequence[BaseNode]:
        """Return the nodes into which documents are cut."""
        return run_transformations(nodes, Settings.transformations, **kwargs)


def open_index(
    path: str | Path, *, embed_model: str | BaseEmbedding | Embedder | None = None
) -> VectorStoreIndex:
    """Return an index over the store at ``path``, which asks with the model that the store was made with.

    Documents inserted into it become a repository of their own, `llamaindex`; see RagduckVectorStore.
    Raises StoreError when there is no store, EmbeddingError when its model cannot be had or ``embed_model`` is
    another one, UsageError when it was prepared without vectors.
    """
    vector_store = RagduckVectorStore(path)
    try:
        embedder = _embedder(vector_store, embed_model)
    except BaseException:
        vector_store.close()
        raise
    return VectorStoreIndex.from_vector_store(
        vector_store, embed_model=RagduckEmbedding(embedder), transformations=[LateTransform()]
    )


def _embedder(
    vector_store: RagduckVectorStore, embed_model: str | BaseEmbedding | Embedder | None
) -> Embedder:
    model = EmbeddingModel.from_dict(vector_store.meta)
    if model is None:
        raise UsageError(
            f"{vector_store.path} was prepared without vectors, which an index needs",
            hint="use RagduckRetriever(path, mode='bm25'), or prepare it again with an embedding model",
        )
    return embedder_for(model, model=embed_model)
