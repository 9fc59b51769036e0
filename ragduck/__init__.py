"""A whole system in one DuckDB file, searchable by meaning, keyword, structure and SQL."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ragduck.version import __version__

if TYPE_CHECKING:
    from ragduck.asking import Answer, ask
    from ragduck.errors import (
        EmbeddingError,
        ModelError,
        PipelineError,
        RagduckError,
        SourceError,
        StoreError,
        UsageError,
    )
    from ragduck.evaluation import compare, evaluate, read_queries
    from ragduck.integrations.llamaindex import prepare_embeddings
    from ragduck.library import Store
    from ragduck.one_call import get_source_documents, hybrid_query, search_unified_index
    from ragduck.opening import open_store as open  # noqa: A004
    from ragduck.preparation.options import PrepareOptions
    from ragduck.preparation.prepare import prepare
    from ragduck.preparation.reports import PrepareReport
    from ragduck.search import SearchAnswer, SearchRequest
    from ragduck.upgrading import upgrade

__all__ = [
    "Answer",
    "EmbeddingError",
    "ModelError",
    "PipelineError",
    "PrepareOptions",
    "PrepareReport",
    "RagduckError",
    "SearchAnswer",
    "SearchRequest",
    "SourceError",
    "Store",
    "StoreError",
    "UsageError",
    "__version__",
    "ask",
    "compare",
    "evaluate",
    "get_source_documents",
    "hybrid_query",
    "open",
    "prepare",
    "prepare_embeddings",
    "read_queries",
    "search_unified_index",
    "upgrade",
]

# Loaded when first used: `ragduck --help` and completion must not wait for duckdb or numpy.
_HOMES = {
    **{name: ("ragduck.asking", name) for name in ("Answer", "ask")},
    "Store": ("ragduck.library", "Store"),
    "upgrade": ("ragduck.upgrading", "upgrade"),
    "open": ("ragduck.opening", "open_store"),
    "prepare": ("ragduck.preparation.prepare", "prepare"),
    "prepare_embeddings": ("ragduck.integrations.llamaindex", "prepare_embeddings"),
    "PrepareOptions": ("ragduck.preparation.options", "PrepareOptions"),
    "PrepareReport": ("ragduck.preparation.reports", "PrepareReport"),
    **{name: ("ragduck.evaluation", name) for name in ("compare", "evaluate", "read_queries")},
    **{name: ("ragduck.search", name) for name in ("SearchAnswer", "SearchRequest")},
    **{
        name: ("ragduck.one_call", name)
        for name in ("get_source_documents", "hybrid_query", "search_unified_index")
    },
    **{
        name: ("ragduck.errors", name)
        for name in (
            "EmbeddingError",
            "ModelError",
            "PipelineError",
            "RagduckError",
            "SourceError",
            "StoreError",
            "UsageError",
        )
    },
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ragduck' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    value = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
