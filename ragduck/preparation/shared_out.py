"""Share files out between two processes as they go: each takes the next one that the other has not taken.

They need not ask each other, who may both be at work: a file that is taken has a mark in a folder, which only one of
them can make.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path


def taken(paths: Sequence[str], marks: Path, *, from_end: bool = False) -> Iterator[str]:
    """Take one path after the other, until the other process has the next one: one begins at the end.

    Nothing more is taken where that cannot be marked.
    """
    numbers = range(len(paths))
    for number in reversed(numbers) if from_end else numbers:
        try:
            (marks / str(number)).touch(exist_ok=False)
        except OSError:
            return
        yield paths[number]
