"""Write the loops of Visual Basic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragduck.parse.vb.expressions import Code
from ragduck.parse.vb.names import find_word, spelled

if TYPE_CHECKING:
    from ragduck.parse.vb.statements import Statements

_TO, _STEP, _IN = (frozenset((word,)) for word in ("to", "step", "in"))


def for_(statements: Statements, code: Code) -> bool:
    """Write `For` and `For Each`."""
    high = len(code.tokens)
    if code.word(1) == "each":
        return _each(statements, code)
    to = find_word(code.tokens, code.partners, 1, high, _TO)
    if to < 0 or high < 4:
        return False
    name, at, type_ = code.tokens[1].text, 2, ""
    if code.word(2) == "as":
        type_, at = code.type_at(3, to)
    if code.word(at) != "=":
        return False
    step = find_word(code.tokens, code.partners, to, high, _STEP)
    prefix = f"{type_} " if type_ else "" if code.names.is_local(name.lower()) else "var "
    written = code.names.written(code.tokens[1])
    if prefix:
        code.names.declare(name, type_ or "int")
    statements.put(code.line(0), f"for ({prefix}{written} =", code.expression(at + 1, to), f"; {written} <=")
    statements.writer.put_all(code.expression(to + 1, step if step > 0 else high))
    statements.writer.put(statements.writer.line, f"; {written} +=")
    statements.writer.put_all(code.expression(step + 1, high) if step > 0 else [(code.line(high), "1")])
    statements.writer.put(statements.writer.line, ") {")
    return statements.open("for")


def _each(statements: Statements, code: Code) -> bool:
    high = len(code.tokens)
    inside = find_word(code.tokens, code.partners, 2, high, _IN)
    if inside < 3:
        return False
    name, type_ = code.tokens[2].text, ""
    if code.word(3) == "as":
        type_, _ = code.type_at(4, inside)
    code.names.declare(name, type_ or "var")
    before = f"foreach ({type_ or 'var'} {spelled(name)} in"
    statements.put(code.line(0), before, code.expression(inside + 1, high), ") {")
    return statements.open("for")


def next_(statements: Statements, code: Code) -> bool:
    """Write the end of one loop, or of several: `Next i, j`."""
    for _ in code.parts(1, len(code.tokens)) or [(0, 0)]:
        statements.close(statements.blocks.close("for"), code.line(0))
    return True


def while_(statements: Statements, code: Code) -> bool:
    """Write `While`."""
    statements.put(code.line(0), "while (", code.expression(1, len(code.tokens)), ") {")
    return statements.open("while")


def do(statements: Statements, code: Code) -> bool:
    """Write `Do`, with its condition if it stands here."""
    if code.word(1) in ("while", "until"):
        statements.put(code.line(0), "while (", code.expression(2, len(code.tokens)), ") {")
        return statements.open("do")
    statements.writer.put(code.line(0), "do {")
    return statements.open("do", closing="} while (true);")


def loop(statements: Statements, code: Code) -> bool:
    """Write `Loop`, with its condition if it stands here."""
    closed = statements.blocks.close("do")
    if closed and code.word(1) in ("while", "until"):
        statements.close(closed[:-1], code.line(0))
        statements.put(code.line(0), "} while (", code.expression(2, len(code.tokens)), ");")
    else:
        statements.close(closed, code.line(0))
    return True
