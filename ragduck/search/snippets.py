"""Cut from a chunk the few lines that say most about a question, with the words that match."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

MAX_LINES = 8
MAX_LINE = 160  # characters of a line that are shown
WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")
SHORT = 3  # shorter words stand in nearly every line: they only count when the question has no others

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SnippetLine:
    """A line with its number in the file and the spans, from and to, that match."""

    number: int
    text: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Snippet:
    """Neighbouring lines of a chunk, and how many of its lines stand before and after them."""

    lines: tuple[SnippetLine, ...]
    before: int
    after: int


def snippet_of(result: Mapping[str, Any], query: str, *, max_lines: int = MAX_LINES) -> Snippet:
    """Return the window of a result's lines in which most words of the question stand."""
    lines = str(result["text"]).split("\n")
    terms = question_terms(query)
    found = [list(_matches(line, terms)) for line in lines]
    start = _best_window([{term for term, _ in line} for line in found], lines, size=max_lines)
    end = min(start + max_lines, len(lines))
    shown = tuple(
        _shown_line(result["start_line"] + place, lines[place], tuple(span for _, span in found[place]))
        for place in range(start, end)
    )
    return Snippet(shown, before=start, after=len(lines) - end)


def question_terms(query: str) -> frozenset[str]:
    """Return the folded words of a question and their camel and snake parts, without the shortest."""
    words = [match[0] for match in WORD.finditer(query)]
    terms = {fold(word) for word in words}
    terms |= {fold(word[start:end]) for word in words for start, end in parts_of(word)}
    return frozenset(term for term in terms if len(term) >= SHORT) or frozenset(terms)


@lru_cache(maxsize=65_536)
def fold(word: str) -> str:
    """Return a word as it is compared: lower case, without accents."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFD", word.lower())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def parts_of(word: str) -> Iterator[Span]:
    """Yield where the camel and snake parts of an identifier stand: `getHTTPUrl_2` gives get, HTTP, Url, 2."""
    start = 0
    for place in range(1, len(word) + 1):
        if place == len(word) or word[place] == "_" or _begins_part(word, place):
            if word[start] != "_":
                yield start, place
            start = place
        elif word[start] == "_":
            start = place


def _begins_part(word: str, place: int) -> bool:
    if not word[place].isupper():
        return False
    if not word[place - 1].isupper():
        return True
    return place + 1 < len(word) and word[place + 1].islower()


def _matches(line: str, terms: frozenset[str]) -> Iterator[tuple[str, Span]]:
    for match in WORD.finditer(line):
        word = match[0]
        if fold(word) in terms:
            yield fold(word), match.span()
            continue
        for start, end in parts_of(word):
            if (part := fold(word[start:end])) in terms:
                yield part, (match.start() + start, match.start() + end)


def _best_window(matched: Sequence[set[str]], lines: Sequence[str], *, size: int) -> int:
    """Return the first line of the window with the weightiest different words, then most matches.

    A word weighs the square of its length: `invoices` tells more than `where` and `are` together.
    """
    counts: Counter[str] = Counter()
    best, best_score = 0, (0, 0)
    for place, terms in enumerate(matched):
        counts.update(terms)
        if place >= size:
            counts.subtract(matched[place - size])
            counts += Counter()  # forgets the words that have left
        score = (sum(len(term) ** 2 for term in counts), counts.total())
        if score > best_score:
            best, best_score = place - size + 1, score
    return _raised(max(best, 0), matched, lines, size=size, found=best_score != (0, 0))


def _raised(start: int, matched: Sequence[set[str]], lines: Sequence[str], *, size: int, found: bool) -> int:
    """Move a window so that it begins one line before its first match, but never past the end."""
    if found:
        while start < len(lines) and not matched[start]:
            start += 1
        start = max(start - 1, 0)
    return max(min(start, len(lines) - size), 0)


def _shown_line(number: int, text: str, spans: tuple[Span, ...]) -> SnippetLine:
    """Cut a long line to the stretch around its first match."""
    if len(text) <= MAX_LINE:
        return SnippetLine(number, text, spans)
    start = max(min((spans[0][0] if spans else 0) - MAX_LINE // 4, len(text) - MAX_LINE), 0)
    end = start + MAX_LINE
    head, tail = "…" if start else "", "…" if end < len(text) else ""
    inside = tuple(
        (left - start + len(head), right - start + len(head))
        for left, right in spans
        if start <= left and right <= end
    )
    return SnippetLine(number, f"{head}{text[start:end]}{tail}", inside)
