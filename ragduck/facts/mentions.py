"""Tell what the statements of a file name, so that rules which look for a handful of names can pass files over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ragduck.facts.code import MADE, AccessFact, CallFact, StringFact, UseFact
from ragduck.facts.expressions import Call, Choice, Expression, Joined, Member, Name, Text, Typed

PROPERTY = "|PROPERTY"  # how the keys of properties end
_DECLARING = frozenset(("holds", "parameter", "returns"))
_WORD = re.compile(r"\w+")
_ENDING = re.compile(r"\.(\w{1,10})$")


class Mentions(NamedTuple):
    """What statements name, each name once and in order.

    ``called`` are the functions of calls, "" for something else than a name. ``read`` are the members along the
    chains that they are called on, that are read or set, and the function that gives what they begin with; ``typed``
    are the types of values in the place of chains. ``given`` are the last names of what calls are given. ``made`` are
    types of objects that are made, ``perhaps`` words of types where something is made by `new(…)` of which the type
    is open. ``acting`` are keys of properties that call something, or read a member of something. ``endings`` are
    those of texts, small: `sql`.
    """

    called: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    typed: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    perhaps: tuple[str, ...] = ()
    acting: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    has_strings: bool = False


def mentions_in(
    *,
    calls: Iterable[CallFact],
    accesses: Iterable[AccessFact],
    uses: Iterable[UseFact],
    strings: Iterable[StringFact],
) -> Mentions:
    """Return what the facts of statements name."""
    called: set[str] = set()
    read: set[str] = set()
    typed: set[str] = set()
    given: set[str] = set()
    acting: set[str] = set()
    for call in calls:
        function = call.call.function
        called.add(_name(function))
        if isinstance(function, Member):
            _take(function.receiver, read, typed)
        given.update(_name(one.value) for one in call.call.arguments)
        if call.source.endswith(PROPERTY):
            acting.add(call.source)
    for access in accesses:
        _take(access.expression, read, typed)
        if access.source.endswith(PROPERTY) and _is_of_another(access.expression):
            acting.add(access.source)
    made = {use.type for use in uses if use.how in ("new", MADE)}
    declared = {use.type for use in uses if use.how in _DECLARING} if "" in made else set()
    words = {word for one in declared for word in _WORD.findall(one)}
    values = [string.value for string in strings]
    return Mentions(
        called=_in_order(called),
        read=_in_order(read - {""}),
        typed=_in_order(typed),
        given=_in_order(given - {""}),
        made=_in_order(map(_last_name, made)),
        perhaps=_in_order(words),
        acting=_in_order(acting),
        endings=_in_order(_endings(values)),
        has_strings=bool(values),
    )


def _take(expression: Expression, read: set[str], typed: set[str]) -> None:
    """Add the names of a chain of members, of the function that gives a value, or its type; of all that it may be."""
    for one in expression.options if isinstance(expression, Choice) else (expression,):
        while isinstance(one, Member):
            read.add(one.name)
            one = one.receiver
        if isinstance(one, Name):
            read.add(one.name)
        elif isinstance(one, Call):
            read.add(_name(one.function))
        elif isinstance(one, Typed):
            typed.add(one.type)


def _name(expression: Expression) -> str:
    return expression.name if isinstance(expression, (Member, Name)) else ""


def _is_of_another(expression: Expression) -> bool:
    """Say whether a member is read of something else than the object itself."""
    if not isinstance(expression, Member):
        return False
    return not (isinstance(expression.receiver, Name) and expression.receiver.name == "this")


def _last_name(written: str) -> str:
    return written.partition("<")[0].rstrip("?").rpartition(".")[2]


def _endings(values: Iterable[Expression]) -> Iterator[str]:
    """Yield the endings of texts, as files have them, of all that values may be."""
    for value in values:
        for one in value.options if isinstance(value, Choice) else (value,):
            end = one.parts[-1] if isinstance(one, Joined) and one.parts else one
            found = _ENDING.search(end.value) if isinstance(end, Text) else None
            if found is not None:
                yield found[1].lower()


def _in_order(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(names)))
