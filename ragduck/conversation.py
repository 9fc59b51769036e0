"""Conversations about a system, and the traces of the pipeline runs that answered them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its answer: as asked, in English, and translated back. Times are UTC.

    ``answer`` is in the language of the question; ``request_id`` makes saving idempotent; ``status`` is that of the
    run, `answered`, `insufficient` or `failed`. ``metadata`` holds citations and other small facts, as JSON.
    """

    turn_id: str
    session_id: str
    created_at: datetime
    question: str
    question_en: str
    answer_en: str
    answer: str
    language: str = "en"
    status: str = "answered"
    run_id: str | None = None
    pipeline: str | None = None
    request_id: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HistorySummary:
    """What a session said up to the turn ``last_turn_id``, the pointer of seed 003 §2.2; versions count from 1."""

    session_id: str
    version: int
    last_turn_id: str
    text: str
    question_en: str  # that the summary was made for
    created_at: datetime
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """A session: all its turns in order, oldest first, and its newest summary."""

    session_id: str
    turns: tuple[Turn, ...] = ()
    summary: HistorySummary | None = None

    @property
    def new_turns(self) -> tuple[Turn, ...]:
        """Return the turns since the summary; all of them without one."""
        if self.summary is None:
            return self.turns
        ids = [turn.turn_id for turn in self.turns]
        if self.summary.last_turn_id not in ids:
            return self.turns
        return self.turns[ids.index(self.summary.last_turn_id) + 1 :]


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One step of a run as the trace keeps it; inputs and outputs are JSON values, shortened but never secret."""

    step_no: int  # from 1, in order of execution
    step_id: str
    action: str
    started_ms: float  # since the run began
    milliseconds: float
    inputs: Mapping[str, Any]
    outputs: Mapping[str, Any]
    decision: str | None  # the branch taken, such as `on_over`
    next_step_id: str | None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    notes: tuple[str, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run of a pipeline. ``status`` is `answered`, `insufficient`, `failed` or `cancelled`."""

    run_id: str
    session_id: str
    pipeline: str
    question: str
    started_at: datetime
    milliseconds: float
    status: str
    steps: tuple[StepRecord, ...]
    turn_id: str | None = None
    model: str | None = None
    error: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
