"""Tell what migrations do to tables: Entity Framework Core and 6, and FluentMigrator."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ragduck.facts import ObjectFact, ObjectName
from ragduck.graph.code import roles
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.entities.table_names import find_table, readings
from ragduck.graph.migrations.history import Migration, Schema, Step, replay
from ragduck.graph.migrations.reading import migration_version
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.model import Edge, Graph
from ragduck.sqlreader.names import Reference

__all__ = ["created_objects", "is_migration", "migration_graph", "migration_version"]

KEY_RULE = "migration"
RAW_SQL = "raw sql"
DEFAULT_SCHEMA = "dbo"


def is_migration(info: TypeInfo, *, catalog: Catalog) -> bool:
    """Say whether a class is a migration, as its node says."""
    return roles.is_migration(catalog, info)


def created_objects(catalog: Catalog, migrations: Sequence[Migration]) -> tuple[ObjectFact, ...]:
    """Return the tables and modules that migrations create and leave, unless SQL files define them."""
    known = _defined_by_sql(catalog)
    facts: dict[str, ObjectFact] = {}
    for fact in _facts(replay(migrations)):
        is_guess = fact.kind == "TABLE" and not fact.name.schema
        names = readings(fact.name) if is_guess else (fact.name,)
        if not any(_is_known(name, known[fact.kind]) for name in names):
            schema = fact.name.schema or DEFAULT_SCHEMA
            key = f"{schema}.{fact.name.name}|{fact.kind}"
            facts.setdefault(key.casefold(), fact._replace(key=key, name=fact.name._replace(schema=schema)))
    return tuple(facts[key] for key in sorted(facts))


def migration_graph(catalog: Catalog, migrations: Sequence[Migration], database: DatabaseCatalog) -> Graph:
    """Return what each migration changes, and the foreign keys and modules that the last one leaves."""
    schema = replay(migrations)
    edges = [edge for migration in migrations for edge in _edges_of(migration, database)]
    for key in schema.keys:
        child, parent = _table_key(key.child, database), _table_key(key.parent, database)
        edges.append(Edge(child, parent, "ForeignKey", key.path, key.line, KEY_RULE, 1.0, key.name))
    edges += _module_edges(schema, _defined_by_sql(catalog), database=database)
    return Graph(edges=tuple(edges))


def _facts(schema: Schema) -> Iterator[ObjectFact]:
    for table in schema.tables:
        yield ObjectFact(
            "", "TABLE", table.name, table.line, table.line, columns=table.columns, path=table.path
        )
    for module, path in schema.modules:
        yield ObjectFact("", module.kind, module.name, module.line, module.end_line, path=path)


def _edges_of(migration: Migration, database: DatabaseCatalog) -> Iterator[Edge]:
    for step in migration.steps:
        yield from _step_edges(step, database, from_key=migration.key)


def _step_edges(step: Step, database: DatabaseCatalog, *, from_key: str) -> Iterator[Edge]:
    def changed(
        key: str, line: int, *, rule: str = RAW_SQL, detail: str = "", confidence: float = 1.0
    ) -> Edge:
        return Edge(from_key, key, "SchemaChange", step.path, line, rule, confidence, detail)

    for change in step.changes:
        names = [change.table]
        if change.rule == "rename table" and change.other is not None:
            names.append(change.other)
        for name in names:
            yield changed(
                _table_key(name, database),
                change.line,
                rule=change.rule,
                detail=change.detail,
                confidence=change.confidence,
            )
    for module in step.modules:
        yield changed(database.key_for(module.name, kind=module.kind), module.line)
    for reference in step.references:
        target = _target(reference, database)
        if target is None:
            continue
        yield Edge(from_key, target, reference.relation, step.path, reference.line, reference.rule)
        if reference.relation == "WritesTo":
            yield changed(target, reference.line)


def _module_edges(
    schema: Schema, known: Mapping[str, Mapping[str, set[str]]], *, database: DatabaseCatalog
) -> Iterator[Edge]:
    """Yield what the modules refer to that only migrations create."""
    for module, path in schema.modules:
        if _is_known(module.name, known[module.kind]):
            continue
        source = database.key_for(module.name, kind=module.kind)
        for reference in module.references:
            target = _target(reference, database)
            if target is not None:
                yield Edge(source, target, reference.relation, path, reference.line, reference.rule)


def _target(reference: Reference, database: DatabaseCatalog) -> str | None:
    """Return what a reference leads to."""
    if reference.kind not in ("", "TABLE"):
        return database.target_of(reference)
    found = _found_table(reference.name, database, kind=reference.kind)
    return found or database.target_of(reference)


def _table_key(name: ObjectName, database: DatabaseCatalog) -> str:
    return _found_table(name, database, kind="TABLE") or database.key_for(name, kind="TABLE")


def _found_table(name: ObjectName, database: DatabaseCatalog, *, kind: str) -> str | None:
    """Find a table also by the other number: migrations for another server may say Groups for the table Group."""
    if name.schema:
        return database.find(name, kind=kind)
    found = find_table(name, database, kind=kind)
    return found.key if found is not None else None


def _defined_by_sql(catalog: Catalog) -> Mapping[str, Mapping[str, set[str]]]:
    """Return the schemas that SQL files create objects in, by kind and name."""
    known: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for file in catalog.files.values():
        for fact in file.objects:
            if fact.action == "create":
                schema = fact.name.schema or fact.default_schema
                known[fact.kind][fact.name.name.casefold()].add(schema.casefold())
    return known


def _is_known(name: ObjectName, known: Mapping[str, set[str]]) -> bool:
    schemas = known.get(name.name.casefold(), set())
    return name.schema.casefold() in schemas if name.schema else bool(schemas)
