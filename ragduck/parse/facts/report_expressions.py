"""Put together the texts that expressions of reports give: literals of Visual Basic between `&` or `+`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragduck.sqlreader.dynamic import Piece
from ragduck.sqlreader.names import HOLE

_MAX_EXPRESSION = 100_000  # characters
_TOKEN = re.compile(r'"(?P<text>(?:[^"]++|"")*+)"|(?P<other>\w++|\S)')
_SPACES = frozenset(("vbcrlf", "vbnewline", "vblf", "vbcr", "vbtab"))
_SIGNS = frozenset("&+")
_COMPARING = frozenset("=<>")


def pieces_of(expression: str) -> tuple[Piece, ...]:
    """Return the pieces of an expression behind its `=`, with lines from 1; none if it is not only put together."""
    if len(expression) > _MAX_EXPRESSION:
        return ()
    pieces, line, counted = list[Piece](), 1, 0
    for operand in _operands(expression):
        for token in operand[:1]:
            line, counted = line + expression.count("\n", counted, token.start()), token.start()
        pieces.append(Piece(_text_of(operand), line))
    return tuple(pieces)


def _operands(expression: str) -> Iterator[list[re.Match[str]]]:
    """Yield what stands between the signs of an expression; nothing more behind one that compares."""
    operands, depth = [list[re.Match[str]]()], 0
    for token in _TOKEN.finditer(expression):
        other = token["other"] or ""
        if depth == 0 and other in _COMPARING:
            return
        if depth == 0 and other in _SIGNS:
            operands.append([])
        elif other != "_":  # goes on in the next line
            operands[-1].append(token)
        depth += (other == "(") - (other == ")")
    yield from operands


def _text_of(operand: list[re.Match[str]]) -> str:
    if len(operand) == 1 and operand[0]["text"] is not None:
        return operand[0]["text"].replace('""', '"')
    if len(operand) == 1 and operand[0]["other"].lower() in _SPACES:
        return " "
    return HOLE
