"""Draw rows as a plain table of aligned columns."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ragduck.cli.output import visible_line

MAX_CELL = 80  # columns of a terminal; other formats give whole values
GAP = 2  # columns between cells
NARROWEST = 16  # columns that a cell keeps where a table is wider than the terminal


def table_lines(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    max_cell: int | None = MAX_CELL,
    thousands: bool = False,
) -> Iterator[str]:
    """Yield the header, a rule and one line per row; numbers stand at the right, with ``thousands`` as `1,204`.

    Where they are wider than the terminal, the widest columns are made narrower. Of a key or a path the end tells
    most, and stays. Without ``max_cell`` values are whole.
    """
    from rich.cells import cell_len, set_cell_size

    values = [list(row) for row in rows]
    right = [bool(values) and all(_is_number(row[place]) for row in values) for place in range(len(columns))]
    cells = [[cell_text(value, thousands=thousands) for value in row] for row in values]
    header = [visible_line(name) for name in columns]
    widths = [max(cell_len(line[place]) for line in [header, *cells]) for place in range(len(columns))]
    if max_cell is not None:
        widths = [min(max_cell, width) for width in widths]
        widths = _narrowed(widths, shutil.get_terminal_size().columns) if sys.stdout.isatty() else widths

    def fit(text: str, place: int) -> str:
        length = cell_len(text)
        if length > widths[place] and " " in text:
            return set_cell_size(text, widths[place] - 1) + "…"
        if length > widths[place]:
            return "…" + set_cell_size(text[::-1], widths[place] - 1)[::-1]
        space = " " * (widths[place] - length)
        return space + text if right[place] else text + space

    for line in [header, ["─" * width for width in widths], *cells]:
        yield (" " * GAP).join(fit(text, place) for place, text in enumerate(line)).rstrip()


def _narrowed(widths: Sequence[int], room: int) -> list[int]:
    """Return the widths of columns that fit in a line, as far as none gets narrower than cells may be."""
    narrowed = list(widths)
    surplus = sum(widths) + GAP * (len(widths) - 1) - room
    while surplus > 0 and (widest := max(narrowed, default=0)) > NARROWEST:
        narrowed[narrowed.index(widest)] -= 1
        surplus -= 1
    return narrowed


def cell_text(value: Any, *, thousands: bool = False) -> str:
    """Return a value on one line, with nothing in it that a terminal obeys."""
    if value is None:
        return ""
    if thousands and isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.6g}"
    return visible_line(str(value).replace("\t", " "))


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))
