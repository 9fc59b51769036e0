"""Put a search together from the SQL in `sql/search` and run it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from ragduck.errors import UsageError
from ragduck.resources import for_dimension, sql_text
from ragduck.search.expressions import HINT, clause_of_expression
from ragduck.search.fields import KNOWN_FIELDS
from ragduck.search.filters import Clause, clause_of
from ragduck.search.nearest import Mirror
from ragduck.search.ranking import (
    StoredWeights,
    bound,
    question_keys,
    ranks_signals,
    require_known,
)
from ragduck.search.request import RRF_K, Mode, SearchAnswer, SearchRequest, SearchStatus, Vector
from ragduck.search.sides import Rows, Sides, VectorIndex, filtered

ALL_CHUNKS = Clause()
SCORES = ("text", "score", "bm25_rank", "bm25_score", "vector_rank", "vector_score", "score_parts")
ADDED_NODE = "llamaindex_node"  # what LlamaIndex keeps of a node that it added


def run_search(
    rows: Rows,
    request: SearchRequest,
    *,
    vector: Vector | None,
    index: VectorIndex,
    mirror: Mirror | None = None,
    clause: Clause = ALL_CHUNKS,
    note: str | None = None,
    weights: StoredWeights | None = None,
) -> SearchAnswer:
    """Answer a question; ``vector``, shape (dimension,), is the question's embedding.

    Without a vector the question is answered by keyword alone, and ``note`` goes into the status to say why.
    ``mirror`` finds the nearest vectors in place of a scan, where it can. ``clause`` holds for every result beside
    the filters of the request.
    """
    mode: Mode = request.mode if vector is not None else "bm25"
    require_known(rows, request)
    expression = clause_of_expression(request.where, rows=rows) if request.where else ALL_CHUNKS
    asked = cache(partial(_asked, rows, request, mode, weights or StoredWeights()))
    sides = Sides(rows, request, mode, vector, index, mirror, term_keys=lambda: asked().term_keys)
    relaxed: list[str] = []
    pending = _relaxations(request)
    while True:
        kept = {name: value for name, value in request.filters.items() if name not in relaxed}
        allowed = clause_of(kept).joined(expression).joined(clause)
        try:
            hits = sides.hits(allowed)
        except UsageError as error:
            raise _of_expression(error, request) from error
        results = sorted(rows(*_statement(request, mode, hits, asked().bound, index)), key=_place)
        if len(results) >= request.top_k or not pending:
            break
        relaxed.append(pending.pop(0))
    status = SearchStatus(
        requested=request.top_k,
        returned=len(results),
        qualifying=_qualifying(rows, allowed) if len(results) < request.top_k else None,
        relaxed=tuple(relaxed),
        notes=tuple(each for each in (note, mirror.refusal if mirror else None) if each),
    )
    score_type = request.score_type if mode == request.mode else _keyword_score_type(request)
    return SearchAnswer(request, mode, status, tuple(_result(row, score_type) for row in results))


def _keyword_score_type(request: SearchRequest) -> str:
    """Return what the score of a hybrid question is that was answered by keyword only."""
    return "ranked" if request.with_signals else "bm25"


def _place(row: Mapping[str, Any]) -> tuple[float, ...]:
    """Return what sorts a result as the engine did; no two results have the same ranks."""
    score, vector_rank, bm25_rank = row["score"], row["vector_rank"], row["bm25_rank"]
    placed = (
        math.inf if score is None else -math.inf if math.isnan(score) else -score
    )  # as the engine sorts them
    return placed, vector_rank or math.inf, bm25_rank or math.inf


def _of_expression(error: UsageError, request: SearchRequest) -> UsageError:
    """Return what the engine says against a search as said against the person's own expression, if there is one."""
    if request.where is None:
        return error
    return UsageError(f"where {request.where!r} cannot be answered: {error.message}", hint=HINT)


def _relaxations(request: SearchRequest) -> list[str]:
    for name in request.relax:
        if name not in KNOWN_FIELDS:
            raise UsageError(f"cannot relax unknown field {name!r}", hint="name a field of the filters")
    return [name for name in request.relax if name in request.filters]


def _qualifying(rows: Rows, clause: Clause) -> int:
    counted = rows(f"select count(*) as chunks from documents where {clause.sql}", clause.parameters)
    return int(counted[0]["chunks"])


@dataclass(frozen=True, slots=True)
class _Asked:
    """Keys of the question's terms, and what ranking by signals binds for it."""

    term_keys: Sequence[int] = ()
    bound: Mapping[str, object] = field(default_factory=dict)


def _asked(rows: Rows, request: SearchRequest, mode: Mode, weights: StoredWeights) -> _Asked:
    with_signals = ranks_signals(request, mode)
    if not with_signals and (mode not in ("hybrid", "bm25") or request.bm25):
        return _Asked()
    keys = question_keys(rows, request)
    question_class, term_keys = keys.pop("class"), keys.pop("term_keys")
    signals = keys | weights.of(rows, request, mode)[question_class] if with_signals else {}
    return _Asked(term_keys, signals)


def _statement(
    request: SearchRequest,
    mode: Mode,
    hits: Mapping[str, object],
    asked: Mapping[str, object],
    index: VectorIndex,
) -> tuple[str, dict[str, object]]:
    """Return the SQL that ranks hits and gives the best with all that a result tells, and the values it binds."""
    parameters: dict[str, object] = {"top_k": request.top_k, **hits, **asked}
    if ranks_signals(request, mode):
        ranked = bound(sql_text("search/ranked.sql"))
    else:
        ranking = _plain_ranking(request, mode)
        ranked = sql_text(f"search/{ranking}.sql")
        parameters |= _ranking_parameters(request, ranking)
    parts = [_cte("hits", sql_text("search/hits.sql")), _cte("ranked", ranked)]
    return f"with {', '.join(parts)} {_joined_results(index)}", parameters


def _plain_ranking(request: SearchRequest, mode: Mode) -> str:
    if mode != "hybrid":
        return f"rank_{mode}"
    return "rank_rrf" if request.use_rrf else "rank_weighted"


def _cte(name: str, sql: str) -> str:
    return f"{name} as materialized (\n{sql}\n)"


def _joined_results(index: VectorIndex) -> str:
    """Return the last statement; its own WITH becomes further parts of the first."""
    sql = for_dimension(sql_text("search/results.sql"), index.dimension)
    return sql[: sql.index("with best")] + ", " + sql[sql.index("best as") :]


def _ranking_parameters(request: SearchRequest, ranking: str) -> dict[str, object]:
    if ranking == "rank_rrf":
        return {"rrf_k": request.rrf_k or RRF_K}
    if ranking == "rank_weighted":
        return {"vector_weight": request.vector_weight}
    if ranking == "rank_semantic_rerank":
        return {"alpha": request.alpha, "beta": request.beta, "query_text": request.text}
    return {}


def chunks_where(rows: Rows, clause: Clause, *, index: VectorIndex) -> list[dict[str, Any]]:
    """Return every chunk that a clause leaves, in reading order: node_id, text and metadata as in a result."""
    sql = for_dimension(filtered(sql_text("search/chunks.sql"), clause.sql), index.dimension)
    return [
        {
            "node_id": row["node_id"],
            "text": row["text"],
            "metadata": _metadata(row),
            ADDED_NODE: row.get(ADDED_NODE),
        }
        for row in rows(sql, clause.parameters)
    ]


def results_where(rows: Rows, clause: Clause, *, index: VectorIndex) -> list[dict[str, Any]]:
    """Return every chunk that a clause leaves, in reading order, as a result without a score."""
    sql = for_dimension(filtered(sql_text("search/chunks.sql"), clause.sql), index.dimension)
    return [_result(dict.fromkeys(SCORES) | row, None) for row in rows(sql, clause.parameters)]


def _metadata(row: Mapping[str, Any]) -> dict[str, Any]:
    metadata = {
        name: value
        for name, value in row.items()
        if name not in SCORES and name != ADDED_NODE and value is not None and value != []
    }
    return metadata | {"file_path": row["source_file"]}


def _own_metadata(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata that a node was added with; empty for what prepare cut, and where it cannot be read."""
    try:
        return dict(json.loads(row.get(ADDED_NODE) or "{}").get("metadata", {}))
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}


RESULT_KEYS = ("node_id", "text", "score", "location")


def _result(row: Mapping[str, Any], score_type: str | None) -> dict[str, Any]:
    """Return a result: the keys of seed 004, then the typed columns that apply."""
    metadata = _metadata(row)
    return {
        "node_id": row["node_id"],
        "id": row["id"],
        "location": row["location"],
        "text": row["text"],
        "metadata": _own_metadata(row) | metadata,
        "score": row["score"],
        "score_type": score_type,
        "source_doc": None,
        **{name: value for name, value in metadata.items() if name not in RESULT_KEYS},
        "bm25_rank": row["bm25_rank"],
        "bm25_score": row["bm25_score"],
        "vector_rank": row["vector_rank"],
        "vector_score": row["vector_score"],
        "score_parts": row.get("score_parts"),
        **({ADDED_NODE: row[ADDED_NODE]} if row.get(ADDED_NODE) else {}),
    }
