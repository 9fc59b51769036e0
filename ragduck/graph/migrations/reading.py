"""Read the migration classes of a snapshot: their version, and what their Up does."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import PurePosixPath
from typing import NamedTuple

from ragduck.facts import Attribute, FileFacts, MemberFact, Text
from ragduck.graph.code import roles
from ragduck.graph.entities.graph import entity_tables
from ragduck.graph.file_rows import VALUES, FileRows, FileRule, Reach, ReadAnew, ReadOff
from ragduck.graph.migrations.changes import RESPELLED, Change, Place
from ragduck.graph.migrations.entity_framework import core_changes, raw_sql, six_changes
from ragduck.graph.migrations.fluent_migrator import fluent_changes, fluent_sql
from ragduck.graph.migrations.history import Migration, Step
from ragduck.graph.migrations.kept import is_plain, migration_of, rows_of
from ragduck.graph.migrations.methods import Methods
from ragduck.graph.migrations.orchard import orchard_changes, orchard_sql
from ragduck.graph.migrations.raw_sql import Module, first_line, literals_of, read_script
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.sqlreader.names import Reference

_ANEW = ReadAnew()
_DIGITS = re.compile(r"\d{1,4}")
_LEADING = re.compile(r"[A-Za-z_]{0,20}?(\d{3,20})")
_NUMBER = re.compile(r"\d[\d_]{0,30}+(?![/:.-])")
_DATE_LENGTH = 8  # `20240422`; shorter numbers are parts of a date when more follow
_READERS = (core_changes, six_changes, fluent_changes, orchard_changes)
_MAX_METHODS = 400  # that an Up is spread over; one counts again for other arguments
_MAX_DEPTH = 20  # methods that call methods

_At = tuple[str, int, frozenset[tuple[str, str]]]  # key and line of a method, and the texts that it is given


def migration_version(info: TypeInfo) -> str | None:
    """Return the digits that order a migration: of its attribute, else of its file's or its own name."""
    for declared in info.declarations:
        for attribute in declared.attributes:
            version = _attribute_version(attribute)
            if version:
                return version
    names = (*(PurePosixPath(file.path).name for file in info.files), info.name)
    found = (_LEADING.match(name) for name in names)
    return next((match[1] for match in found if match is not None), None)


def read_migrations(catalog: Catalog, rows: FileRows = _ANEW) -> Iterator[Migration]:
    """Yield every migration of the snapshot with what its Up does, in order of keys."""
    infos = [info for _, info in sorted(catalog.types.items()) if roles.is_migration(catalog, info)]
    count = Counter(file.path for info in infos for file in info.files)
    alone = {info.files[0].path: info for info in infos if [count[one.path] for one in info.files] == [1]}
    methods = Methods(catalog, cache(lambda: entity_tables(catalog)))
    reader = _Reader()
    fresh: dict[str, Migration] = {}

    def read(file: FileFacts) -> ReadOff:
        before, members = methods.looked_elsewhere, methods.looked_at_members
        found = fresh[file.path] = _read(alone[file.path], methods, reader, home=file)
        is_lasting = is_plain(found) and methods.looked_elsewhere == before
        leans = (VALUES,) if methods.looked_at_members > members else ()
        return ReadOff(rows_of(found) if is_lasting else (), is_lasting, leans)

    files = [catalog.files[path] for path in sorted(alone)]
    told = [[one.key, *methods.places_of_start(one)] for one in alone.values()]
    rule = FileRule("migrations of files", Reach.VALUES, told)
    known = {file.path: found for file, found in rows.read(rule, files, read)}
    for info in infos:
        path = info.files[0].path
        if alone.get(path) is not info:
            yield _read(info, methods, reader)
        else:
            yield fresh[path] if path in fresh else migration_of(known[path])


def _read(info: TypeInfo, methods: Methods, reader: _Reader, *, home: FileFacts | None = None) -> Migration:
    methods.home = home
    run = _Run(info, methods, reader)
    steps = tuple(run.steps())
    own = {file.path for file in info.files}
    path = next((step.path for step in steps if step.path in own), info.files[0].path)
    return Migration(
        f"{info.key.rpartition('|')[0]}|MIGRATION",
        path,
        info.files[0].project or PurePosixPath(path).parent.as_posix(),
        migration_version(info) or "",
        steps,
        frozenset(run.texts),
        run.members(),
    )


class _Done(NamedTuple):
    """What the calls of a method do, in order of lines; ``texts`` are those of SQL that were read."""

    changes: tuple[Change, ...]
    references: tuple[Reference, ...]
    modules: tuple[Module, ...]
    texts: frozenset[str]


class _Reader:
    """Reads what methods do, once for all the migrations that share them."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, _At], tuple[_Done, int, int]] = {}

    def read(self, place: Place, at: _At, methods: Methods) -> _Done:
        """Return what the calls of a place do; ``at`` tells which method it is, and what it is given."""
        key = (place.file.path, at)
        if key not in self._known:
            before, members = methods.looked_elsewhere, methods.looked_at_members
            done = _done_in(place)
            self._known[key] = done, methods.looked_elsewhere - before, methods.looked_at_members - members
            return done
        done, elsewhere, of_members = self._known[key]
        methods.looked_elsewhere += elsewhere
        methods.looked_at_members += of_members
        return done


def _done_in(place: Place) -> _Done:
    texts = [*raw_sql(place), *fluent_sql(place), *orchard_sql(place)]
    literals = literals_of(place.file) if texts else {}
    scripts = [
        read_script(text, path=place.file.path, line=first_line(text, line=line, literals=literals))
        for text, line in texts
    ]
    found = [change for read in _READERS for change in read(place)]
    respelled = {fact.line for fact in place.calls if place.respells(fact.call)}
    found = [one._replace(confidence=RESPELLED) if one.line in respelled else one for one in found]
    found += (change for script in scripts for change in script.changes)
    return _Done(
        tuple(sorted(found, key=lambda change: change.line)),
        tuple(reference for script in scripts for reference in script.references),
        tuple(module for script in scripts for module in script.modules),
        frozenset(text for text, _ in texts),
    )


class _Run:
    """Go through what Up of one migration does, and the methods that it calls; Down only undoes that."""

    def __init__(self, info: TypeInfo, methods: Methods, reader: _Reader) -> None:
        self.texts: set[str] = set()  # of SQL, that were read
        self._info = info
        self._methods = methods
        self._reader = reader
        self._seen: set[_At] = set()
        self._told: set[tuple[str, Change]] = set()  # of objects

    def steps(self) -> Iterator[Step]:
        """Yield what is done, in the order in which it is."""
        for member in self._methods.start_of(self._info):
            yield from self._of(member, {}, depth=_MAX_DEPTH)

    def members(self) -> frozenset[str]:
        """Return the keys of the methods that were run."""
        return frozenset(key for key, _, _ in self._seen)

    def _of(
        self, member: MemberFact, parameters: Mapping[str, str], *, depth: int, owner: TypeInfo | None = None
    ) -> Iterator[Step]:
        at = (member.key, member.line, frozenset(parameters.items()))
        if at in self._seen or len(self._seen) >= _MAX_METHODS or depth == 0:
            return
        self._seen.add(at)
        place = self._methods.place_of(member, parameters)
        path = place.file.path
        done = self._reader.read(place, at, self._methods)
        self.texts |= done.texts
        changes = deque(done.changes)
        for led in self._methods.led_on(place, migration=owner or self._info):
            yield Step(path, tuple(_before(changes, led.line)))
            steps = self._of(led.member, led.parameters, depth=depth - 1, owner=led.owner or owner)
            yield from (self._told_at(step, path, led.line) for step in steps) if led.owner else steps
        yield Step(path, tuple(changes), done.references, done.modules)

    def _told_at(self, step: Step, path: str, line: int) -> Step:
        """Tell what the method of an object does where it is called, as all migrations share the object's class.

        Several overloads that a call may mean do the same.
        """
        changes = [change._replace(line=line) for change in step.changes]
        new = dict.fromkeys(change for change in changes if (path, change) not in self._told)
        self._told.update((path, change) for change in new)
        references = tuple(reference._replace(line=line) for reference in step.references)
        return step._replace(path=path, changes=tuple(new), references=references)


def _before(changes: deque[Change], line: int) -> Iterator[Change]:
    """Take those changes off that stand before a line."""
    while changes and changes[0].line < line:
        yield changes.popleft()


def _attribute_version(attribute: Attribute) -> str:
    """Return `20240422143015` of an id, a number, a date and time, or of their parts."""
    if not attribute.name.rpartition(".")[2].endswith("Migration"):
        return ""
    texts = [one.value.value for one in attribute.arguments if isinstance(one.value, Text) and not one.name]
    if not texts:
        return ""
    number = _NUMBER.match(texts[0])
    if number is not None and (len(texts) == 1 or len(number[0]) >= _DATE_LENGTH):
        return number[0].replace("_", "")
    parts = _DIGITS.findall(" ".join(texts)[:40])
    return "".join(part if len(part) > 2 else part.zfill(2) for part in parts)
