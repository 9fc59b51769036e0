"""Find the parameters that methods of the snapshot run as SQL, so that what is given to them is looked at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ragduck.facts import Call, CallFact, FileFacts, Member, MemberFact, Name, Typed
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.expressions import type_of
from ragduck.graph.types.findings import Found
from ragduck.graph.types.methods import accepts, extensions_of, find_member
from ragduck.graph.types.roots import find_root
from ragduck.sqlreader.destinations import Destination, destination_of, sql_arguments
from ragduck.sqlreader.sites import RUNNING, Taken

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
            for file, places in handing_on:
                calls = file.calls
                for place, parameters in places:
                    for taken in self.taken_by(calls[place], file=file):
                        if isinstance(taken.value, Typed) and taken.value.name in parameters:
                            self._add(calls[place].source, taken.value.name, taken.destination)
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
        if isinstance(function, Name):
            owner = self._catalog.owner_of(fact.source)
            return find_root(self._catalog, function.name, file=file, owner=owner).found
        if not isinstance(function, Member):
            return None
        ref = type_of(function.receiver, catalog=self._catalog, file=file, source=fact.source)
        if ref is None:
            return None
        found = find_member(self._catalog, ref, function.name)
        return found or extensions_of(self._catalog, ref, function.name, file=file)

    def _handing_on(self) -> Iterator[tuple[FileFacts, Sequence[tuple[int, frozenset[str]]]]]:
        """Yield which calls of a file are given a parameter of the method they stand in, and its parameters.

        By their places, as statements stay packed.
        """
        for file in self._catalog.files.values():
            parameters: defaultdict[str, set[str]] = defaultdict(set)
            for member in file.members:
                if member.parameters:
                    parameters[member.key].update(one.name for one in member.parameters)
            own = {key: frozenset(names) for key, names in parameters.items()}
            places = [
                (place, own[fact.source])
                for place, fact in enumerate(file.calls)
                if fact.call.arguments
                and fact.source in own
                and not own[fact.source].isdisjoint(_typed(fact.call))
            ]
            if places:
                yield file, places

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


def _typed(call: Call) -> list[str]:
    """Return the names of parameters and locals that a call is given."""
    return [one.value.name for one in call.arguments if isinstance(one.value, Typed)]


def _name_of(call: Call) -> str:
    function = call.function
    return function.name if isinstance(function, (Name, Member)) else ""
