"""Find which entity a piece of configuration is about: `modelBuilder.Entity<Order>()`, `builder`, `this`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ragduck.facts import (
    Call,
    Choice,
    Expression,
    FileFacts,
    LambdaParameter,
    Member,
    Name,
    Text,
    Typed,
    TypeOf,
)
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.chains import (
    MAX_LINKS,
    argument,
    function_name,
    inward,
    lambda_members,
    receiver_of,
)
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.literals import text_of

CONFIGURATIONS = frozenset(("IEntityTypeConfiguration", "EntityTypeConfiguration", "NopEntityBuilder"))
MAPPERS = frozenset(("ClassMapper", "AutoClassMapper", "PluralizedAutoClassMapper"))  # of DapperExtensions
_FOREIGN_CONFIGURATIONS = MAPPERS | {"DommelEntityMap"}
OWNERS = frozenset(("OwnsOne", "OwnsMany", "ComplexProperty", "ComplexCollection"))
OF_TYPE = "Entity"
_ENTITY = frozenset((OF_TYPE, "SharedTypeEntity"))
_OF_FRAMEWORK = frozenset(("EntityTypeBuilder", "EntityTypeConfiguration"))
JOINS = frozenset(("Map", "UsingEntity"))
_BUILDER = re.compile(
    r"(?:[\w.]{0,200}\.)?(?:EntityTypeBuilder|EntityTypeConfiguration|EntityMappingBuilder"
    r"|OwnedNavigationBuilder)<(.{1,300})>\??$",
    re.DOTALL,
)
_MAX_WRAPPERS = 6  # `Task<ICollection<Order>>` has two


@dataclass(frozen=True, slots=True)
class Scope:
    """A place in code, to read names there."""

    catalog: Catalog
    file: FileFacts
    source: str

    def text(self, expression: Expression) -> str | None:
        """Return the string that an expression stands for."""
        return text_of(expression, catalog=self.catalog, file=self.file, source=self.source)

    def type(self, written: str) -> TypeInfo | None:
        """Return the declared type that a name means here."""
        return self.catalog.resolve(written, file=self.file, owner=self.owner).info

    @property
    def owner(self) -> TypeInfo | None:
        """Return the type around this place."""
        return self.catalog.owner_of(self.source)


def configured_entity(expression: Expression, *, scope: Scope) -> TypeInfo | None:
    """Return the entity that a builder configures; inside of `OwnsOne(…)` that is the owned type."""
    owned: list[Call] = []
    entity: TypeInfo | None = None
    for _ in range(MAX_LINKS):
        if isinstance(expression, LambdaParameter):
            expression = expression.call
        if isinstance(expression, Call):
            name, receiver = function_name(expression), receiver_of(expression)
            if name in _ENTITY or (name in OWNERS and expression.type_arguments):
                entity = _named_entity(expression, scope)
                break
            if name in OWNERS:
                owned.append(expression)
            if receiver is None:
                entity = configuration_entity(scope.owner, catalog=scope.catalog)
                break
            expression = receiver
        elif isinstance(expression, Member):
            expression = expression.receiver
        elif isinstance(expression, Choice) and expression.options:
            expression = expression.options[0]
        else:
            entity = _builder_entity(expression, scope)
            break
    for call in reversed(owned):
        entity = related_entity(call, entity, scope=scope)
    return entity


def _builder_entity(expression: Expression, scope: Scope) -> TypeInfo | None:
    if isinstance(expression, Typed):
        found = _BUILDER.match(expression.type)
        return scope.type(found[1]) if found is not None else None
    if isinstance(expression, Name) and expression.name in ("this", "base"):
        return configuration_entity(scope.owner, catalog=scope.catalog)
    return None


def configuration_entity(info: TypeInfo | None, *, catalog: Catalog) -> TypeInfo | None:
    """Return `Order` of `class OrderMap : EntityTypeConfiguration<Order>`, also through bases of one's own."""
    for ref in catalog.ancestors(info) if info is not None else ():
        is_foreign = ref.info is None and ref.name in _FOREIGN_CONFIGURATIONS
        if (is_foreign or ref.name.rpartition(".")[2] in CONFIGURATIONS) and ref.arguments:
            return ref.arguments[0].info
    return None


def is_mapper(info: TypeInfo | None, *, catalog: Catalog) -> bool:
    """Say whether a class is a mapper of DapperExtensions, which names the table by `Table("Orders")`."""
    bases = catalog.ancestors(info) if info is not None else ()
    return any(ref.info is None and ref.name in MAPPERS for ref in bases)


def is_of_own_mapper(expression: Expression | None, *, scope: Scope) -> bool:
    """Say whether a chain begins with an `Entity<Order>()` that the code declares itself, and so what follows."""
    for one in inward(expression) if expression is not None else ():
        if isinstance(one, Call) and function_name(one) == OF_TYPE and one.type_arguments:
            return _is_declared(one, scope)
    return False


def _is_declared(call: Call, scope: Scope) -> bool:
    """Say whether a generic method of the snapshot is called that makes no builder of Entity Framework."""
    declared = scope.catalog.methods_named(OF_TYPE, language=scope.file.language)
    receiver = receiver_of(call)
    if receiver is None or not any(one.type_parameters for one in declared):
        return False
    evaluator = Evaluator(scope.catalog, file=scope.file, source=scope.source)
    found = evaluator.find(evaluator.type_of(receiver), OF_TYPE, count=len(call.arguments), call=call)
    made = evaluator.type_of(call)
    is_framework = made is not None and made.info is None and made.name in _OF_FRAMEWORK
    return found is not None and found.is_method and not is_framework


def related_entity(call: Call, entity: TypeInfo | None, *, scope: Scope) -> TypeInfo | None:
    """Return the other side of `HasOne(o => o.Customer)`, `HasOne<Customer>()`, `HasOne("Shop.Customer", …)`."""
    if call.type_arguments:
        return scope.type(call.type_arguments[0])
    names = lambda_members(call)
    first = scope.text(argument(call, 0)) if not names else names[0]
    if not first:
        return None
    found = navigation_type(entity, first, catalog=scope.catalog) if entity is not None else None
    return found or _by_full_name(first, scope.catalog)


def navigation_type(entity: TypeInfo, name: str, *, catalog: Catalog) -> TypeInfo | None:
    """Return the type that a property refers to, one element of it where it is a collection."""
    for member in catalog.members(entity, name):
        if member.kind != "METHOD":
            ref = catalog.resolve(
                member.type, file=catalog.home_of(member), owner=catalog.owner_of(member.key)
            )
            return element_type(ref).info
    return None


def element_type(ref: TypeRef) -> TypeRef:
    """Look through collections, arrays and tasks."""
    for _ in range(_MAX_WRAPPERS):
        if ref.info is not None or not ref.arguments:
            break
        ref = ref.arguments[-1]
    return ref


def _named_entity(call: Call, scope: Scope) -> TypeInfo | None:
    if call.type_arguments:
        return scope.type(call.type_arguments[0])
    first = argument(call, 0)
    if isinstance(first, TypeOf):
        return scope.type(first.type)
    return _by_full_name(first.value, scope.catalog) if isinstance(first, Text) else None


def _by_full_name(name: str, catalog: Catalog) -> TypeInfo | None:
    return catalog.types.get(f"csharp:{name}|TYPE")
