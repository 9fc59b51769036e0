"""Turn whatever ends a command early into two lines and an exit code, never into a traceback."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Callable

import click

from ragduck.cli.exit_codes import ExitCode
from ragduck.cli.output import say, say_failure
from ragduck.errors import RagduckError

REPORT = "please report it; RAGDUCK_DEBUG=1 shows the traceback"
OS_HINTS = {
    errno.ENOSPC: "free disk space, then run the same command again",
    errno.EDQUOT: "free disk space, then run the same command again",
    errno.EFBIG: "choose a place that takes larger files, then run the same command again",
    errno.EACCES: "check your rights to the file, or choose another place",
    errno.EPERM: "check your rights to the file, or choose another place",
    errno.EROFS: "choose a place that can be written",
}


def run_to_exit_code(run: Callable[[], object]) -> ExitCode:
    """Run a command; say on stderr what stopped it, and return the exit code."""
    try:
        code = run()
        sys.stdout.flush()
    except BaseException as error:
        if os.environ.get("RAGDUCK_DEBUG") and not isinstance(error, SystemExit):
            traceback.print_exc()
        return _explained(error)
    return ExitCode(code) if isinstance(code, int) else ExitCode.DONE


def _explained(error: BaseException) -> ExitCode:
    if isinstance(error, RagduckError):
        say_failure(error.message, error.hint or "ragduck --help")
        return ExitCode(error.exit_code)
    if isinstance(error, click.ClickException):
        return _explained_usage(error)
    if is_reader_gone(error):
        _drop_unwritten()
        return ExitCode.READER_GONE
    if is_interruption(error):
        say("interrupted")
        say("hint: nothing was changed; the same command starts again, and prepare takes up where it stopped")
        return ExitCode.INTERRUPTED
    if isinstance(error, MemoryError):
        say_failure("there is not enough memory", "close other programs, or use --processes 1")
        return ExitCode.FAILED
    if isinstance(error, OSError):
        return _explained_os_error(error)
    say_failure(f"unexpected {type(error).__name__}: {error}", REPORT)
    return ExitCode.FAILED


def _explained_usage(error: click.ClickException) -> ExitCode:
    context = error.ctx if isinstance(error, click.UsageError) else None
    say_failure(error.format_message(), f"{context.command_path if context else 'ragduck'} --help")
    return ExitCode.USAGE


def _explained_os_error(error: OSError) -> ExitCode:
    place = f": {os.fsdecode(error.filename)}" if isinstance(error.filename, str | bytes) else ""
    hint = OS_HINTS.get(error.errno or 0, REPORT)
    say_failure(f"{error.strerror or error}{place}", hint)
    return ExitCode.FAILED


def is_reader_gone(error: BaseException) -> bool:
    """Whether what reads stdout has closed it; click makes a plain exit of that."""
    return isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError)


def is_interruption(error: BaseException) -> bool:
    """Whether it was Ctrl-C; DuckDB says so with an error of its own."""
    return isinstance(error, KeyboardInterrupt | click.Abort) or (
        isinstance(error, RuntimeError) and str(error) == "Query interrupted"
    )


def _drop_unwritten() -> None:
    """Give what is still buffered somewhere to go, so that the interpreter does not fail at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
