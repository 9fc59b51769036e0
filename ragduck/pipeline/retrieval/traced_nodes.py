"""What a question points at by lines and by the frames of a stack trace: methods rather than their files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ragduck.pipeline.question.stack_traces import frames_of
from ragduck.pipeline.retrieval.named_nodes import named_nodes
from ragduck.resources import sql_text
from ragduck.search.filters import Clause
from ragduck.search.places import FIRST_LINE, Place, chunks_at_places, places_of

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

MAX_TRACED = 5  # nodes that a question points at, from the top of the trace


def traced_nodes(
    rows: Rows, question: str, *, repo: str | None = None, branch: str | None = None
) -> tuple[str, ...]:
    """Return the keys of what stands at the lines that a question names, and of methods of frames, in their order.

    What is but a file is left out.
    """
    at_lines = _at_lines(rows, question, repo=repo, branch=branch)
    frames = named_nodes(rows, frames_of(question), repo=repo, branch=branch)
    found = dict.fromkeys(key for key in (*at_lines, *frames) if not key.startswith("file:"))
    members = [key for key in found if not key.endswith("|TYPE")] or list(found)
    return tuple(sorted(members, key=lambda key: _position(question, key)))[:MAX_TRACED]


def files_with_lines(question: str) -> frozenset[str]:
    """Return the names of the files of which a question names a line, in small letters."""
    return frozenset(place.name for place in _lines(question))


def _lines(question: str) -> list[Place]:
    return [place for place in places_of(question) if place.line != FIRST_LINE]


def _at_lines(rows: Rows, question: str, *, repo: str | None, branch: str | None) -> Sequence[str]:
    places = " ".join(
        f"{'/'.join((*place.folders[::-1], place.name))}:{place.line}" for place in _lines(question)
    )
    numbers = chunks_at_places(rows, places, clause=Clause()) if places else []
    if not numbers:
        return ()
    found = rows(sql_text("pipeline/chunks_by_number.sql"), {"numbers": numbers})
    return tuple(
        str(row["node_key"])
        for row in found
        if row["repo"] == (repo or row["repo"]) and row["branch"] == (branch or row["branch"])
    )


def _position(question: str, key: str) -> int:
    """Return where a question names a node by its owner and itself, else by itself; its end if nowhere."""
    name = key.partition("|")[0].rpartition(":")[2]
    owner, _, own = name.rpartition(".")
    found = [question.find(f"{owner.rpartition('.')[2]}.{end}") for end in (own, f"<{own}>")]
    places = [place for place in (*found, question.find(own)) if place >= 0]
    return places[0] if places else len(question)
