"""Compare a path with a glob in SQL as Python's fnmatchcase does; `*` crosses folders."""

from __future__ import annotations

import re
from collections.abc import Iterator

BYTEWISE = frozenset("?[\\")  # the engine's own GLOB takes these byte by byte, or as an escape
NO_CHARACTER = r"[^\x{0}-\x{10FFFF}]"


def glob_test(glob: str, *, column: str, parameter: str) -> tuple[str, str]:
    """Return a condition on ``column`` and the value that ``parameter`` binds in it."""
    if BYTEWISE.isdisjoint(glob):
        return f'"{column}" glob {parameter}', glob
    return f'regexp_full_match("{column}", {parameter})', "(?s)" + "".join(_pieces(glob))


def _pieces(glob: str) -> Iterator[str]:
    position = 0
    while position < len(glob):
        character = glob[position]
        position += 1
        if character == "*":
            yield ".*"
        elif character == "?":
            yield "."
        elif character == "[" and (end := _end_of_class(glob, position)) != -1:
            yield _class(glob[position:end])
            position = end + 1
        else:
            yield re.escape(character)


def _end_of_class(glob: str, start: int) -> int:
    """Return where the closing bracket is, -1 when there is none; the first character is never it."""
    first = start + 1 if glob.startswith("!", start) else start
    return glob.find("]", first + 1)


def _class(body: str) -> str:
    """Return a class of characters; ranges that run backwards hold none."""
    is_negated = body.startswith("!")
    members = "".join(_members(body.removeprefix("!")))
    if not members:
        return "." if is_negated else NO_CHARACTER
    return f"[{'^' if is_negated else ''}{members}]"


def _members(body: str) -> Iterator[str]:
    position = 0
    while position < len(body):
        low = high = body[position]
        if body.startswith("-", position + 1) and position + 2 < len(body):
            high = body[position + 2]
            position += 2
        if low <= high:
            yield rf"\x{{{ord(low):X}}}-\x{{{ord(high):X}}}"
        position += 1
