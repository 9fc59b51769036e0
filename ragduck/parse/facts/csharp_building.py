"""Follow the calls that put strings together: `string.Format`, `string.Join`, StringBuilder."""

from __future__ import annotations

import re

from ragduck.facts import UNKNOWN, Argument, Call, Expression, Member, Name, New, Text
from ragduck.parse.facts.csharp_changes import changed_string, formatted
from ragduck.parse.facts.csharp_lines import on_lines
from ragduck.parse.facts.csharp_values import is_string, joined

BUILDERS = frozenset(("StringBuilder", "System.Text.StringBuilder"))
_WITH_CULTURE = 2  # arguments, of calls that write one text
_CULTURE = re.compile(r"culture|provider|(?:invariant|current)info$", re.IGNORECASE)
_STRING = frozenset(("string", "String"))

_KNOWN_TEXTS = {
    ("string", "Empty"): "",
    ("String", "Empty"): "",
    ("Environment", "NewLine"): "\n",
    **{("ControlChars", name): "\n" for name in ("CrLf", "NewLine", "Lf", "Cr")},  # of Microsoft.VisualBasic
    ("ControlChars", "Tab"): "\t",
}


def built_string(function: Member, arguments: tuple[Argument, ...]) -> Expression | None:
    """Return the string that a call puts together, None when it is no such call."""
    if isinstance(function.receiver, Name) and function.receiver.name in _STRING:
        return _from_parts(function.name, arguments)
    if is_string(function.receiver):
        return changed_string(function.receiver, function.name, arguments)
    return None


def builder_text(value: Expression) -> Expression | None:
    """Return what a new StringBuilder holds after the calls chained to it, None for any other value."""
    calls: list[tuple[str, tuple[Argument, ...]]] = []
    while isinstance(value, Call) and isinstance(value.function, Member):
        calls.append((value.function.name, value.arguments))
        value = value.function.receiver
    if not (isinstance(value, New) and value.type in BUILDERS):
        return None
    first = value.arguments[0].value if value.arguments else Text("")
    text = first if is_string(first) else Text("")
    for name, arguments in reversed(calls):
        written = appended(text, name, arguments)
        if written is None:
            return None
        text = written
    return text


def _from_parts(name: str, arguments: tuple[Argument, ...]) -> Expression | None:
    values = [argument.value for argument in arguments]
    if name == "Concat":
        return joined(values)
    if name == "Format" and values:
        if not is_string(values[0]) and len(values) > 1:
            values = values[1:]  # the culture goes first
        return formatted(values[0], values[1:])
    if name == "Join" and values:
        return _with_separator(values[0], values[1:])
    return None


def _with_separator(separator: Expression, values: list[Expression]) -> Expression:
    if len(values) == 1 and isinstance(values[0], New):
        values = [argument.value for argument in values[0].arguments] or [UNKNOWN]
    parts: list[Expression] = values[:1]
    for value in values[1:]:
        parts.extend((separator, value))
    return joined(parts)


def appended(text: Expression, name: str, arguments: tuple[Argument, ...]) -> Expression | None:
    """Return what a StringBuilder holds after a call, None when the call does not write to it."""
    values = _written(name, arguments)
    if name == "Append":
        return joined((text, *values[:1]))
    if name == "AppendLine":
        return joined((text, *values[:1], Text("\n")))
    if name == "AppendFormat" and values:
        return joined((text, formatted(values[0], values[1:])))
    if name in ("AppendJoin", "Insert", "Replace", "Remove"):
        return joined((text, UNKNOWN))
    return Text("") if name == "Clear" else None


def _written(name: str, arguments: tuple[Argument, ...]) -> list[Expression]:
    """Return what a call writes, without the culture that may go first: `AppendLine(culture, $"…")`."""
    values = [argument.value for argument in arguments]
    if len(values) < _WITH_CULTURE or is_string(values[0]) or not is_string(values[1]):
        return values
    is_alone = name in ("Append", "AppendLine") and len(values) == _WITH_CULTURE
    return values[1:] if is_alone or (name == "AppendFormat" and _is_culture(values[0])) else values


def _is_culture(value: Expression) -> bool:
    """Say whether a value is named as what formats: a template may be a constant, too."""
    named = value.name if isinstance(value, (Name, Member)) else ""
    return _CULTURE.search(named) is not None


def known_text(value: Expression) -> str | None:
    """Return what `string.Empty` and `Environment.NewLine` stand for."""
    if not (isinstance(value, Member) and isinstance(value.receiver, Name)):
        return None
    return _KNOWN_TEXTS.get((value.receiver.name, value.name))


def appended_on_line(
    held: Expression, name: str, arguments: tuple[Argument, ...], *, lines: tuple[int, int]
) -> Expression | None:
    """Return what a StringBuilder holds after a call, with what that writes on its line of the file.

    ``lines`` are that on which it got its first text, 0 for none, and that of the call.
    """
    first_line, line = lines
    values = _written(name, arguments)
    if first_line and values:
        held = joined(on_lines(((held, first_line), (values[0], line)))[:-1])
    return appended(held, name, arguments)
