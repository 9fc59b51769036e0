"""What a run says of an error: where it is, and nothing secret."""

from __future__ import annotations

from pathlib import Path

from ragduck.errors import PipelineError, RagduckError
from ragduck.llm.secrets import hide_keys, known_keys
from ragduck.pipeline.definition import Step
from ragduck.pipeline.running.timing import RunCancelledError
from ragduck.pipeline.running.trace import as_utf8


def error_text(error: BaseException) -> str:
    """Return an error for the trace: the message, and the hint on a line of its own.

    An error that is nobody's refusal is a bug: its type and place help to find it.
    """
    if isinstance(error, RagduckError):
        hint = f"\nhint: {error.hint}" if error.hint else ""
        return _without_keys(f"{error.message}{hint}")
    if isinstance(error, (RunCancelledError, KeyboardInterrupt)):
        return "cancelled"
    return _without_keys(f"{type(error).__name__}: {error} ({_place_of(error)})")


def located(error: PipelineError, step: Step) -> PipelineError:
    """Return the error with file, line and column of the step before the message."""
    place = str(step.place)
    if error.message.startswith(place):
        return error
    return PipelineError(f"{place}: {error.message}", hint=error.hint)


def _place_of(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "unknown place"
    return f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"


def _without_keys(text: str) -> str:
    return as_utf8(hide_keys(text, known_keys()))
