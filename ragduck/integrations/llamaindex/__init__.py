"""LlamaIndex over ragduck stores: index, vector store, retriever and embedding.

Importing this loads llama_index, which takes seconds; `import ragduck` alone does not.
"""

from ragduck.integrations.llamaindex.embedding import RagduckEmbedding
from ragduck.integrations.llamaindex.index import open_index
from ragduck.integrations.llamaindex.prepare import prepare_embeddings
from ragduck.integrations.llamaindex.retriever import RagduckRetriever
from ragduck.integrations.llamaindex.vector_store import RagduckVectorStore

__all__ = [
    "RagduckEmbedding",
    "RagduckRetriever",
    "RagduckVectorStore",
    "open_index",
    "prepare_embeddings",
]
