"""Tell apart the contexts that map one entity, each to a table of its own: `ToTable("Outbox", "sales")`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from ragduck.facts import Member, New
from ragduck.graph.code import roles
from ragduck.graph.entities.declarations import GENERATED, EntityDeclarations, Told
from ragduck.graph.entities.fluent import Statement
from ragduck.graph.entities.sets import is_model
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import function_name, receiver_of

_APPLYING = frozenset(("ApplyConfiguration", "Add"))  # of Entity Framework Core, and of 6
_CONFIGURATIONS = "Configurations"


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
            for context in contexts.values() if len(contexts) > 1 else ():
                yield info, context, self._told(info, context, statements, contexts=contexts)

    def _by_hand(self, key: str) -> Sequence[Statement]:
        return [one for one in self._declarations.tables(key) if one.file.file_class != GENERATED]

    def _may_differ(self, key: str, statements: Sequence[Statement]) -> bool:
        """Say whether it is worth looking: several tables are told, or one without a schema in several contexts."""
        tables = {(one.name.lower(), one.schema.lower()) for one in statements}
        return len(tables) > 1 or len({one.context.key for one in self._declarations.sets.get(key, ())}) > 1

    def _contexts(self, key: str, statements: Iterable[Statement]) -> dict[str, TypeInfo]:
        """Return the contexts that run and have an entity: by a set, by what they say, by what they apply."""
        named = [one.context for one in self._declarations.sets.get(key, ())]
        for one in statements:
            if one.place is not None:
                named += [one.place, *self._applied.get(one.place.key, ())]
        found: dict[str, TypeInfo] = {}
        for info in named:
            for context in (info, *self._catalog.derived(info)):
                is_abstract = "abstract" in context.declarations[0].modifiers
                if is_model(context, catalog=self._catalog) and not is_abstract:
                    found[context.key] = context
        return dict(sorted(found.items()))

    def _told(
        self,
        info: TypeInfo,
        context: TypeInfo,
        statements: Sequence[Statement],
        *,
        contexts: Mapping[str, TypeInfo],
    ) -> Told | None:
        """Return what a context is told itself, else by what it applies, by its project, or by all of them alike."""
        own = [
            context.key,
            *(ref.info.key for ref in self._catalog.ancestors(context) if ref.info is not None),
        ]
        free = [one for one in statements if not self._is_of_others(one, own, contexts=contexts)]
        told = [
            [one for one in free if one.place is not None and one.place.key in own],
            [one for one in free if self._is_applied_by(one, own)],
            [one for one in free if one.file.project == context.files[0].project],
            free if self._is_shared(statements, context) else [],
        ]
        found = next((each for each in told if each), [])
        tables = {(one.name.lower(), one.schema.lower()) for one in found}
        if len(tables) != 1:
            return self._declarations.attributed(info, context) if not statements else None
        return self._declarations.of_statement(found[0], context=context)

    def _is_shared(self, statements: Sequence[Statement], context: TypeInfo) -> bool:
        """Say whether what is said once may hold for a context of another project, and is told apart by schemas."""
        is_told = bool(self._declarations.schema_of(context.key)) or any(one.schema for one in statements)
        return is_told and len({one.file.project for one in statements}) == 1

    def _is_applied_by(self, statement: Statement, own: Sequence[str]) -> bool:
        applied = self._applied.get(statement.place.key, ()) if statement.place is not None else ()
        return any(one.key in own for one in applied)

    def _is_of_others(
        self, statement: Statement, own: Sequence[str], *, contexts: Mapping[str, TypeInfo]
    ) -> bool:
        """Say whether only other contexts say so: in their own code, or by applying it one by one."""
        place = statement.place
        if place is None or place.key in own or self._is_applied_by(statement, own):
            return False
        return place.key in contexts or bool(self._applied.get(place.key))

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
