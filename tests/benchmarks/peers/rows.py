"""Read the rows that a peer is built from, and keep texts and labels for peers that hold neither."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa

LABELS = ("repo", "kind")


def read_rows(path: Path) -> pa.Table:
    """Return all columns: id, text, repo, kind, path, start_line, embedding."""
    import pyarrow.parquet as pq

    return pq.read_table(path)


def matrix_of(rows: pa.Table) -> NDArray[np.float32]:
    """Return the vectors, shape (rows, dimension)."""
    column = rows["embedding"].combine_chunks()
    return np.asarray(column.flatten(), dtype=np.float32).reshape(len(column), -1)


@dataclass(frozen=True, slots=True)
class Sidecar:
    """Texts and labels by row, in memory: what people keep beside an index that has only vectors."""

    texts: list[str]
    labels: dict[str, NDArray[np.str_]]

    @classmethod
    def of(cls, rows: pa.Table) -> Sidecar:
        """Take the columns that searches need from the rows."""
        labels = {name: np.array(rows[name].to_pylist()) for name in LABELS}
        return cls(rows["text"].to_pylist(), labels)

    def save(self, folder: Path) -> None:
        """Write one file."""
        (folder / "sidecar.pickle").write_bytes(pickle.dumps((self.texts, self.labels)))

    @classmethod
    def load(cls, folder: Path) -> Sidecar:
        """Read the file back."""
        return cls(*pickle.loads((folder / "sidecar.pickle").read_bytes()))

    def rows_where(self, field: str, value: str) -> NDArray[np.int64]:
        """Return the row numbers with a value, ascending."""
        return np.flatnonzero(self.labels[field] == value)

    def hits(self, rows: Sequence[Any] | NDArray[np.int64]) -> list[tuple[int, str]]:
        """Return the rows with their texts; negative numbers stand for none found."""
        return [(int(row), self.texts[row]) for row in rows if row >= 0]
