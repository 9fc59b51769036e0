"""Find the tables that a query brings in beside its own: `Include(o => o.Lines).ThenInclude(l => l.Product)`."""

from __future__ import annotations

from ragduck.facts import Call, Expression, Lambda, LambdaParameter, Member
from ragduck.graph.entities.builders import Scope, element_type, navigation_type
from ragduck.graph.entities.linq_navigations import NavigationReader, Reached
from ragduck.graph.entities.linq_operations import FIRST_INCLUDES, INCLUDES, PROJECTIONS
from ragduck.graph.entities.linq_sets import KNOWN
from ragduck.graph.types.catalog import TypeInfo
from ragduck.graph.types.chains import MAX_LINKS, argument, function_name, inward, receiver_of
from ragduck.graph.types.expressions import Evaluator

RULE = "Include"
_MAX_PATH = 20


class IncludeReader:
    """Follow the paths that queries are told to load along."""

    def __init__(self, navigations: NavigationReader) -> None:
        self._navigations = navigations

    def included(self, call: Call, *, scope: Scope, evaluator: Evaluator) -> list[Reached]:
        """Return the tables that an `Include` or `ThenInclude` leads through."""
        chain = _back_to_include(call)
        start = receiver_of(chain[-1])
        entity = _entity_of(start, evaluator) if start is not None else None
        visited: list[Reached] = []
        for one in reversed(chain):
            visited = self._visited(entity, one, scope=scope)
            entity = visited[-1].entity if visited else None
        return visited

    def included_within(self, call: Call, *, scope: Scope, evaluator: Evaluator) -> list[Reached]:
        """Return the tables that the `Select` in `Include(o => o.Lines.Select(l => l.Product))` leads through."""
        start = receiver_of(call)
        if start is None or not _is_within_include(start):
            return []
        return self._visited(_entity_of(start, evaluator), call, scope=scope)

    def loaded(self, call: Call, *, scope: Scope, evaluator: Evaluator) -> list[Reached]:
        """Return the tables that `context.Entry(order).Collection(o => o.Lines)` leads to."""
        entry = receiver_of(call)
        if not isinstance(entry, Call) or function_name(entry) != "Entry":
            return []
        return self._visited(_entity_of(argument(entry, 0), evaluator), call, scope=scope)

    def _visited(self, entity: TypeInfo | None, call: Call, *, scope: Scope) -> list[Reached]:
        """Return the tables that the path of one call leads through, those between two entities included."""
        first = argument(call, 0)
        if isinstance(first, Lambda):
            path = first.members[0] if first.members else ()
        else:
            path = tuple((scope.text(first) or "").split("."))
        visited: list[Reached] = []
        for name in path[:_MAX_PATH]:
            owner = entity
            entity = navigation_type(owner, name, catalog=scope.catalog) if owner is not None else None
            if entity is None:
                break
            tables = ("", self._navigations.table_between(owner, name))
            visited += [Reached(entity, KNOWN, RULE, table) for table in dict.fromkeys(tables)]
        return visited


def _entity_of(expression: Expression, evaluator: Evaluator) -> TypeInfo | None:
    ref = evaluator.type_of(expression)
    return element_type(ref).info if ref is not None else None


def _is_within_include(expression: Expression) -> bool:
    """Say whether a collection is one of what the lambda of an `Include` is given."""
    for one in inward(expression):
        if isinstance(one, LambdaParameter):
            name = function_name(one.call)
            if name not in PROJECTIONS:
                return name in INCLUDES
        elif not isinstance(one, (Member, Call)):
            return False
    return False


def _back_to_include(call: Call) -> list[Call]:
    """Return a call and those before it, the last of which is the Include that the others add to."""
    chain = [call]
    receiver = receiver_of(call)
    for one in inward(receiver) if receiver is not None else ():
        if function_name(chain[-1]) in FIRST_INCLUDES or len(chain) > MAX_LINKS:
            break
        if isinstance(one, Call) and function_name(one) in INCLUDES:
            chain.append(one)
    return chain
