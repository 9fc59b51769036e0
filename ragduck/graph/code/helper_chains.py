"""Tell which chains of calls go back to a helper of a view: what a vendor's grid or menu returns is the vendor's."""

from __future__ import annotations

from collections.abc import Iterator

from ragduck.facts import Call, Element, Expression, LambdaParameter, Member
from ragduck.graph.types.chains import MAX_LINKS
from ragduck.graph.types.declarations import TypeRef, family_of, named_types
from ragduck.graph.types.expressions import Evaluator
from ragduck.graph.types.framework_members import VIEW_HELPERS

HELPERS = frozenset(VIEW_HELPERS.values())


def is_of_vendor(expression: Expression, name: str, evaluator: Evaluator) -> bool:
    """Say whether an expression is of a type that is declared elsewhere, as a helper gave it, a method of it called.

    That holds for the results of its methods and for what they hand to lambdas. Of the types declared here it can
    only be one that the chain was given, and which has a method of this ``name``: `Html.Grid<Order>()`.
    """
    given = _given_to_helper(expression, evaluator)
    return given is not None and not any(
        evaluator.find(TypeRef(info.name, info), name) is not None
        for ref in given
        for info in named_types(ref)
    )


def _given_to_helper(expression: Expression, evaluator: Evaluator) -> list[TypeRef] | None:
    """Return the types that a chain is given on its way from a helper; None for other chains."""
    given: list[TypeRef] = []
    for _ in range(MAX_LINKS):
        if isinstance(expression, (Member, Element)):
            inner = expression[0]
        else:
            call = expression.call if isinstance(expression, LambdaParameter) else expression
            if not isinstance(call, Call) or not isinstance(call.function, Member):
                return None
            if _may_return_own(call.function.name, evaluator):
                return None
            given.extend(_given(call, evaluator))
            inner = call.function.receiver
        receiver = evaluator.type_of(inner)
        if receiver is not None:
            is_helper = receiver.info is None and receiver.name.removeprefix("I") in HELPERS
            return [*given, receiver] if is_helper else None
        expression = inner
    return None


def _may_return_own(name: str, evaluator: Evaluator) -> bool:
    """Say whether an extension method of a name is declared that may return something of a type declared here."""
    key = (name, family_of(evaluator.file.language))
    known = evaluator.catalog.memory.returns_own
    if key not in known:
        extensions = evaluator.catalog.extensions(name, language=evaluator.file.language)
        results = (evaluator.type_of_member(one) for one in extensions)
        known[key] = any(result is None or any(named_types(result)) for result in results)
    return known[key]


def _given(call: Call, evaluator: Evaluator) -> Iterator[TypeRef]:
    yield from map(evaluator.resolve, call.type_arguments)
    for argument in call.arguments:
        ref = evaluator.type_of(argument.value)
        if ref is not None:
            yield ref
