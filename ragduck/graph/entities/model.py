"""Know the entities of a snapshot and the table or view that each is kept in."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ragduck.facts import MemberFact, ObjectName
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.entities.builders import element_type
from ragduck.graph.entities.contexts import ContextTables
from ragduck.graph.entities.declarations import EntityDeclarations, Told
from ragduck.graph.entities.sets import EntitySet
from ragduck.graph.entities.table_names import find_table
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef

SAME_NAME = 0.9
OTHER_NUMBER = 0.8
UNMAPPED = frozenset(("NotMapped", "NotColumn"))
_CONVENTIONS = frozenset(("set name", "class name"))
_CLASSES = frozenset(("class", "record"))


class TableMapping(NamedTuple):
    """Where an entity is kept, what says so, and where."""

    entity: TypeInfo
    table: ObjectName
    kind: str  # TABLE or VIEW
    rule: str
    confidence: float
    path: str
    line: int


class Navigation(NamedTuple):
    """A property that leads from an entity to another class, or to a collection of it."""

    member: MemberFact
    target: TypeInfo
    is_collection: bool


class _Kept(NamedTuple):
    """An entity as a context has it, by their keys."""

    entity: str
    context: str


class EntityModel:
    """The entities of all contexts together; ``mappings`` has their tables by the key of the type.

    Without a ``database`` a convention takes its own word for it: a set's name is the table's.
    """

    def __init__(self, catalog: Catalog, *, database: DatabaseCatalog | None = None) -> None:
        self.catalog = catalog
        self.declarations = EntityDeclarations(
            catalog, is_table=lambda name: database is None or database.find(name, kind="TABLE") is not None
        )
        self.mappings: dict[str, TableMapping] = {}
        self._database = database
        self._keys: dict[str, str | None] = {}
        self._navigations: dict[str, tuple[Navigation, ...]] = {}
        self._visited: set[str] = set()
        self._by_context: dict[_Kept, TableMapping] = {}
        self._several: set[str] = set()
        for info in tuple(self.declarations.entities.values()):
            self._map(info)
        if database is not None:
            self._map_neighbours()
        self._map_contexts()

    @property
    def told(self) -> object:
        """Which types have tables, and which several of them; what these and the contexts are derived from."""
        kept = sorted((one.entity, one.context, mapping.table) for one, mapping in self._by_context.items())
        contexts = {one.context for one in self._by_context}
        bases = [(key, self._bases_of(key)) for key in sorted({*self.mappings, *contexts})]
        return sorted(self.mappings), sorted(self._several), kept, bases

    def _bases_of(self, key: str) -> list[str]:
        refs = self.catalog.bases(self.catalog.types[key])
        return [ref.info.key for ref in refs if ref.info is not None]

    def table_key(self, info: TypeInfo | None, *, context: str = "") -> str | None:
        """Return the node key of an entity's table or view; None for what is no entity.

        Where contexts keep it in several tables, it is that of ``context``, else of the first one.
        """
        if info is None or info.key not in self.mappings or self._database is None:
            return None
        kept = self._by_context.get(_Kept(info.key, context))
        if kept is not None:
            return self.key_of(kept)
        if info.key not in self._keys:
            self._keys[info.key] = self.key_of(self.mappings[info.key])
        return self._keys[info.key]

    def key_of(self, mapping: TableMapping) -> str | None:
        """Return the node key of the table or view that a mapping names."""
        if self._database is None:
            return None
        found = self._database.find(mapping.table, kind="" if mapping.kind == "TABLE" else mapping.kind)
        return found or self._database.key_for(mapping.table, kind=mapping.kind)

    def has_several(self, info: TypeInfo | None) -> bool:
        """Say whether contexts keep an entity in tables of their own."""
        return info is not None and info.key in self._several

    def context_like(self, info: TypeInfo | None, *, entity: TypeInfo | None) -> str:
        """Return the key of a context by which an entity is kept: a type itself, or what is derived from it.

        "" where that is none, or such that keep it in different tables.
        """
        if info is None or entity is None:
            return ""
        for one in ((info,), self.catalog.derived(info)):
            kept = {each.key: self._by_context.get(_Kept(entity.key, each.key)) for each in one}
            tables = {mapping.table: key for key, mapping in kept.items() if mapping is not None}
            if len(tables) == 1:
                return next(iter(tables.values()))
        return ""

    def other_mappings(self) -> Iterator[TableMapping]:
        """Yield the tables of entities beside the first one, each once."""
        seen = {(key, self.table_key(one.entity)) for key, one in self.mappings.items()}
        for kept, mapping in self._by_context.items():
            table = kept.entity, self.key_of(mapping)
            if table not in seen:
                seen.add(table)
                yield mapping

    def _of_set(self, info: TypeInfo, context: TypeInfo) -> TableMapping | None:
        """Take a table that has the name of a context's own set, where nothing names one for the entity."""
        first = self.mappings.get(info.key)
        if first is None or first.rule not in _CONVENTIONS:
            return None
        for one in self._sets.get(_Kept(info.key, context.key), ()):
            found = self._existing(ObjectName(one.name, self.declarations.schema_of(context.key)))
            if found is not None:
                table, confidence = found
                return TableMapping(info, table, "TABLE", "set name", confidence, one.file.path, one.line)
        return None

    @cached_property
    def _sets(self) -> Mapping[_Kept, Sequence[EntitySet]]:
        """Return the sets of entities by context."""
        found: defaultdict[_Kept, list[EntitySet]] = defaultdict(list)
        for one in (one for each in self.declarations.sets.values() for one in each):
            found[_Kept(one.entity.key, one.context.key)].append(one)
        return found

    def _map_contexts(self) -> None:
        """Keep apart the tables of entities of which contexts have their own."""
        found: dict[str, dict[str, TableMapping]] = {}
        for info, context, told in ContextTables(self.catalog, self.declarations).told():
            mapping = _mapping(info, told) or self._of_set(info, context)
            if mapping is not None and info.key in self.mappings:
                found.setdefault(info.key, {})[context.key] = mapping
        for key, each in found.items():
            tables = {one.table for one in (*each.values(), self.mappings[key])}
            if len(tables) > 1:
                self._several.add(key)
                self._by_context |= {_Kept(key, context): mapping for context, mapping in each.items()}

    def key_for(self, name: ObjectName) -> str | None:
        """Return the node key of a table that is no entity's."""
        return self._database.key_for(name, kind="TABLE") if self._database is not None else None

    def existing_key(self, name: ObjectName) -> str | None:
        """Return the node key of a table that is defined, by its name or the other number of it."""
        found = find_table(name, self._database) if self._database is not None else None
        return found.key if found is not None else None

    def properties(self, info: TypeInfo) -> Iterator[MemberFact]:
        """Yield the properties of a class, own ones first, then inherited ones."""
        seen: set[str] = set()
        for one in (info, *(ref.info for ref in self.catalog.ancestors(info))):
            if one is None or one.is_interface:
                continue
            for name, members in one.members.items():
                if name not in seen and members[0].kind == "PROPERTY":
                    seen.add(name)
                    yield members[0]

    def navigations(self, info: TypeInfo) -> tuple[Navigation, ...]:
        """Return the properties of an entity that lead to other classes."""
        if info.key not in self._navigations:
            found = (self._navigation(member, info) for member in self.properties(info))
            self._navigations[info.key] = tuple(one for one in found if one is not None)
        return self._navigations[info.key]

    def _navigation(self, member: MemberFact, entity: TypeInfo) -> Navigation | None:
        if (entity.key, member.name) in self.declarations.ignored or "static" in member.modifiers:
            return None
        if any(one.name in UNMAPPED for one in member.attributes):
            return None
        owner = self.catalog.types.get(member.owner)
        ref = self.catalog.resolve(member.type, file=self.catalog.home_of(member), owner=owner)
        target = self._held(element_type(ref))
        if target is None or target.declarations[0].element_type not in _CLASSES:
            return None
        return Navigation(member, target, ref.info is None)

    def _held(self, ref: TypeRef) -> TypeInfo | None:
        """Return a class, or the entity that stands in it: a `Loaded<Order>` of one's own is no entity."""
        argument = ref.arguments[0].info if len(ref.arguments) == 1 else None
        entities = self.declarations.entities
        is_wrapper = ref.info is not None and ref.info.key not in entities
        return argument if is_wrapper and argument is not None and argument.key in entities else ref.info

    def _map(self, info: TypeInfo) -> None:
        """Map an entity, and before it those that it is derived from."""
        bases = [base for base in self._entity_bases(info) if base.key not in self._visited]
        for one in (*reversed(bases), info):
            if one.key not in self._visited and (one.key, "") not in self.declarations.ignored:
                self._visited.add(one.key)
                found = self._find_mapping(one)
                if found is not None:
                    self.mappings[one.key] = found

    def _entity_bases(self, info: TypeInfo) -> Iterator[TypeInfo]:
        for ref in self.catalog.ancestors(info):
            base = ref.info
            if base is not None and not base.is_interface and base.key in self.declarations.entities:
                yield base

    def _find_mapping(self, info: TypeInfo) -> TableMapping | None:
        return (
            _mapping(info, self.declarations.told(info))
            or self._of_base(info)
            or self._existing_by_name(info)
            or _mapping(info, self.declarations.told_by_snapshot(info))
            or self._by_name(info)
        )

    def _of_base(self, info: TypeInfo) -> TableMapping | None:
        """Keep a derived entity in the table of the entity that it is derived from."""
        found = (self.mappings.get(base.key) for base in self._entity_bases(info))
        base = next((one for one in found if one is not None), None)
        if base is None:
            return None
        confidence = min(base.confidence, SAME_NAME)
        place = self.declarations.first_place(info)
        return TableMapping(info, base.table, base.kind, "base entity", confidence, *place)

    def _existing_by_name(self, info: TypeInfo) -> TableMapping | None:
        """Take a table that has the name of the set or else of the class, in singular or plural."""
        schema = self.declarations.default_schema(info)
        for name, rule in self._names(info):
            found = self._existing(ObjectName(name, schema))
            if found is not None:
                table, confidence = found
                place = self.declarations.first_place(info)
                return TableMapping(info, table, "TABLE", rule, confidence, *place)
        return None

    def _by_name(self, info: TypeInfo) -> TableMapping | None:
        """Take the name of the set or of the class for that of a table that is not here."""
        if info.key in self.declarations.keyless or "abstract" in info.declarations[0].modifiers:
            return None  # filled from a query, or only a base of entities
        if info.key in self.declarations.supposed and self._has_tables():
            return None
        for name, rule in self._names(info):
            table = ObjectName(name, self.declarations.default_schema(info))
            place = self.declarations.first_place(info)
            return TableMapping(info, table, "TABLE", rule, OTHER_NUMBER, *place)
        return None

    def _has_tables(self) -> bool:
        """Say whether scripts define tables: then one that has no table there may have none at all."""
        defined = self._database.definitions if self._database is not None else {}
        return any(key.endswith("|TABLE") for key in defined)

    def _names(self, info: TypeInfo) -> Iterator[tuple[str, str]]:
        if info.key in self.declarations.owned:
            return
        if self.declarations.names_tables_after_classes:
            yield info.name, "class name"
        yield from ((one.name, "set name") for one in self.declarations.sets[info.key])
        yield info.name, "class name"

    def _existing(self, name: ObjectName) -> tuple[ObjectName, float] | None:
        found = find_table(name, self._database) if self._database is not None else None
        if found is None:
            return None
        return found.name, OTHER_NUMBER if found.is_variant else SAME_NAME

    def _map_neighbours(self) -> None:
        """Map the classes that entities lead to, as frameworks do, where a table has their name."""
        pending = deque(self.mapped_entities())
        seen = {info.key for info in pending} | self.declarations.owned
        while pending:
            for navigation in self.navigations(pending.popleft()):
                target = navigation.target
                if target.key in seen or (target.key, "") in self.declarations.ignored:
                    continue
                seen.add(target.key)
                if self._existing(ObjectName(target.name, self.declarations.default_schema(target))):
                    self._map(target)
                    pending.append(target)

    def mapped_entities(self) -> tuple[TypeInfo, ...]:
        """Return the entities that have a table, in order of keys."""
        return tuple(self.mappings[key].entity for key in sorted(self.mappings))


def _mapping(info: TypeInfo, told: Told | None) -> TableMapping | None:
    if told is None:
        return None
    return TableMapping(info, told.table, told.kind, told.rule, told.confidence, told.path, told.line)
