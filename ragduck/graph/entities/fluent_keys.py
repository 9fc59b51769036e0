"""Read the relations that configuration declares: `HasOne(…).WithMany(…).HasForeignKey(…)` and its like."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ragduck.facts import Call, CallFact, FileFacts, LambdaParameter, Name
from ragduck.graph.entities.builders import (
    JOINS,
    Scope,
    configuration_entity,
    configured_entity,
    is_of_own_mapper,
    related_entity,
)
from ragduck.graph.entities.declarations import GENERATED
from ragduck.graph.entities.fluent import table_arguments
from ragduck.graph.entities.hibernate import read_pairs
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import argument, function_name, lambda_members, receiver_of, take_apart

FLUENT = "fluent key"
_KEY = "HasForeignKey"
_SINGLE = frozenset(("HasRequired", "HasOptional"))  # of Entity Framework 6, where they suffice alone
_HAS_ONE = _SINGLE | {"HasOne"}
_HAS_MANY = "HasMany"
_WITH_MANY = "WithMany"
_RIGHT_IS_PARENT = frozenset(("WithRequiredDependent", "WithOptionalDependent"))
_LEFT_IS_PARENT = frozenset(("WithRequiredPrincipal", "WithOptionalPrincipal"))
_OF_SIX = frozenset(("WithRequired", "WithOptional"))
_HAS = _HAS_ONE | {_HAS_MANY}
_WITH = _RIGHT_IS_PARENT | _LEFT_IS_PARENT | _OF_SIX | {_WITH_MANY, "WithOne"}
_NAMES = _WITH | _SINGLE | {_KEY}
_TABLES = ("ToTable", "UsingEntity")


class ForeignKey(NamedTuple):
    """A key from the table of one entity to that of another; ``columns`` are properties of the child."""

    child: TypeInfo
    parent: TypeInfo
    columns: tuple[str, ...]
    rule: str
    confidence: float
    path: str
    line: int


class JoinTable(NamedTuple):
    """A table between two entities: ``properties`` lead to it from either side, "" where that has none.

    Mostly no class stands for it; else that is ``entity``, and ``name`` is empty.
    """

    name: str
    schema: str
    sides: tuple[TypeInfo, TypeInfo]
    properties: tuple[str, str]
    path: str
    line: int
    entity: TypeInfo | None = None


class _Relation(NamedTuple):
    left: TypeInfo
    right: TypeInfo
    has: Call
    many: Call | None


def fluent_keys(catalog: Catalog) -> Iterator[ForeignKey]:
    """Yield the foreign keys of fluent configuration, with or without `HasForeignKey` at the end."""
    for file in _files(catalog, calling=_NAMES):
        facts = [fact for fact in file.calls if function_name(fact.call) in _NAMES]
        inner = {call for fact in facts for call in _before(fact.call)}
        for fact in facts:
            if function_name(fact.call) == _KEY or fact.call not in inner:
                found = _fluent_key(fact, Scope(catalog, file, fact.source))
                if found is not None:
                    yield found


def builder_keys(catalog: Catalog) -> Iterator[ForeignKey]:
    """Yield the keys of `table.WithColumn("OrderId").AsInt32().ForeignKey<Order>()` in a table's builder."""
    for file in _files(catalog, calling=("ForeignKey",)):
        for fact in file.calls:
            if function_name(fact.call) == "ForeignKey" and len(fact.call.type_arguments) == 1:
                scope = Scope(catalog, file, fact.source)
                child = configuration_entity(scope.owner, catalog=catalog)
                parent = scope.type(fact.call.type_arguments[0])
                if child is not None and parent is not None:
                    columns = _column_before(fact.call, scope)
                    yield ForeignKey(child, parent, columns, FLUENT, 1.0, file.path, fact.line)


def _column_before(call: Call, scope: Scope) -> tuple[str, ...]:
    for link in reversed(take_apart(call).links[:-1]):
        if link.call is not None and link.name == "WithColumn":
            name = scope.text(argument(link.call, 0))
            return (name,) if name else ()
    return ()


def join_tables(catalog: Catalog) -> Iterator[JoinTable]:
    """Yield the tables of `HasMany(…).WithMany(…).Map(m => m.ToTable("…"))`, `UsingEntity<T>()` and its like."""
    for file in _files(catalog, calling=_TABLES):
        for fact in file.calls:
            if function_name(fact.call) in _TABLES:
                found = _join_table(fact, Scope(catalog, file, fact.source))
                if found is not None:
                    yield found
    for one in read_pairs(catalog):
        sides = one.entity, one.target
        yield JoinTable(one.table, one.schema, sides, (one.member, ""), one.file.path, one.line)


def _files(catalog: Catalog, *, calling: Iterable[str]) -> Iterator[FileFacts]:
    for file in catalog.files_calling(calling):
        if file.language == "csharp" and file.file_class != GENERATED:
            yield file


def _before(call: Call) -> Iterator[Call]:
    """Yield the calls of a chain that its last call completes: what is read there is not read again."""
    links = take_apart(call).links[:-1]
    is_key = function_name(call) == _KEY
    for link in reversed(links if is_key else links[-1:]):
        if link.call is not None:
            yield link.call


def _fluent_key(fact: CallFact, scope: Scope) -> ForeignKey | None:
    relation = _relation(fact.call, scope)
    if relation is None:
        return None
    is_key = function_name(fact.call) == _KEY
    columns = _columns(fact.call, scope) if is_key else _conventional_columns(relation, scope)
    child = _child(relation, fact.call if is_key else None, columns=columns, scope=scope)
    if child is None:
        return None
    parent = relation.right if child is relation.left else relation.left
    return ForeignKey(child, parent, columns, FLUENT, 1.0, scope.file.path, fact.line)


def _relation(call: Call, scope: Scope) -> _Relation | None:
    """Take `HasOne(…).WithMany(…)` out of the chain that a call ends."""
    calls = [link.call for link in take_apart(call).links if link.call is not None]
    at = next((at for at in range(len(calls) - 1, -1, -1) if function_name(calls[at]) in _HAS), -1)
    if at < 0:
        return None
    has, many = calls[at], calls[at + 1] if at + 1 < len(calls) else None
    if many is None and function_name(has) not in _SINGLE:
        return None
    if many is not None and function_name(many) not in _WITH:
        return None
    if is_of_own_mapper(has, scope=scope):
        return None
    left = configured_entity(receiver_of(has) or Name("this"), scope=scope)
    right = related_entity(has, left, scope=scope)
    return _Relation(left, right, has, many) if left is not None and right is not None else None


def _child(
    relation: _Relation, key: Call | None, *, columns: tuple[str, ...], scope: Scope
) -> TypeInfo | None:
    """Tell which side has the key; None for many-to-many relations, and where that is not said."""
    left, right, has = relation.left, relation.right, function_name(relation.has)
    many = function_name(relation.many) if relation.many is not None else _WITH_MANY
    if many == _WITH_MANY:
        return None if has == _HAS_MANY else left
    if has == _HAS_MANY or many in _LEFT_IS_PARENT:
        return right
    if key is not None and key.type_arguments:
        return scope.type(key.type_arguments[0])
    if many in _RIGHT_IS_PARENT:
        return left
    if many in _OF_SIX:
        return right if (has, many) == ("HasOptional", "WithRequired") else left
    candidates = [
        side
        for side, other in ((left, right), (right, left))
        if any(scope.catalog.members(side, column) for column in columns or (f"{other.name}Id",))
    ]
    return candidates[0] if len(candidates) == 1 else None


def _columns(call: Call, scope: Scope) -> tuple[str, ...]:
    texts = (scope.text(one.value) for one in call.arguments)
    return lambda_members(call) or tuple(text for text in texts if text)


def _conventional_columns(relation: _Relation, scope: Scope) -> tuple[str, ...]:
    """Return the column that a navigation has by convention, where the class has it."""
    if function_name(relation.has) not in _HAS_ONE:
        return ()
    names = [f"{name}Id" for name in lambda_members(relation.has)[:1]]
    return tuple(name for name in names if scope.catalog.members(relation.left, name))


def _join_table(fact: CallFact, scope: Scope) -> JoinTable | None:
    receiver = receiver_of(fact.call)
    around = receiver.call if isinstance(receiver, LambdaParameter) else fact.call
    table, schema = table_arguments(fact.call, scope=scope)
    entity = scope.type(fact.call.type_arguments[0]) if fact.call.type_arguments and not table else None
    if function_name(around) not in JOINS or not (table or entity):
        return None
    chain = receiver_of(around)
    relation = _relation(chain, scope) if isinstance(chain, Call) else None
    if relation is None or function_name(relation.has) != _HAS_MANY:
        return None
    sides = relation.left, relation.right
    properties = _property(relation.has, scope), _property(relation.many, scope)
    return JoinTable(table, schema, sides, properties, scope.file.path, fact.line, entity)


def _property(call: Call | None, scope: Scope) -> str:
    """Return the navigation that one end of a relation names."""
    names = _columns(call, scope) if call is not None else ()
    return names[0] if names else ""
