"""How long a run and its steps may take, and whether someone has cancelled the run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event

from ragduck.errors import PipelineError


class RunCancelledError(Exception):
    """End a run because its caller has asked for it."""


@dataclass(slots=True)
class Timer:
    """The time of one run, in seconds of ``clock``; limits of None never end."""

    clock: Callable[[], float]
    started: float
    limit: float | None
    cancel: Event | None = None
    step_id: str = ""
    step_started: float = 0.0
    step_limit: float | None = None

    def begin_step(self, step_id: str, *, limit: float | None) -> None:
        """Take the time of a step from now on."""
        self.step_id, self.step_limit, self.step_started = step_id, limit, self.clock()

    def elapsed(self) -> float:
        """Return the seconds since the run began."""
        return self.clock() - self.started

    def seconds_left(self) -> float | None:
        """Return what is left of the step or of the run, whichever ends first; never below zero."""
        now = self.clock()
        pairs = ((self.limit, self.started), (self.step_limit, self.step_started))
        left = [max(0.0, limit - (now - started)) for limit, started in pairs if limit is not None]
        return min(left) if left else None

    def check(self) -> None:
        """Raise RunCancelledError when cancelled, PipelineError when the step or the run is out of time."""
        self.check_run()
        self.check_step()

    def check_run(self) -> None:
        """Raise as `check` does, without a look at the step."""
        if self.cancel is not None and self.cancel.is_set():
            raise RunCancelledError("the run was cancelled")
        if self.limit is not None and self.elapsed() > self.limit:
            raise PipelineError(
                f"the run took longer than {self.limit:g} s, and was ended at step {self.step_id!r}",
                hint="raise the setting timeout_seconds, or ask for less: --set top_k=5",
            )

    def check_step(self) -> None:
        """Raise PipelineError when the step is out of time."""
        if self.step_limit is not None and self.clock() - self.step_started > self.step_limit:
            raise PipelineError(
                f"step {self.step_id!r} took longer than {self.step_limit:g} s",
                hint=f"raise timeout_seconds of step {self.step_id!r}",
            )
