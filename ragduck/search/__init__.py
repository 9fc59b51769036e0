"""Questions to a store: filters, modes, fusion and results."""

from ragduck.search.fields import Filters
from ragduck.search.request import MODES, BranchStatus, Mode, SearchAnswer, SearchRequest, SearchStatus
from ragduck.search.run import chunks_where, results_where, run_search
from ragduck.search.sides import VectorIndex

__all__ = [
    "MODES",
    "BranchStatus",
    "Filters",
    "Mode",
    "SearchAnswer",
    "SearchRequest",
    "SearchStatus",
    "VectorIndex",
    "chunks_where",
    "results_where",
    "run_search",
]
