"""Put a search together from the SQL in `sql/search` and run it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

from ragduck.errors import UsageError
from ragduck.resources import PLANNED_ONCE, for_dimension, sql_text
from ragduck.search.expressions import HINT, clause_of_expression
from ragduck.search.fields import KNOWN_FIELDS
from ragduck.search.filters import Clause, clause_of, filtered
from ragduck.search.loaded_ranking import best_hits, may_rank
from ragduck.search.nearest import Mirror
from ragduck.search.places import chunks_at_places
from ragduck.search.quoted import chunks_with_phrases
from ragduck.search.ranking import (
    HIT_TYPES,
    RANKED_TYPES,
    StoredRanking,
    asked_names,
    asked_values,
    best_of,
    hits_sql,
    named_files,
    names_of_files,
    preferred_hits,
    question_keys,
    ranked_sql,
    ranks_signals,
    require_known,
)
from ragduck.search.request import RRF_K, Mode, SearchAnswer, SearchRequest, SearchStatus, Vector
from ragduck.search.sides import Rows, Sides, VectorIndex
from ragduck.search.signals import LoadedSignals
from ragduck.untrusted_json import read_json

ALL_CHUNKS = Clause()
SCORES = ("text", "score", "bm25_rank", "bm25_score", "vector_rank", "vector_score", "score_parts")
SIDE_SCORES = ("bm25_score", "vector_score")  # which a ranking need not be given
ONE_SIDE: Mapping[Mode, str] = {"bm25": "bm25_score", "semantic": "weighted_score"}  # and what its score is
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
    stored: StoredRanking | None = None,
) -> SearchAnswer:
    """Answer a question; ``vector``, shape (dimension,), is the question's embedding.

    Without a vector the question is answered by keyword alone, and ``note`` goes into the status to say why.
    ``mirror`` finds the nearest vectors in place of a scan, where it can. ``clause`` holds for every result beside
    the filters of the request. ``stored`` keeps what the questions to an open store share.
    """
    mode: Mode = request.mode if vector is not None else "bm25"
    require_known(rows, request)
    expression = clause_of_expression(request.where, rows=rows) if request.where else ALL_CHUNKS
    stored = stored or StoredRanking()
    signals = stored.signals() if ranks_signals(request, mode) else None
    of_all = cache(partial(_asked, rows, request, mode, stored))
    named = cache(lambda: named_files(rows, of_all().stem_keys))
    relaxed: list[str] = []
    pending = _relaxations(request)
    while True:
        kept = {name: value for name, value in request.filters.items() if name not in relaxed}
        allowed = clause_of(kept, by_name=True).joined(expression).joined(clause)
        asked = cache(partial(_with_quoted, rows, request, mode, of_all, allowed))
        sides = Sides(
            rows, request, mode, vector, index, mirror,
            term_keys=lambda: of_all().term_keys, preferred=partial(_preferred, asked),
            meanwhile=asked if signals else named, signals=signals, filters=stored.filters,
        )  # fmt: skip
        try:
            hits = sides.hits(allowed)
        except UsageError as error:
            raise _of_expression(error, request) from error
        if signals:
            hits |= signals.names_of(of_all().stem_keys, hits["file_no"])
        elif ranks_signals(request, mode):
            hits |= names_of_files(rows, of_all().stem_keys, hits["file_no"], found=named())
        results = _results(rows, _best(rows, request, mode, hits, asked(), signals), index)
        if len(results) >= request.top_k or not pending:
            break
        relaxed.append(pending.pop(0))
    qualifying = _qualifying(rows, allowed) if len(results) < request.top_k else None
    by_keyword = _keyword_note(mode, hits, allowed) if qualifying != 0 else None
    of_quoted = asked().notes if qualifying != 0 else ()
    refusal = mirror.refusal if mirror and vector is not None else None
    status = SearchStatus(
        requested=request.top_k,
        returned=len(results),
        qualifying=qualifying,
        relaxed=tuple(relaxed),
        notes=tuple(filter(None, (note, by_keyword, *of_quoted, refusal))),
    )
    score_type = request.score_type if mode == request.mode else _keyword_score_type(request)
    return SearchAnswer(request, mode, status, tuple(_result(row, score_type) for row in results))


def _keyword_score_type(request: SearchRequest) -> str:
    """Return what the score of a hybrid question is that was answered by keyword only."""
    return "ranked" if request.with_signals else "bm25"


def _keyword_note(mode: Mode, hits: Mapping[str, Sequence[Any]], allowed: Clause) -> str | None:
    """Say that nothing was found by keyword where that was asked for; by meaning, something always is."""
    if mode not in ("hybrid", "bm25") or any(rank is not None for rank in hits["bm25_rank"]):
        return None
    where = "the store" if allowed.is_open else "what the filters leave"
    by_meaning = ": the hits are the nearest by meaning alone" if hits["chunk_no"] else ""
    return f"no word of the question is in {where}{by_meaning}"


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
    """Keys of the question's terms; for a ranking by signals also those of its names, weights, and preferred hits."""

    term_keys: Sequence[int] = ()
    keys: dict[str, Any] = field(default_factory=dict)
    weights: dict[str, object] = field(default_factory=dict)
    preferred: Clause = ALL_CHUNKS
    notes: tuple[str, ...] = ()  # on what is quoted

    @property
    def stem_keys(self) -> Sequence[int]:
        stems: Sequence[int] = self.keys.get("stem_keys", ())
        return stems


def _asked(rows: Rows, request: SearchRequest, mode: Mode, stored: StoredRanking) -> _Asked:
    with_signals = ranks_signals(request, mode)
    if not with_signals and mode not in ("hybrid", "bm25"):
        return _Asked()
    keys = question_keys(rows, request)
    if not with_signals:
        return _Asked(keys["term_keys"])
    keys["terms"] = len(keys["term_keys"])
    return _Asked(keys["term_keys"], keys, stored.weights(rows, request, mode)[keys["class"]])


def _with_quoted(
    rows: Rows, request: SearchRequest, mode: Mode, of_all: Callable[[], _Asked], allowed: Clause
) -> _Asked:
    """Return what is asked of the chunks that a clause leaves.

    Those that hold what is quoted or pointed at count there alone.
    """
    asked = of_all()
    if not ranks_signals(request, mode):
        return asked
    quoted = chunks_with_phrases(rows, request.text, clause=allowed)
    placed = chunks_at_places(rows, request.text, clause=allowed)
    keys = asked.keys | {"quoted_chunks": sorted({*quoted.chunks, *placed}), "placed_chunks": placed}
    notes = quoted.notes(where="" if allowed.is_open else " that the filters leave")
    return replace(asked, keys=keys, preferred=preferred_hits(request, keys), notes=notes)


def _preferred(asked: Callable[[], _Asked]) -> Clause:
    return asked().preferred


def _best(
    rows: Rows,
    request: SearchRequest,
    mode: Mode,
    hits: Mapping[str, Sequence[Any]],
    asked: _Asked,
    signals: LoadedSignals | None,
) -> list[dict[str, Any]]:
    """Return the numbers, ranks and scores of the best hits, best first."""
    limit: dict[str, object] = {"top_k": request.top_k}
    if ranks_signals(request, mode):
        told = asked.weights | asked.keys
        if signals and signals.is_plain and may_rank(told, names=asked_names()):
            best = best_hits(hits, told, top_k=request.top_k)
        else:
            values = asked_values(told)
            best = rows(PLANNED_ONCE + ranked_sql(), values | _as_json(hits, RANKED_TYPES) | limit)
        places = {chunk_no: place for place, chunk_no in enumerate(hits["chunk_no"])}
        return [row | {name: hits[name][places[row["chunk_no"]]] for name in SIDE_SCORES} for row in best]
    if mode in ONE_SIDE:
        return _of_one_side(hits, ONE_SIDE[mode])[: request.top_k]
    ranking = _plain_ranking(request, mode)
    sql = best_of({"hits": hits_sql(HIT_TYPES), "ranked": sql_text(f"search/{ranking}.sql")})
    if mode != "semantic_rerank":  # which looks up keywords
        sql = PLANNED_ONCE + sql
    return rows(sql, _ranking_parameters(request, ranking) | _as_json(hits, HIT_TYPES) | limit)


def _as_json(hits: Mapping[str, Sequence[Any]], names: Iterable[str]) -> dict[str, object]:
    return {name: json.dumps(hits[name]) for name in names}


def _of_one_side(hits: Mapping[str, Sequence[Any]], score: str) -> list[dict[str, Any]]:
    """Return the hits of one side, which are in order."""
    names = ("chunk_no", "bm25_rank", "bm25_score", "vector_rank", "vector_score")
    found = zip(hits[score], *(hits[name] for name in names), strict=True)
    return [dict(zip(("score", *names), hit, strict=True)) for hit in found]


def _results(rows: Rows, best: Sequence[Mapping[str, Any]], index: VectorIndex) -> list[dict[str, Any]]:
    """Return the best hits with all that a result tells."""
    if not best:
        return []
    sql = for_dimension(sql_text("search/results.sql"), index.dimension)
    chunks = json.dumps([hit["chunk_no"] for hit in best])
    told = {row.pop("chunk_no"): row for row in rows(sql, {"chunks": chunks})}
    scored = ({name: value for name, value in hit.items() if name != "chunk_no"} for hit in best)
    return [told[hit["chunk_no"]] | scores for hit, scores in zip(best, scored, strict=True)]


def _plain_ranking(request: SearchRequest, mode: Mode) -> str:
    if mode != "hybrid":
        return f"rank_{mode}"
    return "rank_rrf" if request.use_rrf else "rank_weighted"


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
        return dict(read_json(row.get(ADDED_NODE) or "{}").get("metadata", {}))
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
