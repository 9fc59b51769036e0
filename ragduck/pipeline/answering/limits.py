"""End honestly: what was searched for, what came closest, and what to try (seed 001, phase H)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ragduck.pipeline.answering.names import plain
from ragduck.pipeline.retrieval.entry_points import Verdict
from ragduck.pipeline.state import State
from ragduck.visible_text import visible_line

Reason = Literal["nothing_found", "not_answered", "unreadable_reply"]
MAX_CLOSEST = 3
MAX_QUERY = 160  # characters of a query that are shown

FIRST_LINES: dict[Reason, str] = {
    "nothing_found": "I cannot find a clear trace of this in the repository.",
    "not_answered": "What was found does not answer the question.",
    "unreadable_reply": "The reply of the language model could not be read. It breaks the protocol of this pipeline.",
}
GAPS: dict[Reason, str] = {
    "nothing_found": "No good entry point was found.",
    "not_answered": "The evidence does not answer it.",
    "unreadable_reply": "The reply of the language model could not be read.",
}
ADVICE: dict[Reason, str] = {
    "nothing_found": "Try the name that the code uses, of a table, class or procedure; "
    "`ragduck search` shows single hits.",
    "not_answered": "Try a narrower question, or name the object; "
    "`ragduck show` and `ragduck graph` print what is known.",
    "unreadable_reply": "That says nothing about what was found. Ask again with a more capable model, or "
    "without one: then `ragduck ask` gives the evidence itself.",
}


def limits_answer(
    state: State,
    *,
    reason: Reason,
    verdict: Verdict | None,
    unknown: Sequence[str],
    has_vectors: bool = True,
) -> str:
    """Return an answer that claims nothing: what was looked for and found instead."""
    parts = [
        FIRST_LINES[reason],
        *(state.gaps if reason == "nothing_found" else ()),
        *_unknown(unknown),
        _searched(state, has_vectors=has_vectors),
        _closest(state, reason),
        ADVICE[reason],
    ]
    if verdict is not None and verdict.only_aside:
        parts.insert(1, "It occurs only in tests, generated code or samples.")
    return "\n\n".join(part for part in parts if part)


def limits_gaps(*, reason: Reason, verdict: Verdict | None, unknown: Sequence[str]) -> tuple[str, ...]:
    """Return the same as gaps, one sentence each."""
    gaps = [GAPS[reason]]
    if unknown:
        gaps.append(f"The store has no word for: {', '.join(map(plain, unknown))}.")
    if verdict is not None and verdict.only_aside:
        gaps.append("It was found only in tests, generated code or samples.")
    return tuple(gaps)


def _unknown(unknown: Sequence[str]) -> list[str]:
    return (
        [f"The store has no word for {', '.join(f'**{plain(word)}**' for word in unknown)}."]
        if unknown
        else []
    )


def _searched(state: State, *, has_vectors: bool) -> str:
    lines = dict.fromkeys(
        f"- {_shown(query.query)} ({query.mode if has_vectors else 'bm25'})"
        for query in state.queries
        if query.query.strip()
    )
    return "\n".join(["Searched for:", "", *lines]) if lines else "Nothing was searched for."


def _closest(state: State, reason: Reason) -> str:
    if reason != "nothing_found" and state.entry_nodes:
        lines = [f"- `{plain(key)}`" for key in state.entry_nodes[:MAX_CLOSEST]]
    else:
        lines = [
            f"- `{plain(str(hit['node_key']))}` {visible_line(str(hit['location']))}"
            for hit in state.hits[:MAX_CLOSEST]
        ]
    title = "Found:" if reason == "unreadable_reply" else "Closest, though not clearly about it:"
    return "\n".join([title, "", *lines]) if lines else ""


def _shown(query: str) -> str:
    line = plain(query)
    return line if len(line) <= MAX_QUERY else f"{line[:MAX_QUERY]} …"
