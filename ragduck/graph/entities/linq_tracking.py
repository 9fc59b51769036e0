"""Find the entities that a method loads, changes and saves: `order.Status = Paid; db.SaveChanges();`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ragduck.facts import AccessFact, Call, Expression, FileFacts, Member, Name, StatementFacts
from ragduck.graph.entities.linq_operations import COPIES, SAVES
from ragduck.graph.entities.linq_sets import SetReader
from ragduck.graph.entities.model import EntityModel
from ragduck.graph.types.catalog import TypeInfo, TypeRef
from ragduck.graph.types.chains import function_name, inward
from ragduck.graph.types.expressions import Evaluator


class Tracking:
    """Know which objects a context keeps track of, and which methods of entities change them."""

    def __init__(self, model: EntityModel, sets: SetReader) -> None:
        self._catalog = model.catalog
        self._model = model
        self._sets = sets

    def entity(self, expression: Expression, evaluator: Evaluator) -> TypeRef | None:
        """Return the entity that an expression is, if it was loaded from a set in the same method."""
        for one in inward(expression):
            if isinstance(one, Call) and function_name(one) in COPIES:
                return None
            if self._sets.held(one, evaluator) is not None:
                ref = evaluator.type_of(expression)
                is_kept = ref is not None and (ref.info is None or ref.info.key in self._model.mappings)
                return ref if is_kept else None
        return None

    def is_setter(self, name: str) -> bool:
        """Say whether methods of some entity that have this name set its properties."""
        return name in self._names

    def changes_itself(self, info: TypeInfo | None, name: str) -> bool:
        """Say whether a method of an entity sets properties of it."""
        return info is not None and any(
            member.key in self._setters for member in self._catalog.members(info, name)
        )

    @cached_property
    def _setters(self) -> frozenset[str]:
        files: dict[str, FileFacts] = {}
        for entity in self._model.mapped_entities():
            for info in (entity, *(ref.info for ref in self._catalog.ancestors(entity))):
                files |= {file.path: file for file in info.files} if info is not None else {}
        return frozenset(
            access.source for file in files.values() for access in file.accesses if _sets_own(access)
        )

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(_member_name(source) for source in self._setters)


def saving_sources(statements: StatementFacts) -> frozenset[str]:
    """Return the declarations that save changes."""
    return frozenset(_savers(statements))


def _savers(statements: StatementFacts) -> Iterator[str]:
    for fact in statements.calls:
        if function_name(fact.call).startswith(SAVES):
            yield fact.source


def _sets_own(access: AccessFact) -> bool:
    expression = access.expression
    if isinstance(expression, Member):
        expression = expression.receiver
        return access.is_write and isinstance(expression, Name) and expression.name == "this"
    return access.is_write and isinstance(expression, Name) and access.source.endswith("|METHOD")


def _member_name(key: str) -> str:
    return key.rpartition("|")[0].rpartition(".")[2]
