"""Turn whatever ends a command early into two lines and an exit code, never into a traceback."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from ragduck.cli.exit_codes import ExitCode
from ragduck.cli.output import say, say_failure
from ragduck.cli.termination import code_of_interruption
from ragduck.errors import RagduckError

REPORT = "please report it; RAGDUCK_DEBUG=1 shows the traceback"
ENGINE_HINT = "check the path, your rights to it, free disk space and memory"
DAMAGE_HINT = (
    "the file is damaged: copy it again, or make it anew with: ragduck prepare FOLDER -o STORE --overwrite"
)
OS_HINTS = {
    errno.ENOSPC: "free disk space, then run the same command again",
    errno.EDQUOT: "free disk space, then run the same command again",
    errno.EFBIG: "choose a place that takes larger files, then run the same command again",
    errno.EACCES: "check your rights to the file, or choose another place",
    errno.EPERM: "check your rights to the file, or choose another place",
    errno.EROFS: "choose a place that can be written",
}


class ReaderGone(Exception):  # noqa: N818
    """What reads stdout has closed it, as `head` does."""


@contextmanager
def told_apart() -> Iterator[None]:
    """Name the two ends that are nobody's fault before click makes an exit code of them."""
    try:
        yield
    except KeyboardInterrupt as error:
        raise click.Abort from error
    except BrokenPipeError as error:
        raise ReaderGone from error


def run_to_exit_code(run: Callable[[], object]) -> ExitCode:
    """Run a command; say on stderr what stopped it, and return the exit code."""
    try:
        code = run()
        with told_apart():
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
    if isinstance(error, SystemExit):  # how click ends completion
        return ExitCode(error.code) if isinstance(error.code, int) else ExitCode.DONE
    if isinstance(error, ReaderGone):
        _drop_unwritten()
        return ExitCode.READER_GONE
    if is_interruption(error):
        say("interrupted")
        say("hint: nothing was changed; the same command starts again, and prepare takes up where it stopped")
        return code_of_interruption()
    if isinstance(error, MemoryError):
        say_failure("there is not enough memory", "close other programs, or use --processes 1")
        return ExitCode.FAILED
    if isinstance(error, OSError):
        return _explained_os_error(error)
    if is_of_engine(error):
        hint = DAMAGE_HINT if "corrupt database file" in str(error).lower() else ENGINE_HINT
        say_failure(str(error).split("\nLINE ", 1)[0], hint)
        return ExitCode.FAILED
    say_failure(f"unexpected {type(error).__name__}: {error}", REPORT)
    return ExitCode.FAILED


def _explained_usage(error: click.ClickException) -> ExitCode:
    context = error.ctx if isinstance(error, click.UsageError) else None
    if isinstance(error, click.NoSuchOption) and (field := _filter_meant(error, context)):
        say_failure(f"{error.option_name} is a field, not an option", f"write --filter {field}=VALUE")
        return ExitCode.USAGE
    say_failure(error.format_message(), f"{context.command_path if context else 'ragduck'} --help")
    return ExitCode.USAGE


def _filter_meant(error: click.NoSuchOption, context: click.Context | None) -> str | None:
    """Return the field of the filters that was written as an option, where the command takes filters."""
    if context is None or not any("--filter" in option.opts for option in context.command.params):
        return None
    from ragduck.search.fields import KNOWN_FIELDS

    field = error.option_name.lstrip("-").replace("-", "_")
    return field if field in KNOWN_FIELDS else None


def _explained_os_error(error: OSError) -> ExitCode:
    place = f": {os.fsdecode(error.filename)}" if isinstance(error.filename, str | bytes) else ""
    hint = OS_HINTS.get(error.errno or 0, REPORT)
    say_failure(f"{error.strerror or error}{place}", hint)
    return ExitCode.FAILED


def is_interruption(error: BaseException) -> bool:
    """Whether it was Ctrl-C; DuckDB says so with an error of its own."""
    return isinstance(error, KeyboardInterrupt | click.Abort) or (
        isinstance(error, RuntimeError) and str(error) == "Query interrupted"
    )


def is_of_engine(error: BaseException) -> bool:
    """Whether DuckDB raised it; told by name, since only the store imports DuckDB."""
    return any(kind.__name__ == "Error" and "duckdb" in kind.__module__ for kind in type(error).__mro__)


def _drop_unwritten() -> None:
    """Give what is still buffered somewhere to go, so that the interpreter does not fail at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
