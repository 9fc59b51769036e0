"""Follow the calls that change a string: `Trim`, `Replace`, formats, and what a system has of its own for SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ragduck.facts import UNKNOWN, Argument, Choice, Expression, Joined, New, Text
from ragduck.facts.flurl import APPENDING, LEAVING_PATH
from ragduck.parse.facts.csharp_strings import format_pieces
from ragduck.parse.facts.csharp_values import choice, is_string, joined
from ragduck.sqlreader.recognition import begins_like_sql

MAX_FORMATTED = 100  # items of one format
MAX_REPLACED = 100_000  # characters that a replacement may lead to
_SAME = frozenset(
    (
        "ToString",
        "Trim",
        "TrimEnd",
        "TrimStart",
        "PadLeft",
        "PadRight",
        "Normalize",
        "ReplaceLineEndings",
    )
)
_IN_CASE: dict[str, Callable[[str], str]] = {
    "ToUpper": str.upper,
    "ToUpperInvariant": str.upper,
    "ToLower": str.lower,
    "ToLowerInvariant": str.lower,
}
_NO_TEXT = frozenset(  # what comes back is none, or a part of it
    (
        "Contains",
        "StartsWith",
        "EndsWith",
        "Equals",
        "CompareTo",
        "IndexOf",
        "IndexOfAny",
        "LastIndexOf",
        "LastIndexOfAny",
        "Substring",
        "Remove",
        "Insert",
        "Split",
        "ToCharArray",
        "CopyTo",
        "GetHashCode",
        "GetType",
    )
)


def formatted(template: Expression, values: list[Expression]) -> Expression:
    """Put arguments into a format."""
    if not isinstance(template, Text):
        return template if is_string(template) else UNKNOWN
    pieces = format_pieces(template.value)[: 2 * MAX_FORMATTED]
    return joined(
        Text(piece) if isinstance(piece, str) else values[piece] if piece < len(values) else UNKNOWN
        for piece in pieces
    )


def changed_string(text: Expression, name: str, arguments: tuple[Argument, ...]) -> Expression:
    """Return a string after a call of a method on it.

    What begins like SQL stays SQL whatever a method does that is not known, though with something unknown in it.
    """
    if name in _SAME:
        return text
    if isinstance(text, Choice):
        options = (changed_string(one, name, arguments) for one in text.options if is_string(one))
        return choice(options, is_fallback=text.is_fallback)
    values = [argument.value for argument in arguments]
    if name in APPENDING:
        return joined(_with_segments(text, values))
    if name in _IN_CASE:
        return _mapped(text, lambda piece: Text(_IN_CASE[name](piece)))
    if name == "Replace" and len(values) > 1:
        return _replaced(text, values[0], values[1])
    if LEAVING_PATH.fullmatch(name) is not None and "/" in _first_text(text):
        return text
    if name in _NO_TEXT or not begins_like_sql(_first_text(text)):
        return UNKNOWN
    return joined((formatted(text, values), Text(" "), UNKNOWN))


def _with_segments(address: Expression, values: list[Expression]) -> Iterator[Expression]:
    """Yield an address with segments behind it, each of which may be of an array."""
    yield address
    for value in values:
        for one in (each.value for each in value.arguments) if isinstance(value, New) else (value,):
            yield Text("/")
            yield one


def _replaced(text: Expression, old: Expression, new: Expression) -> Expression:
    """Return a text with one piece in the place of another; line ends stay, as they tell lines of the file."""
    if not isinstance(old, Text) or not old.value:
        return UNKNOWN
    if not old.value.strip():
        return text
    return _mapped(text, lambda piece: _replaced_in(piece, old.value, new))


def _replaced_in(text: str, old: str, new: Expression) -> Expression:
    first, *others = text.split(old)
    if isinstance(new, Text) and len(text) + len(others) * len(new.value) > MAX_REPLACED:
        return UNKNOWN
    parts: list[Expression] = [Text(first)]
    for other in others:
        parts.extend((new, Text(other)))
    return joined(parts)


def _mapped(text: Expression, change: Callable[[str], Expression]) -> Expression:
    """Return a string with each piece changed that the file tells."""
    parts = text.parts if isinstance(text, Joined) else (text,)
    return joined(change(part.value) if isinstance(part, Text) else part for part in parts)


def _first_text(value: Expression) -> str:
    first = value.parts[0] if isinstance(value, Joined) and value.parts else value
    return first.value if isinstance(first, Text) else ""
