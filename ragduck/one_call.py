"""Ask a store in one call: open it, ask, close it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragduck.errors import UsageError
from ragduck.library import Store
from ragduck.opening import open_store
from ragduck.search import Filters, Mode
from ragduck.search.request import NO_FILTERS
from ragduck.search.reranking import RERANK_POOL

if TYPE_CHECKING:
    from ragduck.question_vectors import Model
    from ragduck.search.reranking import Reranker


def hybrid_query(
    query_text: str,
    db_path: str | Path,
    top_k: int = 5,
    use_rrf: bool = True,
    include_source_docs: bool = False,
    *,
    mode: Mode = "hybrid",
    filters: Filters = NO_FILTERS,
    where: str | None = None,
    embed_model: Model = None,
    reranker: Reranker | None = None,
    rerank_pool: int = RERANK_POOL,
    faiss: str | Path = "off",
    **settings: Any,
) -> list[dict[str, Any]]:
    """Return the best chunks of a store for a question: those of `ragduck search`, which gives 10, here 5 by default.

    Each is a dict with node_id, text, metadata, score, score_type, source_doc, id, location and the typed
    columns that apply. ``settings`` are fields of SearchRequest: rrf_k, vector_weight, vector_top_k, fts_top_k …;
    ``reranker`` and ``rerank_pool`` are as in Store.search. Loading a mirror takes longer than one search gains, so
    ``faiss`` is off; keep a store open to search it often.
    """
    with open_store(db_path, embed_model=embed_model, faiss=faiss) as store:
        answer = store.search(
            query_text,
            mode=mode,
            top_k=top_k,
            filters=filters,
            where=where,
            include_source_docs=include_source_docs,
            use_rrf=use_rrf,
            reranker=reranker,
            rerank_pool=rerank_pool,
            **settings,
        )
    return [dict(result) for result in answer.results]


def get_source_documents(chunk_ids: Sequence[str], db_path: str | Path) -> list[dict[str, Any]]:
    """Return the files that chunks were cut from: doc_id, file_path, file_name, text, metadata."""
    with open_store(db_path) as store:
        return store.source_documents(chunk_ids)


def search_unified_index(
    text_query: str,
    top_k: int = 10,
    filters: Filters | None = None,
    oversample_factor: int = 5,
    *,
    store: Store | str | Path,
    relax: Sequence[str] = (),
) -> dict[str, Any]:
    """Search by meaning under filters, for callers of the historic unified index.

    Filters are applied before scoring, so ``top_k`` is filled whenever enough chunks qualify and
    ``oversample_factor`` has nothing to make up for; it is accepted as those callers give it.
    Returns the answer as `search --format json` prints it; each result also has final_score and faiss_score.
    """
    if oversample_factor < 1:
        raise UsageError(f"oversample_factor is {oversample_factor}", hint="give 1 or more")
    if not isinstance(store, Store):
        with open_store(store) as opened:
            return search_unified_index(
                text_query, top_k, filters, oversample_factor, store=opened, relax=relax
            )
    mode: Mode = "semantic" if store.model else "bm25"
    answer = store.search(text_query, mode=mode, top_k=top_k, filters=filters or {}, relax=relax).to_dict()
    for result in answer["results"]:
        result["final_score"] = result["score"]
        result["faiss_score"] = result["vector_score"]
    return answer
