"""Write what is declared in a list: fields, locals, constants, what is used up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ragduck.parse.vb.expressions import Code, Piece
from ragduck.parse.vb.names import begins_query, find_word, spelled
from ragduck.parse.vb.tokens import ESCAPED, WORD

_EQUALS = frozenset(("=",))


class Variable(NamedTuple):
    """A name, its type if it has one, and its value."""

    name: str
    type: str
    value: list[Piece]
    line: int


def read_variables(code: Code, low: int, high: int) -> Iterator[Variable]:
    """Yield the variables of `a, b As T, c As New U(…), d = x`."""
    waiting: list[tuple[str, str, int]] = []
    for first, last in _parts(code, low, high):
        if first >= last or code.tokens[first].kind not in (WORD, ESCAPED):
            continue
        name, rank, at = code.tokens[first].text, "", first + 1
        if code.word(at) == "?":
            rank, at = "?", at + 1
        if code.word(at) == "(" and at < last:
            rank, at = rank + "[]", code.end_of(at, last) + 1
        waiting.append((name, rank, code.line(first)))
        if at >= last:
            continue
        type_, value = _typed(code, at, last)
        for one, rank, line in waiting[:-1]:
            yield Variable(one, (type_ or "object") + rank, [], line)
        name, rank, line = waiting[-1]
        yield Variable(name, type_ + rank if type_ else rank and f"object{rank}", value, line)
        waiting = []
    for name, rank, line in waiting:
        yield Variable(name, "object" + rank, [], line)


def _parts(code: Code, low: int, high: int) -> list[tuple[int, int]]:
    """Return the stretches between commas; those of a query are its own."""
    parts = code.parts(low, high)
    for position, (first, last) in enumerate(parts):
        sign = find_word(code.tokens, code.partners, first, last, _EQUALS)
        if sign > 0 and begins_query(code.tokens, sign + 1):
            return [*parts[:position], (first, high)]
    return parts


def _typed(code: Code, at: int, last: int) -> tuple[str, list[Piece]]:
    """Return the type and the value that follow a name."""
    type_ = ""
    if code.word(at) == "as":
        if code.word(at + 1) == "new":
            type_, _ = code.type_at(at + 2, last, is_made=True)
            return type_, code.expression(at + 1, last)
        type_, at = code.type_at(at + 1, last)
    if at < last and code.word(at) == "=":
        if code.word(at + 1) == "{" and type_:
            end = code.end_of(at + 1, last)
            inside = code.elements(at + 2, end)
            return type_, [
                (code.line(at + 1), f"new {type_.removesuffix('[]')}[] {{"),
                *inside,
                (code.line(end), "}"),
            ]
        return type_, code.expression(at + 1, last)
    return type_, []


def declared(variable: Variable, *, prefix: str = "", default: str = "var") -> list[Piece]:
    """Return the declaration of a variable, without its semicolon."""
    type_ = variable.type or (default if variable.value else "object")
    out: list[Piece] = [(variable.line, f"{prefix}{type_} {spelled(variable.name)}")]
    if variable.value:
        out.append((variable.line, "="))
        out.extend(variable.value)
    return out
