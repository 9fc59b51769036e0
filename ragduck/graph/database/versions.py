"""Choose which definitions of a database object count: a repository keeps many versions of one procedure.

Source files say what is there, but for folders called legacy or archive. Where they are silent, migration scripts
do, in the order of the numbers in their paths: the last definition of a module replaces those before it, what a
later script drops is gone, and what it renames is called so. Of scripts for several servers those of the server that
most are for count first, and each server has a history of its own.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from ragduck.facts import FileFacts, ObjectFact, ReferenceFact
from ragduck.graph.database.renames import Renames, ScriptRuns, undoing_by_name
from ragduck.sqlreader.drops import MOVE_TABLE

MIGRATION = "migration"
MODULES = frozenset({"VIEW", "PROC", "FUNC", "TRIGGER"})  # defined anew as a whole, never in part

_RANKS = {MIGRATION: 1, "generated": 3, "test": 4, "vendored": 5}
_OUTDATED = re.compile(
    r"(?:^|/)(?:legacy|old|archived?|obsolete|deprecated|backups?|drafts?)(?:[ _.-]?(?:scripts?|sql|versions?))?/",
    re.IGNORECASE,
)
_OUTDATED_RANK = 3
_SCHEMA_WITH_OVERLOADS = "public"  # of PostgreSQL
_CODE_RANK = 2  # what migrations in code create
_MIGRATION_RANK = _RANKS[MIGRATION]
RENAME_TABLE = "rename table"
_RENAME_INDEX = "rename index"
_RENAMED = ("TABLE", "FOREIGN_KEY")  # by one procedure, which does not ask which of them
_MOVED = ("TABLE", "VIEW", "PROC", "FUNC")  # to another schema, likewise
_MAX_MOVES = 100_000  # of parts with their tables, which may be renamed over and over
_OF_FILE = "file:"  # rather than of a procedure
_NOTHING: frozenset[str] = frozenset()
_NO_RUNS = ScriptRuns()
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
    is_port: bool = False  # of another server than most files are for


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


class Versions(NamedTuple):
    """The definitions that count by node key, and what scripts call differently on the way there."""

    definitions: dict[str, tuple[Definition, ...]]
    renames: Renames


def definitions_that_count(
    files: Sequence[FileFacts], *, created: Sequence[ObjectFact] = ()
) -> dict[str, tuple[Definition, ...]]:
    """Map node keys to the definitions that count, the first of which the node stands for."""
    return read_versions(files, created=created).definitions


def read_versions(
    files: Sequence[FileFacts], *, created: Sequence[ObjectFact] = (), runs: ScriptRuns = _NO_RUNS
) -> Versions:
    """Apply the scripts one after the other, and choose the definitions that count."""
    undone = runs.undone | undoing_by_name([file.path for file in files if file.file_class == MIGRATION])
    history = _history_of([file for file in files if file.path not in undone], created, runs)
    chosen: dict[str, tuple[Definition, ...]] = {}
    for folded, events in history.by_key.items():
        definitions = _counting(events)
        if definitions:
            chosen[folded] = definitions
    parts = (_parts_of_tables(definitions, chosen) for definitions in chosen.values())
    counting = {definitions[0].fact.key: definitions for definitions in parts if definitions}
    return Versions(counting, history.renames)


def _history_of(files: Sequence[FileFacts], created: Iterable[ObjectFact], runs: ScriptRuns) -> _History:
    twins = _with_schemas(files)
    home = _home_of(files)
    events: list[_Event | _Rename] = [
        _Event(rank_of(file), file.path, fact.line, fact, file, fact.default_schema != home)
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
        if reference.rule in (RENAME_TABLE, _RENAME_INDEX, MOVE_TABLE)
        and reference.source.startswith(_OF_FILE)
    ]
    history = _History(runs)
    order = {path: runs.order_of(path) for path in {event.path for event in events}}
    for event in sorted(events, key=lambda event: (event.rank, order[event.path], event.line)):
        if isinstance(event, _Rename):
            history.rename(event)
        else:
            history.add(event)
    return history


def _home_of(files: Iterable[FileFacts]) -> str:
    """Return the default schema of the server that most files are for which define something."""
    defining = ({fact.default_schema for fact in file.objects if fact.action == "create"} for file in files)
    schemas = Counter(schema for of_file in defining for schema in of_file)
    return min(schemas, key=lambda schema: (-schemas[schema], schema), default="")


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


class _History:
    """What is said of each object, by its key case folded, in the order in which it is said."""

    def __init__(self, runs: ScriptRuns) -> None:
        self.by_key: defaultdict[str, list[_Event]] = defaultdict(list)
        self.renames = Renames(runs)
        self._kept: defaultdict[str, list[_Event]] = defaultdict(
            list
        )  # what scripts of migrations leave so far
        self._parts: defaultdict[str, dict[str, None]] = defaultdict(
            dict
        )  # keys of indexes and keys of tables
        self._moves = 0

    def add(self, event: _Event) -> None:
        """Take in what a script creates or drops."""
        folded, fact = event.fact.key.casefold(), event.fact
        self.by_key[folded].append(event)
        if event.rank != _MIGRATION_RANK:
            return
        if fact.action == "drop":
            self._kept.pop(folded, None)
            self.renames.drop(fact.key, path=event.path, line=event.line)
        else:
            self._keep(event)

    def rename(self, rename: _Rename) -> None:
        """Let a table, index or foreign key go on under another name, once it is there; a table with its parts."""
        for old_key, key, schema, new in _new_keys(rename):
            kept = self._kept.get(old_key.casefold())
            if kept and key.casefold() != old_key.casefold() and _PLAIN.fullmatch(new):
                name = kept[-1].fact.name._replace(name=new)
                name = name._replace(schema=schema) if schema else name
                self._move(rename, kept[-1], kept[-1].fact._replace(key=key, name=name))
                if key.endswith("|TABLE"):
                    self._move_parts(rename, kept[-1].fact.key, key)
                return

    def _keep(self, event: _Event) -> None:
        folded, table = event.fact.key.casefold(), event.fact.table.casefold()
        if event.fact.kind in MODULES:
            self._kept[folded].clear()
        self._kept[folded].append(event)
        if table:
            self._parts[table][folded] = None

    def _move(self, rename: _Rename, event: _Event, fact: ObjectFact) -> None:
        """End an object under its key, and define it as ``fact`` says."""
        old = event.fact
        dropped = old._replace(action="drop")
        ended = _Event(rename.rank, rename.path, rename.line, dropped, rename.file, event.is_port)
        self.by_key[old.key.casefold()].append(ended)
        self._kept.pop(old.key.casefold(), None)
        self.renames.rename(old.key, fact.key, path=rename.path, line=rename.line)
        moved = event._replace(fact=fact)
        self.by_key[fact.key.casefold()].append(moved)
        self._keep(moved)

    def _move_parts(self, rename: _Rename, old: str, new: str) -> None:
        """Let the foreign keys of a table, and its indexes, which have its name in theirs, follow it."""
        home, new_home = old.removesuffix("|TABLE"), new.removesuffix("|TABLE")
        for part in self._parts.pop(old.casefold(), ()):
            kept = [one for one in self._kept.get(part, ()) if one.fact.table.casefold() == old.casefold()]
            self._moves += len(kept)
            if not kept or self._moves > _MAX_MOVES:
                continue
            fact = kept[-1].fact._replace(table=new)
            schema = new_home.rpartition(".")[0]
            if fact.kind == "INDEX":
                self._move(rename, kept[-1], fact._replace(key=f"{new_home}{fact.key[len(home) :]}"))
            elif schema.casefold() != home.rpartition(".")[0].casefold():
                key, name = f"{schema}.{fact.name.name}|{fact.kind}", fact.name._replace(schema=schema)
                self._move(rename, kept[-1], fact._replace(key=key, name=name))
            else:
                self._follow(part, old, new)

    def _follow(self, part: str, old: str, new: str) -> None:
        """Say of a foreign key, whose own name stays, that it is one of the renamed table."""

        def moved(event: _Event) -> _Event:
            is_part = event.rank == _MIGRATION_RANK and event.fact.table.casefold() == old.casefold()
            return event._replace(fact=event.fact._replace(table=new)) if is_part else event

        self.by_key[part] = [moved(event) for event in self.by_key[part]]
        self._kept[part] = [moved(event) for event in self._kept[part]]
        self._parts[new.casefold()][part] = None


def _new_keys(rename: _Rename) -> Iterator[tuple[str, str, str, str]]:
    """Yield the key that an object may have so far, that which it gets, and its new schema, if any, and name."""
    reference = rename.reference
    home, old = reference.name.schema or rename.file.module, reference.name.name
    if reference.rule == MOVE_TABLE:
        schema = _PLACEHOLDER.sub("", reference.detail)
        for kind in _MOVED if schema else ():
            yield f"{home}.{old}|{kind}", f"{schema}.{old}|{kind}", schema, old
    elif reference.rule == _RENAME_INDEX:
        old, _, new = reference.detail.partition(" -> ")
        table = f"{home}.{reference.name.name}"
        yield f"{table}.{old}|INDEX", f"{table}.{new}|INDEX", "", new
    else:
        new = _PLACEHOLDER.sub("", reference.detail)
        for kind in _RENAMED:
            yield f"{home}.{old}|{kind}", f"{home}.{new}|{kind}", "", new


def _counting(events: Sequence[_Event]) -> tuple[Definition, ...]:
    """Keep the definitions of the best rank that something defines the object at and leaves it at."""
    ranks = sorted({event.rank for event in events if event.fact.action == "create"})
    for rank in ranks:
        counting = [
            event
            for of_server in _by_servers([event for event in events if event.rank == rank])
            for event in _best_named([one for each in _by_tables(of_server) for one in _after_all(each)])
        ]
        if counting:
            return tuple(Definition(event.fact, event.file) for event in counting)
        if rank == _MIGRATION_RANK:
            return ()  # dropped: what ranks below is no better witness
    return ()


def _by_servers(events: Sequence[_Event]) -> Iterable[Sequence[_Event]]:
    """Part the history of an object that scripts of several servers create: those of most files come first."""
    if len({event.is_port for event in events if event.fact.action == "create"}) < 2:
        return (events,)
    return tuple([event for event in events if event.is_port is is_port] for is_port in (False, True))


def _by_tables(events: Sequence[_Event]) -> Iterable[Sequence[_Event]]:
    """Part the history of a trigger of PostgreSQL from those of its namesakes on other tables."""
    if events[0].fact.kind != "TRIGGER" or events[0].fact.default_schema != _SCHEMA_WITH_OVERLOADS:
        return (events,)
    found: defaultdict[str, list[_Event]] = defaultdict(list)
    for event in events:
        found[event.fact.table.casefold()].append(event)
    return found.values()


def _after_all(events: Iterable[_Event]) -> list[_Event]:
    kept: list[_Event] = []
    for event in events:
        kept = _after(kept, event)
    return kept


def _after(kept: list[_Event], event: _Event) -> list[_Event]:
    """Apply one script's statement; outside of migrations a DROP only makes room for the CREATE below it."""
    in_order = event.rank == _MIGRATION_RANK
    if event.fact.action == "drop":
        return _without_own(kept, event) if in_order else kept
    if in_order and event.fact.kind in MODULES:
        return [event]
    return [*kept, event]


def _without_own(kept: list[_Event], drop: _Event) -> list[_Event]:
    """Return what a drop leaves: scripts of another database, which lie elsewhere, may make one of that name."""
    series = _series(drop.path)
    others = [event for event in kept if _series(event.path) != series]
    return others if len(others) < len(kept) else []


def _series(path: str) -> str:
    """Return the folder of a script without the parts that are numbered: `Standard/6.1.0/Ods`."""
    folders = path.rpartition("/")[0].split("/")
    return "/".join(folder for folder in folders if not any(map(str.isdigit, folder))).casefold()


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
    if not table or definition.fact.kind == "TRIGGER":
        return True
    owner = chosen.get(table) or chosen.get(table.replace("|table", "|view"))
    if owner is None:
        return definition.file is None or definition.file.file_class != MIGRATION
    return _rank(definition) <= _rank(owner[0])


def _rank(definition: Definition) -> int:
    return _CODE_RANK if definition.file is None else rank_of(definition.file)
