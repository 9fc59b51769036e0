"""Find the links of a Markdown text: inline, by reference, and HTML anchors; images are none."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ragduck.corpus_map.prose import prose_of

MAX_TEXT = 120  # characters of a link's text that are kept
MAX_OPEN = 200  # brackets; deeper ones are no links of people

# Every part is bounded or possessive: what a stranger wrote is looked at once.
_TITLE = r"""(?:\s{1,99}(?:"[^"]{0,999}"|'[^']{0,999}'|\([^()]{0,999}\)))?"""
_PLAIN = r"(?:[^\s()<\\]|\\[^\n]|\((?:[^\s()\\]|\\[^\n]){0,999}\)){0,1999}+"
_INLINE = re.compile(rf"\(\s{{0,99}}(?:<([^<>\n]{{0,1999}})>|({_PLAIN})){_TITLE}\s{{0,99}}\)")
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){0,999})\]", re.DOTALL)
_DEFINITION = re.compile(
    r"^[ >]{0,9}\[((?:[^\[\]\\\n]|\\[^\n]){1,999})\]:[ \t]{0,99}\n?[ \t>]{0,99}"
    r"(?:<([^<>\n]{0,1999})>|([^\s<]\S{0,1999}))(?=\s|$)",
    re.MULTILINE,
)
_BRACKET = re.compile(r"\\[^\n]|!?\[|\]")
_HTML_ANCHOR = re.compile(
    r"""<a\s(?:[^<>]{0,999}?\s)?href\s{0,9}=\s{0,9}(?:"([^"\n]{0,1999})"|'([^'\n]{0,1999})')""", re.IGNORECASE
)
_IMAGE = re.compile(r"!\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])?")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


@dataclass(frozen=True, slots=True)
class Link:
    """A link as it is written: line from 1, text on one line, target with escapes taken out."""

    line: int
    text: str
    target: str


def links_of(text: str) -> list[Link]:
    """Return the links in order of their places."""
    prose = prose_of(text)
    starts = [0, *(match.end() for match in re.finditer("\n", prose))]
    found = [*_bracketed(prose, text), *_anchors(prose)]
    return [Link(bisect_right(starts, begin), shown, target) for begin, shown, target in sorted(found)]


Found = tuple[int, str, str]  # offset, text, target


def _bracketed(prose: str, text: str) -> Iterator[Found]:
    """Yield links in square brackets; within a link there is no other, but there may be an image."""
    definitions = _definitions(prose)
    openers: deque[tuple[int, bool]] = deque(maxlen=MAX_OPEN)
    last = 0  # end of the link before, whose label and title are no links
    for match in _BRACKET.finditer(prose):
        if match.start() < last or match[0][0] == "\\":
            continue
        if match[0] != "]":
            openers.append((match.start(), match[0][0] == "!"))
            continue
        if not openers:
            continue
        begin, is_image = openers.pop()
        target, end = _target_after(prose, match, begin=begin + 1 + is_image, definitions=definitions)
        if target is None:
            continue
        last = end
        if not is_image:
            openers.clear()
            yield begin, _shown(text[begin + 1 : match.start()]), _plain(target)


def _target_after(
    prose: str, bracket: re.Match[str], *, begin: int, definitions: Mapping[str, str]
) -> tuple[str | None, int]:
    """Return what stands behind the closing bracket of a text, or the definition of that text, and where it ends."""
    place = bracket.end()
    if inline := _INLINE.match(prose, place):
        return inline[1] if inline[1] is not None else inline[2], inline.end()
    label = _LABEL.match(prose, place)
    if label and label[1].strip():
        return definitions.get(_normalized(label[1])), label.end()
    if place < len(prose) and prose[place] == ":" and _begins_line(prose, begin - 1):
        return None, place  # a definition is no link
    own = prose[begin : min(bracket.start(), begin + 1000)]
    return definitions.get(_normalized(own)), label.end() if label else place


def _begins_line(prose: str, place: int) -> bool:
    return not prose[max(0, place - 9) : place].rpartition("\n")[2].strip(" >")


def _definitions(prose: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for match in _DEFINITION.finditer(prose):
        if not match[1].startswith("^"):  # a footnote
            found.setdefault(_normalized(match[1]), match[2] if match[2] is not None else match[3])
    return found


def _anchors(prose: str) -> Iterator[Found]:
    for match in _HTML_ANCHOR.finditer(prose):
        yield match.start(), "", html.unescape(match[1] if match[1] is not None else match[2])


def _normalized(label: str) -> str:
    return " ".join(label.split()).casefold()


def _plain(target: str) -> str:
    return html.unescape(_ESCAPE.sub(r"\1", target))


def _shown(text: str) -> str:
    """Return the text of a link without marks, on one line, shortened."""
    plain = _IMAGE.sub(r"\1", text[: 4 * MAX_TEXT]).replace("`", "").replace("*", "")
    line = " ".join(html.unescape(_ESCAPE.sub(r"\1", plain)).split())
    return line if len(line) <= MAX_TEXT else f"{line[: MAX_TEXT - 1]}…"
