"""Tie entities to tables: which set holds which entity, which table keeps it, which keys code declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ragduck.facts import ObjectName
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.entities.hibernate_xml import xml_edges
from ragduck.graph.entities.keys import key_edges
from ragduck.graph.entities.linq_edges import use_edges
from ragduck.graph.entities.model import EntityModel
from ragduck.graph.entities.table_queries import query_edges
from ragduck.graph.file_rows import FileRows, ReadAnew
from ragduck.graph.types.catalog import Catalog
from ragduck.model import Edge, Graph

_ANEW = ReadAnew()


def entity_graph(catalog: Catalog, database: DatabaseCatalog, *, rows: FileRows = _ANEW) -> Graph:
    """Return what entities map to, the foreign keys of their configuration, and who reads and writes them."""
    model = EntityModel(catalog, database=database)
    uses = (*use_edges(catalog, model, rows), *query_edges(catalog, model))
    return Graph(edges=(*_mapping_edges(model), *key_edges(model), *xml_edges(model), *uses))


def entity_tables(catalog: Catalog, *, database: DatabaseCatalog | None = None) -> Mapping[str, ObjectName]:
    """Map the keys of entity types to their tables; without a database, plurals are not looked up."""
    model = EntityModel(catalog, database=database)
    return {key: mapping.table for key, mapping in model.mappings.items()}


def _mapping_edges(model: EntityModel) -> Iterator[Edge]:
    for sets in model.declarations.sets.values():
        for one in sets:
            yield Edge(one.key, one.entity.key, "MapsTo", one.file.path, one.line, "DbSet")
    for key, mapping in model.mappings.items():
        table = model.table_key(mapping.entity)
        if table is not None:
            yield Edge(key, table, "MapsTo", mapping.path, mapping.line, mapping.rule, mapping.confidence)
    for mapping in model.other_mappings():
        key, table = mapping.entity.key, model.key_of(mapping)
        if table is not None:
            yield Edge(key, table, "MapsTo", mapping.path, mapping.line, mapping.rule, mapping.confidence)
