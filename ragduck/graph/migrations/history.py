"""Replay migrations in order, to know the tables and keys that exist after the last one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ragduck.facts import ObjectName
from ragduck.graph.migrations.changes import MAX_COLUMNS, Change
from ragduck.graph.migrations.raw_sql import Module
from ragduck.sqlreader.names import Reference


class Step(NamedTuple):
    """What a migration does in one of its methods, between two that it calls; lines are those of its file."""

    path: str
    changes: tuple[Change, ...]
    references: tuple[Reference, ...] = ()
    modules: tuple[Module, ...] = ()


class Migration(NamedTuple):
    """A migration with what it does. Those of one ``stream`` (a project) are applied one after the other.

    ``texts`` are those of SQL that its steps are read from, ``members`` the keys of the methods that it runs.
    """

    key: str
    path: str
    stream: str
    version: str
    steps: tuple[Step, ...]
    texts: frozenset[str] = frozenset()
    members: frozenset[str] = frozenset()


class Table(NamedTuple):
    """A table that migrations create, and where."""

    name: ObjectName
    columns: tuple[str, ...]
    path: str
    line: int


class Key(NamedTuple):
    """A foreign key that migrations create, and where."""

    child: ObjectName
    parent: ObjectName
    name: str
    path: str
    line: int


class Schema(NamedTuple):
    """What is there after the last migration."""

    tables: tuple[Table, ...]
    keys: tuple[Key, ...]
    modules: tuple[tuple[Module, str], ...]  # with their paths


def replay(migrations: Iterable[Migration]) -> Schema:
    """Apply the migrations of every stream in the order of their versions."""
    streams: dict[str, list[Migration]] = defaultdict(list)
    for migration in migrations:
        streams[migration.stream].append(migration)
    states = [_replay_stream(streams[stream]) for stream in sorted(streams)]
    return Schema(
        tuple(table for state in states for table in state.tables.values()),
        tuple(key for state in states for key in state.keys.values()),
        tuple(module for state in states for module in state.modules.values()),
    )


def _replay_stream(migrations: Iterable[Migration]) -> _State:
    state = _State()
    for migration in in_order_of_versions(migrations):
        for step in migration.steps:
            for change in step.changes:
                state.apply(change, step.path)
            for module in step.modules:
                state.define(module, step.path)
    return state


def in_order_of_versions(migrations: Iterable[Migration]) -> list[Migration]:
    """Sort migrations as they are applied."""
    return sorted(migrations, key=_order)


def _order(migration: Migration) -> tuple[int, str, str]:
    version = migration.version[:30]
    return int(version) if version.isascii() and version.isdigit() else 0, migration.path, migration.key


def _folded(name: ObjectName) -> tuple[str, str]:
    schema = name.schema.casefold()
    return "" if schema == "dbo" else schema, name.name.casefold()


_Name = tuple[str, str]


class _State:
    """The tables and keys that are there at one point of the history."""

    def __init__(self) -> None:
        self.tables: dict[_Name, Table] = {}
        self.keys = _Keys()
        self.modules: dict[tuple[str, _Name], tuple[Module, str]] = {}

    def define(self, module: Module, path: str) -> None:
        """Take a new version of a module, or forget it."""
        at = (module.kind, _folded(module.name))
        if module.is_dropped:
            self.modules.pop(at, None)
        else:
            self.modules[at] = (module, path)

    def apply(self, change: Change, path: str) -> None:
        """Take a change of a table."""
        table = _folded(change.table)
        if change.rule == "create table":
            self._create(table, change, path=path)
        elif change.rule == "drop table":
            self.tables.pop(table, None)
            self.keys.drop_all(table)
        elif change.rule == "rename table" and change.other is not None:
            self._rename(table, change.other)
        elif change.rule.endswith("column"):
            self._change_column(table, change)
        elif change.rule == "add foreign key" and change.other is not None:
            self.keys.add(Key(change.table, change.other, change.detail, path, change.line))
        elif change.rule == "drop foreign key":
            self.keys.drop(table, change.detail)

    def _create(self, at: _Name, change: Change, *, path: str) -> None:
        """Add a table; what is said of it in several sentences of one migration is put together."""
        known = self.tables.get(at)
        if known is not None and known.path == path:
            columns = dict.fromkeys((*known.columns, *change.columns))
            self.tables[at] = known._replace(columns=tuple(columns))
        else:
            self.tables[at] = Table(change.table, change.columns, path, change.line)

    def _change_column(self, at: _Name, change: Change) -> None:
        table = self.tables.get(at)
        if table is None:
            return
        old, _, new = change.detail.partition(" -> ")
        columns = list(table.columns)
        if change.rule == "add column" and old:
            columns = [*columns, old] if len(columns) < MAX_COLUMNS else columns
        elif change.rule == "drop column":
            columns = [column for column in columns if column != old]
        elif change.rule == "rename column" and new:
            columns = [new if column == old else column for column in columns]
        self.tables[at] = table._replace(columns=tuple(columns))

    def _rename(self, at: _Name, new: ObjectName) -> None:
        table = self.tables.pop(at, None)
        if table is not None:
            self.tables[_folded(new)] = table._replace(name=new)
        self.keys.rename(at, new)


class _Keys:
    """Foreign keys by their child, which also know the keys that lead to a parent."""

    def __init__(self) -> None:
        self._of_child: dict[_Name, dict[str, Key]] = defaultdict(dict)
        self._to_parent: dict[_Name, set[tuple[_Name, str]]] = defaultdict(set)

    def values(self) -> Iterator[Key]:
        """Yield all keys."""
        for keys in self._of_child.values():
            yield from keys.values()

    def add(self, key: Key) -> None:
        """Add a key, in place of the one of its name."""
        child, name = _folded(key.child), key.name.casefold() or f"{key.parent}"
        self._of_child[child][name] = key
        self._to_parent[_folded(key.parent)].add((child, name))

    def drop(self, child: _Name, name: str) -> None:
        """Forget one key of a table."""
        self._of_child[child].pop(name.casefold(), None)

    def drop_all(self, child: _Name) -> None:
        """Forget the keys of a table."""
        self._of_child.pop(child, None)

    def rename(self, old: _Name, new: ObjectName) -> None:
        """Let the keys of a table, and those that lead to it, follow it to its new name."""
        for key in self._of_child.pop(old, {}).values():
            self.add(key._replace(child=new))
        for child, name in sorted(self._to_parent.pop(old, ())):
            leading = self._of_child[child].get(name)
            if leading is not None and _folded(leading.parent) == old:
                self.add(leading._replace(parent=new))
