"""Run a call in a thread, for a limited time, so that other calls and the protocol go on meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread

from ragduck.errors import RagduckError
from ragduck.mcp_server.interruption import Call, Tell

INTERRUPTED_SECONDS = 2.0  # for which an ended call is waited for; the engine takes a few milliseconds
LOOK_SECONDS = 0.01

Answer = TypeVar("Answer")
Report = Callable[[str], Coroutine[Any, Any, None]]


class TimeLimitError(RagduckError):
    """Say that a call took longer than it was given."""


async def run_call(
    work: Callable[[], Answer], *, seconds: float | None, report: Report | None = None
) -> Answer:
    """Return what the work returns; ``report`` is given the steps that it tells of.

    Raises TimeLimitError after ``seconds``. Then, and when the client cancels, statements of the engine are
    interrupted.
    """
    call = Call(tell=_telling(report)) if report else Call()
    with anyio.move_on_after(seconds):
        try:
            return await anyio.to_thread.run_sync(call.run, work, abandon_on_cancel=True)
        finally:
            with anyio.CancelScope(shield=True):
                await _end(call)
    raise TimeLimitError(
        f"the call was ended after {seconds:g} seconds",
        hint="ask for less: a narrower filter, fewer joins, a smaller depth; --time-limit of ragduck mcp allows more",
    )


def _telling(report: Report) -> Tell:
    """Return what a thread may call to report."""

    def tell(step: str) -> None:
        anyio.from_thread.run(report, step)

    return tell


async def _end(call: Call) -> None:
    """End a call, and wait until its thread is done, for a while: a language model cannot be interrupted."""
    with anyio.move_on_after(INTERRUPTED_SECONDS):
        call.end()
        while call.has_begun and not call.finished.is_set():
            call.end()
            await anyio.sleep(LOOK_SECONDS)
