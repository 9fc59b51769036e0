"""Do two things at the same time: DuckDB plans a statement on one core, and planning is most of a short one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

First = TypeVar("First")
Second = TypeVar("Second")


def at_once(first: Callable[[], First], second: Callable[[], Second]) -> tuple[First, Second]:
    """Return what both give; an error of the first is raised before one of the second."""
    with ThreadPoolExecutor(1) as pool:
        later = pool.submit(copy_context().run, second)  # a call that is ended ends here, too
        return first(), later.result()
