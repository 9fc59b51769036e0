"""Outline Markdown files: one section per heading, named by the headings above it."""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from ragduck.model import Document, Outline, Symbol

LONG_FENCE = 60  # lines; a fenced block that is longer may be cut inside

_FENCE_STEP = 40
_MAX_TITLE = 1_000

_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]++(.*))?$")
_ATX_CLOSING = re.compile(r"(?:^|(?<=[ \t]))#++[ \t]*+$")
_SETEXT = re.compile(r" {0,3}(=++|-++)[ \t]*+$")
_FENCE = re.compile(r"[ \t]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)?(`{3,}+(?=[^`]*+$)|~{3,}+)")
_LIST_ITEM = re.compile(r"[ \t]{0,12}(?:[-*+]|\d{1,9}[.)])[ \t]")
_NO_PARAGRAPH = re.compile(r" {0,3}(?:[>|]|<[!/a-zA-Z])| {4}|\t")  # `---` below these underlines nothing
_COMMENT = re.compile(r" {0,3}<!--")
_FRONT_MATTER_ENDS = {"---": ("---", "..."), "+++": ("+++",)}

_CODE_SPAN = re.compile(r"(`+[^`]*`+)")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|~~)(?=\S)(.{1,200}?)(?<=\S)\1(?!\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


@dataclass(frozen=True, slots=True)
class _Heading:
    line: int
    level: int
    title: str


def outline(document: Document) -> Outline:
    """Return the sections in order; each ends on the line before the next heading of any level."""
    reader = _Reader(document.lines)
    reader.read()
    stem = PurePosixPath(document.path).stem
    headings = [*_preamble(document, reader.headings, stem=stem), *reader.headings]
    last = max(1, len(document.lines) - document.text.endswith("\n"))
    ends = [*(heading.line - 1 for heading in headings[1:]), last][: len(headings)]
    return Outline(
        tuple(
            _section(heading, path, end=end, cuts=reader.cuts, stem=stem)
            for heading, path, end in zip(headings, _paths(headings, stem=stem), ends, strict=True)
        )
    )


def plain_title(markup: str) -> str:
    """Strip a heading of closing marks, links, tags, emphasis, code marks and anchors."""
    text = _ATX_CLOSING.sub("", markup[:_MAX_TITLE].strip()).strip()
    anchor = text.rfind("{#")
    if anchor >= 0 and text.endswith("}"):
        text = text[:anchor]
    pieces = [
        piece.strip("`").strip() if position % 2 else _without_marks(piece)
        for position, piece in enumerate(_CODE_SPAN.split(text))
    ]
    return " ".join(html.unescape("".join(pieces)).split())


def _without_marks(text: str) -> str:
    text = _TAG.sub("", _LINK.sub(r"\1", _LINK.sub(r"\1", text)))
    return _ESCAPE.sub(r"\1", _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", text)))


def _preamble(document: Document, headings: Sequence[_Heading], *, stem: str) -> Iterator[_Heading]:
    """Yield a heading without level for the text above the first one."""
    above = document.lines[: headings[0].line - 1] if headings else document.lines
    if any(line.strip() for line in above):
        yield _Heading(1, 0, stem)


def _paths(headings: Sequence[_Heading], *, stem: str) -> Iterator[str]:
    """Yield the titles from the outermost heading down to each, joined by ` > `."""
    above: list[_Heading] = []
    for heading in headings:
        while above and above[-1].level >= heading.level:
            above.pop()
        yield " > ".join(part.title or stem for part in [*above, heading])
        if heading.level:
            above.append(heading)


def _section(heading: _Heading, path: str, *, end: int, cuts: Sequence[int], stem: str) -> Symbol:
    inside = cuts[bisect_right(cuts, heading.line) : bisect_left(cuts, end + 1)]
    return Symbol(
        name=heading.title or stem,
        qualified_name=path,
        element_type="section",
        start_line=heading.line,
        end_line=end,
        signature=path,
        cuts=tuple(inside),
    )


class _Reader:
    """One walk over the lines, which knows whether it is in a paragraph, a fence or a comment."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.headings: list[_Heading] = []
        self.cuts: list[int] = []  # ascending
        self.paragraph = 0  # first line of the paragraph that may become a Setext heading
        self.is_new_block = True

    def read(self) -> None:
        position = self.front_matter_end()
        while position < len(self.lines):
            line = self.lines[position]
            if fence := _FENCE.match(line):
                position = self.take_fence(position, fence[1])
            elif _COMMENT.match(line):
                position = self.take_comment(position)
            else:
                self.take_line(position + 1, line)
                position += 1

    def front_matter_end(self) -> int:
        """Return the index of the first line after YAML or TOML front matter."""
        ends = _FRONT_MATTER_ENDS.get(self.lines[0].rstrip(), ())
        for position in range(1, len(self.lines) if ends else 0):
            if self.lines[position].rstrip() in ends:
                return position + 1
        return 0

    def take_fence(self, position: int, mark: str) -> int:
        """Pass over a fenced block; an unclosed one runs to the end of the text."""
        self.cut(position + 1)
        end = position + 1
        while end < len(self.lines):
            text = self.lines[end].strip()
            if text.startswith(mark) and not text.strip(mark[0]):
                break
            end += 1
        if end - position + 1 > LONG_FENCE:
            self.cuts.extend(_fence_cuts(self.lines, position + 2, end))
        self.leave_paragraph()
        return end + 1

    def take_comment(self, position: int) -> int:
        end = position
        while end < len(self.lines) and "-->" not in self.lines[end]:
            end += 1
        if self.is_new_block:
            self.cut(position + 1)
        self.leave_paragraph()
        return end + 1

    def take_line(self, number: int, line: str) -> None:
        if not line.strip():
            self.leave_paragraph()
        elif heading := _ATX.match(line):
            self.head(number, len(heading[1]), heading[2] or "")
        elif self.paragraph and (underline := _SETEXT.match(line)):
            title = " ".join(self.lines[self.paragraph - 1 : number - 1])
            self.head(self.paragraph, 1 if underline[1][0] == "=" else 2, title)
        else:
            self.take_text(number, line)

    def take_text(self, number: int, line: str) -> None:
        is_item = _LIST_ITEM.match(line) is not None
        is_table_start = line.lstrip().startswith("|") and not self.lines[number - 2].lstrip().startswith("|")
        if self.is_new_block or is_item or is_table_start:
            self.cut(number)
        if is_item:
            self.paragraph = 0
        elif self.is_new_block and not _NO_PARAGRAPH.match(line):
            self.paragraph = number
        self.is_new_block = False

    def head(self, line: int, level: int, markup: str) -> None:
        self.headings.append(_Heading(line, level, plain_title(markup)))
        self.leave_paragraph()

    def leave_paragraph(self) -> None:
        self.paragraph = 0
        self.is_new_block = True

    def cut(self, number: int) -> None:
        if number > 1:
            self.cuts.append(number)


def _fence_cuts(lines: Sequence[str], first: int, last: int) -> Iterator[int]:
    """Yield where a long block may be cut: after blank lines, else at regular steps."""
    previous = first
    for number in range(first + 1, last + 1):
        is_paragraph = bool(lines[number - 1].strip()) and not lines[number - 2].strip()
        if is_paragraph or number - previous >= _FENCE_STEP:
            yield number
            previous = number
