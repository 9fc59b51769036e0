"""Rank hits by signals: the SQL that does it, and the values that it binds for a question."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ragduck.errors import UsageError
from ragduck.search.request import Mode, SearchRequest

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

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


@dataclass(frozen=True, slots=True)
class StoredWeights:
    """What weighs how much, as a store's macros say: read once for each setting, as that takes milliseconds."""

    _found: dict[tuple[object, ...], dict[str, dict[str, object]]] = field(default_factory=dict)

    def of(self, rows: Rows, request: SearchRequest, mode: Mode) -> dict[str, dict[str, object]]:
        """Return the weights by class of question. The names in ``ranking`` become SQL: call require_known first."""
        changed = dict(request.ranking)
        if request.rrf_k is not None:
            changed["rrf_k"] = request.rrf_k
        side = SIDES.get(mode, "both")
        setting = (side, *sorted(changed.items()))
        if setting not in self._found:
            named = ", ".join(f"{name} := ${name}" for name in changed)
            sql = f"from question_weights(settings := ranking({named}), side := '{side}')"
            found = rows(sql, {name: float(value) for name, value in changed.items()})
            self._found[setting] = {row.pop("class"): row for row in found}
        return self._found[setting]


def question_keys(rows: Rows, request: SearchRequest) -> dict[str, Any]:
    """Return what a question asks for, as keys of terms, and its class."""
    return rows("from question_keys($query_text)", {"query_text": request.text})[0]


@cache
def bound(sql: str) -> str:
    """Bind what the row `asked` holds instead of reading it: constants are planned in half the time."""
    sql = sql.replace(" from asked", "").replace(", asked\n", "\n")
    return re.sub(r"\basked\.(\w+)", r"$\1", re.sub(r"\basked\.(\w+_keys)", r"$\1::bigint[]", sql))
