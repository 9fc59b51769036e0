"""Keep migrations that do all they do in one file, and run no SQL, as rows of plain values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ragduck.facts import ObjectName
from ragduck.graph.file_rows import Row
from ragduck.graph.migrations.changes import Change
from ragduck.graph.migrations.history import Migration, Step

_STEP, _MEMBER = "step", "member"  # what else a row may be of beside a change, which has more values
_NOWHERE = ("", "", "", "")


def is_plain(migration: Migration) -> bool:
    """Say whether rows can stand for a migration."""
    steps = migration.steps
    is_of_file = all(step.path == migration.path for step in steps)
    return is_of_file and not migration.texts and not any(one.references or one.modules for one in steps)


def rows_of(migration: Migration) -> Sequence[Row]:
    """Return a plain migration as rows: itself, its methods, then its steps, each followed by its changes."""
    return [
        (migration.key, migration.path, migration.stream, migration.version),
        *((_MEMBER, member) for member in sorted(migration.members)),
        *(row for step in migration.steps for row in ((_STEP,), *map(_row, step.changes))),
    ]


def migration_of(rows: Sequence[Sequence[Any]]) -> Migration:
    """Return the migration that rows stand for."""
    key, path, stream, version = rows[0]
    members = frozenset(row[1] for row in rows[1:] if row[0] == _MEMBER)
    steps = [Step(path, tuple(changes)) for changes in _steps(rows[1 + len(members) :])]
    return Migration(key, path, stream, version, tuple(steps), frozenset(), members)


def _steps(rows: Sequence[Sequence[Any]]) -> Iterator[list[Change]]:
    changes: list[Change] | None = None
    for row in rows:
        if len(row) == 1:
            if changes is not None:
                yield changes
            changes = []
        elif changes is not None:
            changes.append(_change(row))
    if changes is not None:
        yield changes


def _row(change: Change) -> Row:
    rule, table, line, detail, columns, other, confidence = change
    return (rule, line, detail, confidence, *table, other is not None, *(other or _NOWHERE), *columns)


def _change(row: Sequence[Any]) -> Change:
    rule, line, detail, confidence = row[:4]
    other = ObjectName(*row[9:13]) if row[8] else None
    return Change(rule, ObjectName(*row[4:8]), line, detail, tuple(row[13:]), other, confidence)
