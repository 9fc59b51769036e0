"""Ragduck's own search as a LlamaIndex retriever."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.callbacks.base import CallbackManager
from llama_index.core.schema import NodeWithScore, QueryBundle

from ragduck.library import Store, open_store
from ragduck.search import Filters, Mode
from ragduck.search.nodes import scored_node_of

DEFAULT_TOP_K = 10


class RagduckRetriever(BaseRetriever):
    """Retrieve with a mode, filters and settings of `Store.search`; hybrid unless told otherwise.

    Only the words of a question count: the store embeds them with its own model.
    """

    def __init__(
        self,
        store: Store | str | Path,
        *,
        mode: Mode = "hybrid",
        similarity_top_k: int = DEFAULT_TOP_K,
        filters: Filters | None = None,
        where: str | None = None,
        callback_manager: CallbackManager | None = None,
        verbose: bool = False,
        **settings: Any,
    ) -> None:
        super().__init__(callback_manager=callback_manager, verbose=verbose)
        self._store = store if isinstance(store, Store) else open_store(store)
        self._settings: dict[str, Any] = {
            "mode": mode,
            "top_k": similarity_top_k,
            "filters": filters or {},
            "where": where,
            **settings,
        }

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        answer = self._store.search(query_bundle.query_str, **self._settings)
        return [scored_node_of(result) for result in answer.results]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)
