"""Cut a document into spans of whole lines that never cross a symbol.

A span belongs to one symbol, to a run of small members of one type, or to the file itself. Spans come in order,
do not overlap, and together hold every line that says something.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from operator import itemgetter

from ragduck.model import Document, Symbol
from ragduck.parse.wording import says_something

SMALL_METHOD_LINES = 3  # a method of this size says little alone: it is packed with its neighbours
SMALL_MEMBER_CHARS = 400
SMALL_HEAD_CHARS = 300
OVERSHOOT = 1.25  # a span this much over the limit stays whole rather than leave a stump
MAX_NESTING = 40  # deeper types are one span: only hostile input nests so far
_line = itemgetter(0)
HEADER_LANGUAGES = frozenset(
    {"csharp", "java", "visualbasic"}
)  # their usings and package line go with the first type


@dataclass(frozen=True, slots=True)
class Span:
    """Lines ``start`` to ``end`` and whom they belong to.

    ``symbol`` is what the lines define, ``owner`` the type around it; both are None for file-level text.
    ``body_start`` is the first line after usings and the like, ``start`` where all lines are.
    """

    start: int
    end: int
    symbol: Symbol | None
    owner: Symbol | None
    body_start: int
    cuts: tuple[int, ...] = ()
    seams: tuple[tuple[int, int], ...] = ()
    names: tuple[str, ...] = ()


def spans_of(document: Document, symbols: Sequence[Symbol], *, max_chars: int) -> Iterator[Span]:
    """Yield the spans of a document, none much longer than ``max_chars`` unless a single line is."""
    lines = document.lines
    sizes = _running_sizes(lines)
    spans = _tile(symbols, start=1, end=len(lines), owner=None)
    worded = (trimmed for span in spans if (trimmed := _trim(span, lines, document.language)) is not None)
    longest_head = max_chars if document.language in HEADER_LANGUAGES else SMALL_HEAD_CHARS
    headed = _join_head(list(worded), sizes, longest_head=longest_head, max_chars=max_chars)
    for span in _pack(headed, sizes, max_chars):
        for part in _split(span, sizes, max_chars):
            if (trimmed := _trim(part, lines, document.language)) is not None:
                yield trimmed


def _running_sizes(lines: Sequence[str]) -> list[int]:
    sizes = [0]
    for line in lines:
        sizes.append(sizes[-1] + len(line) + 1)
    return sizes


def _tile(
    symbols: Iterable[Symbol], *, start: int, end: int, owner: Symbol | None, depth: int = 0
) -> Iterator[Span]:
    """Cover lines ``start`` to ``end`` without a hole; a line that two symbols share goes to the first."""
    line = start
    for symbol in symbols:
        first = max(symbol.start_line, line)
        last = min(symbol.end_line, end)
        if first > last:
            continue
        if first > line:
            yield Span(line, first - 1, None, owner, line)
        if symbol.children and depth < MAX_NESTING:
            yield from _tile(symbol.children, start=first, end=last, owner=symbol, depth=depth + 1)
        else:
            yield Span(first, last, symbol, owner, symbol.body_line or first, symbol.cuts, symbol.seams)
        line = last + 1
    if line <= end:
        yield Span(line, end, None, owner, line)


def _trim(span: Span, lines: Sequence[str], language: str) -> Span | None:
    """Drop blank lines at both ends, and the span itself when nothing is left that says something."""
    start, end = span.start, span.end
    while start <= end and not lines[start - 1].strip():
        start += 1
    while end >= start and not lines[end - 1].strip():
        end -= 1
    if not says_something(lines[start - 1 : end], language=language):
        return None
    is_headed = start < span.body_start <= end
    return replace(span, start=start, end=end, body_start=span.body_start if is_headed else start)


def _join_head(spans: list[Span], sizes: list[int], *, longest_head: int, max_chars: int) -> list[Span]:
    """Put the head of a file in front of its first symbol: usings explain its names, a line alone says little."""
    if len(spans) < 2:
        return spans
    head, first = spans[0], spans[1]
    is_head = head.symbol is None and head.owner is None and (first.symbol or first.owner) is not None
    is_small = _size(sizes, head.start, head.end) <= longest_head
    if not (is_head and is_small and _size(sizes, head.start, first.end) <= max_chars):
        return spans
    return [replace(first, start=head.start), *spans[2:]]


def _size(sizes: list[int], start: int, end: int) -> int:
    return sizes[end] - sizes[start - 1]


def _pack(spans: Iterable[Span], sizes: list[int], max_chars: int) -> Iterator[Span]:
    """Join small neighbours that belong to the same type, or to the file."""
    held: list[Span] = []
    for span in spans:
        fits = held and span.owner is held[0].owner and _size(sizes, held[0].start, span.end) <= max_chars
        if held and not (fits and _may_be_packed(span, sizes)):
            yield _joined(held)
            held = []
        if _may_be_packed(span, sizes):
            held.append(span)
        else:
            yield span
    if held:
        yield _joined(held)


def _may_be_packed(span: Span, sizes: list[int]) -> bool:
    symbol = span.symbol
    if symbol is None:
        return True
    if symbol.kind == "METHOD":
        return span.owner is not None and span.end - span.start < SMALL_METHOD_LINES
    if symbol.kind in ("PROPERTY", "FIELD"):
        return _size(sizes, span.start, span.end) <= SMALL_MEMBER_CHARS
    return False


def _joined(spans: list[Span]) -> Span:
    if len(spans) == 1:
        return spans[0]
    first = spans[0]
    names = tuple(span.symbol.name for span in spans if span.symbol is not None)
    starts = tuple(span.start for span in spans[1:])
    return Span(first.start, spans[-1].end, None, first.owner, first.body_start, starts, names=names)


def _split(span: Span, sizes: list[int], max_chars: int) -> Iterator[Span]:
    """Cut a long span at the last statement border that fits, else within a statement.

    What is small goes with the long statement behind it, if that may be cut between clauses.
    """
    start, end = span.start, span.end
    cuts = [cut for cut in span.cuts if start < cut <= end]
    queries = [line for line, rank in span.seams if rank == 0]
    position = 0
    while _size(sizes, start, end) > max_chars * OVERSHOOT:
        best = 0
        while position < len(cuts) and _size(sizes, start, cuts[position] - 1) <= max_chars:
            best = cuts[position]
            position += 1
        is_stump = best > start and _size(sizes, start, best - 1) <= SMALL_HEAD_CHARS
        if best <= start or (is_stump and span.seams):
            stop = cuts[position] if position < len(cuts) else end + 1
            best = _cut_within(span.seams, queries, sizes, start=start, stop=stop, max_chars=max_chars)
            if best > end:
                break
            position = bisect_right(cuts, best)
        yield replace(span, start=start, end=best - 1)
        start = best
    yield replace(span, start=start, end=end)


def _cut_within(
    seams: Sequence[tuple[int, int]],
    queries: Sequence[int],
    sizes: list[int],
    *,
    start: int,
    stop: int,
    max_chars: int,
) -> int:
    """Return where to cut a statement of lines ``start`` to ``stop - 1``, or the rest of one.

    That is at the last query in it that fits. A query that does not fit is cut between clauses, in as few parts of
    like size as can be. Without seams the last line that fits counts.
    """
    longest = _last_line_that_fits(sizes, start, stop - 1, max_chars)
    if not seams:
        return longest
    next_query = bisect_right(queries, longest)
    if next_query and queries[next_query - 1] > start:
        return queries[next_query - 1]
    stop = min([stop, *queries[next_query : next_query + 1]])
    total = _size(sizes, start, stop - 1)
    if total <= max_chars * OVERSHOOT:
        return stop
    aim = total / ceil(total / max_chars)
    fitting = seams[bisect_right(seams, start, key=_line) : bisect_right(seams, longest, key=_line)]
    sized = [(rank, abs(_size(sizes, start, line - 1) - aim), line) for line, rank in fitting]
    near = [one for one in sized if one[1] <= max_chars - aim]
    return min(near)[2] if near else _last_line_that_fits(sizes, start, stop - 1, ceil(aim))


def _last_line_that_fits(sizes: list[int], start: int, end: int, max_chars: int) -> int:
    line = start + 1  # one line at least, however long
    while line <= end and _size(sizes, start, line) <= max_chars:
        line += 1
    return line
