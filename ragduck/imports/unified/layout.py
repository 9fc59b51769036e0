"""Put the chunks of a file back into its lines, as far as rows tell them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ragduck.imports.unified.rows import Record

SPARE_LINES = 20_000  # blank ones that a file may have beside twenty for each that is known


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A file's text and where each record is in it; ``moved`` are the rows that are not at their own lines."""

    text: str
    records: tuple[tuple[Record, int, int], ...]
    moved: tuple[int, ...]


def laid_out(records: Sequence[Record]) -> LaidOut:
    """Return the file of some records: each at its lines, with blank ones between, the others at the end."""
    known = sum(record.text.count("\n") + 1 for record in records)
    page = _Page(longest=20 * known + SPARE_LINES)
    moved = [record for record in _by_line(records) if not page.take(record)]
    for record in moved:
        page.append(record)
    return LaidOut(page.text(), tuple(page.placed), tuple(record.place for record in moved if record.lines))


def _by_line(records: Iterable[Record]) -> list[Record]:
    """Sort by lines, SQL within a member after the member; records without lines come last, as they came."""
    last = (1 << 60, 0)
    return sorted(records, key=lambda record: (record.lines or last)[0] * 2 + record.is_inline)


class _Page:
    """Lines that are filled; no chunk begins before the one before it ends, inline SQL apart."""

    def __init__(self, *, longest: int) -> None:
        self._lines: dict[int, str] = {}
        self._last = 0
        self._ends = {False: 0, True: 0}
        self._longest = longest
        self.placed: list[tuple[Record, int, int]] = []

    def take(self, record: Record) -> bool:
        """Put a record at its own lines; False when they are taken by others or too far away."""
        if record.lines is None:
            return False
        start, end = record.lines
        is_free = start >= self._ends[record.is_inline] + (not record.is_inline)
        if end > self._longest or not is_free:
            return False
        lines = dict(enumerate(record.text.split("\n"), start=start))
        if any(self._lines.get(number, line) != line for number, line in lines.items()):
            return False
        self._write(record, lines, start)
        return True

    def append(self, record: Record) -> None:
        """Put a record below all others, after a blank line."""
        start = self._last + 2 if self._last else 1
        self._write(record, dict(enumerate(record.text.split("\n"), start=start)), start)

    def _write(self, record: Record, lines: dict[int, str], start: int) -> None:
        self._lines.update(lines)
        end = start + len(lines) - 1
        self._last = max(self._last, end)
        self._ends[record.is_inline] = max(self._ends[record.is_inline], end)
        self.placed.append((record, start, end))

    def text(self) -> str:
        """Return the whole file."""
        return "\n".join(self._lines.get(number, "") for number in range(1, self._last + 1))
