"""What the process tells its caller by its exit code."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes of every command."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    INTERRUPTED = 130  # as a shell reports a process that Ctrl-C ended
    READER_GONE = 141  # as a shell reports a process that wrote to a closed pipe
    TERMINATED = 143  # as a shell reports a process that was told to end
