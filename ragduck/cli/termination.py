"""End a command that is told to end (SIGTERM, as `docker stop` sends it) as Ctrl-C does: tidily, and with a code."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType
from typing import Never

from ragduck.cli.exit_codes import ExitCode

TRACKER = "ignore:resource_tracker"  # how its warnings begin

_was_told = threading.Event()


def tidy_termination() -> None:
    """Let SIGTERM interrupt what runs, unless somebody else has a use for it.

    Further ones change nothing, as `timeout` and systemd send it to the process and to its group.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if is_main and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _interrupt)


def quiet_cleaning() -> None:
    """Let the helper that cleans up after processes say nothing when an interrupt has left it less to clean."""
    given = os.environ.get("PYTHONWARNINGS", "")
    if TRACKER not in given:
        os.environ["PYTHONWARNINGS"] = f"{given},{TRACKER}".lstrip(",")


def code_of_interruption() -> ExitCode:
    """Return the exit code of a command that did not come to its end."""
    return ExitCode.TERMINATED if _was_told.is_set() else ExitCode.INTERRUPTED


def _interrupt(number: int, frame: FrameType | None) -> Never:  # noqa: ARG001
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _was_told.set()
    raise KeyboardInterrupt
