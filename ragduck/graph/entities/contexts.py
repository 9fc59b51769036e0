"""Tell apart the contexts that map one entity, each to a table of its own: `ToTable("Outbox", "sales")`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar

from ragduck.facts import Member, New
from ragduck.graph.code import roles
from ragduck.graph.entities.declarations import GENERATED, EntityDeclarations, Told
from ragduck.graph.entities.fluent import Statement
from ragduck.graph.entities.sets import is_model
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import function_name, receiver_of

_APPLYING = frozenset(("ApplyConfiguration", "Add"))  # of Entity Framework Core, and of 6
_CONFIGURATIONS = "Configurations"

Key = TypeVar("Key")


class _Said(NamedTuple):
    """Where the first of some statements stands among all, and which tables they name: of several, two."""

    first: int
    tables: frozenset[tuple[str, str]]


class _Statements:
    """What statements say of one entity, put together by who says so, as many contexts ask for it."""

    def __init__(
        self,
        statements: Sequence[Statement],
        *,
        contexts: Collection[str],
        applied: Mapping[str, Sequence[TypeInfo]],
    ) -> None:
        self._statements = statements
        self._by_place: dict[str, _Said] = {}
        self._by_applying: dict[str, _Said] = {}
        self._of_project: dict[str | None, _Said] = {}  # that no single context says
        for at, one in enumerate(statements):
            said = _Said(at, frozenset(((one.name.lower(), one.schema.lower()),)))
            applying = applied.get(one.place.key, ()) if one.place is not None else ()
            if one.place is not None:
                _put(self._by_place, one.place.key, said)
            for context in applying:
                _put(self._by_applying, context.key, said)
            if one.place is None or not (applying or one.place.key in contexts):
                _put(self._of_project, one.file.project, said)
        self.of_all = _together(tuple(self._of_project.values())) if self._of_project else None
        self.name_schema = any(one.schema for one in statements)
        self.are_of_one_project = len({one.file.project for one in statements}) == 1

    def __bool__(self) -> bool:
        return bool(self._statements)

    def own(self, keys: Iterable[str]) -> _Said | None:
        """Return what a context says itself or by its bases, else by what it applies one by one."""
        own = tuple(keys)
        for said in (self._by_place, self._by_applying):
            found = [said[key] for key in own if key in said]
            if found:
                return _together(found)
        return None

    def of_project(self, project: str | None) -> _Said | None:
        """Return what is said in a project to whatever context."""
        return self._of_project.get(project)

    def only(self, said: _Said | None) -> Statement | None:
        """Return the first of statements that all name one table."""
        return self._statements[said.first] if said is not None and len(said.tables) == 1 else None


class ContextTables:
    """Say where each of several contexts keeps an entity, as far as code tells them apart."""

    def __init__(self, catalog: Catalog, declarations: EntityDeclarations) -> None:
        self._catalog = catalog
        self._declarations = declarations

    def told(self) -> Iterator[tuple[TypeInfo, TypeInfo, Told | None]]:
        """Yield the entities that several contexts have, with each context and the table that it is told, if any."""
        for key, info in sorted(self._declarations.entities.items()):
            statements = self._by_hand(key)
            if not self._may_differ(key, statements):
                continue
            contexts = self._contexts(key, statements)
            if len(contexts) > 1:
                said = _Statements(statements, contexts=contexts, applied=self._applied)
                for context in contexts.values():
                    yield info, context, self._told(info, context, said)

    def _by_hand(self, key: str) -> Sequence[Statement]:
        return [one for one in self._declarations.tables(key) if one.file.file_class != GENERATED]

    def _may_differ(self, key: str, statements: Sequence[Statement]) -> bool:
        """Say whether it is worth looking: several tables are told, or one without a schema in several contexts."""
        tables = {(one.name.lower(), one.schema.lower()) for one in statements}
        return len(tables) > 1 or len({one.context.key for one in self._declarations.sets.get(key, ())}) > 1

    def _contexts(self, key: str, statements: Iterable[Statement]) -> dict[str, TypeInfo]:
        """Return the contexts that run and have an entity: by a set, by what they say, by what they apply."""
        named = {one.context.key: one.context for one in self._declarations.sets.get(key, ())}
        for one in statements:
            if one.place is not None:
                named |= {info.key: info for info in (one.place, *self._applied.get(one.place.key, ()))}
        found: dict[str, TypeInfo] = {}
        for info in named.values():
            for context in (info, *self._catalog.derived(info)):
                is_abstract = "abstract" in context.declarations[0].modifiers
                if is_model(context, catalog=self._catalog) and not is_abstract:
                    found[context.key] = context
        return dict(sorted(found.items()))

    def _told(self, info: TypeInfo, context: TypeInfo, statements: _Statements) -> Told | None:
        """Return what a context is told itself, else by what it applies, by its project, or by all of them alike."""
        if not statements:
            return self._declarations.attributed(info, context)
        ancestors = (ref.info.key for ref in self._catalog.ancestors(context) if ref.info is not None)
        said = statements.own((context.key, *ancestors)) or statements.of_project(context.files[0].project)
        if said is None and self._is_shared(statements, context):
            said = statements.of_all
        only = statements.only(said)
        return self._declarations.of_statement(only, context=context) if only is not None else None

    def _is_shared(self, statements: _Statements, context: TypeInfo) -> bool:
        """Say whether what is said once may hold for a context of another project, and is told apart by schemas."""
        is_told = statements.name_schema or bool(self._declarations.schema_of(context.key))
        return is_told and statements.are_of_one_project

    @cached_property
    def _applied(self) -> Mapping[str, Sequence[TypeInfo]]:
        """Return the contexts that apply a configuration by its class, by the key of that class."""
        found: defaultdict[str, list[TypeInfo]] = defaultdict(list)
        for file in self._catalog.files_calling(_APPLYING):
            for fact in file.calls if file.language == "csharp" else ():
                made = fact.call.arguments[0].value if fact.call.arguments else None
                if not isinstance(made, New) or function_name(fact.call) not in _APPLYING:
                    continue
                receiver = receiver_of(fact.call)
                is_of_6 = isinstance(receiver, Member) and receiver.name == _CONFIGURATIONS
                owner = self._catalog.owner_of(fact.source)
                if owner is None or (function_name(fact.call) == "Add" and not is_of_6):
                    continue
                info = self._catalog.resolve(made.type, file=file, owner=owner).info
                if info is not None and roles.is_context(self._catalog, owner):
                    found[info.key].append(owner)
        return found


def _put(groups: dict[Key, _Said], key: Key, said: _Said) -> None:
    groups[key] = _together((groups[key], said)) if key in groups else said


def _together(said: Sequence[_Said]) -> _Said:
    tables = sorted({table for one in said for table in one.tables})
    return _Said(min(one.first for one in said), frozenset(tables[:2]))
