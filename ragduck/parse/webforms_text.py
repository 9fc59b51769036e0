"""Take the file of a Web Form apart: directives, blocks of code, server scripts, and the tags of its markup."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import PurePosixPath
from typing import NamedTuple

from ragduck.parse.razor_blocks import Block
from ragduck.parse.tagged_text import Element, TaggedText, blank
from ragduck.parse.vb.markup import blocks_in_csharp
from ragduck.parse.vb.source import translated

OPENING, CLOSING = "<%", "%>"
SERVER_COMMENT = ("<%--", "--%>")
SHOWN = ("=", ":", "#:", "#")  # marks of blocks that show a value
VISUAL_BASIC = ("vb", "visualbasic")

_SCRIPT = re.compile(r"<script\b([^<>]*+)>", re.IGNORECASE)
_SCRIPT_END = re.compile(r"</script\s*+>", re.IGNORECASE)
_AT_SERVER = re.compile(r"\brunat\s*+=\s*+[\"']?server\b", re.IGNORECASE)
_MARK = re.compile(r"\s*+(?P<mark>#:|[@$=:#])")
_WORD = re.compile(r"\s*+(?P<word>\w++)")


class CodeBlock(NamedTuple):
    """Code between `<%` and `%>`, without its mark, by offsets into the text; ``opening`` is that of `<%`."""

    opening: int
    start: int
    end: int
    mark: str


class WebFormText(TaggedText):
    """The text of a page, control, master page or handler. Values that code gives are blank.

    Comments of HTML are none to the server: it runs what stands in them.
    """

    def __init__(self, path: str, text: str) -> None:
        super().__init__(text, comments=(SERVER_COMMENT,))
        self.path = path

    @cached_property
    def _blocks(self) -> tuple[CodeBlock, ...]:
        return tuple(_blocks_of(self.text))

    @property
    def code(self) -> Iterator[CodeBlock]:
        """Yield what runs or is shown as the page is rendered."""
        starts = [script.start for script in self.scripts]
        for block in self._blocks:
            at = bisect_right(starts, block.start) - 1
            is_in_script = at >= 0 and block.start < self.scripts[at].end
            if block.mark in ("", *SHOWN) and not is_in_script:
                yield block

    @cached_property
    def scripts(self) -> tuple[Block, ...]:
        """Return the insides of `<script runat="server">`, which hold members of the page."""
        found: list[Block] = []
        position = 0
        while match := _SCRIPT.search(self.text, position):
            position = match.end()
            if not _AT_SERVER.search(match[1]) or match[1].endswith("/"):
                continue
            end = _SCRIPT_END.search(self.text, position)
            if end is None:
                break
            found.append(Block(position, end.start(), holds_members=True))
            position = end.end()
        return tuple(found)

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        """Return the tags that begin an element."""
        return tuple(self.tags())

    @cached_property
    def directives(self) -> tuple[Element, ...]:
        """Return `<%@ Page … %>` and the like, their names in lower case."""
        found: list[Element] = []
        for block in self._blocks:
            word = _WORD.match(self.text, block.start, block.end) if block.mark == "@" else None
            if word is not None:
                attributes, _ = self.attributes(self.text, word.end(), block.end)
                found.append(Element(word["word"].lower(), self.line(block.start), attributes))
        return tuple(found)

    def without_directives(self, text: str) -> str:
        """Blank the directives of the text that this was made of, comments left as they are."""
        return _blanked(text, [self._span(block) for block in self._blocks if block.mark == "@"])

    @cached_property
    def is_visual_basic(self) -> bool:
        """Whether its code is Visual Basic, as it says itself or by the file of its code."""
        for directive in self.directives:
            behind = directive.get("codebehind") or directive.get("codefile") or directive.get("src")
            if directive.get("language").lower() in VISUAL_BASIC or behind.lower().endswith(".vb"):
                return True
        return False

    def in_csharp(self) -> WebFormText:
        """Return a form of Visual Basic with its code written as C#, all of it on the same lines."""
        code = tuple(self.code)
        shown = blocks_in_csharp((bool(one.mark), self.text[one.start : one.end]) for one in code)
        written = [(one.start, one.end, text) for one, text in zip(code, shown, strict=True)]
        written += [
            (one.start, one.end, translated(self.text[one.start : one.end]).text) for one in self.scripts
        ]
        pieces: list[str] = []
        last = 0
        for start, end, text in sorted(written):
            pieces += (self.text[last:start], text)
            last = end
        return WebFormText(self.path, "".join((*pieces, self.text[last:])))

    @property
    def suffix(self) -> str:
        """Return the extension without its dot, in lower case."""
        return PurePosixPath(self.path).suffix.lower().lstrip(".")

    def markup(self) -> str:
        """Blank code and scripts, keeping offsets and line ends."""
        spans = [self._span(block) for block in self._blocks]
        spans += [(block.start, block.end) for block in self.scripts]
        return _blanked(self.text, sorted(spans))

    @staticmethod
    def _span(block: CodeBlock) -> tuple[int, int]:
        return block.opening, block.end + len(CLOSING)


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Blank stretches of a text, which are in order; of two that overlap the first counts."""
    pieces: list[str] = []
    last = 0
    for start, end in spans:
        if start >= last:
            pieces += (text[last:start], blank(text[start:end]))
            last = end
    return "".join((*pieces, text[last:]))


def _blocks_of(text: str) -> Iterator[CodeBlock]:
    position = 0
    while (start := text.find(OPENING, position)) >= 0:
        inside = start + len(OPENING)
        end = text.find(CLOSING, inside)
        if end < 0:
            return
        mark = _MARK.match(text, inside, end)
        yield CodeBlock(start, mark.end() if mark else inside, end, mark["mark"] if mark else "")
        position = end + len(CLOSING)
