"""How long work tells that it is under way; the command line draws it, libraries may ignore it."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Protocol


class Stage(Protocol):
    """One stretch of work that is counted in steps."""

    def advance(self, steps: int) -> None:
        """Tell that so many steps are done."""

    def set_total(self, total: int) -> None:
        """Tell how many steps there are, once it is known."""


class Progress(Protocol):
    """Something that shows stages of work."""

    def stage(self, name: str, *, total: int | None) -> AbstractContextManager[Stage]:
        """Begin a stage of ``total`` steps, None when nobody knows."""


class _Silent:
    def stage(self, name: str, *, total: int | None) -> AbstractContextManager[Stage]:  # noqa: ARG002
        return nullcontext(self)

    def advance(self, steps: int) -> None:
        """Show nothing."""

    def set_total(self, total: int) -> None:
        """Show nothing."""


NO_PROGRESS: Progress = _Silent()
