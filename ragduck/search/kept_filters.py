"""Which chunks a filter leaves, kept while a store is open: to look that up beside a search plans a second table."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from concurrent.futures import Future
from functools import cached_property
from threading import Lock
from typing import Any, Protocol, TypeAlias

from ragduck.errors import RagduckError
from ragduck.resources import sql_text
from ragduck.search.filters import Clause, filtered

Marks: TypeAlias = Any  # bool by chunk number, of numpy, which a keyword search does not otherwise import

SPREAD = 2  # numbers for each chunk, at most: of a store with more, arrays by number would be mostly empty
KEPT_FILTERS = 16  # whose chunks are remembered, a byte for each
SEEN_FILTERS = 256  # that are known to have been asked for
WIDE = 0.05  # of all chunks: with fewer left, the engine looks at few postings and is as fast
MOST_CHUNKS = 200_000  # of a store; of more, to fetch all that have a term takes longer than to plan a filter


class Columns(Protocol):
    """What runs a statement and returns its columns as arrays of numpy, masked where there are nulls."""

    def __call__(self, sql: str, parameters: Mapping[str, object] | None = None) -> dict[str, Any]:
        """Run it; values are bound as `$name`."""


class KeptFilters:
    """What filters leave of one open store, which does not change meanwhile; ``columns`` reads it."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self._lock = Lock()
        self._marks: dict[str, Future[Marks | None]] = {}
        self._seen: dict[str, bool] = {}

    def marks(self, clause: Clause) -> Marks | None:
        """Return by chunk number what a clause leaves; None where that cannot be told, or the engine says no.

        Kept for the latest ones. Who asks for the same meanwhile waits for it, as both sides of a search do.
        """
        key = _key_of(clause)
        with self._lock:
            known = self._marks.pop(key, None)
            self._marks[key] = found = known or Future()
            while len(self._marks) > KEPT_FILTERS:
                del self._marks[next(iter(self._marks))]
        if known is None:
            try:
                found.set_result(self._marked(clause))
            except BaseException as error:
                found.set_exception(error)
                with self._lock:
                    self._marks.pop(key, None)
                raise
        return found.result()

    def marks_if_wide(self, clause: Clause) -> Marks | None:
        """Return what `marks` does of a clause that was asked for before and leaves many chunks of not too many."""
        if self.highest is None or self.highest > MOST_CHUNKS:
            return None
        key = _key_of(clause)
        with self._lock:
            is_wide = self._seen.get(key)
            if is_wide is None:
                self._seen[key] = True
                while len(self._seen) > SEEN_FILTERS:
                    del self._seen[next(iter(self._seen))]
        marks = self.marks(clause) if is_wide else None
        if marks is not None and marks.mean() < WIDE:
            with self._lock:
                self._seen[key] = False
            return None
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


def _key_of(clause: Clause) -> str:
    """Return what names a clause with its values, which may be thousands."""
    named = f"{clause.sql}\n{clause.parameters!r}"
    return hashlib.blake2b(named.encode("utf-8", errors="surrogatepass"), digest_size=20).hexdigest()
