"""Tie the facts of a snapshot together to its graph; those of a large one in a process that ends with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragduck.facts.packing import Room, read_facts
from ragduck.graph.build import build_graph
from ragduck.model import ParseProblem, Snapshot
from ragduck.store.arrow import GraphRows, graph_rows
from ragduck.workers import in_own_process

OWN_PROCESS_BYTES = 20_000_000  # of packed facts: what bitwarden/server has is half of that


@dataclass(frozen=True, slots=True)
class TiedGraph:
    """The graph of a snapshot as rows, and what no rule could make sense of."""

    rows: GraphRows
    problems: tuple[ParseProblem, ...]


def tie(snapshot: Snapshot, facts: Sequence[bytes]) -> TiedGraph:
    """Return the graph that the packed facts of a snapshot's files make.

    The millions of small objects of a large system would leave the memory of this process in pieces, of which the
    engine that writes the store could use none.
    """
    if sum(map(len, facts)) < OWN_PROCESS_BYTES:
        return _tied(snapshot, facts)
    return in_own_process(_tied, snapshot, facts)


def _tied(snapshot: Snapshot, facts: Sequence[bytes]) -> TiedGraph:
    graph, problems = build_graph(read_facts(facts, Room()))
    return TiedGraph(graph_rows(snapshot, graph), problems)
