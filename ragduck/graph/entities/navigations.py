"""Know where navigation properties lead: `order.Lines` to the table of lines, `product.Tags` to one between two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ragduck.facts import ObjectName
from ragduck.graph.entities.fluent_keys import JoinTable, join_tables
from ragduck.graph.entities.lazy_loading import loading_properties, loads_lazily
from ragduck.graph.entities.model import EntityModel, Navigation
from ragduck.graph.types.catalog import TypeInfo

_FIELD_PREFIXES = ("_", "m_", "")
_OVERRIDABLE = frozenset(("virtual", "override"))
_KEY_ENDINGS = ("Id", "ID")


class Lead(NamedTuple):
    """Where a navigation leads: to an entity that has a table.

    ``is_lazy`` holds for what is loaded when somebody looks at it. ``between`` is the key of the table
    that holds the pairs of a many-to-many relation, empty where that is not known. ``confidence`` is that of the
    mappings on both ends.
    """

    target: TypeInfo
    is_collection: bool
    confidence: float
    is_lazy: bool = False
    is_many_to_many: bool = False
    between: str = ""


class Navigations:
    """The navigations of all entities that have tables.

    ``names`` are theirs, ``collections`` those of collections, with what fields behind them are called, and ``lazy``
    those of what is loaded when somebody looks at it.
    """

    def __init__(self, model: EntityModel) -> None:
        self._model = model
        self._joins = dict(self._told_joins())
        self._loads_lazily = loads_lazily(model.catalog)
        self._loading = loading_properties(model.catalog)
        self._leads = {info.key: dict(self._leads_of(info)) for info in model.mapped_entities()}
        self.names = frozenset(name for leads in self._leads.values() for name in leads)
        leads = [pair for each in self._leads.values() for pair in each.items()]
        collections = {name for name, lead in leads if lead.is_collection}
        self.lazy = frozenset(name for name, lead in leads if lead.is_lazy)
        self._behind = {field: name for name in sorted(collections) for field in _fields_behind(name)}
        self.collections = collections | self._behind.keys()

    @property
    def told(self) -> object:
        """Where the navigations of entities lead, in words."""
        return [
            (key, sorted((name, lead.target.key, *lead[1:]) for name, lead in leads.items()))
            for key, leads in sorted(self._leads.items())
        ]

    def is_entity(self, info: TypeInfo | None) -> bool:
        """Say whether a type is an entity that has a table."""
        return info is not None and info.key in self._leads

    def lead(self, info: TypeInfo | None, name: str) -> Lead | None:
        """Return where a property of an entity leads."""
        return self._leads.get(info.key, {}).get(name) if info is not None else None

    def lead_behind(self, info: TypeInfo | None, field: str) -> Lead | None:
        """Return where the property leads whose values a field of the entity holds: `_lines` those of `Lines`."""
        name = self._behind.get(field)
        is_field = info is not None and any(one.kind == "FIELD" for one in info.members.get(field, ()))
        return self.lead(info, name) if name is not None and is_field else None

    def _leads_of(self, info: TypeInfo) -> Iterator[tuple[str, Lead]]:
        for navigation in self._model.navigations(info):
            name, target = navigation.member.name, navigation.target
            if self._model.table_key(target) is not None:
                confidence = min(self._model.mappings[one.key].confidence for one in (info, target))
                lead = Lead(target, navigation.is_collection, confidence, self._is_lazy(navigation))
                yield name, self._with_table_between(lead, info, name)

    def _is_lazy(self, navigation: Navigation) -> bool:
        """Say whether a proxy can load a property, or the property does so itself."""
        is_virtual = not _OVERRIDABLE.isdisjoint(navigation.member.modifiers)
        return (self._loads_lazily and is_virtual) or navigation.member.key in self._loading

    def _with_table_between(self, lead: Lead, info: TypeInfo, name: str) -> Lead:
        told = self._joins.get((info.key, name))
        if told is not None:
            return lead._replace(is_many_to_many=True, between=told)
        if not lead.is_collection or not self._have_collections_of_each_other(info, lead.target):
            return lead
        between = self._table_by_names(info, lead.target)
        has_key = self._has_key(lead.target, info) or self._has_key(info, lead.target)
        return lead._replace(is_many_to_many=bool(between) or not has_key, between=between)

    def _have_collections_of_each_other(self, info: TypeInfo, target: TypeInfo) -> bool:
        """Say whether an entity has a collection of another that leads back by collections only."""
        back = [one for one in self._model.navigations(target) if one.target is info]
        return bool(back) and all(one.is_collection for one in back)

    def _has_key(self, info: TypeInfo, of: TypeInfo) -> bool:
        return any(self._model.catalog.members(info, f"{of.name}{ending}") for ending in _KEY_ENDINGS)

    def _table_by_names(self, left: TypeInfo, right: TypeInfo) -> str:
        """Return the table that is called like both entities together, as frameworks call it."""
        schema = self._model.declarations.default_schema(left)
        for one, other in ((left, right), (right, left)):
            key = self._model.existing_key(ObjectName(f"{one.name}{other.name}", schema))
            if key is not None:
                return key
        return ""

    def _told_joins(self) -> Iterator[tuple[tuple[str, str], str]]:
        """Yield the tables that configuration names, by the entities and properties on both sides."""
        for join in join_tables(self._model.catalog):
            key = self._join_key(join)
            for side, name in zip(join.sides, join.properties, strict=True):
                if name and key is not None:
                    yield (side.key, name), key

    def _join_key(self, join: JoinTable) -> str | None:
        if join.entity is not None:
            return self._model.table_key(join.entity)
        schema = join.schema or self._model.declarations.default_schema(join.sides[0])
        return self._model.key_for(ObjectName(join.name, schema))


def _fields_behind(name: str) -> Iterator[str]:
    """Yield what frameworks take for the field of a property."""
    for prefix in _FIELD_PREFIXES:
        yield f"{prefix}{name[:1].lower()}{name[1:]}"
    yield f"_{name}"
