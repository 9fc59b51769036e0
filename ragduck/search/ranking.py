"""Rank hits by signals: the SQL that does it, and the values that it binds for a question."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from threading import Lock
from typing import Any

from ragduck.errors import StoreError, UsageError
from ragduck.resources import PLANNED_ONCE, sql_text
from ragduck.search.filters import Clause, filtered
from ragduck.search.kept_filters import Columns, KeptFilters
from ragduck.search.request import Mode, SearchRequest
from ragduck.search.signals import NAMES, LoadedSignals

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

MOST_NAMED = 5_000  # files named by a question that are fetched whole; of more, those of the hits

HIT_TYPES = {  # `vector_score` is the cosine, `weighted_score` that times importance
    "chunk_no": "integer", "bm25_rank": "bigint", "bm25_score": "double",
    "vector_rank": "bigint", "vector_score": "double", "weighted_score": "double",
}  # fmt: skip
CHUNK_TYPES = {  # what chunk_signals tells
    "file_no": "integer", "name_key": "bigint", "spelled_key": "bigint", "member_keys": "bigint[]",
    "is_member": "boolean", "type_head": "boolean", "file_class": "varchar", "class_key": "bigint",
    "centrality": "double", "loose_chunks": "integer",
}  # fmt: skip
RANKED_TYPES = {name: type_ for name, type_ in HIT_TYPES.items() if not name.endswith("_score")}
RANKED_TYPES |= {"bm25_terms": "bigint"} | CHUNK_TYPES | dict.fromkeys(NAMES, "double")

LISTS = {"keys": "bigint[]", "chunks": "bigint[]", "shares": "double[]"}  # by the last word of what is asked

SIDES: Mapping[Mode, str] = {"hybrid": "both", "bm25": "bm25", "semantic": "vector"}


def ranks_signals(request: SearchRequest, mode: Mode) -> bool:
    """Whether a question is answered with signals, in the mode that the store could serve."""
    return request.with_signals and mode in SIDES


def require_known(rows: Rows, request: SearchRequest) -> None:
    """Raise UsageError for a parameter that the store's macro `ranking()` does not have."""
    if not request.ranking:
        return
    known = list(rows("select ranking() as weights", {})[0]["weights"])
    for name in request.ranking:
        if name not in known:
            close = difflib.get_close_matches(str(name), known, n=1)
            meant = f"did you mean {close[0]}? " if close else ""
            raise UsageError(
                f"ranking has no parameter {name!r}", hint=f"{meant}parameters: {', '.join(known)}"
            )


def preferred_hits(request: SearchRequest, asked: Mapping[str, Any]) -> Clause:
    """Return which chunks are keyword hits before better ones: what a qualified name names, and what is quoted
    or pointed at.

    Its last part may be the commoner one: `dbo.Order` has hundreds of better hits than the type Order.
    """
    clauses = []
    if asked["class"] == "symbol" and "." in request.text:
        named = "select chunk_no from chunk_signals where name_key in (select unnest($named_keys::bigint[]))"
        clauses.append(Clause(f"chunk_no in ({named})", {"named_keys": asked["word_keys"]}))
    if asked["quoted_chunks"]:
        quoted = "select unnest($quoted_chunks::integer[])"
        clauses.append(Clause(f"chunk_no in ({quoted})", {"quoted_chunks": asked["quoted_chunks"]}))
    sql = " or ".join(clause.sql for clause in clauses)
    return Clause(sql or "true", {name: value for each in clauses for name, value in each.parameters.items()})


class StoredRanking:
    """What ranking reads of an open store once: the weights of a setting, and all signals if more questions come.

    ``columns`` runs a statement and gives its columns as arrays; without it, questions read those of their hits.
    """

    def __init__(self, columns: Columns | None = None) -> None:
        self._columns = columns
        self._filters = KeptFilters(columns) if columns else None
        self._weights: dict[tuple[object, ...], dict[str, dict[str, object]]] = {}
        self._signals: LoadedSignals | None = None
        self._questions = 0
        self._lock = Lock()

    @property
    def is_warm(self) -> bool:
        """Whether an earlier question was ranked."""
        return self._questions > 0

    @property
    def filters(self) -> KeptFilters | None:
        """What filters leave, where signals are held in memory."""
        return self._filters if self._signals else None

    def signals(self) -> LoadedSignals | None:
        """Return the signals of all chunks; None for the first question, as it may remain the only one."""
        with self._lock:
            self._questions += 1
            if self._signals is None and self._columns is not None and self._questions > 1:
                self._signals = LoadedSignals.read(self._columns)
            return self._signals

    def weights(self, rows: Rows, request: SearchRequest, mode: Mode) -> dict[str, dict[str, object]]:
        """Return the weights by class of question. The names in ``ranking`` become SQL: call require_known first."""
        changed = dict(request.ranking)
        if request.rrf_k is not None:
            changed["rrf_k"] = request.rrf_k
        side = SIDES.get(mode, "both")
        setting = (side, *sorted(changed.items()))
        if setting not in self._weights:
            named = ", ".join(f"{name} := ${name}" for name in changed)
            sql = f"from question_weights(settings := ranking({named}), side := '{side}')"
            found = rows(sql, {name: float(value) for name, value in changed.items()})
            self._weights[setting] = {row.pop("class"): row for row in found}
        return self._weights[setting]


def question_keys(rows: Rows, request: SearchRequest) -> dict[str, Any]:
    """Return what a question asks for, as keys of terms, and its class."""
    return rows(PLANNED_ONCE + sql_text("search/question_keys.sql"), {"query_text": request.text})[0]


def named_files(rows: Rows, stem_keys: Sequence[int]) -> list[dict[str, Any]] | None:
    """Return the files that have words of the question in their names; None when there are too many to read all."""
    if not stem_keys:
        return []
    values = {"stem_keys": json.dumps(stem_keys), "most": MOST_NAMED + 1}
    found = rows(sql_text("search/named_files.sql"), values)
    return found if len(found) <= MOST_NAMED else None


def names_of_files(
    rows: Rows, stem_keys: Sequence[int], file_nos: Sequence[int], *, found: Sequence[dict[str, Any]] | None
) -> dict[str, list[float | None]]:
    """Return how each of the files is named, as columns; ``found`` is what `named_files` returned."""
    if found is None:
        sql = filtered(sql_text("search/named_files.sql"), "file_no in (select unnest($files::integer[]))")
        values: dict[str, object] = {
            "stem_keys": json.dumps(stem_keys),
            "files": json.dumps(file_nos),
            "most": None,
        }
        found = rows(sql, values)
    files = {file["file_no"]: file for file in found}
    named = [files.get(number, {}) for number in file_nos]
    return {name: [file.get(name) for file in named] for name in NAMES}


@cache
def ranked_sql() -> str:
    """Return the ranking by signals over values that are bound: those of `asked_values` and the columns of hits."""
    columns = (
        f"${name}::varchar::{LISTS.get(name.rpartition('_')[2], 'double')} as {name}"
        for name in asked_names()
    )
    return best_of(
        {
            "asked": f"select {', '.join(columns)}",
            "hits": hits_sql(RANKED_TYPES),
            "ranked": sql_text("search/ranked.sql"),
        }
    )


def asked_values(asked: Mapping[str, object]) -> dict[str, object]:
    """Return what the ranking reads of a question; raise StoreError where the store's macros do not tell it."""
    missing = [name for name in asked_names() if name not in asked]
    if missing:
        raise StoreError(
            f"the store's macro question_weights does not tell {', '.join(missing)}",
            hint="prepare the store again, or search with signals off",
        )
    values = {name: asked[name] for name in asked_names()}
    return {name: json.dumps(value) if isinstance(value, list) else value for name, value in values.items()}


@cache
def asked_names() -> tuple[str, ...]:
    """Return the columns of `asked` that the ranking reads; names from a store would be SQL from a stranger."""
    return tuple(sorted(set(re.findall(r"\basked\.(\w+)", sql_text("search/ranked.sql")))))


def hits_sql(types: Mapping[str, str]) -> str:
    """Return the hits of both sides as rows, from columns that are bound as JSON by their names."""
    columns = (
        f"unnest(from_json(${name}::varchar, '[\"{type_}\"]')) as {name}" for name, type_ in types.items()
    )
    return f"select {', '.join(columns)}"


def best_of(given: Mapping[str, str]) -> str:
    """Return the statement that takes the best of `ranked`, one of the queries ``given`` by name.

    Each is put in its place: to keep its few rows takes the engine longer.
    """
    named = ", ".join(f"{name} as not materialized (\n{sql}\n)" for name, sql in given.items())
    return f"with {named}\n{sql_text('search/best.sql')}"
