"""Tell which strings may be SQL: they hold a verb of it, or are given to a call that runs queries."""

from __future__ import annotations

import re

from ragduck.facts import Choice, Expression, Joined, Member, Name, New, Text

STRINGS = (Text, Joined, Choice)

_VERBS = r"(?i)\b(?:select|insert|update|delete|merge|truncate|exec|execute|call|create|alter|drop)"
_VERB = re.compile(rf"{_VERBS}\s")
_VERB_BYTES = re.compile(rf"{_VERBS}[\s\\]".encode())  # an escape may be a space
_QUERY_CALL = re.compile(r"(?i)query|queries|execut|sql|prepare|raw|callproc|procedure|statement")
MAX_PIECES = 64  # of one string that are looked at


def holds_verb(source: bytes) -> bool:
    """Say whether there is a verb anywhere in a source."""
    return _VERB_BYTES.search(source) is not None


def may_be_sql(value: Expression) -> bool:
    """Say whether a piece of a string holds a verb."""
    return any(_VERB.search(piece) for piece in _pieces(value))


def is_string(value: Expression) -> bool:
    """Say whether an expression is a string at least in part."""
    return any(True for _ in _pieces(value))


def runs_queries(function: Expression) -> bool:
    """Say whether the name of a called function is one of those that take SQL."""
    name = function.type if isinstance(function, New) else ""
    if isinstance(function, Name | Member):
        name = function.name
    return bool(name) and _QUERY_CALL.search(name) is not None


def _pieces(value: Expression) -> list[str]:
    found: list[str] = []
    pending: list[Expression] = [value]
    while pending and len(found) < MAX_PIECES:
        item = pending.pop()
        if isinstance(item, Text):
            found.append(item.value)
        elif isinstance(item, Joined):
            pending.extend(item.parts[:MAX_PIECES])
        elif isinstance(item, Choice):
            pending.extend(item.options)
    return found
