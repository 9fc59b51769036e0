"""Ask the 200 questions of `systems/` to the stores of whole systems, and print NDCG@10 by system and by category.

Usage: systems.py NAME=STORE ... [--mode hybrid] [--set PARAMETER=VALUE ...]

NAME is that of a file in `systems/`, whose README names the repository. --set changes a parameter of the ranking.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import ragduck
from ragduck.evaluation import evaluate
from ragduck.evaluation.results import QueryResult

QUESTIONS = Path(__file__).with_name("systems")
METRIC = "ndcg@10"


def asked(stores: Mapping[str, str], mode: str, ranking: Mapping[str, float]) -> dict[str, list[QueryResult]]:
    """Return how the questions to each system fared."""
    found: dict[str, list[QueryResult]] = {}
    for name, path in stores.items():
        with ragduck.open(path) as store:
            evaluation = evaluate(
                store, QUESTIONS / f"{name}.json", modes=mode, once=True, ranking=dict(ranking)
            )
        found[name] = list(evaluation.modes[0].results)
    return found


def mean(results: Iterable[QueryResult]) -> float:
    """Return the mean of the metric."""
    scores = [result.scores[METRIC] for result in results]
    return sum(scores) / len(scores)


def row(found: Mapping[str, Sequence[QueryResult]]) -> dict[str, float]:
    """Return the figures of one setting: of all, of each category, of each system."""
    every = [result for results in found.values() for result in results]
    categories = dict.fromkeys(result.query.category or "" for result in every)
    return {
        "all": mean(every),
        **{name: mean(each for each in every if (each.query.category or "") == name) for name in categories},
        **{name: mean(results) for name, results in found.items()},
    }


def main() -> None:
    """Print one row for each mode."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("stores", nargs="+", metavar="NAME=STORE")
    parser.add_argument("--mode", action="append", choices=["hybrid", "bm25", "semantic"])
    parser.add_argument("--set", action="append", default=[], metavar="PARAMETER=VALUE")
    arguments = parser.parse_args()
    stores = dict(argument.split("=", 1) for argument in arguments.stores)
    ranking = {name: float(value) for name, value in (each.split("=", 1) for each in arguments.set)}
    rows = {
        mode: row(asked(stores, mode, ranking)) for mode in arguments.mode or ["hybrid", "bm25", "semantic"]
    }
    titles = list(next(iter(rows.values())))
    print("| |", " | ".join(titles), "|")
    print("|---|" + "---|" * len(titles))
    for mode, figures in rows.items():
        print(f"| {mode} |", " | ".join(f"{figures[title]:.3f}" for title in titles), "|")


if __name__ == "__main__":
    main()
