"""Blank out what is no prose in a Markdown text, so that offsets and lines stay what they are."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

_FENCE = re.compile(r"([ \t>]*+)(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)?(`{3,}+(?=[^`]*+$)|~{3,}+)")
_LIST_ITEM = re.compile(r"[ \t>]*+(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_INDENTED = re.compile(r" {4}| {0,3}\t")
_FRONT_MATTER_ENDS = {"---": ("---", "..."), "+++": ("+++",)}
_BACKTICKS = re.compile(r"`++")
_BLANK_LINE = re.compile(r"^[ \t]*+$", re.MULTILINE)
_NOT_LINE_END = re.compile(r"[^\n]")
_COMMENT_BEGINS, _COMMENT_ENDS = "<!--", "-->"


def prose_of(text: str) -> str:
    """Return the text with spaces for front matter, code blocks, code spans and comments."""
    return _without_comments(_without_spans("\n".join(_without_blocks(text.split("\n")))))


def _without_blocks(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines, those of front matter, fenced and indented code as empty ones of the same length."""
    position = _front_matter_end(lines)
    yield from map(_blank, lines[:position])
    is_in_list, was_blank, was_code = False, True, False
    while position < len(lines):
        line = lines[position]
        if fence := _FENCE.match(line):
            end = _fence_end(lines, position, mark=fence[2], is_quoted=">" in fence[1])
            yield from map(_blank, lines[position:end])
            position, was_blank, was_code = end, True, False
            continue
        is_code = (
            bool(_INDENTED.match(line)) and not is_in_list and (was_blank or was_code) and bool(line.strip())
        )
        yield _blank(line) if is_code else line
        if _LIST_ITEM.match(line) and not is_code:
            is_in_list = True
        elif line.strip() and was_blank and not line[0].isspace():
            is_in_list = False
        was_blank, was_code = not line.strip(), is_code or (was_code and not line.strip())
        position += 1


def _front_matter_end(lines: Sequence[str]) -> int:
    ends = _FRONT_MATTER_ENDS.get(lines[0].rstrip(), ())
    for position in range(1, len(lines) if ends else 0):
        if lines[position].rstrip() in ends:
            return position + 1
    return 0


def _fence_end(lines: Sequence[str], position: int, *, mark: str, is_quoted: bool) -> int:
    """Return the index after a fenced block; an unclosed one runs to the end of its quotation or of the text."""
    for end in range(position + 1, len(lines)):
        text = lines[end].strip(" \t")
        if is_quoted and not text.startswith(">"):
            return end
        text = text.lstrip("> \t") if is_quoted else text
        if text.startswith(mark) and not text.strip(mark[0]):
            return end + 1
    return len(lines)


def _without_spans(text: str) -> str:
    """Blank code spans: from a run of backticks to the next run as long, within a paragraph."""
    runs = [_unescaped(match, text) for match in _BACKTICKS.finditer(text)]
    by_length: dict[int, list[int]] = {}
    for begin, end in runs:
        by_length.setdefault(end - begin, []).append(begin)
    blank_lines = [match.start() for match in _BLANK_LINE.finditer(text)] if runs else []
    parts, last = [], 0
    for begin, end in runs:
        if begin < last or begin == end:
            continue
        closing = _closing(by_length[end - begin], after=end)
        place = bisect_left(blank_lines, begin)
        if closing is None or (place < len(blank_lines) and blank_lines[place] < closing):
            continue
        parts += [text[last:begin], _blank(text[begin : closing + end - begin])]
        last = closing + end - begin
    return "".join([*parts, text[last:]])


def _unescaped(match: re.Match[str], text: str) -> tuple[int, int]:
    """Return begin and end of a run of backticks, without one that a backslash makes a letter."""
    slashes = 0
    while slashes < 2 and match.start() > slashes and text[match.start() - slashes - 1] == "\\":
        slashes += 1
    return match.start() + (slashes == 1), match.end()


def _closing(begins: Sequence[int], *, after: int) -> int | None:
    place = bisect_left(begins, after)
    return begins[place] if place < len(begins) else None


def _without_comments(text: str) -> str:
    parts, last = [], 0
    while (begin := text.find(_COMMENT_BEGINS, last)) >= 0:
        end = text.find(_COMMENT_ENDS, begin)
        if end < 0:
            break
        end += len(_COMMENT_ENDS)
        parts += [text[last:begin], _blank(text[begin:end])]
        last = end
    return "".join([*parts, text[last:]])


def _blank(text: str) -> str:
    return _NOT_LINE_END.sub(" ", text)
