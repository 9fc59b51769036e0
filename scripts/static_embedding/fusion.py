"""Find how far to trust the vectors beside keywords: NDCG@10 of hybrid search for shares of the vector side.

Usage: fusion.py NAME=STORE:QUERIES ... [--trust 0.4 0.6 0.8 1]

The share of the vector side in `ranking()` was chosen for MiniLM; trust is the factor on it. Decide on repositories
that nothing is reported of.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping

import ragduck
from ragduck.evaluation import evaluate, read_queries

SHARES: Mapping[str, float] = {
    "symbol_vector_weight": 0.3,
    "mixed_vector_weight": 0.5,
    "plain_vector_weight": 0.8,
    "file_vector_weight": 0.4,
}
METRIC = "ndcg@10"


def main() -> None:
    """Print a row for each store, with a column for keywords alone, vectors alone and each trust."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("stores", nargs="+")
    parser.add_argument("--trust", type=float, nargs="+", default=[0.4, 0.55, 0.7, 0.85, 1.0])
    arguments = parser.parse_args()
    labels = ["bm25", "semantic", *map(str, arguments.trust)]
    print("| |", " | ".join(labels), "|", flush=True)
    sums, questions = [0.0] * len(labels), 0
    for argument in arguments.stores:
        name, _, places = argument.partition("=")
        store, _, queries = places.rpartition(":")
        row, count = figures(store, queries, arguments.trust)
        print(f"| {name} |", " | ".join(f"{value:.3f}" for value in row), "|", flush=True)
        sums = [total + value * count for total, value in zip(sums, row, strict=True)]
        questions += count
    print(f"| {questions} questions |", " | ".join(f"{total / questions:.3f}" for total in sums), "|")


def figures(path: str, labels: str, trusts: list[float]) -> tuple[list[float], int]:
    """Return NDCG@10 of keywords, vectors and both for each trust, and the number of questions."""
    queries = read_queries(labels)
    with ragduck.open(path) as store:
        alone = evaluate(store, queries, modes=("bm25", "semantic"), once=True)
        row = [mode.mean(METRIC) for mode in alone.modes]
        for trust in trusts:
            ranking = {name: trust * share for name, share in SHARES.items()}
            both = evaluate(store, queries, modes=("hybrid",), once=True, ranking=ranking)
            row.append(both.modes[0].mean(METRIC))
    return row, len(queries)


if __name__ == "__main__":
    main()
