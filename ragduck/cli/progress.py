"""Draw the progress of long work on stderr."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from ragduck.cli.output import visible_line


class BarProgress:
    """A line per stage: name, bar, count, rate, time spent and time left."""

    @contextmanager
    def stage(self, name: str, *, total: int | None) -> Iterator[BarStage]:
        """Draw a stage until its work is done or fails."""
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            RateColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(compact=True),
        )
        with Progress(*columns, console=Console(stderr=True)) as progress:
            task = progress.add_task(visible_line(name), total=total)
            yield BarStage(progress, task)
            if total is None:  # shown as done rather than as still wandering
                done = max(progress.tasks[0].completed, 1)
                progress.update(task, total=done, completed=done)


class BarStage:
    """One line of the progress."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress = progress
        self._task = task

    def advance(self, steps: int) -> None:
        """Move the bar on."""
        self._progress.advance(self._task, steps)

    def set_total(self, total: int) -> None:
        """Give the bar its end."""
        self._progress.update(self._task, total=total)


class RateColumn(ProgressColumn):
    """Steps per second of late."""

    def render(self, task: Task) -> Text:
        """Return the rate, empty before there is one."""
        rate = task.finished_speed or task.speed
        return Text(f"{rate:,.0f}/s" if rate else "", style="progress.data.speed")
