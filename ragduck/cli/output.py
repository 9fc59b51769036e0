"""Write data to stdout and talk to stderr, whatever the terminal can show and whatever the text contains."""

from __future__ import annotations

import codecs
import io
import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragduck.shell import IS_WINDOWS
from ragduck.visible_text import visible as visible  # commands print with both
from ragduck.visible_text import visible_line as visible_line

if TYPE_CHECKING:
    from ragduck.progress import Progress

C1_CONTROLS = re.compile("[\x7f-\x9f]")
MAX_MESSAGE = 1_000  # characters of an error; a whole statement or question may be quoted in it


# What this program draws, where a terminal cannot show it.
STAND_INS = {
    "├": "|", "│": "|", "└": "`", "─": "-", "→": "->", "←": "<-", "↺": "@", "⋮": ":", "…": "...", "—": "-", "×": "x",
}  # fmt: skip
TOLERANT = "ragduck"  # the name of an error handler


def make_streams_tolerant() -> None:
    """Let a terminal that lacks a character show a likeness or its code; what is closed takes everything.

    What Windows hands to other programs is UTF-8, as most of them expect, unless Python was told otherwise.
    """
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    codecs.register_error(TOLERANT, _stand_in)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=TOLERANT)
            if IS_WINDOWS and not stream.isatty() and "PYTHONIOENCODING" not in os.environ:
                stream.reconfigure(encoding="utf-8", errors=TOLERANT)


def _stand_in(error: UnicodeError) -> tuple[str | bytes, int]:
    if isinstance(error, UnicodeEncodeError):
        likeness = STAND_INS.get(error.object[error.start])
        if likeness is not None:
            return likeness, error.start + 1
        error = UnicodeEncodeError(error.encoding, error.object, error.start, error.start + 1, error.reason)
    return codecs.backslashreplace_errors(error)


def write(text: str) -> None:
    """Write data as it is, but nothing that a terminal would obey."""
    sys.stdout.write(visible(text) if sys.stdout.isatty() else text)


def write_styled(text: str = "") -> None:
    """Write a line that may hold the styles of this program; other text in it must be `visible`."""
    click.echo(text, file=sys.stdout, color=is_styled())


def write_json(value: Any) -> None:
    """Write a value as JSON with readable letters, or escaped ones where stdout cannot show them."""
    is_unicode = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    text = json.dumps(value, ensure_ascii=not is_unicode, indent=2, default=str)
    sys.stdout.write(C1_CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n")


def say(text: str) -> None:
    """Tell the person at the terminal something that is no data, after the data written so far."""
    sys.stdout.flush()
    click.echo(visible(text), file=sys.stderr)


def say_failure(message: str, hint: str) -> None:
    """Say what went wrong and what to do: two lines, whatever the message quotes."""
    click.echo(f"error: {_one_line(message)}", file=sys.stderr)
    click.echo(f"hint: {_one_line(hint)}", file=sys.stderr)


def is_styled() -> bool:
    """Whether stdout shows bold and colour; see https://no-color.org."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _one_line(text: str) -> str:
    line = visible(" ".join(text.split()))
    return line if len(line) <= MAX_MESSAGE else f"{line[:MAX_MESSAGE]}…"


def progress_on_terminal(*, quiet: bool) -> Progress:
    """Return bars on stderr, or nothing where nobody looks or wants them."""
    if quiet or not sys.stderr.isatty():
        from ragduck.progress import NO_PROGRESS

        return NO_PROGRESS
    from ragduck.cli.progress import BarProgress

    return BarProgress()
