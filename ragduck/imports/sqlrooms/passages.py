"""Put texts that another system cut out of a document back into its lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MOST_REPEATS = 24  # lines of repeated headings in front of a chunk
SEARCHED_AT_LEAST = 64_000_000  # characters; what is not found by then is put at the end


@dataclass(frozen=True, slots=True)
class Passage:
    """A text and the headings that may stand in front of it; ``number`` is the caller's."""

    number: int
    text: str
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlacedPassage:
    """The lines of the document that a passage has become, from 1, ends inclusive."""

    number: int
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A document in which passages are runs of whole lines that do not overlap, in order.

    ``shortened`` lost lines that an earlier passage has, ``broken`` counts line ends that stand where a passage ends
    within a line, ``added`` were not found and are at the end, ``covered`` have no line of their own.
    """

    text: str
    passages: tuple[PlacedPassage, ...]
    shortened: tuple[int, ...] = ()
    broken: int = 0
    added: tuple[int, ...] = ()
    covered: tuple[int, ...] = ()


def place(source: str, passages: Sequence[Passage]) -> PlacedText:
    """Find passages in their document, which may be empty, and return both with line numbers."""
    finder = _Finder(source)
    found: list[tuple[int, int, Passage]] = []
    missing: list[Passage] = []
    for passage in passages:
        span = finder.find(passage)
        if span is None:
            missing.append(passage)
        else:
            found.append((*span, passage))
    return _written(source, sorted(found, key=lambda item: (item[0], -item[1])), missing)


class _Finder:
    """Looks for passages in order, from where the last one began; gives up when it has read too much."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._cursor = 0
        self._left = max(SEARCHED_AT_LEAST, 32 * len(source))

    def find(self, passage: Passage) -> tuple[int, int] | None:
        for text in _without_headings(passage):
            start = self._position(text)
            if start >= 0:
                self._cursor = start + 1
                return start, start + len(text)
        return None

    def _position(self, text: str) -> int:
        if len(text) > len(self._source):
            return -1
        start = self._search(text, self._cursor, len(self._source))
        return (
            start if start >= 0 else self._search(text, 0, min(len(self._source), self._cursor + len(text)))
        )

    def _search(self, text: str, low: int, high: int) -> int:
        if self._left < 0:
            return -1
        start = self._source.find(text, low, high)
        self._left -= (start + len(text) if start >= 0 else high) - low
        return start


def _without_headings(passage: Passage) -> Iterable[str]:
    """Yield the text, then what is left of it when first lines that only name its headings are dropped."""
    text = passage.text.strip("\n").rstrip()
    yield text
    lines = text.split("\n", MOST_REPEATS + 1)
    bare = [_bare(line) for line in lines[:MOST_REPEATS]]
    names = {"", *map(_bare, passage.headings), *(name for name in bare[:1] if name in bare[1:])}
    for number, name in enumerate(bare):
        if name not in names:
            return
        rest = "\n".join(lines[number + 1 :]).strip("\n")
        if not rest.strip():
            return
        yield rest


def _bare(line: str) -> str:
    return line.strip().strip("#*_= ").casefold()


def _written(
    source: str, found: Sequence[tuple[int, int, Passage]], missing: Sequence[Passage]
) -> PlacedText:
    writer = _Writer(source)
    for start, end, passage in found:
        writer.take(start, end, passage.number)
    writer.finish()
    for passage in missing:
        writer.add(passage)
    return PlacedText(
        text="".join(writer.pieces),
        passages=tuple(writer.placed),
        shortened=tuple(writer.shortened),
        broken=writer.broken,
        added=tuple(passage.number for passage in missing),
        covered=tuple(writer.covered),
    )


class _Writer:
    """Writes the document anew, piece by piece, so that each passage begins and ends with its lines."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._done = 0  # characters of the source
        self._line = 1  # on which the next piece begins
        self._last = ""  # character
        self.pieces: list[str] = []
        self.placed: list[PlacedPassage] = []
        self.shortened: list[int] = []
        self.covered: list[int] = []
        self.broken = 0

    def take(self, start: int, end: int, number: int) -> None:
        """Write what stands before a passage, then the passage, without what an earlier one has."""
        if start < self._done:
            if not self._source[self._done : end].strip():
                self.covered.append(number)
                return
            self.shortened.append(number)
            start = self._done
        start += _blank_start(self._source[start:end])
        start = self._with_headings(start)
        self._between(start)
        self._passage(self._source[start:end].rstrip(), number)
        self._done = end

    def _with_headings(self, start: int) -> int:
        """Move to the headings right above, which no other passage has, and to the begin of the line."""
        gap = self._source[self._done : start]
        lines = gap.split("\n")
        first = len(lines) - 1 if not lines[-1].strip() else len(lines)
        kept = first
        while kept > 0 and (not lines[kept - 1].strip() or lines[kept - 1].lstrip().startswith("#")):
            kept -= 1
        if self._done:
            kept = max(kept, 1)  # the first is the rest of the line on which the passage before ends
        while kept < first and not lines[kept].strip():
            kept += 1
        return start - len("\n".join(lines[kept:])) if kept < len(lines) else start

    def _between(self, start: int) -> None:
        gap = self._source[self._done : start]
        if self.placed and not gap.lstrip(" \t").startswith("\n"):
            self.broken += 1
            gap = "\n" + gap.lstrip(" \t")
        if gap and not gap.endswith("\n"):
            self.broken += 1
            gap = gap.rstrip(" \t") + "\n"
        self._write(gap)

    def _passage(self, text: str, number: int) -> None:
        first = self._line
        self._write(text)
        self.placed.append(PlacedPassage(number, first, self._line))

    def _write(self, text: str) -> None:
        self.pieces.append(text)
        self._line += text.count("\n")
        self._last = text[-1:] or self._last

    def finish(self) -> None:
        """Write what follows the last passage."""
        rest = self._source[self._done :]
        if rest.strip() and self.placed and not rest.lstrip(" \t").startswith("\n"):
            self.broken += 1
            rest = "\n" + rest.lstrip(" \t")
        self._write(rest)

    def add(self, passage: Passage) -> None:
        """Write a passage that was not found, below a blank line."""
        if self._last:
            self._write("\n" if self._last == "\n" else "\n\n")
        self._passage(_once(passage.text.strip("\n").rstrip()), passage.number)


def _blank_start(text: str) -> int:
    """Count the characters of blank lines, and of blanks within a line that was cut, in front of a text."""
    return len(text) - len(text.lstrip())


def _once(text: str) -> str:
    """Drop first lines that the next line with words repeats."""
    lines = text.split("\n", MOST_REPEATS + 1)
    first = _bare(lines[0])
    last = max((n for n, line in enumerate(lines[:MOST_REPEATS]) if _bare(line) == first), default=0)
    between = lines[:last]
    if not first or any(_bare(line) not in ("", first) for line in between):
        return text
    return "\n".join(lines[last:])
