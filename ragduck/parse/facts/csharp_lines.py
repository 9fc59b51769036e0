"""Keep the pieces of a statement on their lines of the file, so that what is found in it can be told by its line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragduck.facts import Expression, Joined, Text
from ragduck.parse.facts.csharp_strings import SQL_WORD

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
        if found and missing > 0 and _may_part(found[-1], value):
            found.append(Text("\n" * missing))
            breaks += missing
        found.append(value)
        breaks += sum(text.value.count("\n") for text in _texts(value))
    return found


def _texts(value: Expression) -> list[Text]:
    parts = value.parts if isinstance(value, Joined) else (value,)
    return [part for part in parts if isinstance(part, Text)]


def _beginning(value: Expression) -> str:
    texts = _texts(value)
    return texts[0].value[:_LOOKED_AT] if texts else ""


def _may_part(before: Expression, after: Expression) -> bool:
    """Tell whether no name can go on from one piece to the next."""
    last = before.parts[-1] if isinstance(before, Joined) and before.parts else before
    first = after.parts[0] if isinstance(after, Joined) and after.parts else after
    if isinstance(last, Text) and _ENDS_WORD.search(last.value[-1:]):
        return True
    return isinstance(first, Text) and _BEGINS_WORD.match(first.value) is not None
