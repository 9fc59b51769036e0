"""Find the foreign keys that code declares: fluent configuration, attributes, the names of properties."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ragduck.facts import Attribute, MemberFact, ObjectName
from ragduck.graph.entities.builders import Scope
from ragduck.graph.entities.fluent_keys import ForeignKey, builder_keys, fluent_keys, join_tables
from ragduck.graph.entities.hibernate import RULE as HIBERNATE
from ragduck.graph.entities.hibernate import read_references
from ragduck.graph.entities.model import EntityModel, Navigation
from ragduck.graph.types.catalog import TypeInfo
from ragduck.model import Edge

ATTRIBUTE = "ForeignKey attribute"
CONVENTION = "navigation property"
MANY_TO_MANY = "many to many"
_ENDINGS = ("Id", "ID")
_SURE = {ATTRIBUTE: 1.0, CONVENTION: 0.8}


def key_edges(model: EntityModel) -> Iterator[Edge]:
    """Yield the foreign keys between tables; a convention adds only what nothing else says."""
    told: dict[tuple[str, str], set[tuple[str, ...]]] = defaultdict(set)
    for key in _keys(model):
        child, parent = model.table_key(key.child), model.table_key(key.parent)
        if child is None or parent is None or not child.endswith("|TABLE"):
            continue
        known = told[child, parent]
        if key.rule == CONVENTION and (key.columns in known or () in known):
            continue
        known.add(key.columns)
        yield Edge(
            child,
            parent,
            "ForeignKey",
            key.path,
            key.line,
            key.rule,
            key.confidence,
            ", ".join(key.columns),
        )
    yield from _join_edges(model)


def _keys(model: EntityModel) -> Iterator[ForeignKey]:
    """Yield the keys that are written down before those by convention."""
    yield from fluent_keys(model.catalog)
    yield from builder_keys(model.catalog)
    yield from _mapped_keys(model)
    yield from _attribute_keys(model)
    yield from _conventional_keys(model)


def _mapped_keys(model: EntityModel) -> Iterator[ForeignKey]:
    """Yield the keys that mappings of NHibernate name."""
    for one in read_references(model.catalog):
        columns = (one.column,) if one.column else ()
        yield ForeignKey(one.entity, one.target, columns, HIBERNATE, 1.0, one.file.path, one.line)


def _join_edges(model: EntityModel) -> Iterator[Edge]:
    for join in join_tables(model.catalog):
        if join.entity is not None:
            continue  # whose keys are those of its properties
        schema = join.schema or model.declarations.default_schema(join.sides[0])
        child = model.key_for(ObjectName(join.name, schema))
        for side in dict.fromkeys(join.sides):
            parent = model.table_key(side)
            if parent is not None and child is not None:
                yield Edge(child, parent, "ForeignKey", join.path, join.line, MANY_TO_MANY, 1.0)


def _attribute_keys(model: EntityModel) -> Iterator[ForeignKey]:
    """Yield the keys of `[ForeignKey("CustomerId")]` on a navigation, or of its name on the column."""
    for entity in model.mapped_entities():
        navigations = {one.member.name: one for one in model.navigations(entity)}
        for member in model.properties(entity):
            attribute = _attribute_of(member)
            if attribute is None:
                continue
            names = _names_in(attribute, member, model=model)
            if member.name in navigations:
                yield _key(entity, navigations[member.name], columns=names, model=model, rule=ATTRIBUTE)
            elif names and names[0] in navigations:
                found = navigations[names[0]]
                yield _key(entity, found, columns=(member.name,), model=model, rule=ATTRIBUTE, at=member)


def _attribute_of(member: MemberFact) -> Attribute | None:
    return next((one for one in member.attributes if one.name.rpartition(".")[2] == "ForeignKey"), None)


def _names_in(attribute: Attribute, member: MemberFact, *, model: EntityModel) -> tuple[str, ...]:
    scope = Scope(model.catalog, model.catalog.home_of(member), member.owner)
    texts = (scope.text(one.value) or "" for one in attribute.arguments if not one.name)
    return tuple(part.strip() for text in texts for part in text.split(",") if part.strip())


def _conventional_keys(model: EntityModel) -> Iterator[ForeignKey]:
    """Yield the keys of `Customer` with `CustomerId` in one class, and of a list whose elements know its owner."""
    for entity in model.mapped_entities():
        for navigation in model.navigations(entity):
            stems = (navigation.member.name, navigation.target.name)
            if navigation.is_collection:
                stems = (entity.name, entity.name)
            holder = navigation.target if navigation.is_collection else entity
            own = _own_key(holder, model=model) if navigation.target is entity else ()
            names = (f"{stem}{ending}" for stem in stems for ending in _ENDINGS)
            columns = (name for name in names if name not in own and _has_column(holder, name, model=model))
            column = next(columns, None)
            if column is not None:
                yield _key(entity, navigation, columns=(column,), model=model, rule=CONVENTION)


def _own_key(info: TypeInfo, *, model: EntityModel) -> tuple[str, ...]:
    """Return what a class calls its own key, which leads nowhere: `Id`, else `OrderId` of Order."""
    has_id = any(_has_column(info, name, model=model) for name in _ENDINGS)
    return _ENDINGS if has_id else tuple(f"{info.name}{ending}" for ending in _ENDINGS)


def _has_column(holder: TypeInfo, name: str, *, model: EntityModel) -> bool:
    return any(member.kind == "PROPERTY" for member in model.catalog.members(holder, name))


def _key(
    entity: TypeInfo,
    navigation: Navigation,
    *,
    columns: tuple[str, ...],
    model: EntityModel,
    rule: str,
    at: MemberFact | None = None,
) -> ForeignKey:
    member = at or navigation.member
    child, parent = entity, navigation.target
    if navigation.is_collection:
        child, parent = parent, child
    path = model.catalog.home_of(member).path
    return ForeignKey(child, parent, columns, rule, _SURE[rule], path, member.line)
