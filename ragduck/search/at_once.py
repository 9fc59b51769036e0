"""Do two things at the same time: DuckDB plans a statement on one core, and planning is most of a short one."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from functools import cache
from typing import TypeVar

First = TypeVar("First")
Second = TypeVar("Second")


def at_once(first: Callable[[], First], second: Callable[[], Second]) -> tuple[First, Second]:
    """Return what both give; an error of the first is raised before one of the second."""
    later = _threads().submit(copy_context().run, second)  # a call that is ended ends here, too
    try:
        found = first()
    except BaseException:
        wait([later])  # what it reads may be closed next
        raise
    return found, later.result()


@cache
def _threads() -> ThreadPoolExecutor:
    """Return threads that wait for work: to start one for each search takes a millisecond when all cores are busy."""
    return ThreadPoolExecutor(thread_name_prefix="ragduck-search")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.cache_clear)  # which has none of them
