"""Read a store as LlamaIndex's vector store: queries and nodes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

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
from ragduck.errors import EmbeddingError, UsageError
from ragduck.integrations.llamaindex.filters import clause_of_documents, clause_of_metadata
from ragduck.integrations.llamaindex.opened import OpenedStore
from ragduck.integrations.llamaindex.requests import request_of
from ragduck.model import EmbeddingModel
from ragduck.search import SearchRequest, VectorIndex, chunks_where, run_search
from ragduck.search.filters import Clause, clause_of
from ragduck.search.nodes import node_of
from ragduck.store.statements import run_own

EVERYTHING = Clause()


class StoreReading(BasePydanticVectorStore):
    """What a vector store answers from the file as it is now."""

    stores_text: bool = True
    path: str
    _opened: OpenedStore = PrivateAttr()

    @property
    def client(self) -> Any:
        """Return the read-only DuckDB connection."""
        return self._opened.database.connection

    @property
    def meta(self) -> Mapping[str, str]:
        """What the file says of itself: the rows of `ragduck_meta`."""
        return self._opened.database.meta

    def query(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """Answer a query; ``kwargs`` are further fields of SearchRequest, such as ``rrf_k`` or ``where``.

        An empty ``node_ids`` asks for all nodes, for that is what an index over a finished store passes.
        Raises UsageError for a mode, filter or setting that cannot be served, EmbeddingError for a vector of
        another length.
        """
        request = request_of(query, settings=kwargs)
        clause = self._clause(query.filters)
        if query.node_ids:
            clause = clause.joined(clause_of({"node_id": query.node_ids}, key="node"))
        if query.doc_ids is not None:
            added_nodes = self._opened.may_hold_nodes
            clause = clause.joined(clause_of_documents(query.doc_ids, added_nodes=added_nodes))
        return self._answer(request, clause, self._vector(request, query))

    async def aquery(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """Answer a query in a thread of its own."""
        return await asyncio.to_thread(self.query, query, **kwargs)

    def get_nodes(
        self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None
    ) -> list[BaseNode]:
        """Return the nodes with these ids that pass the filters, in reading order."""
        return [node_of(chunk) for chunk in self._chunks(node_ids, filters)]

    async def aget_nodes(
        self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None
    ) -> list[BaseNode]:
        """Return nodes as `get_nodes` does, in a thread of its own."""
        return await asyncio.to_thread(self.get_nodes, node_ids, filters)

    def close(self) -> None:
        """Close the file; the next question opens it again."""
        self._opened.close()

    def _clause(self, filters: MetadataFilters | None) -> Clause:
        return clause_of_metadata(filters, added_nodes=filters is not None and self._opened.may_hold_nodes)

    def _chunks(
        self, node_ids: list[str] | None, filters: MetadataFilters | None, within: Clause = EVERYTHING
    ) -> list[dict[str, Any]]:
        database = self._opened.database
        clause = self._clause(filters).joined(within)
        if node_ids is not None:
            clause = clause.joined(clause_of({"node_id": node_ids}, key="node"))
        return chunks_where(partial(run_own, database), clause, index=VectorIndex.from_meta(database.meta))

    def _answer(
        self, request: SearchRequest, clause: Clause, vector: NDArray[np.float32] | None
    ) -> VectorStoreQueryResult:
        database, stored = self._opened.searched()
        index = VectorIndex.from_meta(database.meta)
        rows = partial(run_own, database)
        answer = run_search(rows, request, vector=vector, index=index, clause=clause, stored=stored)
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
