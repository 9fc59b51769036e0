"""Rank hits by signals: the SQL that does it, and the parameters that a question changes."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from typing import Any

from ragduck.errors import UsageError
from ragduck.resources import sql_text
from ragduck.search.request import Mode, SearchRequest

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

SIDES: Mapping[Mode, str] = {"hybrid": "both", "bm25": "bm25", "semantic": "vector"}
# A table function without rows: with `where false`, DuckDB 1.3 takes a full join for empty.
NO_KEYWORD_HITS = "select range::integer as chunk_no, 0.0 as score, range as rank from range(0)"
NO_VECTOR_HITS = "select range::integer as chunk_no, 0.0 as cosine, range as rank from range(0)"


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


def question_sql(request: SearchRequest, mode: Mode) -> tuple[str, dict[str, object]]:
    """Return the SQL of what a question asks for, and the values it binds.

    The names in ``ranking`` become part of the SQL: call require_known first.
    """
    changed = dict(request.ranking)
    if request.rrf_k is not None:
        changed["rrf_k"] = request.rrf_k
    named = ", ".join(f"{name} := $ranking_{name}" for name in changed)
    values: dict[str, object] = {f"ranking_{name}": float(value) for name, value in changed.items()}
    side = SIDES.get(mode, "both")
    sql = f"from question($query_text, settings := ranking({named}), side := '{side}')"
    return sql, values | {"query_text": request.text}


def signal_ranking(mode: Mode) -> tuple[tuple[str, str], ...]:
    """Return the parts of the statement that rank the hits, by name: an empty side for one that is not searched."""
    ranked = ("ranked", sql_text("search/ranked.sql"))
    if mode == "bm25":
        return (("vector_hits", NO_VECTOR_HITS), ranked)
    if mode == "semantic":
        return (("keyword_hits", NO_KEYWORD_HITS), ranked)
    return (ranked,)
