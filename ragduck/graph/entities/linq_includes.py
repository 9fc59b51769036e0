"""Find the tables that a query brings in beside its own: `Include(o => o.Lines).ThenInclude(l => l.Product)`."""

from __future__ import annotations

from ragduck.facts import Call, Lambda
from ragduck.graph.entities.builders import Scope, element_type, navigation_type
from ragduck.graph.entities.linq_operations import FIRST_INCLUDES, INCLUDES
from ragduck.graph.types.catalog import TypeInfo
from ragduck.graph.types.chains import MAX_LINKS, argument, function_name, inward, receiver_of
from ragduck.graph.types.expressions import Evaluator

_MAX_PATH = 20


def included(call: Call, *, scope: Scope, evaluator: Evaluator) -> list[TypeInfo]:
    """Return the entities that an `Include` or `ThenInclude` leads through."""
    chain = _back_to_include(call)
    start = receiver_of(chain[-1])
    ref = evaluator.type_of(start) if start is not None else None
    entity = element_type(ref).info if ref is not None else None
    visited: list[TypeInfo] = []
    for one in reversed(chain):
        visited = _visited(entity, one, scope=scope)
        entity = visited[-1] if visited else None
    return visited


def loaded(call: Call, *, scope: Scope, evaluator: Evaluator) -> list[TypeInfo]:
    """Return the entities that `context.Entry(order).Collection(o => o.Lines)` leads to."""
    entry = receiver_of(call)
    if not isinstance(entry, Call) or function_name(entry) != "Entry":
        return []
    ref = evaluator.type_of(argument(entry, 0))
    return _visited(element_type(ref).info if ref is not None else None, call, scope=scope)


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


def _visited(entity: TypeInfo | None, call: Call, *, scope: Scope) -> list[TypeInfo]:
    """Return the entities that the path of one call leads through."""
    first = argument(call, 0)
    if isinstance(first, Lambda):
        path = first.members[0] if first.members else ()
    else:
        path = tuple((scope.text(first) or "").split("."))
    visited: list[TypeInfo] = []
    for name in path[:_MAX_PATH]:
        entity = navigation_type(entity, name, catalog=scope.catalog) if entity is not None else None
        if entity is None:
            break
        visited.append(entity)
    return visited
