"""Take chains of calls apart: `builder.HasOne(o => o.Customer).WithMany().HasForeignKey(o => o.CustomerId)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ragduck.facts import (
    UNKNOWN,
    Argument,
    Awaited,
    Call,
    Choice,
    Element,
    Expression,
    Lambda,
    LambdaParameter,
    Member,
    Name,
    Typed,
)

Step = Member | Call | Awaited | Element
MAX_LINKS = 400  # a fluent table of a hundred columns has about that many


class Link(NamedTuple):
    """One step of a chain; ``call`` is None where a member is only read."""

    name: str
    call: Call | None = None


class Chain(NamedTuple):
    """A chain from what it starts with to its last link; ``root`` is a Name for a call of a bare name."""

    root: Expression
    links: tuple[Link, ...]


def take_apart(expression: Expression) -> Chain:
    """Split a chain into links, the first one next to the root."""
    links: list[Link] = []
    for _ in range(MAX_LINKS):
        if isinstance(expression, Call):
            links.append(Link(function_name(expression), expression))
            function = expression.function
            if not isinstance(function, Member):
                return Chain(Name(""), tuple(reversed(links)))
            expression = function.receiver
        elif isinstance(expression, Member):
            links.append(Link(expression.name))
            expression = expression.receiver
        else:
            break
    return Chain(expression, tuple(reversed(links)))


def function_name(call: Call) -> str:
    """Return the name that is called, "" for a call of something else."""
    function = call.function
    return function.name if isinstance(function, (Member, Name)) else ""


def last_name(expression: Expression) -> str:
    """Return the name that an expression ends with: of a member, a local, what is called; "" where there is none."""
    if isinstance(expression, Awaited):
        expression = expression.task
    if isinstance(expression, Call):
        return function_name(expression)
    return expression.name if isinstance(expression, (Name, Member, Typed, LambdaParameter)) else ""


def receiver_of(call: Call) -> Expression | None:
    """Return what a member is called on; None for a call of a bare name."""
    return call.function.receiver if isinstance(call.function, Member) else None


def argument(call: Call, position: int, *, name: str = "") -> Expression:
    """Return an argument by its written name, else by position; Unknown where there is none."""
    for one in call.arguments:
        if name and one.name == name:
            return one.value
    if 0 <= position < len(call.arguments) and not call.arguments[position].name:
        return call.arguments[position].value
    return UNKNOWN


def named(arguments: Iterable[Argument], name: str) -> Expression:
    """Return the argument that is given by name; Unknown where there is none."""
    return next((one.value for one in arguments if one.name == name), UNKNOWN)


def lambda_members(call: Call) -> tuple[str, ...]:
    """Return the first members of the lambda that a call is given: `x => new { x.A, x.B }` has A and B."""
    for one in call.arguments:
        if isinstance(one.value, Lambda):
            return tuple(chain[0] for chain in one.value.members if chain)
    return ()


def inward(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and what it is made from, step by step, down to where the value comes from."""
    for _ in range(MAX_LINKS):
        yield expression
        if isinstance(expression, Call):
            receiver = receiver_of(expression)
            if receiver is None:
                return
            expression = receiver
        elif isinstance(expression, Member):
            expression = expression.receiver
        elif isinstance(expression, Awaited):
            expression = expression.task
        elif isinstance(expression, Element):
            expression = expression.collection
        elif isinstance(expression, Choice) and expression.options:
            expression = expression.options[0]
        elif isinstance(expression, LambdaParameter):
            expression = expression.call
        else:
            return


def unwound(expression: Expression) -> tuple[Expression, list[Step]]:
    """Return the root of a chain, and its steps from the last to the first."""
    steps: list[Step] = []
    while isinstance(expression, (Member, Call, Awaited, Element)):
        steps.append(expression)
        expression = expression[0]
    return expression, steps
