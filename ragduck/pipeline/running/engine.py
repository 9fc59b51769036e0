"""Run a pipeline: one step after the other, each as its action decides, with a trace of all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Event
from typing import TYPE_CHECKING, Any, get_args
from uuid import uuid4

from ragduck.conversation import RunRecord, StepRecord
from ragduck.errors import PipelineError, RagduckError
from ragduck.pipeline.checking.validation import parameters_of
from ragduck.pipeline.context import History, StepContext
from ragduck.pipeline.definition import Pipeline, Step
from ragduck.pipeline.prompting.prompts import Prompts, prompts_of
from ragduck.pipeline.running.run_errors import error_text, located
from ragduck.pipeline.running.timing import RunCancelledError, Timer
from ragduck.pipeline.running.trace import as_utf8, changes, shown, snapshot
from ragduck.pipeline.running.transitions import action_of, entry_of, following, is_transition, step_of
from ragduck.pipeline.settings import with_defaults
from ragduck.pipeline.state import State, Status

if TYPE_CHECKING:
    from ragduck.library import Store
    from ragduck.llm.protocol import LanguageModel

ENDS = frozenset(get_args(Status)) - {"running"}


def run_pipeline(
    pipeline: Pipeline,
    state: State,
    *,
    store: Store,
    history: History,
    model: LanguageModel | None = None,
    prompts: Prompts | None = None,
    run_id: str | None = None,
    cancel: Event | None = None,
    clock: Callable[[], float] = time.perf_counter,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    on_step: Callable[[StepRecord], None] | None = None,
) -> RunRecord:
    """Run a pipeline on a state, from its entry step to an end, and return the trace, which is saved.

    The run fails, and says why in ``error`` and in the state's gaps, when an action fails, when time or steps run
    out or when a step leads nowhere; it is `cancelled` when ``cancel`` is set or the user interrupts, which is
    raised again once the trace is saved.
    """
    settings = with_defaults(pipeline.settings)
    limit = settings.get("timeout_seconds")
    run = _Run(
        pipeline=pipeline,
        state=state,
        settings=settings,
        store=store,
        history=history,
        model=model,
        prompts=prompts,
        run_id=run_id or uuid4().hex,
        timer=Timer(clock, clock(), None if limit is None else float(limit), cancel),
        now=now,
        started_at=now(),
        on_step=on_step,
    )
    return run.to_its_end()


@dataclass(slots=True)
class _Run:
    """One run while it goes on."""

    pipeline: Pipeline
    state: State
    settings: Mapping[str, Any]
    store: Store
    history: History
    model: LanguageModel | None
    prompts: Prompts | None
    run_id: str
    timer: Timer
    now: Callable[[], datetime]
    started_at: datetime
    on_step: Callable[[StepRecord], None] | None
    steps: list[StepRecord] = field(default_factory=list)
    error: str | None = None

    def to_its_end(self) -> RunRecord:
        try:
            self._all_steps()
        except RunCancelledError:
            self._cancel()
        except Exception as error:
            self._fail(error)
        except BaseException:
            self._cancel()
            self._save()
            raise
        if self.state.status not in ENDS:
            self.state.status = "answered" if self.state.answer or self.state.answer_en else "insufficient"
        return self._save()

    def _all_steps(self) -> None:
        prompts = self.prompts or prompts_of(self.pipeline)
        for name, value in (self.settings.get("variables") or {}).items():
            self.state.variables.setdefault(name, value)
        step_id: str | None = entry_of(self.pipeline)
        most = int(self.settings["max_steps"])
        while step_id is not None:
            self.timer.check_run()
            if len(self.steps) >= most:
                raise PipelineError(
                    f"the run was ended after {most} steps, before step {step_id!r}",
                    hint="look for a loop: ragduck pipeline show NAME --format mermaid, or raise max_steps",
                )
            step_id = self._one_step(step_id, prompts)

    def _one_step(self, step_id: str, prompts: Prompts) -> str | None:
        """Run one step and return the id of the next; None at the end."""
        step = step_of(self.pipeline, step_id)
        action = action_of(step)
        context = self._context(step, prompts)
        before = snapshot(self.state)
        next_id: str | None = None
        error: BaseException | None = None
        started = self.timer.elapsed()
        self.timer.begin_step(step_id, limit=context.parameters.get("timeout_seconds"))
        try:
            chosen = action.run(context)
            self.timer.check_step()
            next_id = following(step, chosen)
        except PipelineError as raised:
            error = located(raised, step)
            raise error from None
        except BaseException as raised:
            error = raised
            raise
        finally:
            self._record(context, before, started=started, next_id=next_id, error=error)
        return next_id

    def _context(self, step: Step, prompts: Prompts) -> StepContext:
        return StepContext(
            state=self.state,
            step=step,
            parameters=parameters_of(step),
            settings=self.settings,
            store=self.store,
            history=self.history,
            prompts=prompts,
            model=self.model,
            check_time=self.timer.check,
            seconds_left=self.timer.seconds_left,
            run_id=self.run_id,
            pipeline=self.pipeline.name,
            now=self.now,
        )

    def _record(
        self,
        context: StepContext,
        before: Mapping[str, Any],
        *,
        started: float,
        next_id: str | None,
        error: BaseException | None,
    ) -> None:
        step = context.step
        own = {name: value for name, value in step.parameters.items() if not is_transition(name)}
        record = StepRecord(
            step_no=len(self.steps) + 1,
            step_id=step.id,
            action=step.action,
            started_ms=started * 1000,
            milliseconds=(self.timer.elapsed() - started) * 1000,
            inputs=shown(own | context.inputs),
            outputs=changes(before, self.state) | shown(context.outputs),
            decision=context.decision,
            next_step_id=next_id,
            prompt_tokens=context.prompt_tokens,
            completion_tokens=context.completion_tokens,
            notes=tuple(map(as_utf8, context.notes)),
            error=None if error is None else error_text(error),
        )
        self.steps.append(record)
        if self.on_step is not None:
            self.on_step(record)

    def _fail(self, error: Exception) -> None:
        where = f" at step {self.steps[-1].step_id!r}" if self.steps and self.steps[-1].error else ""
        self.state.status = "failed"
        self.error = error_text(error)
        self._add_gap(f"The run ended early{where}: {self.error.splitlines()[0]}")

    def _cancel(self) -> None:
        self.state.status = "cancelled"
        self._add_gap("The run was cancelled before it came to an end.")

    def _add_gap(self, text: str) -> None:
        self.state.gaps = (*self.state.gaps, text)

    def _save(self) -> RunRecord:
        """Save the trace; an answer is not lost for want of its trace."""
        record = self._made()
        try:
            self.history.save_run(record)
        except (RagduckError, OSError) as error:
            self._add_gap(f"The trace of the run could not be saved: {error}")
            self.error = self.error or error_text(error)
            return self._made()
        return record

    def _made(self) -> RunRecord:
        return RunRecord(
            run_id=self.run_id,
            session_id=self.state.session_id,
            pipeline=self.pipeline.name,
            question=as_utf8(self.state.question),
            started_at=self.started_at,
            milliseconds=self.timer.elapsed() * 1000,
            status=self.state.status,
            steps=tuple(self.steps),
            turn_id=self.state.turn_id,
            model=self.model.name if self.model else None,
            error=self.error,
            settings=shown(self.settings),
        )
