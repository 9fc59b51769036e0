"""Tell what a delegate hands to the lambda that it holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragduck.facts import FileFacts, TypeFact
from ragduck.graph.types.declarations import MAX_NAMED, TypeInfo, TypeRef
from ragduck.graph.types.inheritance import binding_of, substitute

if TYPE_CHECKING:
    from ragduck.graph.types.expressions import Evaluator

DELEGATE = "delegate"
GENERIC = frozenset(("Func", "Action", "Predicate", "Comparison", "Converter", "AsyncAction"))
OF_ONE_TYPE = frozenset(("Comparison",))  # whose parameters are all of the type argument
EVENT_HANDLER = "EventHandler"
WRAPPERS = frozenset(("Expression",))


def is_delegate(ref: TypeRef) -> bool:
    """Say whether a type is one of delegates."""
    if ref.info is not None:
        return ref.info.declarations[0].element_type == DELEGATE
    return ref.name in GENERIC or ref.name == EVENT_HANDLER


def handed_over(delegate: TypeRef | None, position: int, *, evaluator: Evaluator) -> TypeRef | None:
    """Return the type of what a delegate hands over at a position.

    An own `Action` without type parameters is not meant by `Action<Order>`.
    """
    if delegate is not None and delegate.name in WRAPPERS and delegate.arguments:
        delegate = delegate.arguments[0]
    if delegate is None:
        return None
    if any(True for _ in declared_with(delegate)):
        return _declared(delegate, position, evaluator=evaluator)
    handed = _of_framework(delegate)
    return handed[position] if position < len(handed) else None


def _of_framework(delegate: TypeRef) -> tuple[TypeRef, ...]:
    if delegate.name == EVENT_HANDLER:
        return (TypeRef("object"), *(delegate.arguments or (TypeRef("EventArgs"),)))
    if delegate.name in OF_ONE_TYPE:
        return delegate.arguments * 2
    return delegate.arguments if delegate.name in GENERIC else ()


def declared_with(ref: TypeRef) -> Iterator[tuple[TypeFact, FileFacts]]:
    """Yield the declarations of a type that have as many type parameters as a reference has arguments."""
    if ref.info is not None:
        for declared, file in zip(ref.info.declarations, ref.info.files, strict=True):
            if len(declared.type_parameters) == len(ref.arguments):
                yield declared, file


def _declared(delegate: TypeRef, position: int, *, evaluator: Evaluator) -> TypeRef | None:
    found = [(one, file) for one, file in declared_with(delegate) if one.element_type == DELEGATE]
    own = [(one, file) for one, file in found if file.project == evaluator.file.project]
    declared, file = next(iter(own or found), (None, None))
    if declared is None or file is None or position >= len(declared.takes):
        return None
    written = declared.takes[position].type
    handed = evaluator.catalog.resolve(written, file=file, owner=delegate.info)
    handed = substitute(handed, binding_of(delegate))
    return None if _is_left_open(handed, delegate.info, evaluator=evaluator) else handed


def _is_left_open(ref: TypeRef, info: TypeInfo | None, *, evaluator: Evaluator) -> bool:
    """Say whether type parameters of a type around a delegate are named that the place of a lambda does not have."""
    around = [one for one in evaluator.catalog.outer_types(info) if one is not info]
    names = {name for one in around for name in one.type_parameters}
    if not names or any(one in around for one in evaluator.catalog.outer_types(evaluator.owner)):
        return False
    pending = [ref]
    for _ in range(MAX_NAMED):
        if not pending:
            return False
        one = pending.pop()
        if one.info is None and one.name in names:
            return True
        pending.extend(one.arguments)
    return True
