"""Build or ask one peer in the process that this file runs in, with the peer's own Python; write figures as JSON.

Usage: harness.py build|ask ENGINE FOLDER RESULT --corpus FOLDER [--settings JSON] [--top-k 10] [--rounds 1]
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import resource
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

WARM_UP_SECONDS = 5.0  # per kind of search, unless all queries were asked before
MEASURE_SECONDS = 30.0  # per kind of search; a slow peer is asked fewer queries


def main() -> None:
    """Run one stage."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("stage", choices=("build", "ask"))
    parser.add_argument("engine")
    parser.add_argument("folder", type=Path)
    parser.add_argument("result", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--settings", type=json.loads, default={})
    parser.add_argument("--top-k", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--cores", type=int)
    arguments = parser.parse_args()
    if arguments.cores:  # before an engine counts them
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: arguments.cores])
    figures = build(arguments) if arguments.stage == "build" else ask(arguments)
    arguments.result.write_text(json.dumps(figures), encoding="utf-8")


def build(arguments: argparse.Namespace) -> dict[str, Any]:
    """Time how long the rows take to become the peer's files."""
    engine = importlib.import_module(f"engines.{arguments.engine}")
    start, worked = perf_counter(), process_time()
    engine.build(arguments.corpus / "rows.parquet", arguments.folder, **arguments.settings)
    return {
        "seconds": perf_counter() - start,
        "cpu_seconds": process_time() - worked,
        "peak_mb": peak_mb(),
    }


def ask(arguments: argparse.Namespace) -> dict[str, Any]:
    """Time each query in each kind of search that the peer serves."""
    import numpy as np
    from contract import KINDS
    from queries import read_queries

    queries = read_queries(arguments.corpus / "queries.json")
    vectors = [np.array(query.vector, dtype=np.float32) for query in queries]
    before = peak_mb()
    engine = importlib.import_module(f"engines.{arguments.engine}")
    start = perf_counter()
    peer = engine.open_peer(arguments.folder, **arguments.settings)
    opened = perf_counter() - start
    searches: dict[str, Any] = {}
    for kind in KINDS:
        calls = _calls(peer, kind, list(zip(queries, vectors, strict=True)), arguments.top_k)
        if calls:
            searches[kind] = measure(calls, rounds=arguments.rounds)
    return {
        "open_seconds": opened,
        "peak_mb": peak_mb(),
        "before_mb": before,
        "searches": searches,
        "versions": versions(),
    }


def _calls(peer: Any, kind: str, asked: list[tuple[Any, Any]], k: int) -> list[Callable[[], Any]]:
    """Return one call per query; none when the peer does not serve the kind."""
    method = getattr(peer, "filtered" if kind in ("narrow", "wide") else kind, None)
    if method is None:
        return []
    if kind == "keyword":
        return [lambda q=query: method(q.text, k) for query, _ in asked]
    if kind == "vector":
        return [lambda v=vector: method(v, k) for _, vector in asked]
    if kind == "hybrid":
        return [lambda q=query, v=vector: method(q.text, v, k) for query, vector in asked]
    return [lambda q=query, v=vector: method(v, getattr(q, kind), k) for query, vector in asked]


def measure(calls: list[Callable[[], Any]], *, rounds: int) -> dict[str, Any]:
    """Return milliseconds, those of all threads and row numbers per query; the fastest of several rounds counts."""
    _warm_up(calls)
    times = [float("inf")] * len(calls)
    worked = [float("inf")] * len(calls)
    found: list[list[int]] = [[] for _ in calls]
    deadline = perf_counter() + MEASURE_SECONDS
    for place, call in list(enumerate(calls)) * rounds:
        start, working = perf_counter(), process_time()
        hits = call()
        end, ended = perf_counter(), process_time()
        times[place] = min(times[place], (end - start) * 1000)
        worked[place] = min(worked[place], (ended - working) * 1000)
        found[place] = [row for row, text in hits if text]
        if end > deadline:
            break
    asked = sum(time < float("inf") for time in times)
    return {"milliseconds": times[:asked], "cpu_milliseconds": worked[:asked], "rows": found[:asked]}


def _warm_up(calls: list[Callable[[], Any]]) -> None:
    deadline = perf_counter() + WARM_UP_SECONDS
    for call in calls:
        call()
        if perf_counter() > deadline:
            break


def peak_mb() -> float:
    """Return the most memory that this process ever held, pages of mapped files included."""
    status = Path("/proc/self/status")
    if status.exists():  # ru_maxrss of a child starts with what the parent held
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    unit = 1024**2 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def versions() -> dict[str, str]:
    """Return the versions of what may be measured, as far as it is installed here."""
    names = ("ragduck", "duckdb", "lancedb", "sqlite-vec", "apsw", "bm25s", "tantivy", "faiss-cpu", "numpy")
    found = {}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


if __name__ == "__main__":
    main()
