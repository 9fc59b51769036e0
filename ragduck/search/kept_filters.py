"""Which chunks a filter leaves, kept while a store is open: to look that up beside a search plans a second table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from threading import Lock
from typing import Any, Protocol, TypeAlias

from ragduck.errors import RagduckError
from ragduck.resources import sql_text
from ragduck.search.filters import Clause, filtered

Marks: TypeAlias = Any  # bool by chunk number, of numpy, which a keyword search does not otherwise import

SPREAD = 2  # numbers for each chunk, at most: of a store with more, arrays by number would be mostly empty
KEPT_FILTERS = 16  # whose chunks are remembered, a byte for each


class Columns(Protocol):
    """What runs a statement and returns its columns as arrays of numpy, masked where there are nulls."""

    def __call__(self, sql: str, parameters: Mapping[str, object] | None = None) -> dict[str, Any]:
        """Run it; values are bound as `$name`."""


class KeptFilters:
    """What filters leave of one open store, which does not change meanwhile; ``columns`` reads it."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self._marking = Lock()
        self._marks: dict[str, Marks] = {}

    def marks(self, clause: Clause) -> Marks | None:
        """Return by chunk number what a clause leaves; None where that cannot be told, or the engine says no.

        Kept for the latest ones. Who asks for the same meanwhile waits for it: both sides of a search do.
        """
        key = f"{clause.sql}\n{clause.parameters!r}"
        with self._marking:
            marks = self._marks.pop(key, None)
            if marks is None:
                marks = self._marked(clause)
            if marks is not None:
                self._marks[key] = marks
            while len(self._marks) > KEPT_FILTERS:
                del self._marks[next(iter(self._marks))]
            return marks

    def _marked(self, clause: Clause) -> Marks | None:
        import numpy as np

        if self.highest is None:
            return None
        sql = filtered(sql_text("search/chunk_numbers.sql"), clause.sql)
        try:
            chosen = self.columns(sql, clause.parameters)["chunk_no"]
        except RagduckError:  # as it may to a person's expression
            return None
        if np.ma.is_masked(chosen):
            return None
        chosen = np.asarray(chosen, dtype=np.int32)
        if np.any((chosen < 0) | (chosen > self.highest)):
            return None
        marks = np.zeros(self.highest + 1, dtype=np.bool_)
        marks[chosen] = True
        return marks

    @cached_property
    def highest(self) -> int | None:
        """What numbers of chunks go up to; None where nothing can be kept by number."""
        counted = self.columns(sql_text("search/chunk_counts.sql"))
        chunks, lowest, highest = (counted[name].tolist()[0] for name in ("chunks", "lowest", "highest"))
        is_plain = type(highest) is int and 0 <= lowest <= highest <= SPREAD * chunks
        return highest if is_plain else None
