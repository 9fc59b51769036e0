"""Show on the terminal how far a `prepare` called from Python is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress as Bars
from rich.progress import TaskID

from ragduck.progress import Stage


class ProgressBars:
    """Draw a bar for each stage on stderr; nothing where stderr is no terminal."""

    @contextmanager
    def stage(self, name: str, *, total: int | None) -> Iterator[Stage]:
        """Begin a stage of ``total`` steps, None when nobody knows."""
        console = Console(stderr=True)
        with Bars(console=console, transient=True, disable=not console.is_terminal) as bars:
            yield _Bar(bars, bars.add_task(name, total=total))


class _Bar:
    def __init__(self, bars: Bars, task: TaskID) -> None:
        self._bars = bars
        self._task = task

    def advance(self, steps: int) -> None:
        """Move the bar on."""
        self._bars.advance(self._task, steps)

    def set_total(self, total: int) -> None:
        """Give the bar its length."""
        self._bars.update(self._task, total=total)
