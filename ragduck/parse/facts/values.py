"""Judge and put together expressions: what is kept of them, what they start with, which of them are the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ragduck.facts import (
    UNKNOWN,
    Argument,
    Awaited,
    Call,
    Choice,
    Element,
    Expression,
    Joined,
    LambdaParameter,
    Member,
    Name,
    New,
    Text,
    Typed,
    Unknown,
)

MAX_SIZE = 60  # tuples in an expression that is kept as an argument or local
MAX_STRING_SIZE = 200  # the same for strings, which are put together from many parts
MAX_OPTIONS = 4  # values of one local
ARRAY = "[]"
THIS = Name("this")
BASE = Name("base")

_LEAVES = (Unknown, Name, Text, Typed)


def starts_with_something(value: Expression) -> bool:
    """Say whether it is known what a chain starts with."""
    while isinstance(value, Member | Element | Awaited):
        value = value[0]
    if isinstance(value, LambdaParameter):
        value = value.call
    if isinstance(value, Call):
        return starts_with_something(value.function)
    if isinstance(value, Choice):
        return any(starts_with_something(option) for option in value.options)
    if isinstance(value, New | Typed):
        return bool(value.type)
    return bool(value) and not isinstance(value, Text | Joined)


def names_path(arguments: Sequence[Argument]) -> bool:
    """Say whether the first argument is a text with a slash."""
    first = arguments[0].value if arguments else UNKNOWN
    parts = first.parts if isinstance(first, Joined) else (first,)
    return any(isinstance(part, Text) and "/" in part.value for part in parts)


def kept(value: Expression, name: str = "") -> Expression:
    """Return an expression in the form in which it is kept: objects by their type, nothing that grew too big."""
    if isinstance(value, Typed) and name and not value.name:
        return Typed(value.type, name)
    if isinstance(value, _LEAVES):
        return value
    if name and isinstance(value, New) and value.type not in ("", ARRAY):
        return Typed(value.type, name)
    limit = MAX_STRING_SIZE if isinstance(value, Joined | Choice) else MAX_SIZE
    return value if _is_smaller(value, limit) else UNKNOWN


def is_same(one: Expression, other: Expression) -> bool:
    """Compare two expressions; named tuples of different types can be equal."""
    return type(one) is type(other) and one == other


def either(known: Expression, value: Expression) -> Expression:
    """Add a value to those that something may have."""
    if not known or not value:
        return known or value
    options = known.options if isinstance(known, Choice) and not known.is_fallback else (known,)
    if len(options) >= MAX_OPTIONS or any(is_same(option, value) for option in options):
        return known
    return Choice((*options, value))


def choice(values: Iterable[Expression], *, is_fallback: bool = False) -> Expression:
    """Return one of several values, leaving out those that cannot be told."""
    known = [value for value in map(kept, values) if value]
    if len(known) <= 1:
        return known[0] if known else UNKNOWN
    return Choice(tuple(known), is_fallback)


def type_told(value: Expression) -> str:
    """Return the type that a value tells."""
    return value.type if isinstance(value, New | Typed) and value.type != ARRAY else ""


def _is_smaller(value: Expression, limit: int) -> bool:
    pending: list[tuple[object, ...]] = [value]
    count = 0
    while pending:
        item = pending.pop()
        count += 1
        if count > limit:
            return False
        pending.extend(part for part in item if isinstance(part, tuple))
    return True
