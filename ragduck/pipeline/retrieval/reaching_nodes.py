"""What reaches the nodes that a question names, by the queries of the cookbook."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ragduck.pipeline.question.asked_reaching import ENDINGS, asked_reaching
from ragduck.pipeline.retrieval.asked_edges import asked_edges
from ragduck.pipeline.retrieval.column_uses import named_column
from ragduck.pipeline.state import Endings, Reached, State
from ragduck.resources import sql_text

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

MAX_BEGUN = 4  # named nodes from which it is walked
OF_DATABASE = ("|TABLE", "|VIEW", "|PROC", "|FUNC")  # rather than the class of that name


def reaching_nodes(
    rows: Rows, state: State, *, repo: str | None = None, branch: str | None = None
) -> tuple[Reached, ...] | None:
    """Return what reaches the named nodes, closest first; None where a question does not ask for that."""
    asked, keys = asked_reaching(state.question_en or state.question), asked_edges(state).keys
    if asked is None or not keys:
        return None
    return _reaching(rows, asked.query, keys[:MAX_BEGUN], repo=repo, branch=branch)


def endings(
    rows: Rows, state: State, *, repo: str | None = None, branch: str | None = None
) -> Endings | None:
    """Return what reaches the node that a change is asked about, the first where several are named.

    None where it is asked for something else, or for a column: others read the same table.
    """
    understanding, keys = state.understanding, asked_edges(state).keys
    is_asked = understanding is not None and understanding.type == "impact" and state.reached is None
    if not is_asked or not keys or named_column(state) is not None:
        return None
    question = (state.question_en or state.question).lower()
    key = min(keys, key=lambda key: (_place_in(question, key), not key.endswith(OF_DATABASE)))
    return Endings(
        key,
        {each.query: _reaching(rows, each.query, [key], repo=repo, branch=branch) for each in ENDINGS},
    )


def _place_in(question: str, key: str) -> int:
    """Return where a question names a node, by the last part of its name; behind it where it does not."""
    place = question.find(key.partition("|")[0].rpartition(".")[2].lower())
    return place if place >= 0 else len(question)


def _reaching(
    rows: Rows, query: str, keys: Sequence[str], *, repo: str | None, branch: str | None
) -> tuple[Reached, ...]:
    """Return what a query of the cookbook finds for those of the keys that are in a place, closest first."""
    sql = sql_text(f"cookbook/{query}.sql")
    for name in ("object", "repo", "branch"):
        sql = sql.replace(f"getvariable('{name}')", f"${name}")
    found: dict[str, Reached] = {}
    for key in _of_place(rows, keys, repo=repo, branch=branch):
        for row in rows(sql, {"object": key, "repo": repo, "branch": branch}):
            reached = _reached(row)
            known = found.get(reached.node_key)
            if known is None or _order(known) > _order(reached):
                found[reached.node_key] = reached
    return tuple(sorted(found.values(), key=_order))


def _order(reached: Reached) -> tuple[bool, int, str]:
    return reached.is_mention, reached.distance, reached.node_key


def _reached(row: dict[str, Any]) -> Reached:
    return Reached(
        str(row["node_key"]),
        int(row["distance"]),
        f"{row['source_file']}:{row['start_line']}",
        is_mention=row.get("by") == "mention",
        is_writing=bool(row.get("writes")),
        write_distance=row.get("write_distance"),
    )


def _of_place(rows: Rows, keys: Sequence[str], *, repo: str | None, branch: str | None) -> Sequence[str]:
    """Return the keys of nodes of a repository and branch; all where none is asked for."""
    if not keys or (repo is None and branch is None):
        return keys
    found = rows(sql_text("graph/exact.sql"), {"keys": list(keys), "repo": repo, "branch": branch})
    there = {str(row["node_key"]) for row in found}
    return [key for key in keys if key in there]
