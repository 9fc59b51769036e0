"""Write nodes and edges as RoslynIndexer does: a bare header, then every value in quotes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

NODE_COLUMNS = ("key", "kind", "name", "schema", "file", "batch", "domain", "body_path")
EDGE_COLUMNS = ("from", "to", "relation", "to_kind", "file", "batch")

Row = tuple[object, ...]


def write_nodes_csv(path: str | Path, rows: Iterable[Row]) -> int:
    """Write rows of NODE_COLUMNS in the order given; return how many there were.

    None becomes an empty value. Nothing else is changed: a value that begins with ``=`` or ``@`` is kept as it is,
    since readers of this format look keys up by their exact text.
    """
    return _write(Path(path), NODE_COLUMNS, rows)


def write_edges_csv(path: str | Path, rows: Iterable[Row]) -> int:
    """Write rows of EDGE_COLUMNS as write_nodes_csv does."""
    return _write(Path(path), EDGE_COLUMNS, rows)


def _write(path: Path, columns: tuple[str, ...], rows: Iterable[Row]) -> int:
    written = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(",".join(columns) + "\n")
        for written, row in enumerate(rows, start=1):
            if len(row) != len(columns):
                raise ValueError(f"row {written} of {path.name} has {len(row)} values, not {len(columns)}")
            file.write(",".join(map(_quoted, row)) + "\n")
    return written


def _quoted(value: object) -> str:
    return '"' + ("" if value is None else str(value).replace('"', '""')) + '"'
