"""Read the tags of a markup language off a text, with the lines of their attributes; comments count as blank."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import NamedTuple

COMMENT = ("<!--", "-->")

_TAG = re.compile(r"<(?P<end>/)?(?P<name>[^\W\d_][\w.-]*+(?::[\w.-]++)?)")
_END = re.compile(r"\s*+/>")
# A quote that never ends takes the rest of the file once: behind it there is no other of its kind.
_ATTRIBUTE = re.compile(
    r"""\s*+(?P<name>[^\s"'<>/=]++)(?:\s*+=\s*+(?:"(?P<double>[^"]*+)"|'(?P<single>[^']*+)'|(?P<bare>[^\s"'<>]++)))?+"""
)


class Attribute(NamedTuple):
    """The value of an attribute, character references resolved, with its first and last line."""

    value: str
    line: int
    end_line: int


class Element(NamedTuple):
    """A tag with its attributes by their name in lower case.

    ``is_closing`` holds for a tag that ends its own element, ``is_end`` for one that ends what another began.
    """

    name: str
    line: int
    attributes: Mapping[str, Attribute]
    is_end: bool = False
    is_closing: bool = False

    def get(self, name: str) -> str:
        """Return the value of an attribute, empty without one."""
        found = self.attributes.get(name)
        return found.value.strip() if found is not None else ""


class TaggedText:
    """A text of markup, as long as it was, without what its ``comments`` enclose."""

    def __init__(self, text: str, *, comments: tuple[tuple[str, str], ...] = (COMMENT,)) -> None:
        self.text = _without_comments(text, dict(comments))
        self._ends = [match.start() for match in re.finditer("\n", self.text)]

    def line(self, offset: int) -> int:
        """Return the line of an offset."""
        return bisect_right(self._ends, offset - 1) + 1

    def tags(self) -> Iterator[Element]:
        """Yield the tags that begin an element."""
        return (tag for tag in self.all_tags() if not tag.is_end)

    def all_tags(self) -> Iterator[Element]:
        """Yield all tags in order."""
        markup = self.markup()
        position = 0
        while match := _TAG.search(markup, position):
            position, line = match.end(), self.line(match.start())
            if match["end"]:
                yield Element(match["name"], line, {}, is_end=True)
            else:
                attributes, position = self.attributes(markup, position, len(markup))
                is_closing = _END.match(markup, position) is not None
                yield Element(match["name"], line, attributes, is_closing=is_closing)

    def markup(self) -> str:
        """Return the text in which tags are looked for, of the same length."""
        return self.text

    def attributes(self, text: str, position: int, end: int) -> tuple[Mapping[str, Attribute], int]:
        """Return the attributes that follow a position, of two with one name the first, and where they end."""
        found: dict[str, Attribute] = {}
        while (match := _ATTRIBUTE.match(text, position, end)) is not None:
            group = next((name for name in ("double", "single", "bare") if match[name] is not None), None)
            position = match.end()
            if group is not None:
                start, stop = match.span(group)
                lines = self.line(start), self.line(max(stop - 1, start))
                found.setdefault(match["name"].lower(), Attribute(_unescaped(match[group]), *lines))
        return found, position


def _unescaped(value: str) -> str:
    try:
        return html.unescape(value)
    except ValueError:  # a number of thousands of digits
        return value


def blank(text: str) -> str:
    """Replace all but line ends by spaces."""
    return "\n".join(" " * len(line) for line in text.split("\n"))


def _without_comments(text: str, comments: Mapping[str, str]) -> str:
    opening = re.compile("|".join(re.escape(start) for start in sorted(comments, key=len, reverse=True)))
    pieces: list[str] = []
    last = 0
    while match := opening.search(text, last):
        closing = comments[match[0]]
        end = text.find(closing, match.end())
        end = len(text) if end < 0 else end + len(closing)
        pieces += (text[last : match.start()], blank(text[match.start() : end]))
        last = end
    return "".join((*pieces, text[last:]))
