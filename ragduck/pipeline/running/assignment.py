"""Which fields of a state a pipeline may read and set by name, and what a value must be like."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from ragduck.errors import PipelineError
from ragduck.pipeline.prompting.protocol import begins_with_prefix
from ragduck.pipeline.state import EvidenceBlock, RetrievalPlan, State

VARIABLES = "variables."
OF_TEXT = ("question_en", "history_text", "last_model_response", "answer_en", "answer")
SHOWN = ("answer_en", "answer")  # to the user: a protocol prefix must never get there
READABLE = (*OF_TEXT, "question", "language", "last_prefix", "gaps", "skipped", "entry_nodes", "query")

# What the system that the format comes from calls these fields.
OTHER_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "answer_neutral": "answer_en",
        "user_question_neutral": "question_en",
        "user_question": "question",
        "history_blocks": "history_text",
        "context_blocks": "evidence",
        "node_texts": "evidence",
        "retrieval_query": "query",
    }
)


def read(state: State, name: str) -> Any:
    """Return a field or variable. Raises PipelineError when there is none of that name."""
    field = OTHER_NAMES.get(name, name)
    if name.startswith(VARIABLES):
        return state.variables.get(name.removeprefix(VARIABLES))
    if field == "query":
        return state.plan.query if state.plan else ""
    if field in READABLE:
        return getattr(state, field)
    if field == "evidence":
        return "\n\n".join(block.text for block in state.evidence)
    if name in state.variables:
        return state.variables[name]
    raise _unknown(state, name, "read")


def assign(state: State, name: str, value: Any) -> None:
    """Set a field or a variable.

    Raises PipelineError for what may not be set, a value of the wrong kind, and for an answer that begins a line
    with a prefix of the protocol.
    """
    field = OTHER_NAMES.get(name, name)
    if field in OF_TEXT:
        setattr(state, field, _text(field, value))
    elif field in _SETTERS:
        _SETTERS[field](state, value)
    elif name.startswith(VARIABLES):
        state.variables[name.removeprefix(VARIABLES)] = value
    elif name in state.variables:
        state.variables[name] = value
    else:
        raise _unknown(state, name, "set")


def _text(field: str, value: Any) -> str:
    if not isinstance(value, str):
        raise PipelineError(
            f"{field} takes text, not {type(value).__name__}",
            hint="leave the transform out, or use a variable",
        )
    if field in SHOWN and begins_with_prefix(value):
        raise PipelineError(
            f"{field} would show a prefix of the protocol to the user",
            hint="read the reply with prefix_router first: it strips the prefix",
        )
    return value


def _set_query(state: State, value: Any) -> None:
    text = _text("query", value)
    mode = state.plan.mode if state.plan else "hybrid"
    state.plan = replace(state.plan, query=text) if state.plan else RetrievalPlan(mode, text)


def _set_gaps(state: State, value: Any) -> None:
    values = value if isinstance(value, (list, tuple)) else [value]
    state.gaps = tuple(_text("gaps", item) for item in values if item)


def _set_evidence(state: State, value: Any) -> None:
    blocks = tuple(value) if isinstance(value, (list, tuple)) else (value,)
    if not all(isinstance(block, EvidenceBlock) for block in blocks):
        raise PipelineError("evidence is set from a text", hint="add transform: to_context_blocks")
    state.evidence = blocks


_SETTERS: Mapping[str, Callable[[State, Any], None]] = MappingProxyType(
    {"query": _set_query, "gaps": _set_gaps, "evidence": _set_evidence}
)


def _unknown(state: State, name: str, verb: str) -> PipelineError:
    known = [*(READABLE if verb == "read" else (*OF_TEXT, *_SETTERS)), *state.variables]
    close = difflib.get_close_matches(name, known, n=1)
    return PipelineError(
        f"{name!r} is nothing that a step may {verb}",
        hint=f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}; or variables.{name}",
    )
