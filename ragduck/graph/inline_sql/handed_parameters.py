"""Tell what a file alone says of the parameters that its methods run as SQL, or hand on to what may do so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ragduck.facts import (
    Call,
    CallFact,
    Expression,
    FileFacts,
    Joined,
    Lambda,
    LambdaParameter,
    Member,
    Mentions,
    Name,
    New,
    StatementFacts,
    Text,
    Typed,
)
from ragduck.graph.file_rows import Reading, ReadOff
from ragduck.graph.types.catalog import Catalog
from ragduck.sqlreader.destinations import (
    NAMING,
    STORED_PROCEDURE,
    Destination,
    destination_of,
    names_stored_procedure,
)
from ragduck.sqlreader.sites import CALLING, RUNNING, Flags, Taken, flags_of

HANDED_ON = RUNNING | NAMING
_TEXTS = frozenset({"string", "string?", "String"})

Parameters = Mapping[str, frozenset[str]]  # their names, by the keys of methods


class HandingOn(NamedTuple):
    """The calls of a file that are given parameters, by their places, and the members that call procedures."""

    places: Sequence[tuple[int, frozenset[str]]]
    flags: Flags


def reading_at_once(catalog: Catalog) -> Reading:
    """Return what tells the parameters that commands are made of, and those that lambdas get as procedures."""

    def read(file: FileFacts) -> ReadOff:
        named = catalog.mentions_of(file)
        if not (named.has_strings or STORED_PROCEDURE in named.given) or not has_parameters(file):
            return ReadOff(())
        return ReadOff([(*taken, destination.name) for *taken, destination in _at_once(file, named)])

    return read


def _at_once(file: FileFacts, named: Mentions) -> Iterator[tuple[str, str, Destination]]:
    own = parameters_of(file)
    statements = file.statements.unpacked()
    flags = flags_of(statements, named)
    for string in statements.strings:
        if string.call is None or isinstance(string.call.function, New):
            taken = Taken(string.value, destination_of(string.call, assigned_to=string.assigned_to))
            name, destination = handed_on(taken, source=string.source, flags=flags)
            if name in own.get(string.source, ()) and destination in HANDED_ON:
                yield string.source, name, destination
    calls = statements.calls if STORED_PROCEDURE in named.given else ()
    for key, name in _through_lambdas(calls, own):
        yield key, name, Destination.EXECUTES


def has_parameters(file: FileFacts) -> bool:
    """Say whether any method of a file has some."""
    return any(one.parameters for one in file.members)


def parameters_of(file: FileFacts) -> Parameters:
    """Return the names of the parameters of each method of a file that has some."""
    parameters: defaultdict[str, set[str]] = defaultdict(set)
    for member in file.members:
        if member.parameters:
            parameters[member.key].update(one.name for one in member.parameters)
    return {key: frozenset(names) for key, names in parameters.items()}


def handing_on(statements: StatementFacts, own: Parameters, *, named: Mentions) -> HandingOn:
    """Tell by their places which calls are given a parameter of the method they stand in: statements stay packed."""
    places = [
        (place, own[fact.source])
        for place, fact in enumerate(statements.calls)
        if fact.call.arguments and fact.source in own and not own[fact.source].isdisjoint(_typed(fact.call))
    ]
    return HandingOn(places, flags_of(statements, named))


def _through_lambdas(calls: Sequence[CallFact], own: Parameters) -> Iterator[tuple[str, str]]:
    """Yield the parameters that a lambda gets as names of procedures, with the keys of their methods.

    `Guard(n => Read(CommandType.StoredProcedure, n), name)` is given one text beside the lambda, so that is it.
    """
    guards = {(fact.source, guard) for fact in calls if (guard := _guard_of(fact.call)) is not None}
    for fact in calls if guards else ():
        if (fact.source, name_of(fact.call)) not in guards or fact.source not in own:
            continue
        values = [argument.value for argument in fact.call.arguments]
        texts = [one for one in values if isinstance(one, Typed) and one.type in _TEXTS]
        is_given_one = len(texts) == 1 and texts[0].name in own[fact.source]
        if is_given_one and any(isinstance(one, Lambda) for one in values):
            yield fact.source, texts[0].name


def _guard_of(call: Call) -> str | None:
    """Return what calls the lambda whose parameter a call takes for the name of a procedure."""
    values = [argument.value for argument in call.arguments]
    for position, value in enumerate(values):
        if isinstance(value, (Member, Name)) and names_stored_procedure(value):
            one = next(iter(values[position + 1 : position + 2] or values[: position == 1]), None)
            return name_of(one.call) if isinstance(one, LambdaParameter) else None
    return None


def handed_on(taken: Taken, *, source: str, flags: Flags) -> tuple[str, Destination]:
    """Return the parameter that is run, or "", and as what.

    One that a name of a procedure ends with, behind an owner or a prefix, is such a name where a procedure is known.
    """
    value, destination = taken.value, flags.settled(taken.destination, source=source)
    if isinstance(value, Typed):
        return value.name, destination
    last = _last_part(value)
    if last is None or destination not in CALLING:
        return "", destination
    return last.name, Destination.EXECUTES if destination is Destination.CALLS_PROCEDURE else destination


def _last_part(value: Expression) -> Typed | None:
    """Return the parameter or local that a text ends with, unless words stand before it."""
    if not isinstance(value, Joined) or not value.parts or not isinstance(value.parts[-1], Typed):
        return None
    has_words = any(isinstance(part, Text) and " " in part.value for part in value.parts)
    return None if has_words else value.parts[-1]


def _typed(call: Call) -> list[str]:
    """Return the names of parameters and locals that a call is given, as they are or at the end of a text."""
    values = (_last_part(one.value) or one.value for one in call.arguments)
    return [one.name for one in values if isinstance(one, Typed)]


def name_of(call: Call) -> str:
    """Return the last name of what a call calls, the type that it makes included."""
    function = call.function
    if isinstance(function, New):
        return function.type.partition("<")[0].rpartition(".")[2]
    return function.name if isinstance(function, (Name, Member)) else ""
