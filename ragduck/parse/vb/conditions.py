"""Write the conditions of Visual Basic: `If` in its forms, and `Select Case`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragduck.parse.vb.expressions import Code
from ragduck.parse.vb.names import find_word
from ragduck.parse.vb.tokens import Token

if TYPE_CHECKING:
    from ragduck.parse.vb.statements import Statements

_THEN, _TO = frozenset(("then",)), frozenset(("to",))


def is_single_if(code: Code, low: int, high: int, parts: int) -> bool:
    """Say whether an `If` ends with its line."""
    then = find_word(code.tokens, code.partners, low, high, _THEN)
    return then >= 0 and (then + 1 < high or parts > 1)


def single_if(statements: Statements, tokens: list[Token]) -> None:
    """Write an `If` that ends with its line."""
    code = statements.code(tokens)
    then = find_word(code.tokens, code.partners, 0, len(tokens), _THEN)
    if code.word(0) == "elseif":
        statements.writer.put(code.line(0), "} else")
    statements.put(code.line(0), "if (", code.expression(1, then), ") {")
    if code.word(0) == "elseif":
        statements.write_line(tokens[then + 1 :])
        return
    otherwise = _else_of(code, then + 1)
    statements.write_line(tokens[then + 1 : otherwise])
    statements.writer.put(code.line(otherwise), "}")
    if otherwise < len(tokens):
        statements.writer.put(code.line(otherwise), "else {")
        statements.write_line(tokens[otherwise + 1 :])
        statements.writer.put(tokens[-1].line, "}")


def _else_of(code: Code, low: int) -> int:
    """Return where the `Else` stands that belongs to an `If`, the end where none does."""
    depth, at, high = 0, low, len(code.tokens)
    while at < high:
        at = find_word(code.tokens, code.partners, at, high, frozenset(("if", "else")))
        if at < 0:
            return high
        if code.word(at) == "else":
            if not depth:
                return at
            depth -= 1
        elif at == low or code.word(at - 1) in ("then", ":", "else"):
            depth += 1
        at += 1
    return high


def if_(statements: Statements, code: Code) -> bool:
    """Write the beginning of a block."""
    _condition(statements, code, "if (")
    return statements.open("if")


def elseif(statements: Statements, code: Code) -> bool:
    """Write a further condition."""
    _condition(statements, code, "} else if (")
    return True


def _condition(statements: Statements, code: Code, before: str) -> None:
    then = find_word(code.tokens, code.partners, 1, len(code.tokens), _THEN)
    statements.put(code.line(0), before, code.expression(1, then if then > 0 else len(code.tokens)), ") {")


def else_(statements: Statements, code: Code) -> bool:
    """Write `Else`, with what follows on the line; `Else If` is a word less than usual."""
    if code.word(1) == "if":
        _condition(statements, statements.code(list(code.tokens[1:])), "} else if (")
        return True
    statements.writer.put(code.line(0), "} else {")
    if len(code.tokens) > 1:
        statements.write_line(list(code.tokens[1:]))
    return True


def select(statements: Statements, code: Code) -> bool:
    """Write `Select Case x` as the first of several conditions."""
    at = 1 + (code.word(1) == "case")
    statements.put(code.line(0), "if (", code.expression(at, len(code.tokens)), ") {")
    return statements.open("select")


def case(statements: Statements, code: Code) -> bool:
    """Write a `Case` as a further condition."""
    if code.word(1) == "else":
        statements.writer.put(code.line(0), "} else {")
        return True
    statements.writer.put(code.line(0), "} else if (")
    for position, (low, high) in enumerate(code.parts(1, len(code.tokens))):
        while low < high and code.word(low) in ("is", "=", "<", ">", "<=", ">=", "<>"):
            low += 1
        to = find_word(code.tokens, code.partners, low, high, _TO)
        values = [(low, to), (to + 1, high)] if to > 0 else [(low, high)]
        for first, last in values:
            before = " || (" if position or first != low else "("
            statements.put(code.line(first), before, code.expression(first, last), ")")
    statements.writer.put(statements.writer.line, ") {")
    return True
