"""Cut lines that are longer than a chunk may be: minified data, rows of an insert, paragraphs without a break."""

from __future__ import annotations

import re
from collections.abc import Iterator

OVERSHOOT = 1.25  # a stretch this much over the limit stays whole rather than leave a stump

# Behind what a piece may end, the best first: a statement, an element, a row, a sentence; a value or a word; a sign.
_ENDS = (
    re.compile(r"[;>})\]][,;]?\s*|[.!?]\s+"),
    re.compile(r",\s*|\s+"),
    re.compile(r"[^\w\s]"),
)


def pieces_of(line: str, *, max_chars: int) -> Iterator[tuple[int, int]]:
    """Yield from where to where the pieces of a line go, which follow on one another; a short line is one."""
    start = 0
    while len(line) - start > max_chars * OVERSHOOT:
        end = _end_of_piece(line, start, max_chars)
        yield start, end
        start = end
    yield start, len(line)


def _end_of_piece(line: str, start: int, max_chars: int) -> int:
    """Return the best place to cut in the later half of what fits, else all that fits."""
    limit = start + max_chars
    for end in _ENDS:
        places = [match.end() for match in end.finditer(line, start + max_chars // 2, limit)]
        if places:
            return places[-1]
    return limit
