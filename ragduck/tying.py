"""Tie the facts of a snapshot together to its graph; those of a large one in a process that ends with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa

from ragduck.facts.packing import Room, read_facts
from ragduck.graph.build import build_graph
from ragduck.model import ParseProblem, Snapshot
from ragduck.store.arrow import GraphRows, graph_rows
from ragduck.workers import in_own_process

TABLES = ("nodes", "edges")
OWN_PROCESS_BYTES = 20_000_000  # of packed facts: what bitwarden/server has is half of that


@dataclass(frozen=True, slots=True)
class TiedGraph:
    """The graph of a snapshot as rows, and what no rule could make sense of."""

    rows: GraphRows
    problems: tuple[ParseProblem, ...]


def tie(snapshot: Snapshot, facts: Sequence[bytes], *, folder: Path) -> TiedGraph:
    """Return the graph that the packed facts of a snapshot's files make; ``folder`` is for large files in passing.

    The millions of small objects of a large system would leave the memory of this process in pieces, of which the
    engine that writes the store could use none.
    """
    if sum(map(len, facts)) < OWN_PROCESS_BYTES:
        graph, problems = build_graph(read_facts(facts, Room()))
        return TiedGraph(graph_rows(snapshot, graph), problems)
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as place:
        problems = in_own_process(_tie_into, Path(place), snapshot, facts)
        rows = GraphRows(*(_read(Path(place) / name) for name in TABLES))
    return TiedGraph(rows, problems)


def _tie_into(folder: Path, snapshot: Snapshot, facts: Sequence[bytes]) -> tuple[ParseProblem, ...]:
    """Write the graph into a folder: handed over between processes, it would be in memory four times."""
    graph, problems = build_graph(read_facts(facts, Room(0)))
    rows = graph_rows(snapshot, graph)
    for name in TABLES:
        table = getattr(rows, name)
        with pa.ipc.new_file(str(folder / name), table.schema) as writer:
            writer.write_table(table)
    return problems


def _read(path: Path) -> pa.Table:
    with pa.OSFile(str(path)) as source:
        return pa.ipc.open_file(source).read_all()
