"""Measure walks through a scale-free graph: macros in SQL alone, and the methods of Store.

Usage: graph_walk.py STORE [--edges 1000000] [--repeat 20]

Writes STORE unless it is there. Its largest hub has some 15,000 neighbours, thirty have more than 1,000. Prints the
median, 95th percentile and least time in milliseconds over start nodes with many, some and few neighbours.
"""

from __future__ import annotations

import argparse
import os
import statistics
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter

import duckdb
import numpy as np

import ragduck
from ragduck.model import Document, Edge, Graph, Node, ParsedDocument, Snapshot
from ragduck.parse import ChunkSettings, parse_plainly
from ragduck.search.relations import allowed_steps
from ragduck.search.walk import WalkRequest
from ragduck.store.arrow import document_rows, graph_rows
from ragduck.store.builder import StoreBuilder

NODES_PER_EDGE = 0.3
NODES_PER_FILE = 1000
LINES = 400  # per file
SKEW = 0.8  # exponent of the popularity of targets
DATABASE = ("ReadsFrom", "WritesTo", "Executes", "ForeignKey")
CODE = ("Calls", "Uses", "Contains", "Injects", "Implements")
SNAPSHOT = Snapshot(repo="synthetic", branch="main", commit_sha=None, root=Path("synthetic"))


def synthetic_graph(edges: int) -> Graph:
    """Return a graph in which few nodes are referred to by very many."""
    random = np.random.default_rng(0)
    count = int(edges * NODES_PER_EDGE)
    nodes = [_node(number) for number in range(count)]
    popularity = np.arange(1, count + 1, dtype=np.float64) ** -SKEW
    ranked = random.permutation(count)
    targets = ranked[random.choice(count, size=edges, p=popularity / popularity.sum())]
    sources = random.integers(0, count, size=edges)
    confidences = random.choice([1.0, 0.95, 0.8, 0.6], size=edges)
    ends = zip(sources.tolist(), targets.tolist(), confidences.tolist(), strict=True)
    return Graph(
        tuple(nodes),
        tuple(
            _edge(nodes[source], nodes[target], number=number, confidence=confidence)
            for number, (source, target, confidence) in enumerate(ends)
        ),
    )


def _node(number: int) -> Node:
    place = {"source_file": _path(number), "start_line": number % LINES + 1, "end_line": number % LINES + 1}
    if number % 25 == 0:
        return Node(f"dbo.Table_{number}|TABLE", "TABLE", f"Table_{number}", "db_code", **place)
    if number % 25 < 4:
        name = f"Customer_{number}_ReadByName"
        return Node(f"dbo.{name}|PROC", "PROC", name, "db_code", **place)
    key = f"csharp:Company.Product.Module{number // 2000}.Type{number // 50}.Method{number}|METHOD"
    return Node(key, "METHOD", f"Method{number}", "regular_code", **place)


def _path(number: int) -> str:
    return f"src/Area{number // 40_000}/File{number // NODES_PER_FILE}.cs"


def _edge(source: Node, target: Node, *, number: int, confidence: float) -> Edge:
    relations = DATABASE if target.data_type == "db_code" else CODE
    return Edge(
        source.node_key,
        target.node_key,
        relations[number % len(relations)],
        str(source.source_file),
        number % LINES + 1,
        "synthetic",
        confidence,
    )


def write_store(path: Path, *, edges: int) -> None:
    """Write a store with the synthetic graph and files whose lines are its evidence."""
    graph = synthetic_graph(edges)
    files = sorted({str(node.source_file) for node in graph.nodes})
    with StoreBuilder(path, model=None) as builder:
        builder.add_rows(document_rows(SNAPSHOT, [_file(file) for file in files]))
        start = perf_counter()
        builder.add_graph(graph_rows(SNAPSHOT, graph))
        added = perf_counter()
        builder.add_snapshot(SNAPSHOT, skipped=0, problems=0, fingerprint="")
        counts = builder.write(settings={"chunk_size": "512", "header_weight": "3"})
    print(f"{counts}; added in {added - start:.1f} s, written in {perf_counter() - added:.1f} s")
    print(f"{path.stat().st_size / 1e6:.0f} MB")


def _file(path: str) -> ParsedDocument:
    text = "\n".join(f"        var customer{line} = Customers.Find(id);" for line in range(1, LINES + 1))
    document = Document(path, text, "csharp", "cs", "source", len(text), 0)
    return parse_plainly(document, settings=ChunkSettings(), reason="synthetic")


def starts_of(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return nodes by the number of their neighbours: the largest hub, and those with 100, 20, 5 and 1."""
    degrees = (
        "select node.node_key from (select node_id, count(distinct neighbour_id) as degree from links group by 1) "
        "join nodes as node using (node_id) where degree {} order by node_id limit 1"
    )
    tests = {
        "a hub": "= (select max(n) from (select count(distinct neighbour_id) as n from links group by node_id))"
    }
    tests |= {f"{number} neighbours": f"= {number}" for number in (100, 20, 5, 1)}
    return {name: connection.execute(degrees.format(test)).fetchall()[0][0] for name, test in tests.items()}


def timed(call: Callable[[], object], repeat: int) -> list[float]:
    """Return the milliseconds of each of ``repeat`` calls after one to warm up."""
    call()
    times = []
    for _ in range(repeat):
        start = perf_counter()
        call()
        times.append((perf_counter() - start) * 1000)
    return times


def report(name: str, times: list[float], found: int) -> None:
    """Print one row."""
    p95 = float(np.percentile(times, 95))
    print(f"{name:<44}{statistics.median(times):>9.1f}{p95:>9.1f}{min(times):>9.1f}{found:>7}")


def measure(path: Path, repeat: int) -> None:
    """Time macros and methods from each start node."""
    connection = duckdb.connect(str(path), read_only=True)
    starts = starts_of(connection)
    statements = {
        "SQL walk(ids)": "from walk((select list(node_id) from node_of('{key}')), "
        "(select list(step) from steps), [1])",
        "SQL neighbours(key)": "from neighbours('{key}')",
        "SQL neighbours(key), with evidence": "from neighbours('{key}') join edges using (edge_no)",
        "SQL impact(key)": "from impact('{key}', depth := 2)",
        "SQL neighbours(key, depth := 4)": "from neighbours('{key}', depth := 4)",
    }
    for name, statement in statements.items():
        for start, key in starts.items():
            sql = statement.format(key=key)
            times = timed(lambda sql=sql: connection.execute(sql).fetchall(), repeat)
            report(f"{name}, {start}", times, len(connection.execute(sql).fetchall()))
    connection.close()
    with ragduck.open(path) as store:
        walker = store._walker
        allowed = allowed_steps(walker.steps, relations=None, direction="both")
        for start, key in starts.items():
            ids, request = walker._named([key], repo=None, branch=None), WalkRequest([key])
            reached = partial(walker._reached, ids, request, allowed, limit=request.max_nodes)
            report(f"Python two hops from ids, {start}", timed(reached, repeat), len(reached()))
        for start, key in starts.items():
            times = timed(lambda key=key: store.neighbourhood(key), repeat)
            report(f"Python neighbourhood(key), {start}", times, len(store.neighbourhood(key).nodes))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=20)
    arguments = parser.parse_args()
    if not arguments.store.exists():
        write_store(arguments.store, edges=arguments.edges)
    print(f"DuckDB {duckdb.__version__}, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{'milliseconds':<44}{'median':>9}{'p95':>9}{'min':>9}{'nodes':>7}")
    measure(arguments.store, arguments.repeat)


if __name__ == "__main__":
    main()
