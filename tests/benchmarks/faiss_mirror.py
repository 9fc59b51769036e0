"""Measure mirrors of a store: what each kind costs to build, and how searches with it compare with those without.

Usage: faiss_mirror.py STORE [--kinds flat hnsw ivf pq] [--questions 60]

Stored vectors, each turned a little, serve as vectors of questions, so that no model runs. `find` is the search in
the mirror alone, `rows` the reading of ten results by chunk number. Recall is that of the results against the exact
scan of the store. Compare figures of one run only.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragduck.mirror import export_faiss
from ragduck.mirror.searching import FaissMirror
from ragduck.mirror.state import asked_state
from ragduck.search import SearchRequest, VectorIndex, run_search
from ragduck.search.filters import Clause, clause_of
from ragduck.search.ranking import StoredRanking
from ragduck.store import Database, open_database
from ragduck.store.vectors import vector_chunks, vectors_of

QUESTIONS = (
    "parse datetime string timezone", "open database connection", "where is the configuration file loaded",
    "user permission check", "retry failed request with backoff", "read csv file", "hash password",
    "send email notification", "how are errors reported to the caller", "create index",
)  # fmt: skip
FILTERS = {"": {}, "source only": {"file_class": ["source"]}, "one folder": {"path_glob": ["*/t*/**"]}}
NOISE = 0.3  # length of what is added to a stored vector


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    vector: NDArray[np.float32]


def questions_of(database: Database, count: int) -> list[Question]:
    """Return questions with vectors near those of chunks spread over the store."""
    chunk_nos = vector_chunks(database).chunk_nos
    picked = chunk_nos[np.linspace(0, len(chunk_nos) - 1, count).astype(int)]
    vectors = vectors_of(database, picked.tolist()).vectors
    noise = np.random.default_rng(0).normal(size=vectors.shape)
    noise *= NOISE / np.linalg.norm(noise, axis=1, keepdims=True)
    turned = (vectors + noise).astype(np.float32)
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    return [Question(QUESTIONS[n % len(QUESTIONS)], vector) for n, vector in enumerate(turned)]


def timed(call: Callable[[Question], Any], questions: Sequence[Question]) -> tuple[list[Any], str]:
    """Return the answers, and median and 95th percentile in milliseconds."""
    call(questions[0])
    answers, times = [], []
    for question in questions:
        start = perf_counter()
        answers.append(call(question))
        times.append((perf_counter() - start) * 1000)
    return answers, f"{np.median(times):8.2f} {np.percentile(times, 95):8.2f}"


def rows_by_number(database: Database, mirror: Any) -> Callable[[Question], Any]:
    """Return the reading of ten results whose numbers are known."""

    def read(question: Question) -> Any:
        hits = known[id(question)]
        return database.rows(
            "select node_id, text, source_file, start_line, end_line, element_name from documents "
            "where chunk_no in (select unnest($chunks::integer[]))",
            {"chunks": hits.chunk_nos},
        )

    known: dict[int, Any] = {}

    def prepared(question: Question) -> Any:
        if id(question) not in known:
            known[id(question)] = mirror.nearest(question.vector, depth=10, clause=Clause())
        return read(question)

    return prepared


def recall(answers: Sequence[Any], exact: Sequence[Any]) -> float:
    """Return the share of the exact results that were found, by score, so that equal ones count alike."""
    shares = []
    for found, wanted in zip(answers, exact, strict=True):
        if wanted.results:
            least = min(result["score"] for result in wanted.results) - 1e-6
            good = sum(result["score"] >= least for result in found.results)
            shares.append(min(good / len(wanted.results), 1.0))
    return float(np.mean(shares)) if shares else 1.0


def searches(
    database: Database, mirror: Any, *, exactly: bool = False
) -> Iterator[tuple[str, Callable[[Question], Any]]]:
    """Yield each kind of search by name; ``exactly`` compares every vector, which a store seldom does."""
    index = VectorIndex.from_meta(database.meta)
    index = VectorIndex(index.dimension, 0) if exactly else index
    stored = StoredRanking(database.columns)
    for mode in ("semantic", "hybrid"):
        for name, filters in FILTERS.items():

            def search(question: Question, mode: Any = mode, filters: Any = filters) -> Any:
                request = SearchRequest(text=question.text, mode=mode, filters=filters)
                return run_search(
                    database.rows,
                    request,
                    vector=question.vector,
                    index=index,
                    mirror=mirror,
                    stored=stored,
                )

            yield f"{mode} {name}".strip(), search


def measure(database: Database, mirror: Any, questions: Sequence[Question], exact: dict[str, Any]) -> None:
    """Print one line per kind of search."""
    if mirror is not None:
        for name, filters in FILTERS.items():
            clause = clause_of(filters)
            _, times = timed(lambda q, c=clause: mirror.nearest(q.vector, depth=10, clause=c), questions)
            print(f"  {f'find {name}'.strip():<26}{times}")
        timed(rows_by_number(database, mirror), questions)
        _, times = timed(rows_by_number(database, mirror), questions)
        print(f"  {'rows':<26}{times}")
    for name, search in searches(database, mirror):
        answers, times = timed(search, questions)
        print(f"  {name:<26}{times}   recall {recall(answers, exact[name]):.4f}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--kinds", nargs="+", default=["flat", "hnsw", "ivf", "pq"])
    parser.add_argument("--questions", type=int, default=60)
    arguments = parser.parse_args()
    with open_database(arguments.store) as database, tempfile.TemporaryDirectory() as folder:
        questions = questions_of(database, arguments.questions)
        exact = {
            name: [search(question) for question in questions]
            for name, search in searches(database, None, exactly=True)
        }
        print(f"{arguments.store.name}: milliseconds, median and 95th percentile\nno mirror")
        measure(database, None, questions, exact)
        for kind in arguments.kinds:
            place = Path(folder) / kind
            report = export_faiss(arguments.store, place, index=kind)
            made = report.manifest
            print(
                f"{kind} {dict(made.parameters)} {dict(made.search)}: {report.size / 1e6:.0f} MB, "
                f"recall@10 {made.recall_at_10}, seconds { {k: round(v, 1) for k, v in report.seconds.items()} }"
            )
            start = perf_counter()
            state = asked_state(database.path, database.meta, faiss=place)
            mirror = FaissMirror(state, database) if state else None
            if mirror is not None:
                mirror.nearest(questions[0].vector, depth=10, clause=Clause())
            print(f"  {'load':<26}{(perf_counter() - start) * 1000:8.2f}")
            measure(database, mirror, questions, exact)


if __name__ == "__main__":
    main()
