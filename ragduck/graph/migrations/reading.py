"""Read the migration classes of a snapshot: their version, and what their Up does."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import PurePosixPath

from ragduck.facts import Attribute, CallFact, FileFacts, Name, ObjectName, Text
from ragduck.graph.code import roles
from ragduck.graph.entities.graph import entity_tables
from ragduck.graph.migrations.changes import Change, Place
from ragduck.graph.migrations.entity_framework import core_changes, raw_sql, six_changes
from ragduck.graph.migrations.fluent_migrator import fluent_changes, fluent_sql
from ragduck.graph.migrations.history import Migration
from ragduck.graph.migrations.raw_sql import Script, first_line, literals_of, read_script
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import function_name, receiver_of

_UP = ("Up", "BuildUp", "UpAsync")
_DIGITS = re.compile(r"\d{1,4}")
_LEADING = re.compile(r"[A-Za-z_]{0,20}?(\d{3,20})")
_NUMBER = re.compile(r"\d[\d_]{0,30}+(?![/:.-])")
_DATE_LENGTH = 8  # `20240422`; shorter numbers are parts of a date when more follow
_MAX_METHODS = 60  # that an Up is spread over


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


def read_migrations(catalog: Catalog) -> Iterator[Migration]:
    """Yield every migration of the snapshot with what its Up does, in order of keys."""
    tables = cache(lambda: entity_tables(catalog))
    for key in sorted(catalog.types):
        info = catalog.types[key]
        if roles.is_migration(catalog, info):
            yield _read(info, catalog, tables=tables)


def _read(info: TypeInfo, catalog: Catalog, *, tables: Callable[[], Mapping[str, ObjectName]]) -> Migration:
    changes: list[Change] = []
    scripts: list[Script] = []
    path = ""
    for file, source, calls in _methods_of_up(info):
        place = Place(catalog, file, source, calls, tables)
        path = path or file.path
        own = list(_scripts(place))
        found = [*core_changes(place), *six_changes(place), *fluent_changes(place)]
        found += (change for script in own for change in script.changes)
        changes += sorted(found, key=lambda change: change.line)
        scripts += own
    path = path or info.files[0].path
    return Migration(
        f"{info.key.rpartition('|')[0]}|MIGRATION",
        path,
        info.files[0].project or PurePosixPath(path).parent.as_posix(),
        migration_version(info) or "",
        tuple(changes),
        tuple(reference for script in scripts for reference in script.references),
        tuple(module for script in scripts for module in script.modules),
    )


def _scripts(place: Place) -> Iterator[Script]:
    texts = [*raw_sql(place), *fluent_sql(place)]
    literals = literals_of(place.file) if texts else {}
    for text, line in texts:
        yield read_script(text, path=place.file.path, line=first_line(text, line=line, literals=literals))


def _methods_of_up(info: TypeInfo) -> Iterator[tuple[FileFacts, str, list[CallFact]]]:
    """Yield the calls of Up and of the methods of the class that it calls; Down only undoes them."""
    calls: dict[str, list[CallFact]] = defaultdict(list)
    homes: dict[str, FileFacts] = {}
    for file in {file.path: file for file in info.files}.values():
        for fact in file.calls:
            calls[fact.source].append(fact)
            homes[fact.source] = file
    pending = [member.key for name in _UP for member in info.members.get(name, ())]
    seen = set(pending)
    for _ in range(_MAX_METHODS):
        if not pending:
            return
        source = pending.pop(0)
        if source in homes:
            yield homes[source], source, calls[source]
        for name in _own_calls(calls[source]):
            for member in info.members.get(name, ()):
                if member.key not in seen:
                    seen.add(member.key)
                    pending.append(member.key)


def _own_calls(calls: list[CallFact]) -> Iterator[str]:
    for fact in calls:
        receiver = receiver_of(fact.call)
        if receiver is None or (isinstance(receiver, Name) and receiver.name == "this"):
            yield function_name(fact.call)


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
