"""Read security policies: which function decides about the rows of which table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ragduck.facts import ObjectName
from ragduck.sqlreader.definitions import word
from ragduck.sqlreader.names import read_called_name, read_object_name
from ragduck.sqlreader.steps import after_parentheses
from ragduck.sqlreader.tokens import Token


class Predicate(NamedTuple):
    """A function that is asked for each row of a table."""

    function: ObjectName
    table: ObjectName
    line: int


def is_policy(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether `CREATE SECURITY POLICY`, or ALTER, begins at a position."""
    verbs = ("CREATE", "ALTER")
    return word(tokens, at) in verbs and [word(tokens, at + 1), word(tokens, at + 2)] == [
        "SECURITY",
        "POLICY",
    ]


def read_policy(tokens: Sequence[Token], at: int, end: int) -> Iterator[Predicate]:
    """Yield the predicates that the statement ``tokens[at:end]`` adds or changes."""
    position = at
    while position < end:
        position += 1
        if word(tokens, position - 1) != "PREDICATE":
            continue
        opening = read_object_name(tokens, position).end
        called = read_called_name(tokens, opening) if opening < end and tokens[opening].text == "(" else None
        if called is None or called.name is None:
            continue
        closing = after_parentheses(tokens, opening)
        table = read_object_name(tokens, closing + 1).name if word(tokens, closing) == "ON" else None
        if table:
            yield Predicate(called.name, table, tokens[position].line)
        position = closing
