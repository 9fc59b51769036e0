"""Give a call so many seconds, whether or not it looks at the clock itself."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

LONGEST = 86_400.0  # seconds; threads cannot wait for ever longer times

Result = TypeVar("Result")


def run_within(seconds: float | None, work: Callable[[], Result]) -> Result:
    """Return what ``work`` returns; raise TimeoutError when it takes longer, and leave it to itself.

    Work left to itself ends with the process; it should look at its own clock and stop.
    """
    if seconds is None:
        return work()
    if seconds <= 0:
        raise TimeoutError
    future: Future[Result] = Future()
    Thread(target=copy_context().run, args=(_fulfil, future, work), daemon=True).start()
    if not wait([future], timeout=min(seconds, LONGEST)).done:
        raise TimeoutError
    return future.result()


def _fulfil(future: Future[Result], work: Callable[[], Result]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:  # belongs to the waiting thread, which raises it
        future.set_exception(error)
