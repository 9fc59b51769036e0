"""Find the methods that change an entity that they are given: `Map(command, order)` sets `order.Total`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from ragduck.facts import (
    AccessFact,
    Call,
    CallFact,
    Expression,
    FileFacts,
    Member,
    MemberFact,
    Typed,
    UseFact,
)
from ragduck.graph.code.senders import arguments_for, called
from ragduck.graph.entities.linq_sets import files_with_code
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import function_name
from ragduck.graph.types.expressions import Evaluator, Evaluators
from ragduck.graph.types.methods import best_overload

_MAX_ROUNDS = 3  # a method that hands its entity to a method that hands it on
_MAX_OVERLOADS = 50  # of one name, among which the one around a place is looked for

Keeps = Callable[[TypeInfo, str], bool]


class _Taking(NamedTuple):
    """A method that takes entities: the places and the classes of its parameters, by their names."""

    method: MemberFact
    places: Mapping[str, int]
    classes: Mapping[str, TypeInfo]


class ParameterSetters:
    """The methods of a snapshot that set properties of the entities they are given.

    ``entities`` are the keys of classes that have tables; ``keeps`` says whether a property may go there.
    """

    def __init__(self, catalog: Catalog, entities: Set[str], *, keeps: Keeps) -> None:
        self._catalog = catalog
        self._of: defaultdict[int, set[int]] = defaultdict(set)  # places by id of the method
        self._methods: dict[int, MemberFact] = {}  # likewise
        self._names: set[str] = set()
        names = {key.rpartition("|")[0].rpartition(".")[2] for key in entities}
        self._taking: dict[str, Mapping[str, list[_Taking]]] = {}
        for file in files_with_code(catalog):
            found = self._read(file, entities, names) if file.file_class == "source" else {}
            if found:
                self._taking[file.path] = found
        fresh = {name for path in self._taking for name in self._setting(path, keeps)}
        for _ in range(_MAX_ROUNDS):
            self._names |= fresh
            paths = [one.path for one in catalog.files_calling(fresh) if one.path in self._taking]
            fresh = {name for path in paths for name in self._handing_on(path, frozenset(fresh))}

    def may_set(self, name: str) -> bool:
        """Say whether some method of this name changes what it is given."""
        return name in self._names

    def changed(self, call: Call, evaluator: Evaluator) -> Iterator[Expression]:
        """Yield the arguments of a call that the called method changes."""
        found = called(call, evaluator)
        if found is None:
            return
        method = best_overload(found, count=len(call.arguments), generic=len(call.type_arguments))
        for place in sorted(self._of.get(id(method), ())):
            yield from arguments_for(call, method, place=place, is_extension=found.is_extension)

    @property
    def told(self) -> object:
        """Which methods change what they are given in which places."""
        return sorted(
            (*self._place_of(method), sorted(self._of[key])) for key, method in self._methods.items()
        )

    def _place_of(self, method: MemberFact) -> tuple[str, str, int]:
        """Tell a method by its file, its key, and the place among those of the file that share it."""
        file = self._catalog.home_of(method)
        alike = [id(one) for one in file.members if one.key == method.key]
        return file.path, method.key, alike.index(id(method))

    def _add(self, method: MemberFact, place: int) -> None:
        self._of[id(method)].add(place)
        self._methods[id(method)] = method

    def _read(self, file: FileFacts, entities: Set[str], names: Set[str]) -> Mapping[str, list[_Taking]]:
        """Return the methods of a file that take entities, by their keys; ``names`` are those of the classes."""
        found: defaultdict[str, list[_Taking]] = defaultdict(list)
        for method in file.members:
            classes: dict[str, TypeInfo] = {}
            for one in method.parameters:
                written = one.type.rstrip("?")
                if written.rpartition(".")[2] in names:
                    owner = self._catalog.owner_of(method.key)
                    info = self._catalog.resolve(written, file=file, owner=owner).info
                    if info is not None and info.key in entities:
                        classes[one.name] = info
            if classes and len(found[method.key]) < _MAX_OVERLOADS:
                places = {one.name: place for place, one in enumerate(method.parameters)}
                found[method.key].append(_Taking(method, places, classes))
        return found

    def _setting(self, path: str, keeps: Keeps) -> Iterator[str]:
        """Note which methods of a file set properties of a parameter; yield their names."""
        facts = self._catalog.files[path].statements.unpacked()
        made = {
            (id(taking.method), use.type.rpartition(".")[2])
            for use in facts.uses
            if use.how == "new" and (taking := self._around(path, use)) is not None
        }
        loaded = _loaded(facts.calls)
        for access in facts.accesses:
            expression = access.expression
            if not access.is_write or not isinstance(expression, Member):
                continue
            given = expression.receiver
            taking = self._around(path, access)
            if taking is None or not isinstance(given, Typed) or given.name not in taking.classes:
                continue
            info = taking.classes[given.name]
            is_other = (access.source, given.name) in loaded or (id(taking.method), info.name) in made
            if not is_other and keeps(info, expression.name):
                yield from self._note(taking, given.name)

    def _handing_on(self, path: str, names: Set[str]) -> Iterator[str]:
        """Note which methods of a file hand a parameter to one that changes it; yield their names."""
        file = self._catalog.files[path]
        within = Evaluators(self._catalog, file).within
        calls = file.statements.unpacked().calls
        loaded = _loaded(calls)
        for fact in calls:
            taking = self._around(path, fact) if function_name(fact.call) in names else None
            for given in self.changed(fact.call, within(fact.source)) if taking is not None else ():
                if taking is None or not isinstance(given, Typed) or given.name not in taking.classes:
                    continue
                if (fact.source, given.name) not in loaded:
                    yield from self._note(taking, given.name)

    def _around(self, path: str, fact: AccessFact | CallFact | UseFact) -> _Taking | None:
        """Return the method around a place: overloads share a key, and differ in their lines."""
        for one in self._taking[path].get(fact.source, ()):
            if one.method.line <= fact.line <= one.method.end_line:
                return one
        return None

    def _note(self, taking: _Taking, name: str) -> Iterator[str]:
        """Note that a method changes a parameter, also for what it implements; yield its name if that is new."""
        method, place = taking.method, taking.places[name]
        if place in self._of[id(method)]:
            return
        self._add(method, place)
        owner = self._catalog.owner_of(method.key)
        types = [one.type for one in method.parameters]
        for base in self._catalog.ancestors(owner) if owner is not None else ():
            for one in base.info.members.get(method.name, ()) if base.info is not None else ():
                is_open = base.info is not None and (base.info.is_interface or "abstract" in one.modifiers)
                if is_open and [each.type for each in one.parameters] == types:
                    self._add(one, place)
        yield method.name


def _loaded(calls: Sequence[CallFact]) -> Set[tuple[str, str]]:
    """Return the declarations and names that hold what a call returns."""
    return {(one.source, one.assigned_to) for one in calls if one.assigned_to}
