"""Put together the texts that expressions of Integration Services give: literals and variables between `+`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ragduck.sqlreader.names import HOLE

MAX_TEXT = 40_000

_MAX_EXPRESSION = 8_000  # characters; twice what the designer allows
_TOKEN = re.compile(
    r'"(?P<text>(?:[^"\\]++|\\.)*+)"'
    r"|@\[(?P<name>[^\]]{1,300})\]|@(?P<plain>[^\W\d]\w*+)"
    r"|(?P<cast>\(\s*+DT_\w++\s*+(?:,\s*+\d++\s*+)*+\))"
    r"|(?P<other>\w++|\S)",
    re.DOTALL | re.IGNORECASE,
)
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}
_COMPARING = frozenset("?:=<>|&!")  # binds less than `+`: what it makes is no text that is put together


def put_together(expression: str, value_of: Callable[[str], str]) -> str:
    """Return the text of an expression, with ``HOLE`` for each piece that only a run tells; "" if it tells none."""
    if len(expression) > _MAX_EXPRESSION:
        return ""
    pieces, size = list[str](), 0
    for operand in _operands(expression):
        is_alone = len(operand) == 1 and operand[0]["other"] is None
        piece = _text_of(operand[0], value_of) if is_alone else HOLE
        size += len(piece)
        if size > MAX_TEXT:
            return ""
        pieces.append(piece)
    return "".join(pieces)


def _operands(expression: str) -> Iterator[list[re.Match[str]]]:
    """Yield what stands between the signs of an expression that only adds, without casts."""
    operands, depth = [list[re.Match[str]]()], 0
    for token in _TOKEN.finditer(expression):
        other = token["other"] or ""
        if depth == 0 and other in _COMPARING and other:
            return
        if depth == 0 and other == "+":
            operands.append([])
        elif token["cast"] is None:
            operands[-1].append(token)
        depth += (other == "(") - (other == ")")
    yield from operands


def _text_of(token: re.Match[str], value_of: Callable[[str], str]) -> str:
    if token["text"] is not None:
        return _ESCAPE.sub(_unescaped, token["text"])
    return value_of(token["name"] or token["plain"])


def _unescaped(match: re.Match[str]) -> str:
    code, letter = match.groups()
    if not code:
        return _ESCAPED.get(letter, letter)
    character = chr(int(code, 16))
    return "\ufffd" if "\ud800" <= character <= "\udfff" else character
