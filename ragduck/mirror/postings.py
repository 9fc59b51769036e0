"""Find the best chunks by keyword in memory, as a statement over the store's postings would."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
from numpy.typing import NDArray

from ragduck.resources import sql_text
from ragduck.search.kept_filters import Marks
from ragduck.search.nearest import KeywordHits
from ragduck.search.scored_chunks import best_scored
from ragduck.store import Database

MAX_POSTINGS = 32_000_000  # eight bytes each, three times that while they are read
TYPES = {"term_key": np.int64, "chunk_no": np.int32, "weight": np.float32}


@dataclass(frozen=True, slots=True)
class LoadedPostings:
    """The table `fts_postings` as arrays in order of its terms, with the weights that were computed for the store.

    ``keys``, shape (terms,), rise; postings of the term at i are those from ``starts[i]`` to ``starts[i + 1]``.
    """

    keys: NDArray[np.int64]
    starts: NDArray[np.int64]
    chunk_nos: NDArray[np.int32]
    weights: NDArray[np.float32]

    @classmethod
    def read(cls, database: Database, *, highest: int) -> LoadedPostings | None:
        """Read all: 0.3 s of 8,800,000, from 100,000 chunks.

        ``highest`` is what numbers of chunks go up to. None where there are too many, or not what `prepare` writes.
        """
        try:
            counted = database.rows(sql_text("mirror/counts.sql"))[0]
            if not 0 < counted["postings"] <= MAX_POSTINGS:
                return None
            columns = database.columns(sql_text("mirror/postings.sql"))
        except duckdb.Error:  # of a table that is another one
            return None
        if any(_type_of(columns[name]) != type_ for name, type_ in TYPES.items()):
            return None
        keys, chunk_nos, weights = (np.asarray(columns[name]) for name in TYPES)
        is_within = 0 <= int(counted["first"]) <= int(counted["last"]) <= highest
        if not is_within or not np.isfinite(weights).all():
            return None
        if np.any(keys[1:] < keys[:-1]):  # as in a store that was amended
            order = np.argsort(keys, kind="stable")
            keys, chunk_nos, weights = keys[order], chunk_nos[order], weights[order]
        starts = np.concatenate([[0], np.flatnonzero(np.diff(keys)) + 1, [len(keys)]])
        return cls(keys[starts[:-1]], starts, chunk_nos, weights)

    def best(
        self, term_keys: Sequence[int], *, depth: int, allowed: Marks | None, preferred: Sequence[int]
    ) -> KeywordHits:
        """Return the best ``depth`` of the chunks with a term, best first.

        ``allowed`` tells by chunk number which may be found; the ``preferred`` are found before better ones.
        """
        chunk_nos, weights = self._of_terms(term_keys)
        if allowed is not None:
            may_be = allowed[chunk_nos]
            chunk_nos, weights = chunk_nos[may_be], weights[may_be]
        scores = np.bincount(chunk_nos, weights=weights)
        terms = np.bincount(chunk_nos)
        found = np.flatnonzero(terms)
        return best_scored(found, scores[found], terms[found], depth=depth, preferred=preferred)

    def _of_terms(self, term_keys: Sequence[int]) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        wanted = np.unique(np.array(term_keys, dtype=np.int64))
        places = np.searchsorted(self.keys, wanted)
        known = [
            place
            for place, key in zip(places.tolist(), wanted.tolist(), strict=True)
            if place < len(self.keys) and self.keys[place] == key
        ]
        slices = [slice(*self.starts[place : place + 2]) for place in known]
        return (
            np.concatenate([np.empty(0, np.int32), *(self.chunk_nos[one] for one in slices)]),
            np.concatenate([np.empty(0, np.float32), *(self.weights[one] for one in slices)]),
        )


def _type_of(column: NDArray[np.generic]) -> type | None:
    """Return the type of a column's numbers; None where some are missing."""
    return None if np.ma.is_masked(column) else column.dtype.type
