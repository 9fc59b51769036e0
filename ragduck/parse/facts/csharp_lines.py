"""Keep the pieces of a statement on their lines of the file, so that what is found in it can be told by its line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragduck.facts import Choice, Expression, Joined, Text
from ragduck.parse.facts.csharp_strings import SQL_WORD
from ragduck.parse.facts.csharp_values import choice, joined

_LOOKED_AT = 200  # characters of a text's beginning
_ENDS_WORD = re.compile(r"[\s(,;=]\Z")
_BEGINS_WORD = re.compile(r"[\s),;]")


def on_lines(pieces: Sequence[tuple[Expression, int]]) -> list[Expression]:
    """Return pieces of a text with line ends between those of later lines of the file, which are given with them.

    White space means nothing in SQL, so this is done with what has a word of it; nothing is put into a name.
    """
    values = [value for value, _ in pieces]
    first_line = pieces[0][1]
    if pieces[-1][1] == first_line or SQL_WORD.search(_beginning(values[0])) is None:
        return values
    found: list[Expression] = []
    breaks = 0
    for value, line in pieces:
        missing = line - first_line - breaks
        if found:
            found[-1] = _evened(found[-1], value)
        if found and missing > 0 and _may_part(found[-1], value):
            found.append(Text("\n" * missing))
            breaks += missing
        found.append(value)
        breaks += _breaks(value)
    return found


def on_own_line(value: Expression, *, line: int, first_line: int) -> Expression:
    """Return a text with line ends before it, if it is one of several that begin on ``first_line``, 0 for none."""
    if isinstance(value, Choice):
        options = (on_own_line(option, line=line, first_line=first_line) for option in value.options)
        return choice(options, is_fallback=value.is_fallback)
    if not first_line or line <= first_line or SQL_WORD.search(_beginning(value)) is None:
        return value
    return joined((Text("\n" * (line - first_line)), value))


def is_blank(value: Expression) -> bool:
    """Say whether a text has nothing in it that could stand on a line."""
    return isinstance(value, Text) and not value.value.strip()


def _breaks(value: Expression) -> int:
    """Count the line ends in a text, of several those of the longest."""
    if isinstance(value, Text):
        return value.value.count("\n")
    if isinstance(value, Joined):
        return sum(map(_breaks, value.parts))
    return max(map(_breaks, value.options)) if isinstance(value, Choice) else 0


def _evened(before: Expression, after: Expression) -> Expression:
    """Return texts of which one stands before another with as many line ends in each."""
    if not isinstance(before, Choice) or not all(_may_part(option, after) for option in before.options):
        return before
    most = _breaks(before)
    options = (joined((option, Text("\n" * (most - _breaks(option))))) for option in before.options)
    return choice(options, is_fallback=before.is_fallback)


def _beginning(value: Expression) -> str:
    """Return how a text begins, of several the first that does."""
    if isinstance(value, Text):
        return value.value[:_LOOKED_AT]
    parts = value.parts if isinstance(value, Joined) else value.options if isinstance(value, Choice) else ()
    return next((text for text in map(_beginning, parts) if text.strip()), "")


def _may_part(before: Expression, after: Expression) -> bool:
    """Tell whether no name can go on from one piece to the next."""
    last = before.parts[-1] if isinstance(before, Joined) and before.parts else before
    first = after.parts[0] if isinstance(after, Joined) and after.parts else after
    if isinstance(last, Text) and _ENDS_WORD.search(last.value[-1:]):
        return True
    return isinstance(first, Text) and _BEGINS_WORD.match(first.value) is not None
