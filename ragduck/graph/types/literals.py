"""Evaluate what names a table in code: literals, `nameof`, `typeof(T).Name`, constants."""

from __future__ import annotations

from collections.abc import Mapping

from ragduck.facts import Call, Expression, FileFacts, Joined, Member, Name, NameOf, Text, Typed, TypeOf
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import function_name

THIS = "this."
_MAX_DEPTH = 8  # constants made from constants
_MAX_LENGTH = 500_000
_NOTHING: Mapping[str, str] = {}


def text_of(
    expression: Expression,
    *,
    catalog: Catalog,
    file: FileFacts,
    source: str,
    parameters: Mapping[str, str] = _NOTHING,
) -> str | None:
    """Return the string that an expression stands for; None where the code does not tell.

    ``parameters`` are what those of the method around it stand for, and under `this.` what members of its object do.
    """
    if parameters:
        expression = put_in(expression, parameters)
    return _text(expression, catalog, file=file, source=source, depth=_MAX_DEPTH)


def text_over(
    expression: Expression, *, catalog: Catalog, file: FileFacts, source: str
) -> tuple[str, int] | None:
    """Return the string that an expression stands for, and over how many constants it does.

    Who comes to it over others may not follow as many.
    """
    if text_of(expression, catalog=catalog, file=file, source=source) is None:
        return None
    texts = (
        (_text(expression, catalog, file=file, source=source, depth=depth), depth)
        for depth in range(_MAX_DEPTH + 1)
    )
    return next(((text, depth) for text, depth in texts if text is not None), None)


def put_in(expression: Expression, parameters: Mapping[str, str]) -> Expression:
    """Return an expression with texts in place of parameters, also among the pieces of a string."""
    if isinstance(expression, Typed) and expression.name in parameters:
        return Text(parameters[expression.name])
    if isinstance(expression, Joined):
        return Joined(tuple(put_in(part, parameters) for part in expression.parts))
    own = f"{THIS}{own_member(expression)}"
    if own in parameters:
        return Text(parameters[own])
    return expression


def is_of_members(expression: Expression) -> bool:
    """Say whether the text of an expression may be that of a member, as a whole or in part."""
    if isinstance(expression, Joined):
        return any(map(is_of_members, expression.parts))
    return isinstance(expression, (Name, Member, Call))


def own_member(expression: Expression | None) -> str:
    """Return the name in `_builder` and `this._builder`, "" for anything else."""
    if isinstance(expression, Member) and expression.receiver == Name("this"):
        return expression.name
    return expression.name if isinstance(expression, Name) else ""


def _text(
    expression: Expression, catalog: Catalog, *, file: FileFacts, source: str, depth: int
) -> str | None:
    if isinstance(expression, Text):
        return expression.value
    if isinstance(expression, NameOf):
        return expression.name.rpartition(".")[2]
    if depth == 0:
        return None
    if isinstance(expression, Joined):
        parts = [_text(part, catalog, file=file, source=source, depth=depth - 1) for part in expression.parts]
        known = [part for part in parts if part is not None]
        whole = "".join(known) if len(known) == len(parts) else None
        return whole if whole is None or len(whole) <= _MAX_LENGTH else None
    if isinstance(expression, (Name, Member)):
        return _member_text(expression, catalog, file=file, source=source, depth=depth)
    if isinstance(expression, Call) and function_name(expression) == "ToString" and not expression.arguments:
        receiver = expression.function.receiver if isinstance(expression.function, Member) else expression
        return _text(receiver, catalog, file=file, source=source, depth=depth - 1)
    return None


def _member_text(
    expression: Name | Member, catalog: Catalog, *, file: FileFacts, source: str, depth: int
) -> str | None:
    """Look a constant up in its type, or give the name of a type."""
    owner = catalog.owner_of(source)
    if isinstance(expression, Member):
        if isinstance(expression.receiver, TypeOf):
            return _type_name(expression.receiver.type) if expression.name == "Name" else None
        written = dotted(expression.receiver)
        if written not in ("this", "base"):
            owner = catalog.resolve(written, file=file, owner=owner).info if written else None
    if owner is None:
        return None
    for member in catalog.members(owner, expression.name):
        return _text(member.value, catalog, file=catalog.home_of(member), source=member.key, depth=depth - 1)
    return None


def dotted(expression: Expression) -> str:
    """Return a chain of bare names as it is written, "" for anything else."""
    names: list[str] = []
    while isinstance(expression, Member) and len(names) < 2 * _MAX_DEPTH:
        names.append(expression.name)
        expression = expression.receiver
    if not isinstance(expression, Name):
        return ""
    return ".".join((expression.name, *reversed(names)))


def _type_name(written: str) -> str:
    return written.partition("<")[0].rpartition(".")[2].strip("?[] ")
