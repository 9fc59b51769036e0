"""What is wrong with a pipeline, where, and what was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ragduck.errors import PipelineError
from ragduck.pipeline.definition import Place

Severity = Literal["error", "warning"]

MAX_SHOWN = 60  # characters of a value that a message quotes
MAX_COMPARED = 100  # characters of a name for which similar ones are looked for
MAX_KNOWN = 300  # names among which they are looked for


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong (`error`) or doubtful (`warning`) at a place."""

    severity: Severity
    place: Place
    message: str
    hint: str | None = None

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}: {self.message}"


class InvalidPipelineError(PipelineError):
    """Refuse a pipeline for everything that is wrong with it; the message tells the first finding."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        first = self.findings[0]
        more = f" (and {len(self.findings) - 1} more)" if len(self.findings) > 1 else ""
        hint = first.hint or f"check the file: ragduck pipeline validate {first.place.file}"
        super().__init__(f"{first.place}: {first.message}{more}", hint=hint)


def error_at(place: Place, message: str, *, hint: str | None = None) -> Finding:
    """Return a finding that keeps a pipeline from running."""
    return Finding("error", place, message, hint)


def warning_at(place: Place, message: str, *, hint: str | None = None) -> Finding:
    """Return a finding that does not."""
    return Finding("warning", place, message, hint)


def refusal(place: Place, message: str, *, hint: str | None = None) -> InvalidPipelineError:
    """Return the error for the one thing that is wrong."""
    return InvalidPipelineError([error_at(place, message, hint=hint)])


def similar(name: str, known: Collection[str]) -> str | None:
    """Return a hint at the known name that was probably meant; None when none is close."""
    if len(name) > MAX_COMPARED or len(known) > MAX_KNOWN:
        return None
    close = difflib.get_close_matches(name, sorted(known), n=1)
    return f"did you mean {close[0]!r}?" if close else None


def shown(value: Any) -> str:
    """Return a value as a message quotes it: on one line, and not too long."""
    text = repr(value)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def kind_of(content: object) -> str:
    """Name plain data as a message does."""
    if content is None:
        return "nothing"
    if isinstance(content, bool):
        return str(content).lower()
    if isinstance(content, int | float):
        return f"the number {shown(content)}"
    if isinstance(content, str):
        return f"the text {shown(content)}"
    return "a mapping" if isinstance(content, dict) else "a list"
