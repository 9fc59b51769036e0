"""Compare a search by meaning that scans signs first with one that compares every vector, on real questions.

Usage: question_recall.py STORE [--questions FILE.json ...] [--candidates 500 1000 2000]

Without FILE the 200 questions of `systems/` are asked, whatever is in the store. Prints the share of the exact ten
nearest, and of the hundred nearest, that is found; what a store records is that of its chunks, which lie closer.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

import ragduck
from ragduck.embed import load_embedder
from ragduck.search import SearchRequest, VectorIndex, run_search

SYSTEMS = Path(__file__).with_name("systems")
DEPTHS = (10, 100)


def texts_of(files: Iterable[Path]) -> list[str]:
    """Return the questions of files that `ragduck eval` reads."""
    return [entry["query"] for file in files for entry in json.loads(file.read_text(encoding="utf-8"))]


def shares(path: Path, texts: Sequence[str], candidates: Sequence[int]) -> dict[tuple[int, int], float]:
    """Return the share that is found, by candidates and depth."""
    found: dict[tuple[int, int], list[float]] = {}
    with ragduck.open(path) as store:
        model = store.model
        if model is None:
            raise SystemExit(f"{path} has no vectors")
        embedder = load_embedder(model.name)
        exact = VectorIndex(model.dimension, 0)
        for text in texts:
            vector = np.asarray(embedder.embed_query(text), dtype=np.float32)
            for depth in DEPTHS:
                request = SearchRequest(text, mode="semantic", top_k=depth)

                def nearest(
                    index: VectorIndex, request: SearchRequest = request, vector: np.ndarray = vector
                ) -> set[str]:
                    answer = run_search(store._database.rows, request, vector=vector, index=index)
                    return {result["id"] for result in answer.results}

                best = nearest(exact)
                for count in candidates:
                    share = len(best & nearest(replace(exact, candidates=count))) / len(best)
                    found.setdefault((count, depth), []).append(share)
    return {key: sum(values) / len(values) for key, values in found.items()}


def main() -> None:
    """Print a row for each number of candidates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--questions", type=Path, nargs="+", default=sorted(SYSTEMS.glob("*.json")))
    parser.add_argument("--candidates", type=int, nargs="+", default=[500, 1000, 2000])
    arguments = parser.parse_args()
    texts = texts_of(arguments.questions)
    found = shares(arguments.store, texts, arguments.candidates)
    print(f"{len(texts)} questions; a search for 100 compares 1,000 candidates at least")
    for count in arguments.candidates:
        row = ", ".join(f"{found[count, depth]:.3f} of the {depth} nearest" for depth in DEPTHS)
        print(f"{count:>6} candidates: {row}")


if __name__ == "__main__":
    main()
