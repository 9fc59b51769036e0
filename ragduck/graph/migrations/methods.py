"""Find the methods that a migration runs, and what their parameters then stand for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import NamedTuple

from ragduck.facts import CallFact, FileFacts, MemberFact, Name, New, ObjectName
from ragduck.graph.code import roles
from ragduck.graph.migrations.changes import Place, is_builder_type
from ragduck.graph.migrations.objects import taking_builder, texts_in
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import function_name, receiver_of
from ragduck.graph.types.literals import THIS

UP = ("Up", "BuildUp", "UpAsync")
DOWN = ("Down", "BuildDown", "DownAsync", "Uninstall", "UninstallAsync")
_CREATES = ("Create", "CreateAsync")
_UPDATE = re.compile(r"UpdateFrom(\d{1,9})(?:Async)?")
_METHOD = "METHOD"
_FILES = 16  # whose calls are kept: migrations share their bases


class Led(NamedTuple):
    """A call that leads on to a method; ``parameters`` are the texts that it hands over.

    ``owner`` is the class of another object whose method it is.
    """

    line: int
    member: MemberFact
    parameters: Mapping[str, str]
    owner: TypeInfo | None = None


class Methods:
    """The methods of a snapshot's migrations."""

    def __init__(self, catalog: Catalog, tables: Callable[[], Mapping[str, ObjectName]]) -> None:
        self.home: FileFacts | None = None  # that of the migration that is read
        self.looked_elsewhere = 0  # how often calls of other files, or tables of entities, mattered
        self.looked_at_members = 0  # how often a text was that of members
        self._catalog = catalog
        self._tables = tables
        self._texts: dict[str, Mapping[str, str]] = {}  # of the members of objects, by the key of their class
        self._calls = lru_cache(maxsize=_FILES)(partial(_calls_of, catalog))

    def start_of(self, info: TypeInfo) -> Iterator[MemberFact]:
        """Yield the Up of a migration, which it may inherit; one of Orchard has a method for each of its versions."""
        for name in UP if not roles.is_data_migration(self._catalog, info) else _versions(info):
            yield from self._own(info, name)

    def places_of_start(self, info: TypeInfo) -> Iterator[str]:
        """Yield the keys of the types of which a migration has methods that it may start with."""
        for name in (*UP, *_CREATES):
            ref = self._catalog.declaring(info, name)
            if ref is not None and ref.info is not None:
                yield ref.info.key

    def place_of(self, member: MemberFact, parameters: Mapping[str, str]) -> Place:
        """Return the calls of a method."""
        home = self._catalog.home_of(member)
        self.looked_elsewhere += home is not self.home
        calls = self._calls(home.path).get(member.key, ())
        own = [fact for fact in calls if member.line <= fact.line <= member.end_line]  # overloads share a key
        return Place(
            self._catalog,
            home,
            member.key,
            own,
            self._tables_of_entities,
            self.place_of,
            self._look_at_members,
            parameters,
        )

    def _look_at_members(self) -> None:
        self.looked_at_members += 1

    def _tables_of_entities(self) -> Mapping[str, ObjectName]:
        self.looked_elsewhere += 1
        return self._tables()

    def led_on(self, place: Place, *, migration: TypeInfo) -> list[Led]:
        """Return where the calls of a method lead: to own methods, those of objects and extensions of the builder.

        ``migration`` is the class of the object whose method it is, as a rule a migration.
        """
        found = [led for fact in place.calls for led in self._led_by(fact, place, migration)]
        return sorted(found, key=lambda led: led.line)

    def _led_by(self, fact: CallFact, place: Place, migration: TypeInfo) -> Iterator[Led]:
        call, receiver = fact.call, receiver_of(fact.call)
        name = function_name(call)
        if receiver is None or (isinstance(receiver, Name) and receiver.name == "this"):
            yield from self._called(fact, place, self._own(migration, name))
        elif isinstance(receiver, Name) and receiver.name == "base":
            yield from self._called(fact, place, self._inherited(place, name))
        elif place.is_builder(receiver):
            yield from self._called(fact, place, self._extensions(name), offset=1)
        elif isinstance(receiver, New):
            yield from self._of_object(fact, place, receiver.type)
        for one in call.arguments:  # `Execute.WithConnection(Fill)`
            if isinstance(one.value, Name):
                for member in self._own(migration, one.value.name):
                    yield Led(fact.line, member, {})

    def _called(
        self, fact: CallFact, place: Place, members: Iterator[MemberFact], *, offset: int = 0
    ) -> Iterator[Led]:
        count = len(fact.call.arguments) + offset
        overloads = list(members)
        fitting = [one for one in overloads if _required(one) <= count <= len(one.parameters)]
        own = (
            {} if offset else {name: text for name, text in place.parameters.items() if name.startswith(THIS)}
        )
        for member in fitting or overloads:
            yield Led(fact.line, member, {**own, **place.bound(fact.call, member, offset=offset)})

    def _of_object(self, fact: CallFact, place: Place, written: str) -> Iterator[Led]:
        """Yield the methods of an object that was made with a `MigrationBuilder`."""
        owner = self._catalog.owner_of(place.source)
        info = self._catalog.resolve(written, file=place.file, owner=owner).info
        if info is None or taking_builder(info) is None:
            return
        if info.key not in self._texts:
            texts = texts_in(info, self._catalog, self.place_of)
            self._texts[info.key] = {f"{THIS}{name}": text for name, text in texts.items()}
        for led in self._called(fact, place, self._own(info, function_name(fact.call))):
            given = {name: text for name, text in led.parameters.items() if not name.startswith(THIS)}
            yield led._replace(parameters={**self._texts[info.key], **given}, owner=info)

    def _own(self, info: TypeInfo, name: str) -> Iterator[MemberFact]:
        """Yield the methods that a name means in the class itself, those of the nearest ancestor included."""
        ref = self._catalog.declaring(info, name) if name else None
        return _methods_of(ref.info if ref is not None else None, name)

    def _inherited(self, place: Place, name: str) -> Iterator[MemberFact]:
        owner = self._catalog.owner_of(place.source)
        refs = self._catalog.inherited(owner) if owner is not None else ()
        found = (ref.info for ref in refs if ref.info is not None and name in ref.info.members)
        return _methods_of(next(found, None), name)

    def _extensions(self, name: str) -> Iterator[MemberFact]:
        for member in self._catalog.extensions(name, language="csharp"):
            if is_builder_type(member.parameters[0].type):
                yield member


def _calls_of(catalog: Catalog, path: str) -> Mapping[str, list[CallFact]]:
    """Return the calls of a file by the member that they stand in."""
    calls: defaultdict[str, list[CallFact]] = defaultdict(list)
    for fact in catalog.files[path].calls:
        calls[fact.source].append(fact)
    return calls


def _versions(info: TypeInfo) -> list[str]:
    """Return the methods that make the first version and each one after it, in order."""
    updates = {name: int(found[1]) for name in info.members if (found := _UPDATE.fullmatch(name)) is not None}
    return [*_CREATES, *sorted(updates, key=lambda name: (updates[name], name))]


def _methods_of(info: TypeInfo | None, name: str) -> Iterator[MemberFact]:
    for member in info.members.get(name, ()) if info is not None else ():
        if member.kind == _METHOD:
            yield member


def _required(member: MemberFact) -> int:
    return sum(not one.is_optional and not one.is_rest for one in member.parameters)
