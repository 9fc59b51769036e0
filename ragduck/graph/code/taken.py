"""Tell whether a value is each element of a list that a container hands out, one of them, or something else."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto

from ragduck.facts import Call, Element, Expression, LambdaParameter, Member, Name, New, Typed
from ragduck.graph.types.catalog import TypeInfo
from ragduck.graph.types.chains import MAX_LINKS, function_name, receiver_of
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.externals import LISTS
from ragduck.graph.types.findings import Found
from ragduck.graph.types.roots import SELF_NAMES

# What asks a container for all implementations by its type argument, or for what that says
ASKING_FOR_ALL = frozenset(("GetServices", "ResolveAll", "GetAllInstances"))
ASKING = frozenset(("Resolve", "GetService", "GetRequiredService", "GetInstance"))
_PICKING = frozenset(
    (
        *("First", "FirstOrDefault", "FirstAsync", "Single", "SingleOrDefault", "Last", "LastOrDefault"),
        *("ElementAt", "ElementAtOrDefault", "Find", "MinBy", "MaxBy", "Dequeue", "Pop", "Peek"),
    )
)
_KEEPING = frozenset(
    (
        *("Where", "OrderBy", "OrderByDescending", "ThenBy", "ThenByDescending", "Reverse", "Distinct"),
        *("ToList", "ToArray", "AsEnumerable", "ToReadOnlyCollection", "AsReadOnly", "AsParallel"),
    )
)
_OTHERS = frozenset(("OfType", "Cast"))  # what is in a list of others is of a type by chance

IsHolder = Callable[[TypeInfo], bool]


class Taken(Enum):
    """How a value is taken: as ``EACH`` of a list that is handed out, as ``ONE`` of any, else that is ``OPEN``."""

    EACH = auto()
    ONE = auto()
    OPEN = auto()


def taken(value: Expression, evaluator: Evaluator, *, is_holder: IsHolder) -> Taken:
    """Say how a value is taken; ``is_holder`` tells to which types a container hands lists of its type."""
    if isinstance(value, Element):
        inner = value.collection
        if value.is_picked:
            return Taken.ONE
        return _of_list(inner, evaluator, is_holder=is_holder) if _is_list(inner, evaluator) else Taken.OPEN
    if isinstance(value, Call) and function_name(value) in _PICKING:
        receiver = receiver_of(value)
        return Taken.ONE if receiver is not None and _is_list(receiver, evaluator) else Taken.OPEN
    if isinstance(value, LambdaParameter):
        receiver = receiver_of(value.call)
        if receiver is not None and _is_list(receiver, evaluator):
            return _of_list(receiver, evaluator, is_holder=is_holder)
    return Taken.OPEN


def _is_list(expression: Expression, evaluator: Evaluator) -> bool:
    held = evaluator.type_of(expression)
    return held is not None and held.info is None and held.name in LISTS


def _of_list(node: Expression, evaluator: Evaluator, *, is_holder: IsHolder) -> Taken:
    """Go from a list to where it comes from."""
    for _ in range(MAX_LINKS):
        inner = receiver_of(node) if isinstance(node, Call) and function_name(node) in _KEEPING else None
        if inner is None:
            break
        node = inner
    if isinstance(node, New):
        return Taken.ONE
    if isinstance(node, Call) and isinstance(node.function, Member):
        name = node.function.name
        if node.type_arguments and name in ASKING_FOR_ALL | ASKING:
            return Taken.EACH
        return Taken.ONE if name in _OTHERS else Taken.OPEN
    if isinstance(node, (Typed, Call)):
        is_own = evaluator.owner is not None and is_holder(evaluator.owner)
        return Taken.EACH if is_own else Taken.OPEN
    found = _found(node, evaluator)
    if found is None or found.declaring.info is None:
        return Taken.OPEN
    return Taken.EACH if is_holder(found.declaring.info) else Taken.ONE


def _found(node: Expression, evaluator: Evaluator) -> Found | None:
    """Return the field or property that a list is read from."""
    if isinstance(node, Member) and isinstance(node.receiver, Name) and node.receiver.name in SELF_NAMES:
        node = Name(node.name)
    if isinstance(node, Member):
        return evaluator.find(evaluator.type_of(node.receiver), node.name)
    return evaluator.root(node).found
