"""Find the parameters that methods of the snapshot run as SQL, so that what is given to them is looked at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ragduck.facts import (
    Call,
    CallFact,
    FileFacts,
    Member,
    MemberFact,
    Name,
    New,
)
from ragduck.graph.file_rows import (
    FileRows,
    FileRule,
    Reach,
    ReadAnew,
    ReadTogether,
    Row,
)
from ragduck.graph.inline_sql.handed_parameters import (
    HANDED_ON,
    HandingOn,
    handed_on,
    handing_on,
    has_parameters,
    name_of,
    parameters_of,
    reading_at_once,
)
from ragduck.graph.inline_sql.receivers import is_of_database
from ragduck.graph.types.catalog import Catalog, TypeRef
from ragduck.graph.types.expressions import type_of
from ragduck.graph.types.extensions import extensions_of
from ragduck.graph.types.findings import Found
from ragduck.graph.types.methods import accepts, find_member
from ragduck.graph.types.roots import find_root
from ragduck.sqlreader.destinations import (
    STORED_PROCEDURE,
    Destination,
    destination_of,
    is_stored_procedure,
    may_run,
    sql_arguments,
)
from ragduck.sqlreader.sites import UNSETTLED, Taken

_BY_NAME = (Destination.CALLS_PROCEDURE, Destination.EXECUTES)
_MAX_ROUNDS = 4  # a method that hands its parameter to a method that hands it on

_ANEW = ReadAnew()


class SqlParameters:
    """The methods that run a parameter as SQL or as the name of a procedure: `Load(string procedure, …)`."""

    def __init__(self, catalog: Catalog, rows: FileRows = _ANEW) -> None:
        self._catalog = catalog
        self._known: defaultdict[str, dict[str, Destination]] = defaultdict(dict)  # by key: parameters
        self._names: set[str] = set()
        self._has_grown = False
        self._kept: dict[str, HandingOn] = {}
        at_once = FileRule("parameters run at once", Reach.OWN)
        found = {
            file.path: taken
            for file, taken in rows.read(at_once, catalog.files.values(), reading_at_once(catalog))
            if taken
        }
        rule = FileRule("parameters handed on", Reach.NAMES, list(found.values()))
        self._remember(rows.read_together(rule, lambda: self._learnt(found), self._may_teach))
        self._kept.clear()

    def _learnt(self, taken: Mapping[str, Sequence[Row]]) -> ReadTogether:
        """Find out what is handed on to what runs it, beginning with what files run at once."""
        for row in (one for rows in taken.values() for one in rows):
            self._add(*_parameter(row))
        having = [file for file in self._catalog.files.values() if has_parameters(file)]
        for turn in range(_MAX_ROUNDS):
            self._has_grown = False
            for file in having:
                if self._may_name(file) if turn else self.may_take(file):
                    self._hand_on(file, turn=turn)
            if not self._has_grown:
                break
        handing = {path for path, found in self._kept.items() if found.places} | taken.keys()
        known = [
            (key, name, destination.name)
            for key, each in self._known.items()
            for name, destination in each.items()
        ]
        return ReadTogether([*known, *((name,) for name in sorted(self._names))], handing)

    def _remember(self, rows: Iterable[Row]) -> None:
        """Know what was learnt: parameters, then the names of their methods."""
        for row in rows:
            if len(row) == 1:
                self._names.add(str(row[0]))
            else:
                key, name, destination = _parameter(row)
                self._known[key][name] = destination

    def _may_teach(self, rows: Sequence[Row], path: str) -> bool:
        """Say whether a file may hand a parameter on to what is known to run it by now."""
        self._names = {str(row[0]) for row in rows if len(row) == 1}
        file = self._catalog.files.get(path)
        is_one = (
            file is not None
            and has_parameters(file)
            and self.may_take(file)
            and bool(self._handed_in(file).places)
        )
        self._names = set()
        return is_one

    @property
    def told(self) -> object:
        """Which parameters of which methods are run, and as what."""
        known = sorted(
            (key, sorted((name, destination.name) for name, destination in each.items()))
            for key, each in self._known.items()
        )
        return known, sorted(self._names)

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
            if may_run(name := name_of(fact.call))
            or name in self._names
            or isinstance(fact.call.function, New)
        ]

    def _may_name(self, file: FileFacts) -> bool:
        return not self._names.isdisjoint(self._catalog.mentions_of(file).called)

    def _handed_in(self, file: FileFacts) -> HandingOn:
        if file.path not in self._kept:
            named, own = self._catalog.mentions_of(file), parameters_of(file)
            self._kept[file.path] = handing_on(file.statements.unpacked(), own, named=named)
        return self._kept[file.path]

    def _hand_on(self, file: FileFacts, *, turn: int) -> None:
        """Note which parameters of methods are given to calls that run them."""
        places, flags = self._handed_in(file)
        calls = file.calls if places else ()
        for place, parameters in places:
            if turn and name_of(calls[place].call) not in self._names:
                continue  # nothing was found out about it
            source = calls[place].source
            for taken in self.taken_by(calls[place], file=file):
                name, destination = handed_on(taken, source=source, flags=flags)
                if name in parameters and destination in HANDED_ON:
                    self._add(source, name, destination)

    def taken_by(self, fact: CallFact, *, file: FileFacts) -> Iterator[Taken]:
        """Yield the arguments of a call that end up as SQL, and as what."""
        destination = destination_of(fact.call)
        if destination in HANDED_ON:
            if destination is Destination.RUNS:
                by_name = self._procedures_in(fact, file)
                if by_name:
                    yield from by_name
                    return
            destination = self._settled(destination, fact, file)
            for value in sql_arguments(fact.call):
                yield Taken(value, destination)
            return
        if name_of(fact.call) not in self._names or destination is Destination.REFUSES:
            return
        found = self.called(fact, file)
        if found is not None:
            yield from self._taken_in(found, fact.call)

    def _procedures_in(self, fact: CallFact, file: FileFacts) -> Sequence[Taken]:
        """Return the names that a method which is called after running SQL is seen to call procedures by.

        `ExecuteLong(name)`, where the method sets the type of its command.
        """
        if name_of(fact.call) not in self._names or isinstance(fact.call.function, New):
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


def _parameter(row: Row) -> tuple[str, str, Destination]:
    key, name, destination = map(str, row)
    return key, name, Destination[destination]
