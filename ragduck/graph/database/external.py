"""Tie procedures, functions and types to the classes of an assembly that they stand for in the database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ragduck.facts import FileFacts, ObjectName, ReferenceFact
from ragduck.graph.database.catalog import DatabaseCatalog
from ragduck.graph.database.sources import source_of
from ragduck.graph.types.catalog import Catalog
from ragduck.model import Edge, Graph
from ragduck.sqlreader.names import EXTERNAL

_NESTED = "+"  # between a type and one in it, as the runtime writes it


def external_graph(catalog: Catalog, database: DatabaseCatalog) -> Graph:
    """Return the edges of `EXTERNAL NAME Assembly.[Namespace.Class].Method` to the method, or to the type.

    `Type::Method()` calls the method of the class that the type stands for.
    """
    return Graph(edges=tuple(_edges(catalog, database)))


def _edges(catalog: Catalog, database: DatabaseCatalog) -> Iterator[Edge]:
    references = [(file, one) for file in database.files for one in file.references if one.kind == EXTERNAL]
    classes: dict[str, str] = {}  # by types
    for file, reference in references:
        source, _ = source_of(reference, file, database)
        if not source or reference.detail:
            continue
        target = _target(reference.name, catalog, is_type=reference.relation == "Uses")
        if target:
            classes[source] = target
            yield Edge(source, target, reference.relation, file.path, reference.line, reference.rule)
    for file, reference in references:
        if reference.detail and classes:
            yield from _static_call(reference, file, classes, catalog=catalog, database=database)


def _static_call(
    reference: ReferenceFact,
    file: FileFacts,
    classes: Mapping[str, str],
    *,
    catalog: Catalog,
    database: DatabaseCatalog,
) -> Iterator[Edge]:
    source, own_schema = source_of(reference, file, database)
    found = database.find(reference.name, kind="TYPE", own_schema=own_schema)
    info = catalog.owner_of(classes[found]) if found and found in classes else None
    members = catalog.members(info, reference.detail) if info else ()
    if source and members:
        sure = min(1.0, database.confidence_of(reference._replace(kind="TYPE"), own_schema=own_schema))
        yield Edge(source, members[0].key, "Calls", file.path, reference.line, reference.rule, sure)


def _target(name: ObjectName, catalog: Catalog, *, is_type: bool) -> str | None:
    """Return the key of a member `Assembly.Class.Method`, or of a type `Assembly.Class`."""
    written = name.name if is_type else name.schema
    info = catalog.owner_of(f"csharp:{written.replace(_NESTED, '.')}|TYPE")
    if info is None or is_type:
        return info.key if info else None
    members = catalog.members(info, name.name)
    return members[0].key if members else None
