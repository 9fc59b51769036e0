"""Let a reranker put the best chunks of a search in order: a LlamaIndex postprocessor or a cross-encoder."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from ragduck.errors import RagduckError, UsageError
from ragduck.search.cross_encoder import EXAMPLE, RerankError, load_cross_encoder
from ragduck.search.request import MAX_TOP_K, SearchAnswer, SearchRequest, SearchStatus

if TYPE_CHECKING:
    from llama_index.core.postprocessor.types import BaseNodePostprocessor

    Reranker = str | BaseNodePostprocessor

RERANK_POOL = 50

Results = Sequence[Mapping[str, Any]]
Search = Callable[[SearchRequest], SearchAnswer]


class Ranker(Protocol):
    """What puts results in order."""

    def rank(self, question: str, results: Results) -> list[tuple[str, Any]]:
        """Return node_id and score of the results to keep, best first."""


def reranked(
    search: Search, request: SearchRequest, *, reranker: Reranker, pool: int = RERANK_POOL
) -> SearchAnswer:
    """Answer a question with what a reranker makes of the best ``pool`` chunks, cut to ``top_k``.

    Its order is kept, and what it drops is gone. ``score`` and ``rerank_score`` are its own, ``rank_before`` and
    ``score_before`` what the search said; `score_type` is `rerank`.
    Raises RerankError when the reranker cannot be had or fails.
    """
    if not 1 <= pool <= MAX_TOP_K:
        raise UsageError(f"rerank_pool is {pool}", hint=f"give 1 to {MAX_TOP_K:,} chunks")
    ranker = _ranker_of(reranker)
    found = _pool(search, request, max(pool, request.top_k))
    ranked = ranker.rank(request.text, found.results) if found.results else []
    kept = _placed(found.results, ranked)
    results = kept[: request.top_k]
    notes = _notes(
        kept, given=len(found.results), returned=len(ranked), is_short=len(results) < request.top_k
    )
    status = SearchStatus(
        requested=request.top_k,
        returned=len(results),
        qualifying=found.status.qualifying if len(results) < request.top_k else None,
        relaxed=found.status.relaxed,
        notes=(*found.status.notes, *notes),
    )
    return replace(found, request=request, status=status, results=results)


def _ranker_of(reranker: Reranker) -> Ranker:
    if isinstance(reranker, str):
        return load_cross_encoder(reranker)
    if not isinstance(reranker, type) and callable(getattr(reranker, "postprocess_nodes", None)):
        return Postprocessor(reranker)
    raise UsageError(
        f"a reranker cannot be {reranker!r:.80}",
        hint=f"give a LlamaIndex BaseNodePostprocessor, or the name of a cross-encoder such as {EXAMPLE}",
    )


def _pool(search: Search, request: SearchRequest, size: int) -> SearchAnswer:
    """Search for more than is asked for; filters are given up for the sake of what is asked for, not for more."""
    if not request.relax:
        return search(replace(request, top_k=size))
    relaxed = search(request).status.relaxed
    filters = {name: value for name, value in request.filters.items() if name not in relaxed}
    found = search(replace(request, top_k=size, filters=filters, relax=()))
    return replace(found, status=replace(found.status, relaxed=relaxed))


class Postprocessor:
    """Rank with a node postprocessor of LlamaIndex."""

    def __init__(self, postprocessor: BaseNodePostprocessor) -> None:
        self._postprocessor = postprocessor

    def rank(self, question: str, results: Results) -> list[tuple[str, Any]]:
        """Return node_id and score of the nodes that come back, in their order."""
        from llama_index.core.schema import NodeWithScore, QueryBundle

        from ragduck.search.nodes import scored_node_of

        nodes = [scored_node_of(result) for result in results]
        try:
            returned = list(self._postprocessor.postprocess_nodes(nodes, query_bundle=QueryBundle(question)))
        except RagduckError:
            raise
        except Exception as error:
            # Foreign classes raise whatever they like; to the user it is a reranker that does not work.
            raise self._error(f"failed: {type(error).__name__}: {error}") from error
        for node in returned:
            if not isinstance(node, NodeWithScore):
                raise self._error(f"returned a {type(node).__name__} and not only NodeWithScore")
        return [(node.node.node_id, node.get_score()) for node in returned]

    def _error(self, what: str) -> RerankError:
        return RerankError(
            f"the reranker {type(self._postprocessor).__name__} {what}",
            hint="try it by itself: reranker.postprocess_nodes(nodes, query_str='hello')",
        )


def _placed(results: Results, ranked: Sequence[tuple[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return the results in the order of their ranking, each once and without what is none of them."""
    places = {result["node_id"]: place for place, result in enumerate(results, start=1)}
    scores: dict[str, float] = {}
    for node_id, score in ranked:
        if node_id in places and node_id not in scores:
            scores[node_id] = _number(score)
    return tuple(
        {
            **results[places[node_id] - 1],
            "score": score,
            "score_type": "rerank",
            "rerank_score": score,
            "rank_before": places[node_id],
            "score_before": results[places[node_id] - 1]["score"],
        }
        for node_id, score in scores.items()
    )


def _number(score: Any) -> float:
    try:
        number = float(score)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise RerankError(
            f"the reranker returned the score {score!r:.80}",
            hint="look at what it returns: each score must be a finite number",
        )
    return number


def _notes(kept: Results, *, given: int, returned: int, is_short: bool) -> list[str]:
    notes = []
    if returned > len(kept):
        notes.append(f"left out {returned - len(kept)} nodes that the reranker repeated or added")
    if is_short and len(kept) < given:
        notes.append(f"the reranker kept {len(kept)} of {given} chunks")
    return notes
