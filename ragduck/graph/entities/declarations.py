"""Gather what the code of a snapshot says about entities: sets, configuration, attributes, default schemas."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import NamedTuple

from ragduck.facts import UNKNOWN, Attribute, FileFacts, ObjectName, TypeFact
from ragduck.graph.entities.conventions import names_after_classes
from ragduck.graph.entities.designed import SET_MAPPING, read_designed
from ragduck.graph.entities.fluent import Statement, read_statements
from ragduck.graph.entities.hibernate import RULE as HIBERNATE
from ragduck.graph.entities.hibernate import read_mapped
from ragduck.graph.entities.hibernate_sessions import classes_of_sessions
from ragduck.graph.entities.mapper_classes import RULE as MAPPER_CLASS
from ragduck.graph.entities.mapper_classes import IsTable, read_mapper_classes
from ragduck.graph.entities.micro_orms import used_classes
from ragduck.graph.entities.sets import EntitySet, find_sets, is_model, rank_of
from ragduck.graph.inline_sql.procedures import bare_name
from ragduck.graph.types import libraries
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import named
from ragduck.graph.types.literals import text_of

GENERATED, TEST = "generated", "test"
_RULES = {"table": "ToTable", "entity table": "Entity", "view": "ToView", "name": "table names"}
TABLE_ATTRIBUTES = frozenset(("Table", "TableName", "SugarTable"))
_ALSO_OTHERS = {
    "Alias": libraries.SERVICE_STACK,
    "Map": libraries.REPO_DB,
}  # attributes that are a table's name where that is opened
_PLACEHOLDER = re.compile(r"_?\{\w{1,30}\}")  # for the date of each part of a table, in SqlSugar


class Told(NamedTuple):
    """A table that code names for an entity; an empty schema is the default one."""

    table: ObjectName
    kind: str  # TABLE or VIEW
    rule: str
    path: str
    line: int
    confidence: float = 1.0


class EntityDeclarations:
    """What is said about each entity, by the key of its type; ``entities`` are all that something declares."""

    def __init__(self, catalog: Catalog, *, is_table: IsTable = lambda _: True) -> None:
        self.catalog = catalog
        self.entities: dict[str, TypeInfo] = {}
        self.owned: set[str] = set()
        self.keyless: set[str] = set()
        self.supposed: set[str] = set()  # handed to a micro-ORM, and nothing else says that they are entities
        self.ignored: set[tuple[str, str]] = set()  # type and property, "" for the type itself
        self.sets: dict[str, list[EntitySet]] = defaultdict(list)
        self._tables: dict[str, list[Statement]] = defaultdict(list)
        self._schema_names: dict[str, str] = {}
        self._default_schemas: dict[str, str] = {}  # by context
        self._places: dict[str, list[Statement]] = defaultdict(list)
        self._designed: dict[str, Told] = {}
        self._mapped: dict[str, Told] = {}
        self.names_tables_after_classes = names_after_classes(catalog)
        self._read(is_table)

    def told(self, info: TypeInfo) -> Told | None:
        """Return the table that configuration, else a mapping, an attribute or a designer's model names."""
        by_hand = (one for one in self._tables[info.key] if one.file.file_class != GENERATED)
        first = next(by_hand, None)
        if first is not None:
            return self.of_statement(first)
        return self._mapped.get(info.key) or self._of_attribute(info) or self._designed.get(info.key)

    def told_by_snapshot(self, info: TypeInfo) -> Told | None:
        """Return the table that a generated snapshot of the model names."""
        generated = [one for one in self._tables[info.key] if one.file.file_class == GENERATED]
        latest = max(generated, key=lambda one: (_is_snapshot(one), one.file.path), default=None)
        return self.of_statement(latest)._replace(rule="model snapshot") if latest is not None else None

    def default_schema(self, info: TypeInfo) -> str:
        """Return what `HasDefaultSchema` of the context of an entity says, "" where that is not clear."""
        held = [one.context for one in self.sets[info.key]]
        models = [one for one in held if is_model(one, catalog=self.catalog)]
        contexts = {one.key for one in models or held}
        if not contexts:
            contexts = {one.place.key for one in self._places[info.key] if one.place is not None}
            contexts &= self._default_schemas.keys()
        if not contexts:
            projects = {one.file.project for one in self._places[info.key]}
            contexts = {key for key in self._default_schemas if self._project(key) in projects}
        schemas = {self.schema_of(key) for key in contexts}
        return schemas.pop() if len(schemas) == 1 else ""

    def schema_of(self, context: str) -> str:
        """Return the default schema that a context or the nearest of its bases sets."""
        info = self.catalog.types.get(context)
        bases = self.catalog.ancestors(info) if info is not None else ()
        keys = (context, *(ref.info.key for ref in bases if ref.info is not None))
        return next((self._default_schemas[key] for key in keys if key in self._default_schemas), "")

    def first_place(self, info: TypeInfo) -> tuple[str, int]:
        """Return where code first says that a type is an entity: its set, its configuration, itself."""
        for one in self.sets[info.key]:
            return one.file.path, one.line
        for statement in self._places[info.key]:
            return statement.file.path, statement.line
        return info.files[0].path, info.declarations[0].line

    def _read(self, is_table: IsTable) -> None:
        for one in sorted(find_sets(self.catalog), key=partial(rank_of, catalog=self.catalog)):
            self.sets[one.entity.key].append(one)
            self.entities[one.entity.key] = one.entity
        self._read_designed()
        self._read_mapped(is_table)
        said = tuple(read_statements(self.catalog))
        outside = self._outside_of_tests(said)
        for statement in said:
            if statement.file.file_class != TEST or statement.subject.key not in outside:
                self._take(statement)
        for info in self.catalog.types.values():
            if info.language == "csharp" and self._table_attribute(info) is not None:
                self.entities[info.key] = info
        self.entities |= {info.key: info for info in classes_of_sessions(self.catalog)}
        told = set(self.entities)
        for info, is_named in used_classes(self.catalog):
            self.entities.setdefault(info.key, info)
            told |= {info.key} if is_named else set()
        self.supposed = self.entities.keys() - told
        for key, statements in self._tables.items():
            if key not in self.entities and key not in self.owned and any(map(_is_snapshot, statements)):
                self.entities[key] = statements[0].subject

    def _outside_of_tests(self, statements: Sequence[Statement]) -> AbstractSet[str]:
        """Return the keys of what other code than tests configures or has a set of: tests keep it as they need."""
        said = {one.subject.key for one in statements if one.file.file_class != TEST}
        held = (one for each in self.sets.values() for one in each)
        return said | {one.entity.key for one in held if not one.context.is_test}

    def _read_designed(self) -> None:
        sets = {(one.context.key, one.name): one.entity for each in self.sets.values() for one in each}
        for one in read_designed(self.catalog, SET_MAPPING):
            held = sets.get((one.context.key, one.member))
            of_set = (held, *self.catalog.derived(held)) if held is not None else ()
            for entity in (each for each in of_set if each.name == one.entity):
                self.entities[entity.key] = entity
                told = Told(one.stored, one.kind, "designer model", one.file.path, one.line)
                self._designed.setdefault(entity.key, told)

    def _read_mapped(self, is_table: IsTable) -> None:
        for one in read_mapped(self.catalog):
            self.entities[one.entity.key] = one.entity
            if one.table:
                told = Told(ObjectName(one.table, one.schema), "TABLE", HIBERNATE, one.file.path, one.line)
                self._mapped.setdefault(one.entity.key, told)
        for each in read_mapper_classes(self.catalog, is_table=is_table):
            self.entities[each.entity.key] = each.entity
            told = Told(each.table, "TABLE", MAPPER_CLASS, each.file.path, each.line, each.confidence)
            self._mapped.setdefault(each.entity.key, told)

    def _take(self, statement: Statement) -> None:
        info, what = statement.subject, statement.what
        if what == "default schema":
            self._default_schemas[info.key] = statement.schema
        elif what == "ignored":
            self.ignored.add((info.key, statement.name))
        elif what == "owned":
            self.owned.add(info.key)
        elif what in _RULES:
            self._tables[info.key].append(statement)
        elif what == "keyless":
            self.keyless.add(info.key)
        elif what == "schema name":
            self._schema_names[info.key] = statement.schema
        if (what in _RULES or what in ("keyless", "entity")) and statement.file.file_class != GENERATED:
            self.entities[info.key] = info
            self._places[info.key].append(statement)

    def tables(self, key: str) -> Sequence[Statement]:
        """Return all that names a table for an entity."""
        return self._tables.get(key, ())

    def of_statement(self, statement: Statement, *, context: TypeInfo | None = None) -> Told:
        """Return the table that a statement names, in the default schema of a context, else of the entity's."""
        info = statement.subject
        default = self.default_schema(info) if context is None else self.schema_of(context.key)
        schema = statement.schema or self._schema_names.get(info.key, "") or default
        kind, rule = "VIEW" if statement.what == "view" else "TABLE", _RULES[statement.what]
        return Told(ObjectName(statement.name, schema), kind, rule, statement.file.path, statement.line)

    def attributed(self, info: TypeInfo, context: TypeInfo) -> Told | None:
        """Return the table that an attribute names, in the default schema of a context."""
        return self._of_attribute(info, context=context)

    def _of_attribute(self, info: TypeInfo, *, context: TypeInfo | None = None) -> Told | None:
        found = self._table_attribute(info)
        if found is None:
            return None
        attribute, declared, file = found
        arguments = attribute.arguments
        first = arguments[0].value if arguments and not arguments[0].name else UNKNOWN
        texts = [
            text_of(expression, catalog=self.catalog, file=file, source=info.key) or ""
            for expression in (first, named(arguments, "Name"), named(arguments, "Schema"))
        ]
        written = _PLACEHOLDER.sub("", texts[0] or texts[1]) or declared.name
        table = ObjectName(written, texts[2]) if texts[2] else _named_table(written)
        default = self.default_schema(info) if context is None else self.schema_of(context.key)
        table = table._replace(schema=table.schema or default)
        return Told(table, "TABLE", "Table attribute", file.path, declared.line)

    def _table_attribute(self, info: TypeInfo) -> tuple[Attribute, TypeFact, FileFacts] | None:
        for declared, file in zip(info.declarations, info.files, strict=True):
            for attribute in declared.attributes:
                name = attribute.name.rpartition(".")[2]
                if name in TABLE_ATTRIBUTES or (
                    name in _ALSO_OTHERS and self.catalog.opens(file, _ALSO_OTHERS[name])
                ):
                    return attribute, declared, file
        return None

    def _project(self, key: str) -> str | None:
        info = self.catalog.types.get(key)
        return info.files[0].project if info is not None else None


def _is_snapshot(statement: Statement) -> bool:
    """Say whether a statement is of what Entity Framework keeps of the model as it is now, not as it once was."""
    place = statement.place
    return place is not None and any("ModelSnapshot" in one.bases for one in place.declarations)


def _named_table(written: str) -> ObjectName:
    """Read a name with its schema: LINQ to SQL quotes what needs it, as in `dbo.[Order Details]`."""
    found = bare_name(written)
    if found is None:
        schema, _, name = written.rpartition(".")
        return ObjectName(name, schema)
    return found
