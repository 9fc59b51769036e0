"""Tell which entity is handed to a context: `context.Add(order)`, `context.AddRange(lines.Select(…))`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from ragduck.facts import Call, Expression, Joined, StatementFacts, Text, UseFact
from ragduck.graph.entities.builders import element_type
from ragduck.graph.entities.linq_operations import PROJECTIONS
from ragduck.graph.entities.model import EntityModel
from ragduck.graph.types.catalog import TypeRef
from ragduck.graph.types.chains import function_name, inward
from ragduck.graph.types.expressions import Evaluator

TOLD = 0.9
MADE_THERE = 0.8  # by a lambda, of which only the types that it names are known
OF_BASE = 0.6  # mappers turn the class of the domain into the entity that is derived from it
_LINES = 4  # that a lambda's `new Order` may stand below the call it is given to
_MENTIONS = frozenset(("new", "argument"))


class ArgumentReader:
    """Read the entities among the arguments of calls in one file."""

    def __init__(self, statements: StatementFacts, model: EntityModel) -> None:
        self._statements = statements
        self._model = model

    def entity_of(
        self, expression: Expression, evaluator: Evaluator, *, source: str
    ) -> tuple[TypeRef, float] | None:
        """Return the entity that a value is, or that a collection holds, and how sure that is."""
        projection = _projection(expression)
        mentioned = (
            list(self._mentioned(projection, evaluator, source=source)) if projection is not None else []
        )
        if mentioned:
            made = {ref.name: ref for ref in mentioned if self.is_entity(ref)}
            return (next(iter(made.values())), MADE_THERE) if len(made) == 1 else None
        told = evaluator.type_of(expression) or _by_type_argument(expression, evaluator)
        ref = element_type(told) if told is not None else None
        if ref is None:
            return None
        return (ref, TOLD) if self.is_entity(ref) else self._derived(ref)

    def _derived(self, ref: TypeRef) -> tuple[TypeRef, float] | None:
        """Return the entity that a model class without a table is the base of, if there is one of the same name."""
        if ref.info is None:
            return None
        derived = [one for one in self._model.catalog.derived(ref.info) if one.key in self._model.mappings]
        if len(derived) != 1 or derived[0].name != ref.name:
            return None
        return TypeRef(ref.name, derived[0]), OF_BASE

    def is_entity(self, ref: TypeRef) -> bool:
        """Say whether a type has a table, or is a parameter that an entity may be put in for."""
        if ref.info is not None:
            return ref.info.key in self._model.mappings
        return not ref.arguments and ref.name[:1] == "T" and (ref.name == "T" or ref.name[1:2].isupper())

    def _mentioned(self, projection: Call, evaluator: Evaluator, *, source: str) -> Iterator[TypeRef]:
        """Yield the types that the lines of `rows.Select(row => new Order { … })` name."""
        line = self._lines.get(id(projection))
        if line is None:
            return
        uses = self._mentions[source]
        for use in uses[bisect_left(uses, line, key=_line) : bisect_right(uses, line + _LINES, key=_line)]:
            yield element_type(evaluator.resolve(use.type))

    @cached_property
    def _lines(self) -> dict[int, int]:
        return {id(fact.call): fact.line for fact in reversed(self._statements.calls)}

    @cached_property
    def _mentions(self) -> defaultdict[str, list[UseFact]]:
        found: defaultdict[str, list[UseFact]] = defaultdict(list)
        for use in self._statements.uses:
            if use.how in _MENTIONS:
                found[use.source].append(use)
        for uses in found.values():
            uses.sort(key=_line)
        return found


def _line(use: UseFact) -> int:
    return use.line


def _projection(expression: Expression) -> Call | None:
    for one in inward(expression):
        if isinstance(one, Call) and function_name(one) in PROJECTIONS:
            return one
    return None


def _by_type_argument(expression: Expression, evaluator: Evaluator) -> TypeRef | None:
    """Return `Order` of `await context.FindAsync<Order>(id)`."""
    for one in inward(expression):
        if isinstance(one, Call):
            return evaluator.resolve(one.type_arguments[0]) if len(one.type_arguments) == 1 else None
    return None


def executes(call: Call) -> bool:
    """Say whether a set is only filled by a procedure: `FromSql($"EXEC dbo.Order_Read {id}")`."""
    if not function_name(call).startswith("FromSql") or not call.arguments:
        return False
    value = call.arguments[0].value
    first = value.parts[0] if isinstance(value, Joined) and value.parts else value
    return isinstance(first, Text) and first.value.lstrip().upper().startswith(("EXEC ", "EXECUTE ", "CALL "))
