"""Choose which definitions of a database object count: a repository keeps many versions of one procedure.

Source files say what is there, but for folders called legacy or archive. Where they are silent, migration scripts
do, in the order of the numbers in their paths: the last definition of a module replaces those before it, what a
later script drops is gone, and what it renames is called so.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from ragduck.facts import FileFacts, ObjectFact, ReferenceFact

MIGRATION = "migration"
MODULES = frozenset({"VIEW", "PROC", "FUNC", "TRIGGER"})  # defined anew as a whole, never in part

_RANKS = {MIGRATION: 1, "generated": 3, "test": 4, "vendored": 5}
_BEFORE_VERSION = re.compile(r"^[A-Za-z]{1,20}[._-]?(?=\d+[._]\d+[._]\d+[._])")
_NUMBERS = re.compile(r"(\d{1,18})")
_OUTDATED = re.compile(
    r"(?:^|/)(?:legacy|old|archived?|obsolete|deprecated|backups?|drafts?)(?:[ _.-]?(?:scripts?|sql|versions?))?/",
    re.IGNORECASE,
)
_OUTDATED_RANK = 3
_SCHEMA_WITH_OVERLOADS = "public"  # of PostgreSQL
_CODE_RANK = 2  # what migrations in code create
_MIGRATION_RANK = _RANKS[MIGRATION]
_RENAME = "rename table"
_OF_FILE = "file:"  # rather than of a procedure
_NOTHING: frozenset[str] = frozenset()
_PLACEHOLDER = re.compile(r"\{\w{1,64}\}")
_PLAIN = re.compile(r"[^\W\d][\w$#@ -]{0,127}")


class Definition(NamedTuple):
    """A definition that counts; ``file`` is None for what migrations in code create."""

    fact: ObjectFact
    file: FileFacts | None


class _Event(NamedTuple):
    rank: int
    path: str
    line: int
    fact: ObjectFact
    file: FileFacts | None


class _Rename(NamedTuple):
    rank: int
    path: str
    line: int
    reference: ReferenceFact
    file: FileFacts


def rank_of(file: FileFacts) -> int:
    """Return how much a file's definitions count: less is more."""
    rank = _RANKS.get(file.file_class, 0)
    if file.file_class == MIGRATION:
        return rank  # in their order, wherever they lie: a later one may drop what an archived one makes
    return max(rank, _OUTDATED_RANK) if _OUTDATED.search(file.path) else rank


def definitions_that_count(
    files: Sequence[FileFacts], *, created: Sequence[ObjectFact] = ()
) -> dict[str, tuple[Definition, ...]]:
    """Map node keys to the definitions that count, the first of which the node stands for."""
    chosen: dict[str, tuple[Definition, ...]] = {}
    for folded, events in _events_by_key(files, created).items():
        definitions = _counting(events)
        if definitions:
            chosen[folded] = definitions
    parts = (_parts_of_tables(definitions, chosen) for definitions in chosen.values())
    return {definitions[0].fact.key: definitions for definitions in parts if definitions}


def _events_by_key(files: Sequence[FileFacts], created: Iterable[ObjectFact]) -> dict[str, list[_Event]]:
    twins = _with_schemas(files)
    events: list[_Event | _Rename] = [
        _Event(rank_of(file), file.path, fact.line, fact, file)
        for file in files
        for fact in file.objects
        if fact.action in ("create", "drop") and not {fact.key, fact.table} & twins.get(file.path, _NOTHING)
    ]
    events += [_Event(_CODE_RANK, "", fact.line, fact, None) for fact in created]
    events += [
        _Rename(_MIGRATION_RANK, file.path, reference.line, reference, file)
        for file in files
        if file.file_class == MIGRATION
        for reference in file.references
        if reference.rule == _RENAME and reference.source.startswith(_OF_FILE)
    ]
    by_key: dict[str, list[_Event]] = defaultdict(list)
    order = {path: _in_order(path) for path in {event.path for event in events}}
    for event in sorted(events, key=lambda event: (event.rank, order[event.path], event.line)):
        for one in _renamed(event, by_key) if isinstance(event, _Rename) else (event,):
            by_key[one.fact.key.casefold()].append(one)
    return by_key


def _with_schemas(files: Iterable[FileFacts]) -> dict[str, set[str]]:
    """Return, by path, what a script defines in a schema that is put in and another of its folder in a written one.

    Such a script is the template of the other.
    """
    templates = [file for file in files if any(fact.is_schema_put_in for fact in file.objects)]
    folders = {_folder(file) for file in templates}
    written = {
        (_folder(file), fact.kind, fact.name.name.casefold())
        for file in files
        if _folder(file) in folders
        for fact in file.objects
        if fact.action == "create" and not fact.is_schema_put_in
    }
    return {
        file.path: {
            fact.key
            for fact in file.objects
            if fact.is_schema_put_in and (_folder(file), fact.kind, fact.name.name.casefold()) in written
        }
        for file in templates
    }


def _folder(file: FileFacts) -> str:
    return file.path.rpartition("/")[0]


def _renamed(rename: _Rename, by_key: Mapping[str, Sequence[_Event]]) -> Iterator[_Event]:
    """Yield the end of a table that a script calls differently, and its definition under the new name."""
    reference = rename.reference
    schema, new = reference.name.schema or rename.file.module, _PLACEHOLDER.sub("", reference.detail)
    old_key, key = f"{schema}.{reference.name.name}|TABLE", f"{schema}.{new}|TABLE"
    kept = _after_all(one for one in by_key.get(old_key.casefold(), ()) if one.rank == rename.rank)
    if kept and key.casefold() != old_key.casefold() and _PLAIN.fullmatch(new):
        fact = kept[-1].fact
        yield _Event(rename.rank, rename.path, rename.line, fact._replace(action="drop"), rename.file)
        yield kept[-1]._replace(fact=fact._replace(key=key, name=fact.name._replace(name=new)))


def _in_order(path: str) -> tuple[object, ...]:
    """Return what paths are sorted by: numbers in them by their size, so that 2.10 comes after 2.9.

    What a script of a version is called beside that comes last: `Install.2.1.0.sql` before `2.10.0.sql`.
    """
    folder, slash, name = path.rpartition("/")
    parts = _NUMBERS.split(f"{folder}{slash}{_BEFORE_VERSION.sub('', name)}")  # texts and numbers take turns
    numbers = (int(part) if at % 2 else part for at, part in enumerate(parts))
    return tuple(numbers), path


def _counting(events: Sequence[_Event]) -> tuple[Definition, ...]:
    """Keep the definitions of the best rank that something defines the object at and leaves it at."""
    ranks = sorted({event.rank for event in events if event.fact.action == "create"})
    for rank in ranks:
        kept = _after_all(event for event in events if event.rank == rank)
        if kept:
            return tuple(Definition(event.fact, event.file) for event in _best_named(kept))
        if rank == _MIGRATION_RANK:
            return ()  # dropped: what ranks below is no better witness
    return ()


def _after_all(events: Iterable[_Event]) -> list[_Event]:
    kept: list[_Event] = []
    for event in events:
        kept = _after(kept, event)
    return kept


def _after(kept: list[_Event], event: _Event) -> list[_Event]:
    """Apply one script's statement; outside of migrations a DROP only makes room for the CREATE below it."""
    in_order = event.rank == _MIGRATION_RANK
    if event.fact.action == "drop":
        return [] if in_order else kept
    if in_order and event.fact.kind in MODULES:
        return [event]
    return [*kept, event]


def _best_named(kept: list[_Event]) -> list[_Event]:
    """Put the files first that are called like the object: other ones install it among much else, or keep an old one.

    Of one database that is all that counts of a module. Events are of one object, at most one per place.
    """
    named = [event for event in kept if _is_named_after_object(event)]
    if not named or len(named) == len(kept):
        return kept
    others = [event for event in kept if not _is_named_after_object(event)]
    if kept[0].fact.kind in MODULES and kept[0].fact.default_schema != _SCHEMA_WITH_OVERLOADS:
        homes: defaultdict[str | None, set[str]] = defaultdict(set)
        for event in named:
            homes[_project(event)].add(_database(event))
        others = [event for event in others if not _is_one_of(_database(event), homes[_project(event)])]
    return [*named, *others]


def _is_named_after_object(event: _Event) -> bool:
    stem = PurePosixPath(event.path).stem.casefold()
    return f".{event.fact.name.name.casefold()}." in f".{stem}."  # dbo.Order_Read.StoredProcedure


def _project(event: _Event) -> str | None:
    return event.file.project if event.file else None


def _database(event: _Event) -> str:
    return event.fact.name.database.casefold()


def _is_one_of(database: str, homes: set[str]) -> bool:
    """Tell whether a database may be one of others; a script that names none may be run in any."""
    return database in homes or (bool(homes) and (not database or "" in homes))


def _parts_of_tables(
    definitions: tuple[Definition, ...], chosen: Mapping[str, tuple[Definition, ...]]
) -> tuple[Definition, ...]:
    """Drop indexes and foreign keys that only history knows of a table that source files define, or nobody."""
    return tuple(definition for definition in definitions if _is_part_of_table(definition, chosen))


def _is_part_of_table(definition: Definition, chosen: Mapping[str, tuple[Definition, ...]]) -> bool:
    table = definition.fact.table.casefold()
    if not table:
        return True
    owner = chosen.get(table) or chosen.get(table.replace("|table", "|view"))
    if owner is None:
        return definition.file is None or definition.file.file_class != MIGRATION
    return _rank(definition) <= _rank(owner[0])


def _rank(definition: Definition) -> int:
    return _CODE_RANK if definition.file is None else rank_of(definition.file)
