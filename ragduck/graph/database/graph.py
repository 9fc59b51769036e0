"""Make the nodes and edges of the database from what SQL files define and name."""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import chain

from ragduck.facts import INCLUDES, FileFacts, ObjectName, ReferenceFact
from ragduck.graph.database.catalog import DatabaseCatalog
from ragduck.graph.database.given import given_references
from ragduck.graph.database.includes import include_edges
from ragduck.graph.database.messages import sent_references
from ragduck.graph.database.sources import source_of
from ragduck.graph.database.versions import MIGRATION, MODULES, RENAME_TABLE, Definition
from ragduck.model import Edge, Graph, Node
from ragduck.sqlreader.given import CONDITIONAL
from ragduck.sqlreader.headers import EXTERNAL
from ragduck.sqlreader.job_steps import IN_DATA
from ragduck.sqlreader.messages import BROKER, OF_MESSAGES

__all__ = ["DatabaseCatalog", "database_graph", "source_of"]

CHANGE = "SchemaChange"
_NO_OBJECTS = CONDITIONAL | OF_MESSAGES | {INCLUDES}
_SENT = 0.8  # the server runs it when the message is there
_IN_DATA = 0.6  # what a row says is done if somebody makes a job of it
_LESS_SURE = {IN_DATA: _IN_DATA, BROKER: _SENT}
_SYNONYM_KINDS = ("TABLE", "PROC", "FUNC", "SEQUENCE")


def database_graph(database: DatabaseCatalog) -> Graph:
    """Return the objects that count, what they contain and what they and the scripts refer to.

    Files have their nodes elsewhere. What migrations in code create has a node here, but no edges.
    """
    nodes = tuple(_node(key, definitions[0], database) for key, definitions in database.definitions.items())
    edges: list[Edge] = []
    for key, definitions in database.definitions.items():
        edges += _contains(key, definitions, database)
    for file in database.files:
        own = (each for each in file.references if each.relation not in _NO_OBJECTS)
        found = [edge for reference in own for edge in _edges(reference, file, database)]
        used = {(edge.from_key, edge.to_key) for edge in found if edge.relation != CHANGE}
        edges += (edge for edge in found if _is_of_use(edge, used, database))
    for file, reference in chain(given_references(database), sent_references(database)):
        edges += _edges(reference, file, database)
    edges += include_edges(database.files)
    return Graph(nodes, tuple(edges))


def _is_of_use(edge: Edge, used: Set[tuple[str, str]], database: DatabaseCatalog) -> bool:
    """Tell whether a change is one of a known table, or of one that a module creates and uses."""
    is_known = edge.relation != CHANGE or database.key_of(edge.to_key) is not None
    return is_known or (edge.from_key, edge.to_key) in used


def _node(key: str, definition: Definition, database: DatabaseCatalog) -> Node:
    fact = definition.fact
    path = definition.file.path if definition.file else fact.path or None
    return Node(
        key,
        fact.kind,
        fact.name.name,
        "db_code",
        schema=fact.name.schema or fact.default_schema,
        project=database.projects.get(path or ""),
        source_file=path,
        start_line=fact.line,
        end_line=fact.end_line,
    )


def _contains(key: str, definitions: tuple[Definition, ...], database: DatabaseCatalog) -> Iterator[Edge]:
    """Yield what shows where an object is: a foreign key is part of its table, all else of a file."""
    for fact, file in definitions:
        path = file.path if file else fact.path
        if not path:
            continue
        if fact.kind == "FOREIGN_KEY":
            yield Edge(
                database.key_of(fact.table) or fact.table, key, "Contains", path, fact.line, "foreign key"
            )
        else:
            yield Edge(f"file:{path}|FILE", key, "Contains", path, fact.line, "definition")


def _edges(reference: ReferenceFact, file: FileFacts, database: DatabaseCatalog) -> Iterator[Edge]:
    source, own_schema = source_of(reference, file, database)
    if source is None or reference.kind == EXTERNAL:
        return
    reference = _in_the_end(reference, file, database)
    if reference.relation == "ForeignKey":
        yield from _foreign_key(source, reference, file, database)
        return
    target = _target(reference, database, own_schema=own_schema)
    is_history = source.endswith("|FILE") and file.file_class == MIGRATION
    is_change = reference.relation == CHANGE and not _creates(reference, file)
    is_data = reference.rule == IN_DATA
    needs_known = is_data or is_history or is_change  # what came and went is nobody's concern
    if target is None or (needs_known and database.key_of(target) is None):
        return
    confidence = database.confidence_of(reference, own_schema=own_schema)
    yield Edge(
        source,
        target,
        reference.relation,
        file.path,
        reference.line,
        reference.rule,
        min(confidence, _LESS_SURE.get(reference.rule, 1.0)),
        reference.detail,
    )


def _creates(reference: ReferenceFact, file: FileFacts) -> bool:
    """Tell whether a module creates a table when it runs."""
    is_of_module = reference.source.rpartition("|")[2] in MODULES and file.file_class != MIGRATION
    return is_of_module and reference.rule == "create table"


def _in_the_end(reference: ReferenceFact, file: FileFacts, database: DatabaseCatalog) -> ReferenceFact:
    """Return a reference of a migration's own statements to the names that objects have after all migrations.

    What modules say is not changed by renaming what they use.
    """
    is_of_module = reference.source.rpartition("|")[2] in MODULES and reference.relation != "On"
    if file.file_class != MIGRATION or is_of_module:
        return reference
    if reference.rule == RENAME_TABLE:
        reference = _of_column(reference, file, database)
    if reference.relation == "ForeignKey":
        reference = reference._replace(detail=_key_in_the_end(reference, file, database))
    name = reference.name
    if reference.kind not in ("", "TABLE") or not database.is_local(name):
        return reference
    key = f"{name.schema or file.module}.{name.name}|TABLE"
    found = database.key_of(database.renames.key_after(key, path=file.path, line=reference.line))
    if found is None or found.casefold() == key.casefold():
        return reference
    return reference._replace(name=database.definitions[found][0].fact.name)


def _of_column(reference: ReferenceFact, file: FileFacts, database: DatabaseCatalog) -> ReferenceFact:
    """Take `sp_rename 'Orders.Total', 'Sum'` for that of a column where Orders is a table and no schema."""
    name = reference.name
    if not name.schema or database.find(name, kind="TABLE") is not None:
        return reference
    table = f"{file.module}.{name.schema}|TABLE"
    if database.key_of(database.renames.key_after(table, path=file.path, line=reference.line)) is None:
        return reference
    detail = f"{name.name} -> {reference.detail}"
    return reference._replace(name=ObjectName(name.schema), rule="rename column", detail=detail)


def _key_in_the_end(reference: ReferenceFact, file: FileFacts, database: DatabaseCatalog) -> str:
    """Return what a foreign key is called after all migrations."""
    schema = reference.source.rpartition("|")[0].rpartition(".")[0]
    key = f"{schema}.{reference.detail}|FOREIGN_KEY"
    found = database.key_of(database.renames.key_after(key, path=file.path, line=reference.line))
    return database.definitions[found][0].fact.name.name if found else reference.detail


def _target(reference: ReferenceFact, database: DatabaseCatalog, *, own_schema: str) -> str | None:
    """Return the node that a reference leads to; a synonym may be for anything."""
    kinds = _SYNONYM_KINDS if reference.relation == "SynonymFor" else ()
    found = (database.find(reference.name, kind=kind, own_schema=own_schema) for kind in kinds)
    return next(filter(None, found), None) or database.target_of(reference, own_schema=own_schema)


def _foreign_key(
    child: str, reference: ReferenceFact, file: FileFacts, database: DatabaseCatalog
) -> Iterator[Edge]:
    """Yield the edge between the tables, and that of the key's own node."""
    schema = child.rpartition("|")[0].rpartition(".")[0]
    key = database.key_of(f"{schema}.{reference.detail}|FOREIGN_KEY")
    if key is None or not database.defines(key, path=file.path, line=reference.line):
        return
    parent = database.key_for(reference.name, kind="TABLE", own_schema=schema)
    yield Edge(child, parent, "ForeignKey", file.path, reference.line, reference.rule, 1.0, reference.detail)
    yield Edge(key, parent, "Uses", file.path, reference.line, reference.rule, 1.0, reference.detail)
