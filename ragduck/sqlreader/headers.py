"""Read what the heads of modules name: a trigger's table, types of parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragduck.facts import ObjectName
from ragduck.sqlreader.definitions import Definition, Name, word
from ragduck.sqlreader.names import EXTERNAL, Reference, read_object_name
from ragduck.sqlreader.system import is_built_in_type
from ragduck.sqlreader.tokens import NAME, VARIABLE, WORD, Token

__all__ = ["EXTERNAL", "object_name", "read_external", "read_header"]

_EVENTS_OF_SERVERS = frozenset({"DATABASE", "ALL"})  # ON DATABASE, ON ALL SERVER


def object_name(name: Name) -> ObjectName:
    """Return a definition's name as references have it."""
    return ObjectName(name.name, name.schema or "", name.database or "")


def read_header(tokens: Sequence[Token], at: int, end: int, *, definition: Definition) -> Iterator[Reference]:
    """Yield what stands before the body of a module."""
    table, line = definition.table, tokens[at].line
    if definition.kind == "TRIGGER" and table and table.name.upper() not in _EVENTS_OF_SERVERS:
        yield Reference(object_name(table), "On", line, "", "trigger")
    for position in range(at, end):
        token = tokens[position]
        if token.kind == VARIABLE or word(tokens, position) == "RETURNS":
            yield from _type(tokens, position + 1, end)
        elif word(tokens, position) == "EXTERNAL":
            is_class = word(tokens, at + 1) == "AGGREGATE"
            yield from read_external(tokens, position, end, is_type=is_class)
        elif word(tokens, position) == "EXECUTE" and word(tokens, position + 1) in ("FUNCTION", "PROCEDURE"):
            called = read_object_name(tokens, position + 2)
            if called.name:
                yield Reference(called.name, "Calls", token.line, "FUNC", "trigger")


def read_external(
    tokens: Sequence[Token], at: int, end: int, *, is_type: bool = False
) -> Iterator[Reference]:
    """Yield the method, or the type, of an assembly that `EXTERNAL NAME` at a position tells."""
    written = read_object_name(tokens, at + 2)
    if word(tokens, at + 1) == "NAME" and written.name and at + 2 < written.end <= end:
        relation, parts = ("Uses", 2) if is_type else ("Calls", 3)
        if written.parts == parts:
            yield Reference(written.name, relation, tokens[at].line, EXTERNAL, "external name")


def _type(tokens: Sequence[Token], at: int, end: int) -> Iterator[Reference]:
    position = at + 1 if word(tokens, at) == "AS" else at
    if position >= end or tokens[position].kind not in (WORD, NAME):
        return
    written = read_object_name(tokens, position)
    if written.name and not is_built_in_type(written.name):
        yield Reference(written.name, "Uses", tokens[position].line, "TYPE", "type")
