"""Read a LlamaIndex query as a request to a ragduck store."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from llama_index.core.vector_stores.types import VectorStoreQuery, VectorStoreQueryMode

from ragduck.errors import UsageError
from ragduck.search import Mode, SearchRequest
from ragduck.search.given import require_settings

MODES: Mapping[VectorStoreQueryMode, Mode] = MappingProxyType({
    VectorStoreQueryMode.DEFAULT: "semantic",
    VectorStoreQueryMode.SPARSE: "bm25",
    VectorStoreQueryMode.TEXT_SEARCH: "bm25",
    VectorStoreQueryMode.HYBRID: "hybrid",
    VectorStoreQueryMode.SEMANTIC_HYBRID: "semantic_rerank",
})  # fmt: skip
UNSAID = "vector"  # stands for the words of a question that is a vector alone; its mode reads none


def request_of(query: VectorStoreQuery, *, settings: Mapping[str, Any]) -> SearchRequest:
    """Return the request for a query; ``settings`` are further fields of SearchRequest.

    Raises UsageError for a mode or field of the query that ragduck cannot serve.
    """
    mode = MODES.get(query.mode)
    if mode is None:
        raise UsageError(
            f"query mode {query.mode.value} is not supported",
            hint=f"modes: {', '.join(mode.value for mode in MODES)}",
        )
    _require_plain(query)
    words = query.query_str or (UNSAID if mode == "semantic" else "")
    require_settings(settings, SearchRequest, besides=("text", "mode"))
    return SearchRequest(text=words, mode=mode, **(_depths(query, mode) | dict(settings)))


def _require_plain(query: VectorStoreQuery) -> None:
    if query.output_fields or query.embedding_field not in (None, "embedding"):
        raise UsageError(
            "output_fields and other embedding fields are not supported",
            hint="nodes carry all columns as metadata; choose from these",
        )


def _depths(query: VectorStoreQuery, mode: Mode) -> dict[str, Any]:
    """Return how many results are asked for, and from how many of each side.

    With ``hybrid_top_k``, ``similarity_top_k`` counts the vector hits that are fused, as LlamaIndex has it.
    """
    if mode == "bm25":
        return {"top_k": query.sparse_top_k or query.similarity_top_k}
    if mode != "hybrid":
        return {"top_k": query.similarity_top_k}
    depths: dict[str, Any] = {
        "top_k": query.hybrid_top_k or query.similarity_top_k,
        "fts_top_k": query.sparse_top_k,
        "vector_top_k": query.similarity_top_k if query.hybrid_top_k else None,
    }
    if query.alpha is not None:
        depths |= {"use_rrf": False, "vector_weight": query.alpha}
    return depths
