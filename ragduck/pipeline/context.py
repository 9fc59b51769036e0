"""What an action is given: the state, its parameters, and the store, model and history to work with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

from ragduck.errors import PipelineError
from ragduck.pipeline.definition import Step
from ragduck.pipeline.state import State

if TYPE_CHECKING:
    from ragduck.conversation import Conversation, HistorySummary, RunRecord, Turn
    from ragduck.library import Store
    from ragduck.llm.protocol import LanguageModel
    from ragduck.pipeline.prompting.prompts import Prompts


class History(Protocol):
    """Where conversations are kept; nothing that was saved is lost, even while others read the store."""

    def load(self, session_id: str) -> Conversation:
        """Return a session; one without turns when there is none yet."""

    def save_turn(self, turn: Turn) -> None:
        """Keep a turn; saving the same turn_id or request_id again changes nothing."""

    def save_summary(self, summary: HistorySummary) -> None:
        """Keep a version of the summary of a session."""

    def save_run(self, run: RunRecord) -> None:
        """Keep the trace of a run."""


@dataclass(slots=True)
class StepContext:
    """One execution of one step.

    ``parameters`` are checked and have their defaults; ``settings`` are those of the pipeline with defaults.
    Times and ids come from ``now`` and ``run_id`` only, so that a run can be repeated.
    """

    state: State
    step: Step
    parameters: Mapping[str, Any]
    settings: Mapping[str, Any]
    store: Store
    history: History
    prompts: Prompts
    model: LanguageModel | None = None
    check_time: Callable[[], None] = lambda: None  # raises when the run is cancelled or out of time
    seconds_left: Callable[[], float | None] = lambda: None  # of the step or the run, whichever ends first
    notes: list[str] = field(default_factory=list)  # for the trace, in a reader's words
    decision: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    run_id: str = ""
    pipeline: str = ""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    inputs: dict[str, Any] = field(default_factory=dict)  # for the trace: what the step read, by name
    outputs: dict[str, Any] = field(default_factory=dict)  # for the trace: what the state does not show

    def reads(self, name: str, value: Any) -> None:
        """Show in the trace what the step read, such as a query or the messages of a prompt."""
        self.inputs[name] = value

    def made(self, name: str, value: Any) -> None:
        """Show in the trace what the step made and the state does not keep, such as the reply of a model."""
        self.outputs[name] = value

    def note(self, text: str) -> None:
        """Say something in the trace of the step."""
        self.notes.append(text)

    def branch(self, name: str) -> str:
        """Return the step that a branch such as `on_ok` leads to, and record it as the decision.

        A branch that is not written leads to `next`. Raises PipelineError when there is neither.
        """
        self.decision = name
        target = self.parameters.get(name) or self.parameters.get("next")
        if not target:
            raise PipelineError(
                f"{self.step.place}: step {self.step.id!r} has no {name}",
                hint=f"add {name}: STEP to the step",
            )
        return str(target)

    def required_model(self) -> LanguageModel:
        """Return the model, or raise PipelineError when none is configured."""
        if self.model is None:
            raise PipelineError(
                f"{self.step.place}: step {self.step.id!r} asks a language model, and none is configured",
                hint="name one with --model, or use --pipeline extractive, which needs none",
            )
        return self.model
