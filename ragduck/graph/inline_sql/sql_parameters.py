"""Find the parameters that methods of the snapshot run as SQL, so that what is given to them is looked at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ragduck.facts import (
    Call,
    CallFact,
    Expression,
    FileFacts,
    Joined,
    Member,
    MemberFact,
    Name,
    New,
    Text,
    Typed,
)
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.expressions import type_of
from ragduck.graph.types.findings import Found
from ragduck.graph.types.methods import accepts, extensions_of, find_member
from ragduck.graph.types.roots import find_root
from ragduck.sqlreader.destinations import Destination, destination_of, sql_arguments
from ragduck.sqlreader.sites import RUNNING, Taken, flagged_sources

_MAX_ROUNDS = 4  # a method that hands its parameter to a method that hands it on


class SqlParameters:
    """The methods that run a parameter as SQL or as the name of a procedure: `Load(string procedure, …)`."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._known: defaultdict[str, dict[str, Destination]] = defaultdict(dict)  # by key: parameters
        self._names: set[str] = set()
        handing_on = tuple(self._handing_on())
        for _ in range(_MAX_ROUNDS):
            before = sum(map(len, self._known.values()))
            for file, places, flagged in handing_on:
                calls = file.calls
                for place, parameters in places:
                    source = calls[place].source
                    for taken in self.taken_by(calls[place], file=file):
                        name, destination = _handed_on(taken, is_flagged=source in flagged)
                        if name in parameters:
                            self._add(source, name, destination)
            if sum(map(len, self._known.values())) == before:
                break

    def taken_by(self, fact: CallFact, *, file: FileFacts) -> Iterator[Taken]:
        """Yield the arguments of a call that end up as SQL, and as what."""
        destination = destination_of(fact.call)
        if destination in RUNNING:
            for value in sql_arguments(fact.call):
                yield Taken(value, destination)
            return
        if _name_of(fact.call) not in self._names or destination is Destination.REFUSES:
            return
        found = self._called(fact, file)
        if found is None:
            return
        count, is_extension = len(fact.call.arguments), found.is_extension
        for member in found.members:
            if member.key in self._known and accepts(member, count, is_extension=is_extension):
                yield from self._given(member, fact.call, is_extension=is_extension)
                return

    def _given(self, member: MemberFact, call: Call, *, is_extension: bool) -> Iterator[Taken]:
        known = self._known[member.key]
        parameters = member.parameters[is_extension:]
        for position, argument in enumerate(call.arguments):
            name = argument.name or (parameters[position].name if position < len(parameters) else "")
            if name in known:
                yield Taken(argument.value, known[name])

    def _called(self, fact: CallFact, file: FileFacts) -> Found | None:
        function = fact.call.function
        owner = self._catalog.owner_of(fact.source)
        if isinstance(function, New):
            made = self._catalog.resolve(function.type, file=file, owner=owner)
            constructors = made.info.members.get(made.info.name, ()) if made.info is not None else ()
            return Found(tuple(constructors), made) if constructors else None
        if isinstance(function, Name):
            return find_root(self._catalog, function.name, file=file, owner=owner).found
        if not isinstance(function, Member):
            return None
        ref = type_of(function.receiver, catalog=self._catalog, file=file, source=fact.source)
        if ref is None:
            return None
        found = find_member(self._catalog, ref, function.name)
        return found or extensions_of(self._catalog, ref, function.name, file=file)

    def _handing_on(self) -> Iterator[_HandingOn]:
        """Yield which calls of a file are given a parameter of the method they stand in, and its parameters.

        By their places, as statements stay packed. Parameters that commands are made of are taken at once.
        """
        for file in self._catalog.files.values():
            parameters: defaultdict[str, set[str]] = defaultdict(set)
            for member in file.members:
                if member.parameters:
                    parameters[member.key].update(one.name for one in member.parameters)
            if not parameters:
                continue
            own = {key: frozenset(names) for key, names in parameters.items()}
            statements = file.statements.unpacked()
            places = [
                (place, own[fact.source])
                for place, fact in enumerate(statements.calls)
                if fact.call.arguments
                and fact.source in own
                and not own[fact.source].isdisjoint(_typed(fact.call))
            ]
            flagged = flagged_sources(statements)
            for string in statements.strings:
                if string.call is None or isinstance(string.call.function, New):
                    taken = Taken(string.value, destination_of(string.call, assigned_to=string.assigned_to))
                    name, destination = _handed_on(taken, is_flagged=string.source in flagged)
                    if name in own.get(string.source, ()) and destination in RUNNING:
                        self._add(string.source, name, destination)
            if places:
                yield _HandingOn(file, places, flagged)

    def _add(self, key: str, parameter: str, destination: Destination) -> None:
        """Note a parameter of a method, and of the interface's method that it implements."""
        owner = self._catalog.owner_of(key)
        name = key.rpartition("|")[0].rpartition(".")[2]
        self._names.add(name)
        self._known[key].setdefault(parameter, destination)
        if owner is None:
            return
        own = [one for one in owner.members.get(name, ()) if any(p.name == parameter for p in one.parameters)]
        for ref in self._catalog.ancestors(owner):
            for declared in ref.info.members.get(name, ()) if ref.info is not None else ():
                for one in own:
                    position = next(i for i, p in enumerate(one.parameters) if p.name == parameter)
                    if len(one.parameters) == len(declared.parameters):
                        self._known[declared.key].setdefault(declared.parameters[position].name, destination)


class _HandingOn(NamedTuple):
    """The calls of a file that are given parameters, by their places, and the members that call procedures."""

    file: FileFacts
    places: Sequence[tuple[int, frozenset[str]]]
    flagged: frozenset[str]


def _handed_on(taken: Taken, *, is_flagged: bool) -> tuple[str, Destination]:
    """Return the parameter that is run, or "", and as what.

    One that a name of a procedure ends with, behind an owner or a prefix, is such a name where a procedure is known.
    """
    value, destination = taken
    if is_flagged and destination in (Destination.RUNS, Destination.EXECUTES):
        destination = Destination.CALLS_PROCEDURE
    if isinstance(value, Typed):
        return value.name, destination
    last = _last_part(value)
    if last is None or destination not in (Destination.CALLS_PROCEDURE, Destination.EXECUTES):
        return "", destination
    return last.name, Destination.EXECUTES


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


def _name_of(call: Call) -> str:
    function = call.function
    if isinstance(function, New):
        return function.type.partition("<")[0].rpartition(".")[2]
    return function.name if isinstance(function, (Name, Member)) else ""
