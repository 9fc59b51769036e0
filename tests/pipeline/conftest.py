"""Pipelines built by hand, a model that says what it is told, and conversations kept in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from ragduck.conversation import Conversation, HistorySummary, RunRecord, Turn
from ragduck.llm.protocol import Completion, Message
from ragduck.pipeline import registry
from ragduck.pipeline.definition import Pipeline, Place, Step
from ragduck.pipeline.running.engine import run_pipeline
from ragduck.pipeline.state import State

PLACE = Place("test.yaml", 1, 1)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@dataclass
class SayingModel:
    """A model that gives prepared replies one after the other; a token is a word."""

    replies: list[str | Completion | Exception] = field(default_factory=list)
    context_window: int = 100_000
    name: str = "saying"
    asked: list[Sequence[Message]] = field(default_factory=list)
    settings: list[dict[str, Any]] = field(default_factory=list)

    def complete(self, messages: Sequence[Message], **settings: Any) -> Completion:
        self.asked.append(messages)
        self.settings.append(settings)
        reply = self.replies.pop(0)
        if isinstance(reply, BaseException):
            raise reply
        if isinstance(reply, Completion):
            return reply
        words = sum(self.count_tokens(message.content) for message in messages)
        return Completion(reply, words, self.count_tokens(reply))

    def count_tokens(self, text: str) -> int:
        return len(text.split())


@dataclass
class MemoryHistory:
    """Conversations that end with the test."""

    turns: list[Turn] = field(default_factory=list)
    summaries: list[HistorySummary] = field(default_factory=list)
    runs: list[RunRecord] = field(default_factory=list)

    def load(self, session_id: str) -> Conversation:
        return Conversation(session_id, tuple(turn for turn in self.turns if turn.session_id == session_id))

    def save_turn(self, turn: Turn) -> None:
        self.turns.append(turn)

    def save_summary(self, summary: HistorySummary) -> None:
        self.summaries.append(summary)

    def save_run(self, run: RunRecord) -> None:
        self.runs.append(run)


class Ticking:
    """A clock that tells a second more each time it is asked."""

    def __init__(self, step: float = 1.0) -> None:
        self.time, self.step = 0.0, step

    def __call__(self) -> float:
        self.time += self.step
        return self.time


def made_pipeline(*steps: dict[str, Any], **settings: Any) -> Pipeline:
    """Return a pipeline of steps written as in YAML; it begins with the first, each leads to the next."""
    following = [step["id"] for step in steps[1:]]
    made = {}
    for step, next_id in zip(steps, [*following, None], strict=True):
        rest = {name: value for name, value in step.items() if name not in ("id", "action")}
        ways_on = any(name in ("next", "end", "routes") or name.startswith("on_") for name in rest)
        default = {"next": next_id} if next_id else {"end": True}
        made[step["id"]] = Step(step["id"], step["action"], rest if ways_on else rest | default, PLACE)
    return Pipeline("test", {"entry_step_id": steps[0]["id"], **settings}, made, PLACE)


@pytest.fixture
def saying_model() -> type[SayingModel]:
    return SayingModel


@pytest.fixture
def memory_history() -> type[MemoryHistory]:
    return MemoryHistory


@pytest.fixture
def ticking() -> type[Ticking]:
    return Ticking


@pytest.fixture
def pipeline_of() -> Callable[..., Pipeline]:
    return made_pipeline


@pytest.fixture
def own_action(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Register a function as an action for the length of a test."""
    registry.find_action("loop_guard")

    def register(name: str, function: Any, **settings: Any) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(registry, "_ACTIONS", {})
            registry.action(name, **settings)(function)
            made = dict(registry._ACTIONS)
        for known, action in made.items():
            monkeypatch.setitem(registry._ACTIONS, known, action)

    return register


@pytest.fixture
def asked(run: Callable[..., SimpleNamespace]) -> Callable[..., SimpleNamespace]:
    """Answer a question as `ask` does without a model; ``max_nodes`` bounds the walk. Returns what `run` does."""

    def ask(question: str, *, store: Any, **walk: int) -> SimpleNamespace:
        steps: tuple[dict[str, Any], ...] = (
            {"id": "understand", "action": "understand_question"},
            {"id": "search", "action": "search_nodes"},
            {"id": "judge", "action": "check_entry_points", "on_good": "expand", "on_weak": "weak"},
            {"id": "expand", "action": "expand_dependency_tree", **walk},
            {"id": "present", "action": "present_evidence", "end": True},
            {"id": "weak", "action": "state_limits", "end": True},
        )
        return run(*steps, state=State(question, question_en=question), store=store)

    return ask


@pytest.fixture
def run() -> Callable[..., SimpleNamespace]:
    """Run steps, on a state made of keyword arguments; return record, state, history and model."""

    def run_steps(
        *steps: dict[str, Any],
        replies: Sequence[Any] | None = None,
        state: State | None = None,
        settings: dict[str, Any] | None = None,
        model: Any = None,
        history: Any = None,
        store: Any = None,
        **engine: Any,
    ) -> SimpleNamespace:
        state = state or State("How are orders placed?", question_en="How are orders placed?")
        model = SayingModel(list(replies)) if replies is not None else model
        history = history or MemoryHistory()
        record = run_pipeline(
            made_pipeline(*steps, **(settings or {})),
            state,
            store=store,
            history=history,
            model=model,
            now=lambda: NOON,
            **engine,
        )
        return SimpleNamespace(record=record, state=state, history=history, model=model)

    return run_steps
