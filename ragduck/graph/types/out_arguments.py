"""Tell the type of a local that a call's argument declares: `_orders.TryGetValue(id, out var order)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragduck.facts import Member, MemberFact, Name, OutArgument
from ragduck.graph.types import externals
from ragduck.graph.types.called_members import root_called
from ragduck.graph.types.chains import function_name
from ragduck.graph.types.declarations import TypeRef
from ragduck.graph.types.findings import Found
from ragduck.graph.types.inheritance import binding_of
from ragduck.graph.types.methods import parameter_type, put_in
from ragduck.graph.types.overloads import overload_of

if TYPE_CHECKING:
    from ragduck.graph.types.expressions import Evaluator

TRYING = "Try"  # the beginning of a generic method that tells whether it has one of its type argument


def type_handed_out(node: OutArgument, evaluator: Evaluator) -> TypeRef | None:
    """Return the type of the parameter behind an argument, else that of what a collection of others holds."""
    function = node.call.function
    receiver: TypeRef | None = None
    found: Found | None = None
    if isinstance(function, Name):
        found = root_called(node.call, evaluator).found
    elif isinstance(function, Member):
        receiver = evaluator.type_of(function.receiver)
        count = len(node.call.arguments)
        found = evaluator.find(receiver, function.name, count=count) or evaluator.find(
            receiver, function.name
        )
    if found is None:
        return _of_others(node, receiver, evaluator=evaluator)
    return _declared(found, node, receiver=receiver, evaluator=evaluator) if found.is_method else None


def _declared(
    found: Found, node: OutArgument, *, receiver: TypeRef | None, evaluator: Evaluator
) -> TypeRef | None:
    method = overload_of(found, node.call, evaluator)
    at = _position(node, method, is_extension=found.is_extension)
    declared = parameter_type(evaluator.catalog, method, position=at) if at is not None else None
    if declared is None:
        return None
    binding = evaluator.method_binding(method, node.call, receiver=receiver, found=found)
    return put_in(declared, binding, binding_of(found.declaring))


def _position(node: OutArgument, method: MemberFact, *, is_extension: bool) -> int | None:
    if node.position >= len(node.call.arguments):
        return None
    name = node.call.arguments[node.position].name
    if not name:
        return node.position + is_extension
    return next((at for at, one in enumerate(method.parameters) if one.name == name), None)


def _of_others(node: OutArgument, receiver: TypeRef | None, *, evaluator: Evaluator) -> TypeRef | None:
    """Return what a method that is declared elsewhere hands out, by its name."""
    name, written = function_name(node.call), node.call.type_arguments
    if len(written) == 1 and name.startswith(TRYING):
        return evaluator.resolve(written[0])
    held = evaluator.collected(receiver)
    return externals.element(held) if held is not None and name in externals.HANDS_OUT else None
