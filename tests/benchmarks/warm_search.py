"""Measure warm searches of a store: the stored macros in SQL alone, and `Store.search` with and without a filter.

Usage: warm_search.py STORE [--repeat 40] [--questions FILE]

The store's own vectors serve as question vectors, so that no model runs. Prints medians, 95th percentiles and least
in milliseconds, then how fast the machine is: what an exact scan takes of the same vectors, against 71 ms for 100,000
vectors of 384 dimensions on the machine that the targets were set on. Make a store of 100,000 chunks with, for
example: ragduck prepare FOLDER -o STORE
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter

import duckdb
import numpy as np

import ragduck
from ragduck.search import SearchRequest, VectorIndex, run_search
from ragduck.search.ranking import StoredRanking

REFERENCE_SCAN = 71 / (100_000 * 384)  # milliseconds per component
QUESTIONS = (
    "parse datetime string timezone",
    "open database connection",
    "where is the configuration file loaded",
    "user permission check",
    "retry failed request with backoff",
    "read csv file",
    "hash password",
    "send email notification",
    "how are errors reported to the caller",
    "create index",
)


def timed(call: Callable[[], object], repeat: int) -> list[float]:
    """Return the milliseconds of each of ``repeat`` calls after one to warm up."""
    call()
    times = []
    for _ in range(repeat):
        start = perf_counter()
        call()
        times.append((perf_counter() - start) * 1000)
    return times


def report(name: str, times: list[float]) -> None:
    """Print one row."""
    p95 = float(np.percentile(times, 95))
    print(f"{name:<46}{statistics.median(times):>9.1f}{p95:>9.1f}{min(times):>9.1f}")


def macro_times(path: Path, questions: Sequence[str], repeat: int) -> Iterator[tuple[str, list[float]]]:
    """Time the macros as any DuckDB client calls them; yield what was asked with its milliseconds."""
    connection = duckdb.connect(str(path), read_only=True)
    vectors = [
        list(row[0])
        for row in connection.execute(
            "select embedding from documents where embedding is not null using sample 10 rows (reservoir, 1)"
        ).fetchall()
    ]
    dimension = len(vectors[0]) if vectors else 0
    texts = [(text,) for text in questions]
    both = [(text, vector) for text, vector in zip(questions, vectors * 10, strict=False)]
    statements: list[tuple[str, str, list[tuple[object, ...]]]] = [
        ("bm25(text)", "select id, score from bm25(?)", list(texts))
    ]
    if vectors:
        cast = f"?::float[{dimension}]"
        statements.append(
            ("nearest(vector)", f"select id, score from nearest({cast})", [(v,) for v in vectors])
        )
        statements.append(("hybrid(text, vector)", f"select id, score from hybrid(?, {cast})", list(both)))
    for name, sql, inputs in statements:
        times = [
            time
            for values in inputs
            for time in timed(
                lambda sql=sql, values=values: connection.execute(sql, values).fetchall(), repeat
            )
        ]
        yield f"SQL    {name}", times
    connection.close()


def library_times(path: Path, questions: Sequence[str], repeat: int) -> Iterator[tuple[str, list[float]]]:
    """Time the statements of `Store.search` without the embedding of the question, as `macro_times` does."""
    with ragduck.open(path) as store:
        model = store.model
        index = VectorIndex(model.dimension if model else 1, int(store.meta["vector_candidates"]))
        stored = StoredRanking(store._database.columns)
        found = store.sql(
            "select embedding as v, repo, file_class from documents where embedding is not null limit 1"
        )
        vector = np.array(found[0]["v"], dtype=np.float32) if found else None
        filters = {"file_class": ["source"]}

        def rows(sql: str, parameters: dict[str, object]) -> list[dict[str, object]]:
            return store._database.rows(sql, parameters)

        modes = ("bm25", "semantic", "hybrid") if vector is not None else ("bm25",)
        for mode in modes:
            for name, chosen in (("", {}), (" filtered", filters)):
                times = []
                for text in questions:
                    request = SearchRequest(text=text, mode=mode, filters=chosen)
                    asked = None if mode == "bm25" else vector
                    times += timed(
                        lambda r=request, v=asked: run_search(rows, r, vector=v, index=index, stored=stored),
                        repeat,
                    )
                yield f"Python {mode}{name}", times


def scan_times(path: Path, repeat: int) -> list[float]:
    """Time a plain exact scan of all vectors, which depends on the machine and on nothing that ragduck does."""
    with duckdb.connect(str(path), read_only=True) as connection:
        asked = "from documents where embedding is not null order by chunk_no limit 1"
        connection.execute(f"set variable asked = (select embedding {asked})")
        sql = "from documents order by array_inner_product(embedding, getvariable('asked')) desc nulls last limit 10"
        return timed(lambda: connection.execute(f"select chunk_no {sql}").fetchall(), repeat)


def speed(path: Path, components: int, repeat: int) -> str:
    """Say how fast this machine scans vectors."""
    median = statistics.median(scan_times(path, repeat))
    share = median / (REFERENCE_SCAN * components)
    return (
        f"an exact scan of them takes {median:.1f} ms, {share:.2f} of what it takes on the reference machine "
        f"(planning, most of a search, need not be as much faster or slower)"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--repeat", type=int, default=10)
    parser.add_argument("--questions", type=Path, help="one question a line")
    arguments = parser.parse_args()
    questions = list(QUESTIONS)
    if arguments.questions:
        questions = arguments.questions.read_text(encoding="utf-8").splitlines()
    with ragduck.open(arguments.store) as store:
        counts = store.sql("select count(*) as chunks, count(embedding) as vectors from documents")[0]
        counts["dimension"] = store.model.dimension if store.model else 0
        scan = {key: store.meta[key] for key in ("vector_scan", "vector_candidates", "vector_recall_at_10")}
    print(f"DuckDB {duckdb.__version__}, {counts['chunks']:,} chunks, {counts['vectors']:,} vectors, {scan}")
    print(f"{'milliseconds':<46}{'median':>9}{'p95':>9}{'min':>9}")
    for measure in (macro_times, library_times):
        for name, times in measure(arguments.store, questions, arguments.repeat):
            report(name, times)
    if counts["vectors"]:
        print(speed(arguments.store, counts["vectors"] * counts["dimension"], arguments.repeat))


if __name__ == "__main__":
    main()
