"""Find the table that a name in code means: in singular or plural, and of the right server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ragduck.facts import ObjectName
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.entities.plurals import variants

# Where PostgreSQL and SQLite put what has no schema: scripts for them repeat the tables of SQL Server
_OTHER_SERVERS = ("main.", "public.")


class FoundTable(NamedTuple):
    """A table or view that is defined, with the name that found it."""

    key: str
    name: ObjectName
    is_variant: bool


def find_table(name: ObjectName, database: DatabaseCatalog, *, kind: str = "") -> FoundTable | None:
    """Return the table of a name, else that of its other number; those of another server only as a last resort."""
    found = list(_candidates(name, database, kind=kind))
    own = (one for one in found if name.schema or not one.key.startswith(_OTHER_SERVERS))
    return next(own, None) or next(iter(found), None)


def readings(name: ObjectName) -> Iterator[ObjectName]:
    """Yield a name and its other numbers."""
    yield name
    yield from (name._replace(name=variant) for variant in variants(name.name))


def _candidates(name: ObjectName, database: DatabaseCatalog, *, kind: str) -> Iterator[FoundTable]:
    for reading in readings(name):
        key = database.find(reading, kind=kind)
        if key is not None:
            yield FoundTable(key, reading, reading is not name)
