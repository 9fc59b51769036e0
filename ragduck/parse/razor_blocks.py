"""Find the C# in Razor: `@code { }`, `@functions { }` and `@{ }`, past braces in strings and comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Razor comments first, so that what they hide is not found; `@@` is a plain at sign.
_OPENING = re.compile(r"@\*.*?(?:\*@|\Z)|@@|@(?P<word>code|functions)?\s*+\{", re.DOTALL)

# Every alternative either stops at its own end or takes the rest: an unclosed quote is never read twice.
_TOKEN = re.compile(
    r"""
      @\*.*?(?:\*@|\Z)
    | (?<!:)//[^\n]*
    | /\*.*?(?:\*/|\Z)
    | (?P<raw>\$*"{3,})
    | (?P<verbatim>(?:@|\$@|@\$)")(?:[^"]|"")*+"?
    | (?P<interpolated>\$")
    | "(?:\\.|[^"\\\n])*+"?
    | '(?:\\[^\n][^'\n]{0,8}|[^'\\\n])'
    | (?P<brace>[{}])
    """,
    re.DOTALL | re.VERBOSE,
)
_HOLE = re.compile(r"""\\.|\{\{|\}\}|(?P<end>["\n])|(?P<brace>[{}])""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """The inside of a pair of braces, as offsets into the text."""

    start: int
    end: int
    holds_members: bool


def find_blocks(text: str) -> tuple[list[Block], int | None]:
    """Return the C# blocks in order, and the offset of one that never ends; what follows that is markup."""
    blocks: list[Block] = []
    position = 0
    while match := _OPENING.search(text, position):
        position = match.end()
        if match[0][-1] != "{" or match[0].startswith("@*"):
            continue
        end = _closing_brace(text, position)
        if end is None:
            return blocks, match.start()
        blocks.append(Block(position, end, match["word"] is not None))
        position = end + 1
    return blocks, None


def _closing_brace(text: str, position: int) -> int | None:
    depth = 1
    for offset, brace in _braces(text, position):
        depth += 1 if brace == "{" else -1
        if depth == 0:
            return offset
    return None


def _braces(text: str, position: int) -> Iterator[tuple[int, str]]:
    """Yield the braces that count."""
    while match := _TOKEN.search(text, position):
        position = match.end()
        if match["brace"]:
            yield match.start(), match["brace"]
        elif match["raw"]:
            position = _past(text, match["raw"].lstrip("$"), position)
        elif match["interpolated"]:
            position = _past_interpolated(text, position)


def _past(text: str, quotes: str, position: int) -> int:
    end = text.find(quotes, position)
    return len(text) if end < 0 else end + len(quotes)


def _past_interpolated(text: str, position: int) -> int:
    """Return the offset after `$"… {hole} …"`; strings in a hole are skipped whole, line ends end it all."""
    depth = 0
    while match := (_TOKEN if depth else _HOLE).search(text, position):
        if depth and "\n" in text[position : match.start()]:
            return match.start()
        position = match.end()
        if match["brace"]:
            depth = max(0, depth + (1 if match["brace"] == "{" else -1))
        elif not depth and match["end"]:
            break
    return position
