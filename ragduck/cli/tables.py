"""Draw rows as a plain table of aligned columns, or one below the other where a terminal has no room for that."""

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
    from rich.cells import cell_len

    values = [list(row) for row in rows]
    right = [bool(values) and all(_is_number(row[place]) for row in values) for place in range(len(columns))]
    cells = [[cell_text(value, thousands=thousands) for value in row] for row in values]
    header = [visible_line(name) for name in columns]
    widths = [max(cell_len(line[place]) for line in [header, *cells]) for place in range(len(columns))]
    if max_cell is not None:
        widths = [min(max_cell, width) for width in widths]
        widths = _narrowed(widths, shutil.get_terminal_size().columns) if sys.stdout.isatty() else widths

    for line in [header, ["─" * width for width in widths], *cells]:
        fitted = (_fitted(text, widths[place], right=right[place]) for place, text in enumerate(line))
        yield (" " * GAP).join(fitted).rstrip()


def has_room(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bool:
    """Say whether the terminal, if it is one, is as wide as a table whose columns are as narrow as they may be."""
    from rich.cells import cell_len

    if not sys.stdout.isatty():
        return True
    lines = [[visible_line(name) for name in columns], *([cell_text(value) for value in row] for row in rows)]
    widths = [max(cell_len(line[place]) for line in lines) for place in range(len(columns))]
    return _width_of([min(width, NARROWEST) for width in widths]) <= shutil.get_terminal_size().columns


def record_lines(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Yield a rule with the number of each row, and a line per column with its name; a terminal cuts long values."""
    from rich.cells import cell_len

    names = [visible_line(name) for name in columns]
    widest = max(map(cell_len, names), default=0)
    room = max(NARROWEST, shutil.get_terminal_size().columns - widest - GAP) if sys.stdout.isatty() else None
    for number, row in enumerate(rows, start=1):
        yield f"─── {number} ".ljust(widest + GAP, "─")
        for name, value in zip(names, row, strict=True):
            text = cell_text(value)
            shown = text if room is None or cell_len(text) <= room else _fitted(text, room)
            yield f"{name}{' ' * (widest - cell_len(name) + GAP)}{shown}".rstrip()


def _fitted(text: str, width: int, *, right: bool = False) -> str:
    """Return a text as wide as that; of a key or a path the end stays, of words the beginning."""
    from rich.cells import cell_len, set_cell_size

    length = cell_len(text)
    if length > width and " " in text:
        return set_cell_size(text, width - 1) + "…"
    if length > width:
        return "…" + set_cell_size(text[::-1], width - 1)[::-1]
    space = " " * (width - length)
    return space + text if right else text + space


def _width_of(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _narrowed(widths: Sequence[int], room: int) -> list[int]:
    """Return the widths of columns that fit in a line, as far as none gets narrower than cells may be."""
    narrowed = list(widths)
    surplus = _width_of(widths) - room
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
