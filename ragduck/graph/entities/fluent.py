"""Read how code configures entities: table, view, schema, owned and ignored types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ragduck.facts import Call, CallFact, FileFacts, Lambda, LambdaParameter, Name, Text
from ragduck.graph.entities.builders import (
    JOINS,
    OF_TYPE,
    OWNERS,
    Scope,
    configuration_entity,
    configured_entity,
    is_mapper,
    is_of_own_mapper,
    related_entity,
)
from ragduck.graph.inline_sql.procedures import bare_name
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import argument, function_name, lambda_members, receiver_of

NAME_MAP = "TableNames"  # of nopCommerce's INameCompatibility
TO_TABLE = frozenset(("ToTable", "ToView", "HasTableName"))
_ENTITY = frozenset(("Entity", "SharedTypeEntity"))
_OF_MAPPERS = {"Table": "ToTable", "Schema": "HasSchemaName"}  # as a mapper of DapperExtensions calls them
_RELATES = frozenset(("HasOne", "HasMany", "HasRequired", "HasOptional"))
_NAMES = (
    TO_TABLE
    | OWNERS
    | _ENTITY
    | _RELATES
    | frozenset(("HasNoKey", "Ignore", "HasDefaultSchema", "HasSchemaName"))
    | _OF_MAPPERS.keys()
)


class Statement(NamedTuple):
    """One thing that configuration says about an entity, or with `default schema` about a context."""

    what: str  # table, entity table, view, name, entity, keyless, owned, ignored, schema name, default schema
    subject: TypeInfo
    name: str
    schema: str
    file: FileFacts
    line: int
    place: TypeInfo | None  # the type whose code says so


def read_statements(catalog: Catalog) -> Iterator[Statement]:
    """Yield what the code of a snapshot says about entities; generated snapshots of the model come last."""
    files = [file for file in catalog.files.values() if file.language == "csharp"]
    calling = {file.path for file in catalog.files_calling(_NAMES)}
    for file in sorted(files, key=lambda file: (file.file_class == "generated", file.path)):
        yield from _configurations(file, catalog)
        yield from _name_maps(file, catalog)
        for fact in file.calls if file.path in calling else ():
            name = function_name(fact.call)
            if name in _NAMES:
                yield from _statement(fact, name, scope=Scope(catalog, file, fact.source))


def _name_maps(file: FileFacts, catalog: Catalog) -> Iterator[Statement]:
    """Yield what a map from types to table names says: `TableNames => new() { { typeof(Order), "Orders_2" } }`."""
    maps = {member.key for member in file.members if member.name == NAME_MAP and member.kind == "PROPERTY"}
    if not maps:
        return
    typed = {
        (use.source, use.line): use.type for use in file.uses if use.how == "typeof" and use.source in maps
    }
    for fact in file.strings:
        written = typed.get((fact.source, fact.line))
        scope = Scope(catalog, file, fact.source)
        entity = scope.type(written) if written else None
        if entity is not None and isinstance(fact.value, Text):
            yield Statement("name", entity, fact.value.value, "", file, fact.line, scope.owner)


def _configurations(file: FileFacts, catalog: Catalog) -> Iterator[Statement]:
    """Yield the entities that configuration classes are about."""
    for declared in file.types:
        info = catalog.types[declared.key]
        entity = configuration_entity(info, catalog=catalog) if declared.bases else None
        if entity is not None and not info.type_parameters:
            yield Statement("entity", entity, "", "", file, declared.line, info)


def _statement(fact: CallFact, name: str, *, scope: Scope) -> Iterator[Statement]:
    call = fact.call
    receiver = receiver_of(call)
    if name in _OF_MAPPERS:
        if receiver not in (None, Name("this")) or not is_mapper(scope.owner, catalog=scope.catalog):
            return
        name = _OF_MAPPERS[name]
    if (
        name == OF_TYPE
        and call.type_arguments
        and (_named(call, scope) or is_of_own_mapper(call, scope=scope))
    ):
        yield from _of_own_mapper(fact, scope)
        return
    if name == "HasDefaultSchema" and scope.owner is not None:
        schema = scope.text(argument(call, 0, name="schema")) or ""
        yield Statement("default schema", scope.owner, "", schema, scope.file, fact.line, scope.owner)
        return
    if name in _RELATES:
        yield from _related(fact, scope)
        return
    if name == "Ignore" and call.type_arguments:
        ignored = scope.type(call.type_arguments[0])
        if ignored is not None:
            yield Statement("ignored", ignored, "", "", scope.file, fact.line, scope.owner)
        return
    if isinstance(receiver, LambdaParameter) and function_name(receiver.call) in JOINS:
        return  # the table between two entities, which no class stands for
    entity = configured_entity(call if name in _ENTITY else receiver or call, scope=scope)
    if entity is not None:
        yield from _about(entity, fact, name=name, scope=scope)


def _named(call: Call, scope: Scope) -> bool:
    """Say whether a call is given a name: `mapper.Entity<Order>("Orders")`, which Entity Framework has not."""
    first = argument(call, 0)
    return not isinstance(first, Lambda) and bare_name(scope.text(first) or "") is not None


def _of_own_mapper(fact: CallFact, scope: Scope) -> Iterator[Statement]:
    """Yield the table that a mapper of one's own is told; where it is told none, it may call it as it likes."""
    entity = scope.type(fact.call.type_arguments[0])
    if entity is not None and _named(fact.call, scope):
        table, schema = table_arguments(fact.call, scope=scope)
        yield Statement("entity table", entity, table, schema, scope.file, fact.line, scope.owner)


def _related(fact: CallFact, scope: Scope) -> Iterator[Statement]:
    """Yield the other side of a relation: only what is an entity can be related to one."""
    if scope.file.file_class == "generated" or is_of_own_mapper(fact.call, scope=scope):
        return
    entity = configured_entity(receiver_of(fact.call) or fact.call, scope=scope)
    other = related_entity(fact.call, entity, scope=scope) if entity is not None else None
    if other is not None and not other.is_interface:
        yield Statement("entity", other, "", "", scope.file, fact.line, scope.owner)


def _about(entity: TypeInfo, fact: CallFact, *, name: str, scope: Scope) -> Iterator[Statement]:
    call, file, line, place = fact.call, scope.file, fact.line, scope.owner
    if name in TO_TABLE:
        table, schema = table_arguments(call, scope=scope)
        if table:
            what = "view" if name == "ToView" else "table"
            yield Statement(what, entity, table, schema, file, line, place)
    elif name in OWNERS:
        owned = related_entity(call, entity, scope=scope)
        if owned is not None:
            yield Statement("owned", owned, "", "", file, line, place)
    elif name == "Ignore":
        for member in lambda_members(call) or (scope.text(argument(call, 0)) or "",):
            yield Statement("ignored", entity, member, "", file, line, place)
    else:
        what = {"HasNoKey": "keyless", "HasSchemaName": "schema name"}.get(name, "entity")
        schema = scope.text(argument(call, 0)) or "" if what == "schema name" else ""
        yield Statement(what, entity, "", schema, file, line, place)


def table_arguments(call: Call, *, scope: Scope) -> tuple[str, str]:
    """Return name and schema of `ToTable("Order", "sales", t => …)`; empty where only a lambda is given."""
    first = argument(call, 0, name="name")
    if isinstance(first, Lambda):
        return "", ""
    name = scope.text(first) or ""
    second = argument(call, 1, name="schema")
    schema = scope.text(second) or "" if not isinstance(second, Lambda) else ""
    if "." in name and not schema:
        schema, _, name = name.rpartition(".")  # Entity Framework 6 takes both in one string
    return name, schema
