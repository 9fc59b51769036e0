"""Tell what a lambda returns, in a form that does not grow with the calls around it."""

from __future__ import annotations

from ragduck.facts import (
    HANDED,
    UNKNOWN,
    Argument,
    Call,
    Choice,
    Element,
    Expression,
    Lambda,
    LambdaParameter,
    Member,
    Name,
    New,
    Text,
    Typed,
)
from ragduck.parse.facts.csharp_values import spine

MAX_LEVELS = 24  # of a chain that is returned
MAX_ARGUMENTS = 8


def result_of(value: Expression, parameter: Expression) -> Expression:
    """Return what a lambda with this first ``parameter`` returns, begun with HANDED in place of that.

    Calls have the number of their arguments, and the lambdas among these: a chain of calls with lambdas would double
    with each of them if the results held the calls that their parameters belong to.
    """
    return _short(value, parameter) if spine(value) <= MAX_LEVELS else UNKNOWN


def _short(value: Expression, parameter: Expression) -> Expression:
    if isinstance(value, Choice):
        known = (_short(one, parameter) for one in value.options[:MAX_ARGUMENTS])
        return next((one for one in known if one is not UNKNOWN), UNKNOWN)
    if isinstance(value, LambdaParameter):
        return HANDED if _is_first(value, parameter) else UNKNOWN
    if isinstance(value, Member):
        receiver = _short(value.receiver, parameter)
        return Member(receiver, value.name) if receiver is not UNKNOWN else UNKNOWN
    if isinstance(value, Element):
        collection = _short(value.collection, parameter)
        return Element(collection, value.is_picked) if collection is not UNKNOWN else UNKNOWN
    if isinstance(value, Call):
        function = _short(value.function, parameter) if isinstance(value.function, Name | Member) else UNKNOWN
        return Call(function, _counted(value), value.type_arguments) if function is not UNKNOWN else UNKNOWN
    if isinstance(value, New):
        return New(value.type) if value.type[:1].isalpha() or value.type[:1] == "_" else UNKNOWN
    return value if isinstance(value, Name | Typed | Text) else UNKNOWN


def _is_first(value: LambdaParameter, parameter: Expression) -> bool:
    return isinstance(parameter, LambdaParameter) and value.call is parameter.call and not value.position


def _counted(call: Call) -> tuple[Argument, ...]:
    return tuple(
        Argument(one.value if isinstance(one.value, Lambda) else UNKNOWN, one.name)
        for one in call.arguments[:MAX_ARGUMENTS]
    )
