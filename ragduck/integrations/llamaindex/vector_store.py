"""A ragduck store as LlamaIndex's vector store: what lies below a VectorStoreIndex."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import BaseNode
from llama_index.core.vector_stores.types import (
    BasePydanticVectorStore,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
    VectorStoreQueryResult,
)
from numpy.typing import NDArray

from ragduck.embed.vectors import unit_rows
from ragduck.errors import EmbeddingError, StoreError, UsageError
from ragduck.integrations.llamaindex.filters import clause_of_metadata
from ragduck.integrations.llamaindex.requests import request_of
from ragduck.model import EmbeddingModel
from ragduck.search import SearchRequest, VectorIndex, chunks_where, run_search
from ragduck.search.filters import Clause, clause_of
from ragduck.search.nodes import node_of
from ragduck.store import Database, open_database


class RagduckVectorStore(BasePydanticVectorStore):
    """Read a store through LlamaIndex; it is written by `prepare` alone.

    Modes: DEFAULT, SPARSE and TEXT_SEARCH (both BM25), HYBRID (reciprocal ranks, or weighted when ``alpha`` is
    given) and SEMANTIC_HYBRID (`semantic_rerank`). Nodes come with ragduck's scores as similarities.
    """

    stores_text: bool = True
    path: str
    _database: Database = PrivateAttr()

    def __init__(self, path: str | Path, **fields: Any) -> None:
        super().__init__(**{**fields, "path": str(path)})
        self._database = open_database(path)

    @classmethod
    def class_name(cls) -> str:
        """Name the class in serialised form."""
        return "RagduckVectorStore"

    @property
    def client(self) -> Any:
        """Return the read-only DuckDB connection."""
        return self._database.connection

    @property
    def meta(self) -> Mapping[str, str]:
        """What the file says of itself: the rows of `ragduck_meta`."""
        return self._database.meta

    def query(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """Answer a query; ``kwargs`` are further fields of SearchRequest, such as ``rrf_k`` or ``where``.

        An empty ``node_ids`` asks for all nodes, for that is what an index over a finished store passes.
        """
        request = request_of(query, settings=kwargs)
        clause = clause_of_metadata(query.filters)
        if query.node_ids:
            clause = clause.joined(clause_of({"node_id": query.node_ids}, key="node"))
        if query.doc_ids is not None:
            clause = clause.joined(clause_of({"doc_id": query.doc_ids}, key="doc"))
        return self._answer(request, clause, self._vector(request, query))

    async def aquery(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """Answer a query in a thread of its own."""
        return await asyncio.to_thread(self.query, query, **kwargs)

    def get_nodes(
        self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None
    ) -> list[BaseNode]:
        """Return the nodes with these ids that pass the filters, in reading order."""
        clause = clause_of_metadata(filters)
        if node_ids is not None:
            clause = clause.joined(clause_of({"node_id": node_ids}, key="node"))
        chunks = chunks_where(self._database.rows, clause, index=self._index)
        return [node_of(chunk) for chunk in chunks]

    async def aget_nodes(
        self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None
    ) -> list[BaseNode]:
        """Return nodes as `get_nodes` does, in a thread of its own."""
        return await asyncio.to_thread(self.get_nodes, node_ids, filters)

    def add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:  # noqa: ARG002
        """Refuse: a store is written by `prepare`."""
        self._refuse()

    def delete(self, ref_doc_id: str, **delete_kwargs: Any) -> None:  # noqa: ARG002
        """Refuse: a store is written by `prepare`."""
        self._refuse()

    def delete_nodes(
        self,
        node_ids: list[str] | None = None,  # noqa: ARG002
        filters: MetadataFilters | None = None,  # noqa: ARG002
        **delete_kwargs: Any,  # noqa: ARG002
    ) -> None:
        """Refuse: a store is written by `prepare`."""
        self._refuse()

    def clear(self) -> None:
        """Refuse: a store is written by `prepare`."""
        self._refuse()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    @property
    def _index(self) -> VectorIndex:
        return VectorIndex.from_meta(self.meta)

    def _answer(
        self, request: SearchRequest, clause: Clause, vector: NDArray[np.float32] | None
    ) -> VectorStoreQueryResult:
        answer = run_search(self._database.rows, request, vector=vector, index=self._index, clause=clause)
        return VectorStoreQueryResult(
            nodes=[node_of(result) for result in answer.results],
            similarities=[result["score"] for result in answer.results],
            ids=[result["node_id"] for result in answer.results],
        )

    def _vector(self, request: SearchRequest, query: VectorStoreQuery) -> NDArray[np.float32] | None:
        """Return the question's vector, of unit length like those of the store; None when none is compared."""
        if request.mode == "bm25":
            return None
        model = EmbeddingModel.from_dict(self.meta)
        if model is None:
            raise UsageError(
                f"{self.path} was prepared without vectors, so mode {query.mode.value} cannot be served",
                hint=f"use vector_store_query_mode={VectorStoreQueryMode.TEXT_SEARCH.value!r}",
            )
        if query.query_embedding is None:
            raise UsageError(
                f"mode {query.mode.value} needs query_embedding", hint="embed the question first"
            )
        vector: NDArray[np.float32] = unit_rows(query.query_embedding)[0]
        if vector.size != model.dimension:
            raise EmbeddingError(
                f"the vector of the question has {vector.size} dimensions, those of {self.path} {model.dimension}",
                hint=f"embed it with the model of the store: {model.name}",
            )
        return vector

    def _refuse(self) -> NoReturn:
        raise StoreError(
            f"{self.path} cannot be changed through LlamaIndex",
            hint=f"change the sources and run: ragduck prepare FOLDER -o {self.path}",
        )
