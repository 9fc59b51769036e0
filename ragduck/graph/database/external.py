"""Tie procedures, functions and types to the classes of an assembly that they stand for in the database."""

from __future__ import annotations

from collections.abc import Iterator

from ragduck.facts import ObjectName
from ragduck.graph.database.catalog import DatabaseCatalog
from ragduck.graph.database.graph import source_of
from ragduck.graph.types.catalog import Catalog
from ragduck.model import Edge, Graph
from ragduck.sqlreader.headers import EXTERNAL

_NESTED = "+"  # between a type and one in it, as the runtime writes it


def external_graph(catalog: Catalog, database: DatabaseCatalog) -> Graph:
    """Return the edges of `EXTERNAL NAME Assembly.[Namespace.Class].Method` to the method, or to the type."""
    return Graph(edges=tuple(_edges(catalog, database)))


def _edges(catalog: Catalog, database: DatabaseCatalog) -> Iterator[Edge]:
    for file in database.files:
        for reference in file.references:
            if reference.kind != EXTERNAL:
                continue
            source, _ = source_of(reference, file, database)
            target = _target(reference.name, catalog, is_type=reference.relation == "Uses")
            if source and target:
                yield Edge(source, target, reference.relation, file.path, reference.line, reference.rule)


def _target(name: ObjectName, catalog: Catalog, *, is_type: bool) -> str | None:
    """Return the key of a member `Assembly.Class.Method`, or of a type `Assembly.Class`."""
    written = name.name if is_type else name.schema
    info = catalog.owner_of(f"csharp:{written.replace(_NESTED, '.')}|TYPE")
    if info is None or is_type:
        return info.key if info else None
    members = catalog.members(info, name.name)
    return members[0].key if members else None
