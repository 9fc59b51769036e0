"""What the placeholders of prompts stand for: texts of the state, those of the repository always fenced."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from ragduck.pipeline.answering.evidence import evidence_text
from ragduck.pipeline.answering.presenting import missing_sides
from ragduck.pipeline.prompting.fencing import escaped, fenced
from ragduck.pipeline.state import State

NOTHING = "(none)"
Value = Callable[[], str]

# What the system that the format comes from calls its sources.
OTHER_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "question_en": "question",
        "user_question_neutral": "question",
        "user_question": "question_original",
        "user_query": "question",
        "context_blocks": "evidence",
        "node_texts": "evidence",
        "history_text": "history",
        "history_blocks": "history",
        "history_dialog": "history",
        "history_qa_neutral": "history",
        "answer_en": "answer",
        "answer_neutral": "answer",
    }
)


def prompt_values(state: State, *, with_history: bool = True) -> dict[str, Value]:
    """Return what each placeholder stands for; a value is made only when a prompt asks for it."""
    own: dict[str, Value] = {
        "question": lambda: escaped(state.question_en or state.question),
        "question_original": lambda: escaped(state.question),
        "language": lambda: escaped(state.language),
        "history": lambda: _fenced_or_nothing(state.history_text if with_history else ""),
        "evidence": lambda: evidence_text(state) or NOTHING,
        "limits": lambda: escaped(_limits(state)),
        "understanding": lambda: _understanding(state),
        "graph": lambda: _fenced_or_nothing(_graph(state)),
        "answer": lambda: _fenced_or_nothing(state.answer_en),
        "last_model_response": lambda: _fenced_or_nothing(state.last_model_response),
    }
    variables = {name: _of_variable(value) for name, value in state.variables.items()}
    return variables | own


def source_value(values: Mapping[str, Value], name: str) -> Value | None:
    """Return the value of a source under ragduck's or another system's name."""
    plain = name.removeprefix("variables.")
    return values.get(OTHER_NAMES.get(plain, plain))


def _fenced_or_nothing(text: str) -> str:
    return fenced(text) if text.strip() else NOTHING


def _limits(state: State) -> str:
    missing = missing_sides(state) if state.evidence else ()
    lines = [f"- {gap}" for gap in dict.fromkeys((*state.gaps, *missing))]
    if state.skipped:
        lines.append(f"- Left out for want of room: {', '.join(state.skipped)}")
    return "\n".join(lines) or NOTHING


def _understanding(state: State) -> str:
    if state.understanding is None:
        return NOTHING
    return escaped(json.dumps(asdict(state.understanding), ensure_ascii=False))


def _graph(state: State) -> str:
    return "\n\n".join(block.text for block in state.evidence if block.kind == "graph")


def _of_variable(value: Any) -> Value:
    if isinstance(value, str):
        return lambda: escaped(value)
    return lambda: escaped(json.dumps(value, ensure_ascii=False, default=str))
