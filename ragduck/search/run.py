"""Put a search together from the SQL in `sql/search` and run it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ragduck.errors import UsageError
from ragduck.model import EmbeddingModel
from ragduck.resources import SIGN_WORD, for_dimension, sql_text
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
    signal_ranking,
)
from ragduck.search.request import RRF_K, Mode, SearchAnswer, SearchRequest, SearchStatus, Vector

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

MIN_DEPTH = 100  # hits of each side that are fused
CANDIDATES_PER_HIT = 5  # sign matches compared exactly for each hit wanted
MAX_COARSE_DEPTH = 1000
MIN_POOL = 50  # seed 003: semantic_rerank widens to max(50, 3 * top_k)
FILTERS = "true -- filters"
ALL_CHUNKS = Clause()
SCORES = ("text", "score", "bm25_rank", "bm25_score", "vector_rank", "vector_score", "score_parts")
ADDED_NODE = "llamaindex_node"  # what LlamaIndex keeps of a node that it added


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """How a store's vectors are searched: ``candidates`` is 0 for the exact scan."""

    dimension: int
    candidates: int

    @classmethod
    def from_meta(cls, meta: Mapping[str, str]) -> VectorIndex:
        """Read what a store says of its vectors; without any, the dimension is a stand-in."""
        model = EmbeddingModel.from_dict(meta)
        if model is None:
            return cls(dimension=1, candidates=0)
        return cls(dimension=model.dimension, candidates=int(meta.get("vector_candidates", "0")))


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
    asked = _asked(rows, request, mode, weights or StoredWeights())
    relaxed: list[str] = []
    pending = _relaxations(request)
    while True:
        kept = {name: value for name, value in request.filters.items() if name not in relaxed}
        allowed = clause_of(kept).joined(expression).joined(clause)
        results = _results(rows, request, _statement(request, mode, allowed, vector, index, mirror, asked))
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


def _results(
    rows: Rows, request: SearchRequest, statement: tuple[str, dict[str, object]]
) -> list[dict[str, Any]]:
    """Run the search; what the engine says against it, it says against the person's own expression."""
    try:
        return rows(*statement)
    except UsageError as error:
        if request.where is None:
            raise
        raise UsageError(f"where {request.where!r} cannot be answered: {error.message}", hint=HINT) from error


def _relaxations(request: SearchRequest) -> list[str]:
    for name in request.relax:
        if name not in KNOWN_FIELDS:
            raise UsageError(f"cannot relax unknown field {name!r}", hint="name a field of the filters")
    return [name for name in request.relax if name in request.filters]


def _qualifying(rows: Rows, clause: Clause) -> int:
    counted = rows(f"select count(*) as chunks from documents where {clause.sql}", clause.parameters)
    return int(counted[0]["chunks"])


def _asked(rows: Rows, request: SearchRequest, mode: Mode, weights: StoredWeights) -> dict[str, object]:
    """Return what the statement binds for the question: keys of its terms, and weights for its class."""
    by_stored_weights = mode in ("hybrid", "bm25") and not request.bm25
    with_signals = ranks_signals(request, mode)
    if not by_stored_weights and not with_signals:
        return {}
    keys = question_keys(rows, request)
    question_class, term_keys = keys.pop("class"), keys.pop("term_keys")
    asked: dict[str, object] = {"term_keys": term_keys} if by_stored_weights else {}
    return asked | keys | weights.of(rows, request, mode)[question_class] if with_signals else asked


def _statement(
    request: SearchRequest,
    mode: Mode,
    clause: Clause,
    vector: Vector | None,
    index: VectorIndex,
    mirror: Mirror | None,
    asked: Mapping[str, object],
) -> tuple[str, dict[str, object]]:
    """Return the SQL and the values it binds: hits of each side, their ranking, the results."""
    parts: list[str] = []
    parameters: dict[str, object] = {"top_k": request.top_k, **asked}
    if mode in ("hybrid", "bm25"):
        parts.append(_cte("keyword_hits", _keyword_sql(clause, request)))
        parameters |= {
            f"bm25_{name}": float(value) for name, value in request.bm25.items()
        } | clause.parameters
        parameters["keyword_depth"] = _keyword_depth(request, mode)
    if mode != "bm25" and vector is not None:
        hits, values = _vector_sql(request, mode, clause, vector, index, mirror)
        parts.append(_cte("vector_hits", hits))
        parameters |= values
    if ranks_signals(request, mode):
        parts += [_cte(name, sql) for name, sql in signal_ranking(mode)]
    else:
        ranking = _plain_ranking(request, mode)
        parts.append(_cte("ranked", sql_text(f"search/{ranking}.sql")))
        parameters |= _ranking_parameters(request, ranking)
    if request.bm25 or mode == "semantic_rerank":
        parameters["query_text"] = request.text
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


def _keyword_sql(clause: Clause, request: SearchRequest) -> str:
    allowed = f"chunk_no in (select chunk_no from documents where {clause.sql})"
    sql = bound(sql_text("search/keyword_hits.sql"))
    if request.bm25:
        changed = ", ".join(f"{name} := $bm25_{name}" for name in request.bm25)
        sql = sql_text("search/keyword_hits_by_counts.sql").replace("k1 := $bm25_k1", changed)
    return _filtered(sql, "true" if clause.is_open else allowed)


def _filtered(sql: str, condition: str) -> str:
    return sql.replace(FILTERS, condition)


def _vector_sql(
    request: SearchRequest,
    mode: Mode,
    clause: Clause,
    vector: Vector,
    index: VectorIndex,
    mirror: Mirror | None,
) -> tuple[str, dict[str, object]]:
    """Return the hits by meaning: those of the mirror if it has them, else the scan that finds them."""
    given = mirror.nearest(vector, depth=_vector_depth(request, mode), clause=clause) if mirror else None
    if given is not None:
        return sql_text("search/vector_hits_given.sql"), given.parameters()
    signs = _scans_signs(request, mode, index)
    name = "vector_hits_signs" if signs else "vector_hits_exact"
    sql = _filtered(for_dimension(sql_text(f"search/{name}.sql"), index.dimension), clause.sql)
    return sql, clause.parameters | _vector_parameters(request, mode, vector, index, signs=signs)


def _scans_signs(request: SearchRequest, mode: Mode, index: VectorIndex) -> bool:
    """Whether the coarse scan was measured to be good enough; very deep searches compare every vector."""
    return index.candidates > 0 and _vector_depth(request, mode) <= MAX_COARSE_DEPTH


def _keyword_depth(request: SearchRequest, mode: Mode) -> int:
    """Return how many keyword hits are ranked: fusion looks deeper than the results go."""
    is_bare = mode == "bm25" and not ranks_signals(request, mode)
    return request.fts_top_k or (request.top_k if is_bare else max(MIN_DEPTH, 2 * request.top_k))


def _vector_depth(request: SearchRequest, mode: Mode) -> int:
    if mode == "semantic_rerank":
        return max(MIN_POOL, 3 * request.top_k)
    is_bare = mode == "semantic" and not ranks_signals(request, mode)
    return request.vector_top_k or (request.top_k if is_bare else max(MIN_DEPTH, 2 * request.top_k))


def _vector_parameters(
    request: SearchRequest, mode: Mode, vector: Vector, index: VectorIndex, *, signs: bool
) -> dict[str, object]:
    parameters: dict[str, object] = {
        "query_vector": vector.tolist(),
        "vector_depth": _vector_depth(request, mode),
    }
    if signs:
        parameters["vector_candidates"] = max(
            index.candidates, CANDIDATES_PER_HIT * _vector_depth(request, mode)
        )
        parameters |= {f"sign_{word}": bits for word, bits in enumerate(_sign_bits(vector))}
    return parameters


def _sign_bits(vector: Vector) -> list[str]:
    """Return which components are positive, as the bits of each sign column."""
    bits = "".join("1" if component > 0 else "0" for component in vector.tolist())
    return [bits[start : start + SIGN_WORD] for start in range(0, len(bits), SIGN_WORD)]


def _ranking_parameters(request: SearchRequest, ranking: str) -> dict[str, object]:
    if ranking == "rank_rrf":
        return {"rrf_k": request.rrf_k or RRF_K}
    if ranking == "rank_weighted":
        return {"vector_weight": request.vector_weight}
    if ranking == "rank_semantic_rerank":
        return {"alpha": request.alpha, "beta": request.beta}
    return {}


def chunks_where(rows: Rows, clause: Clause, *, index: VectorIndex) -> list[dict[str, Any]]:
    """Return every chunk that a clause leaves, in reading order: node_id, text and metadata as in a result."""
    sql = for_dimension(_filtered(sql_text("search/chunks.sql"), clause.sql), index.dimension)
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
    sql = for_dimension(_filtered(sql_text("search/chunks.sql"), clause.sql), index.dimension)
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
