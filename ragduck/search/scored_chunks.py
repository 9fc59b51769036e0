"""Choose the best of many scored chunks in memory, as `sql/search/keyword_hits.sql` does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from ragduck.resources import sql_text
from ragduck.search.filters import FILTERS, Clause
from ragduck.search.kept_filters import KeptFilters
from ragduck.search.nearest import KeywordHits

Array: TypeAlias = Any  # of numpy, which a keyword search does not otherwise import

BEST = "order by score desc"  # what follows is done here


def filtered_hits(
    filters: KeptFilters, clause: Clause, term_keys: Sequence[int], *, depth: int, preferred: Sequence[int]
) -> KeywordHits | None:
    """Return the best of the chunks with a term that a clause leaves; None where the engine is to be asked for them.

    That is where few are left, or it is the first time. The statement leaves the filter out: to look at `documents`,
    too, would be planned each time.
    """
    import numpy as np

    marks = filters.marks_if_wide(clause)
    if marks is None:
        return None
    scored, _, _ = sql_text("search/keyword_hits.sql").replace(f"and {FILTERS}", "").partition(BEST)
    told = filters.columns(scored, {"term_keys": term_keys})
    if any(np.ma.is_masked(column) for column in told.values()):
        return None
    chunk_nos, scores, terms = (np.asarray(told[name]) for name in ("chunk_no", "score", "terms"))
    is_plain = chunk_nos.dtype == np.int32 and scores.dtype == np.float64 and np.isfinite(scores).all()
    if not is_plain or np.any((chunk_nos < 0) | (chunk_nos >= len(marks))):
        return None
    left = marks[chunk_nos]
    return best_scored(chunk_nos[left], scores[left], terms[left], depth=depth, preferred=preferred)


def best_scored(
    chunk_nos: Array, scores: Array, terms: Array, *, depth: int, preferred: Sequence[int]
) -> KeywordHits:
    """Return the best ``depth`` chunks, best first, and of equal ones the first; arrays of shape (chunks,).

    The ``preferred`` are found before better ones.
    """
    import numpy as np

    if len(chunk_nos) > depth and not preferred:
        is_good = scores >= np.partition(scores, -depth)[-depth]
        chunk_nos, scores, terms = chunk_nos[is_good], scores[is_good], terms[is_good]
    is_behind = ~np.isin(chunk_nos, preferred) if preferred else np.zeros(len(chunk_nos))
    best = np.lexsort((chunk_nos, -scores, is_behind))[:depth]
    if preferred:
        best = best[np.lexsort((chunk_nos[best], -scores[best]))]
    return KeywordHits(chunk_nos[best].tolist(), scores[best].tolist(), terms[best].tolist())
