"""Find the parameters that methods of the snapshot run as SQL, so that what is given to them is looked at."""

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
    MemberFact,
    Mentions,
    Name,
    New,
    StatementFacts,
    Text,
    Typed,
)
from ragduck.graph.inline_sql.receivers import is_of_database
from ragduck.graph.types.catalog import Catalog, TypeRef
from ragduck.graph.types.expressions import type_of
from ragduck.graph.types.extensions import extensions_of
from ragduck.graph.types.findings import Found
from ragduck.graph.types.methods import accepts, find_member
from ragduck.graph.types.roots import find_root
from ragduck.sqlreader.destinations import (
    NAMING,
    STORED_PROCEDURE,
    Destination,
    destination_of,
    is_stored_procedure,
    may_run,
    names_stored_procedure,
    sql_arguments,
)
from ragduck.sqlreader.sites import CALLING, RUNNING, UNSETTLED, Flags, Taken, flags_of

_HANDED_ON = RUNNING | NAMING
_BY_NAME = (Destination.CALLS_PROCEDURE, Destination.EXECUTES)
_TEXTS = frozenset({"string", "string?", "String"})
_MAX_ROUNDS = 4  # a method that hands its parameter to a method that hands it on

_Parameters = Mapping[str, frozenset[str]]  # their names, by the keys of methods


class SqlParameters:
    """The methods that run a parameter as SQL or as the name of a procedure: `Load(string procedure, …)`."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._known: defaultdict[str, dict[str, Destination]] = defaultdict(dict)  # by key: parameters
        self._names: set[str] = set()
        self._has_grown = False
        self._kept: dict[str, _HandingOn] = {}
        own = [(file, _parameters_of(file)) for file in catalog.files.values()]
        having = [(file, parameters) for file, parameters in own if parameters]
        for file, parameters in having:
            self._take_at_once(file, parameters)
        for turn in range(_MAX_ROUNDS):
            self._has_grown = False
            for file, parameters in having:
                if self._may_name(file) if turn else self.may_take(file):
                    self._hand_on(file, parameters, turn=turn)
            if not self._has_grown:
                break
        self._kept.clear()

    def may_take(self, file: FileFacts) -> bool:
        """Say whether a call of a file may be given SQL, told by names alone."""
        named = self._catalog.mentions_of(file)
        return STORED_PROCEDURE in named.given or any(map(may_run, named.called)) or self._may_name(file)

    def calls_taking(self, file: FileFacts) -> Sequence[CallFact]:
        """Return the calls of a file that may be given SQL, told by names alone."""
        calls = file.calls
        if STORED_PROCEDURE in self._catalog.mentions_of(file).given:
            return calls
        return [
            fact
            for fact in calls
            if may_run(name := _name_of(fact.call))
            or name in self._names
            or isinstance(fact.call.function, New)
        ]

    def _may_name(self, file: FileFacts) -> bool:
        return not self._names.isdisjoint(self._catalog.mentions_of(file).called)

    def _hand_on(self, file: FileFacts, own: _Parameters, *, turn: int) -> None:
        """Note which parameters of methods are given to calls that run them."""
        if file.path not in self._kept:
            named = self._catalog.mentions_of(file)
            self._kept[file.path] = _handing_on(file.statements.unpacked(), own, named=named)
        places, flags = self._kept[file.path]
        calls = file.calls if places else ()
        for place, parameters in places:
            if turn and _name_of(calls[place].call) not in self._names:
                continue  # nothing was found out about it
            source = calls[place].source
            for taken in self.taken_by(calls[place], file=file):
                name, destination = _handed_on(taken, source=source, flags=flags)
                if name in parameters and destination in _HANDED_ON:
                    self._add(source, name, destination)

    def taken_by(self, fact: CallFact, *, file: FileFacts) -> Iterator[Taken]:
        """Yield the arguments of a call that end up as SQL, and as what."""
        destination = destination_of(fact.call)
        if destination in _HANDED_ON:
            if destination is Destination.RUNS:
                by_name = self._procedures_in(fact, file)
                if by_name:
                    yield from by_name
                    return
            destination = self._settled(destination, fact, file)
            for value in sql_arguments(fact.call):
                yield Taken(value, destination)
            return
        if _name_of(fact.call) not in self._names or destination is Destination.REFUSES:
            return
        found = self.called(fact, file)
        if found is not None:
            yield from self._taken_in(found, fact.call)

    def _procedures_in(self, fact: CallFact, file: FileFacts) -> Sequence[Taken]:
        """Return the names that a method which is called after running SQL is seen to call procedures by.

        `ExecuteLong(name)`, where the method sets the type of its command.
        """
        if _name_of(fact.call) not in self._names or isinstance(fact.call.function, New):
            return ()
        found = self.called(fact, file)
        taken = tuple(self._taken_in(found, fact.call)) if found is not None else ()
        return tuple(one for one in taken if one.destination in _BY_NAME)

    def _settled(self, destination: Destination, fact: CallFact, file: FileFacts) -> Destination:
        """Return what a call does of which its name alone would tell too much: `Execute`, `RunStoredProc`.

        A method of the snapshot does what it is seen to do with its parameter, but that one which belongs to a type
        called after a database may run it unseen.
        """
        if destination not in UNSETTLED or is_stored_procedure(fact.call):
            return destination
        found = self.called(fact, file)
        taken = next(self._taken_in(found, fact.call), None) if found is not None else None
        is_seen = taken is None and found is not None and self._has_body(found, len(fact.call.arguments))
        if destination is Destination.CALLS_PROCEDURE and not is_seen:
            return destination
        is_run = taken is not None and taken.destination is not Destination.MAY_EXECUTE
        if is_run or is_of_database(self._catalog, self._receiver(fact, file)):
            return Destination.EXECUTES
        is_refuted = is_seen and destination is Destination.MAY_EXECUTE
        return Destination.UNKNOWN if is_refuted else Destination.MAY_EXECUTE

    def _has_body(self, found: Found, count: int) -> bool:
        """Say whether the statements of a method that takes so many arguments are here."""
        info = found.declaring.info
        if info is not None and info.is_interface:
            return False
        members = (one for one in found.members if accepts(one, count, is_extension=found.is_extension))
        return any("abstract" not in one.modifiers for one in members)

    def _receiver(self, fact: CallFact, file: FileFacts) -> TypeRef | None:
        """Return the type on which a call calls, that around it where none is written; a name stands for its own."""
        function = fact.call.function
        if not isinstance(function, Member):
            owner = self._catalog.owner_of(fact.source)
            return self._catalog.own(owner) if owner is not None else None
        receiver = function.receiver
        ref = type_of(receiver, catalog=self._catalog, file=file, source=fact.source)
        return ref or (TypeRef(receiver.name) if isinstance(receiver, (Name, Member)) else None)

    def _taken_in(self, found: Found, call: Call) -> Iterator[Taken]:
        """Yield the arguments that what is called is known to run."""
        count, is_extension = len(call.arguments), found.is_extension
        for member in found.members:
            if member.key in self._known and accepts(member, count, is_extension=is_extension):
                yield from self._given(member, call, is_extension=is_extension)
                return

    def _given(self, member: MemberFact, call: Call, *, is_extension: bool) -> Iterator[Taken]:
        known = self._known[member.key]
        parameters = member.parameters[is_extension:]
        for position, argument in enumerate(call.arguments):
            name = argument.name or (parameters[position].name if position < len(parameters) else "")
            if name in known:
                yield Taken(argument.value, known[name])

    def called(self, fact: CallFact, file: FileFacts) -> Found | None:
        """Return the methods or constructors that a call means."""
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

    def _take_at_once(self, file: FileFacts, own: _Parameters) -> None:
        """Take the parameters that commands are made of, and those that lambdas get as names of procedures."""
        named = self._catalog.mentions_of(file)
        if not named.has_strings and STORED_PROCEDURE not in named.given:
            return
        statements = file.statements.unpacked()
        flags = flags_of(statements, named)
        for string in statements.strings:
            if string.call is None or isinstance(string.call.function, New):
                taken = Taken(string.value, destination_of(string.call, assigned_to=string.assigned_to))
                name, destination = _handed_on(taken, source=string.source, flags=flags)
                if name in own.get(string.source, ()) and destination in _HANDED_ON:
                    self._add(string.source, name, destination)
        calls = statements.calls if STORED_PROCEDURE in named.given else ()
        for key, name in _through_lambdas(calls, own):
            self._add(key, name, Destination.EXECUTES)

    def _add(self, key: str, parameter: str, destination: Destination) -> None:
        """Note a parameter of a method, and of the interface's method that it implements."""
        owner = self._catalog.owner_of(key)
        name = key.rpartition("|")[0].rpartition(".")[2]
        self._names.add(name)
        self._note(key, parameter, destination)
        if owner is None:
            return
        own = [one for one in owner.members.get(name, ()) if any(p.name == parameter for p in one.parameters)]
        for ref in self._catalog.ancestors(owner):
            for declared in ref.info.members.get(name, ()) if ref.info is not None else ():
                for one in own:
                    position = next(i for i, p in enumerate(one.parameters) if p.name == parameter)
                    if len(one.parameters) == len(declared.parameters):
                        self._note(declared.key, declared.parameters[position].name, destination)

    def _note(self, key: str, parameter: str, destination: Destination) -> None:
        """Keep what is found out first, unless that is less than sure."""
        known = self._known[key]
        before = known.get(parameter, Destination.MAY_EXECUTE)
        if parameter not in known or (before is Destination.MAY_EXECUTE and destination is not before):
            known[parameter] = destination
            self._has_grown = True


class _HandingOn(NamedTuple):
    """The calls of a file that are given parameters, by their places, and the members that call procedures."""

    places: Sequence[tuple[int, frozenset[str]]]
    flags: Flags


def _parameters_of(file: FileFacts) -> _Parameters:
    """Return the names of the parameters of each method of a file that has some."""
    parameters: defaultdict[str, set[str]] = defaultdict(set)
    for member in file.members:
        if member.parameters:
            parameters[member.key].update(one.name for one in member.parameters)
    return {key: frozenset(names) for key, names in parameters.items()}


def _handing_on(statements: StatementFacts, own: _Parameters, *, named: Mentions) -> _HandingOn:
    """Tell by their places which calls are given a parameter of the method they stand in: statements stay packed."""
    places = [
        (place, own[fact.source])
        for place, fact in enumerate(statements.calls)
        if fact.call.arguments and fact.source in own and not own[fact.source].isdisjoint(_typed(fact.call))
    ]
    return _HandingOn(places, flags_of(statements, named))


def _through_lambdas(calls: Sequence[CallFact], own: _Parameters) -> Iterator[tuple[str, str]]:
    """Yield the parameters that a lambda gets as names of procedures, with the keys of their methods.

    `Guard(n => Read(CommandType.StoredProcedure, n), name)` is given one text beside the lambda, so that is it.
    """
    guards = {(fact.source, guard) for fact in calls if (guard := _guard_of(fact.call)) is not None}
    for fact in calls if guards else ():
        if (fact.source, _name_of(fact.call)) not in guards or fact.source not in own:
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
            return _name_of(one.call) if isinstance(one, LambdaParameter) else None
    return None


def _handed_on(taken: Taken, *, source: str, flags: Flags) -> tuple[str, Destination]:
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


def _name_of(call: Call) -> str:
    function = call.function
    if isinstance(function, New):
        return function.type.partition("<")[0].rpartition(".")[2]
    return function.name if isinstance(function, (Name, Member)) else ""
