"""Tell the type of a lambda's parameter by the method that the lambda is handed to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragduck.facts import Argument, Call, Expression, Lambda, LambdaParameter, Member, Name, New
from ragduck.graph.types import externals
from ragduck.graph.types.declarations import TypeRef
from ragduck.graph.types.delegates import WRAPPERS, declared_with, handed_over, is_delegate
from ragduck.graph.types.findings import Found
from ragduck.graph.types.fluent_lambdas import handed_by_base, handed_by_library
from ragduck.graph.types.inheritance import binding_of
from ragduck.graph.types.methods import find_member, parameter_type, put_in
from ragduck.graph.types.overloads import overload_of, place_of

if TYPE_CHECKING:
    from ragduck.graph.types.expressions import Evaluator

INCLUDES = frozenset(("Include", "ThenInclude"))
BOTH_ELEMENTS = frozenset(("Sort", "Reduce", "reduce", "sort"))
RECEIVER_ITSELF = frozenset(("When", "WhenForAnyArgs", "Also", "Let"))
JOINS = frozenset(("Join", "GroupJoin", "LeftJoin"))
MAX_INCLUDES = 50


def parameter_of_lambda(parameter: LambdaParameter, evaluator: Evaluator) -> TypeRef | None:
    """Return the type of a lambda's parameter: by the delegate that a declared method takes, else as LINQ has it."""
    call = parameter.call
    if isinstance(call.function, New):
        return _of_constructor(parameter, evaluator.resolve(call.function.type), evaluator=evaluator)
    if not isinstance(call.function, Member):
        found = evaluator.root(call.function).found
        if found is None:
            return handed_by_base(parameter, None, evaluator=evaluator)
        return _declared(found, parameter, receiver=None, evaluator=evaluator) if found.is_method else None
    receiver = evaluator.type_of(call.function.receiver)
    name, count = call.function.name, len(call.arguments) + 1
    found = evaluator.find(receiver, name, count=count) or evaluator.find(receiver, name)
    if found is not None:
        return (
            _declared(found, parameter, receiver=receiver, evaluator=evaluator) if found.is_method else None
        )
    return _external(parameter, receiver, function=call.function, evaluator=evaluator)


def _declared(
    found: Found, parameter: LambdaParameter, *, receiver: TypeRef | None, evaluator: Evaluator
) -> TypeRef | None:
    """Read the parameter off the delegate type that the method declares."""
    call = parameter.call
    given = (*call.arguments, Argument(Lambda(), parameter.argument))
    method = overload_of(found, call._replace(arguments=given), evaluator)
    at = place_of(given[-1], len(call.arguments) + found.is_extension, method.parameters)
    delegate = parameter_type(evaluator.catalog, method, position=at) if at is not None else None
    handed = handed_over(delegate, parameter.position, evaluator=evaluator)
    if handed is None:
        return None
    binding = evaluator.method_binding(method, call, receiver=receiver, found=found)
    return put_in(handed, binding, binding_of(found.declaring))


def _of_constructor(parameter: LambdaParameter, made: TypeRef, *, evaluator: Evaluator) -> TypeRef | None:
    """Return what the delegate that is made, or that the constructor of a type takes, hands over."""
    if is_delegate(made):
        return (
            None if parameter.call.arguments else handed_over(made, parameter.position, evaluator=evaluator)
        )
    if made.info is None:
        return None
    found = find_member(evaluator.catalog, made, made.info.name, file=evaluator.file)
    if found is None:
        return _of_primary_constructor(parameter, made, evaluator=evaluator)
    if found.members[0].element_type != "constructor" or found.declaring.info is not made.info:
        return None
    return _declared(found, parameter, receiver=None, evaluator=evaluator)


def _of_primary_constructor(
    parameter: LambdaParameter, made: TypeRef, *, evaluator: Evaluator
) -> TypeRef | None:
    given = Argument(Lambda(), parameter.argument)
    for declared, file in declared_with(made):
        at = place_of(given, len(parameter.call.arguments), declared.parameters)
        if at is not None and at < len(declared.parameters):
            delegate = evaluator.catalog.resolve(declared.parameters[at].type, file=file, owner=made.info)
            handed = handed_over(delegate, parameter.position, evaluator=evaluator)
            return put_in(handed, binding_of(made)) if handed is not None else None
    return None


def _external(
    parameter: LambdaParameter, receiver: TypeRef | None, *, function: Member, evaluator: Evaluator
) -> TypeRef | None:
    name, call = function.name, parameter.call
    if name in externals.LAMBDA_BY_TYPE_ARGUMENT and call.type_arguments and parameter.position == 0:
        argument = evaluator.resolve(call.type_arguments[0])
        around = externals.LAMBDA_BY_TYPE_ARGUMENT[name]
        return TypeRef(around, None, (argument,)) if around else argument
    handed = handed_by_library(parameter, receiver, function=function, evaluator=evaluator)
    if handed is not None:
        return handed.type
    if receiver is not None and receiver.info is not None:
        held = handed_by_base(parameter, receiver, evaluator=evaluator)
        if held is not None:
            return held
    if name in RECEIVER_ITSELF:
        return receiver
    if name == "ThenInclude":
        return _included(function.receiver, evaluator)
    held = _collection(receiver, call, evaluator=evaluator)
    if held is None:
        return None
    if name in JOINS and len(call.arguments) == 2:
        held = evaluator.type_of(call.arguments[0].value)
    elif parameter.position and name not in BOTH_ELEMENTS:
        return None
    return externals.handed_out(held) if held is not None else None


def _collection(receiver: TypeRef | None, call: Call, *, evaluator: Evaluator) -> TypeRef | None:
    """Return the receiver, or the first argument of a static method such as `Assert.All(orders, …)`."""
    if receiver is None:
        first = evaluator.type_of(call.arguments[0].value) if call.arguments else None
        return first if first is not None and externals.is_collection(first) else None
    if receiver.info is None:
        return receiver
    held = evaluator.element_of(receiver)
    return TypeRef("IEnumerable", None, (held,)) if held is not None else None


def _included(expression: Expression, evaluator: Evaluator) -> TypeRef | None:
    """Return what the last `Include` or `ThenInclude` of a chain leads to, an element of it if it is many."""
    chains: list[Lambda] = []
    while isinstance(expression, Call) and isinstance(expression.function, Member):
        function = expression.function
        if function.name not in INCLUDES or len(chains) > MAX_INCLUDES:
            break
        chain = expression.arguments[0].value if expression.arguments else None
        if not isinstance(chain, Lambda) or len(chain.members) != 1:
            return None
        chains.append(chain)
        expression = function.receiver
        if function.name == "Include":
            break
    while isinstance(expression, Call) and isinstance(expression.function, Member):
        if expression.function.name not in INCLUDES:
            break
        expression = expression.function.receiver  # earlier includes start from the same entity
    source = evaluator.type_of(expression)
    held = externals.element(source) if source is not None else None
    for chain in reversed(chains):
        held = _element_or_self(follow(chain.members[0], held, evaluator=evaluator))
    return held


def _element_or_self(ref: TypeRef | None) -> TypeRef | None:
    if ref is None or not externals.is_collection(ref):
        return ref
    return externals.element(ref)


def follow(chain: tuple[str, ...], ref: TypeRef | None, *, evaluator: Evaluator) -> TypeRef | None:
    """Follow a chain of members from a type."""
    for name in chain:
        ref = evaluator.member_type(ref, name)
    return ref


def chain_result(name: str, call: Call, *, held: TypeRef, evaluator: Evaluator) -> TypeRef | None:
    """Return what `Select` and `SelectMany` make of a collection by what their lambda or method returns."""
    if len(call.arguments) != 1 or (name not in externals.SELECTS and name not in externals.FLATTENS):
        return None
    result = _returned(call.arguments[0].value, externals.handed_out(held), evaluator=evaluator)
    if result is None:
        return None
    if name in externals.FLATTENS:
        return result if externals.is_collection(result) else None
    return held._replace(arguments=(result,)) if len(held.arguments) == 1 else None


def _returned(given: Expression, handed: TypeRef | None, *, evaluator: Evaluator) -> TypeRef | None:
    if isinstance(given, Lambda):
        return evaluator.type_from(handed, given.result)
    ref = evaluator.type_of(given)
    if ref is not None and ref.name in WRAPPERS:
        ref = externals.element(ref)
    if ref is None or is_delegate(ref):
        return externals.called(ref) if ref is not None else None
    return ref if isinstance(given, Name | Member) else None  # of a method that is named
