"""The edges that a question asks for, at the nodes that it names: what calls them, or what they call."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any

from ragduck.pipeline.question.asked_relations import AskedRelations, asked_relations
from ragduck.pipeline.question.words import is_identifier
from ragduck.pipeline.retrieval.entry_points import is_meant
from ragduck.pipeline.retrieval.graph_lines import GraphLine, lines_of_edges, starts_of
from ragduck.pipeline.state import State
from ragduck.resources import sql_text
from ragduck.search.neighbourhood import GraphEdge, Neighbourhood

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class AskedEdges:
    """Relations and their direction at the entry points ``keys`` that the question names; no key if it names none."""

    asked: AskedRelations
    keys: tuple[str, ...]

    @property
    def is_counted(self) -> bool:
        """Whether a question asks one way for relations of what it names, so that their number can be told."""
        return bool(self.keys and self.asked.relations) and self.asked.direction != "both"

    @property
    def names_file(self) -> bool:
        """Whether the question names a file, which is entered by its members."""
        return any(key.startswith("file:") for key in self.keys)

    def includes(self, edge: GraphEdge, ids: Collection[int]) -> bool:
        """Whether an edge is asked for at some nodes."""
        ends = {"in": (edge.to_id,), "out": (edge.from_id,)}.get(
            self.asked.direction, (edge.from_id, edge.to_id)
        )
        return edge.relation in self.asked.relations and any(end in ids for end in ends)


def asked_edges(state: State) -> AskedEdges:
    """Return what the question of a run asks of the graph."""
    concepts = state.understanding.concepts if state.understanding else ()
    names = [concept for concept in concepts if is_identifier(concept)]
    asked = asked_relations(state.question_en or state.question, [name.partition("|")[0] for name in names])
    keys = tuple(key for key in state.entry_nodes if any(is_meant({"node_key": key}, name) for name in names))
    return AskedEdges(asked if keys else replace(asked, direction="both"), keys)


def lines_asked_for(neighbourhood: Neighbourhood, wanted: AskedEdges) -> list[GraphLine]:
    """Return a line for each edge that is asked for, those of tests last."""
    ids = ids_of(neighbourhood, wanted)
    return lines_of_edges(neighbourhood, (edge for edge in neighbourhood.edges if wanted.includes(edge, ids)))


def ids_of(neighbourhood: Neighbourhood, wanted: AskedEdges) -> set[int]:
    """Return the numbers of the named nodes; of all that the walk began with when the question names none.

    A file is entered by its members, so that theirs are meant.
    """
    starts = starts_of(neighbourhood)
    named = [node for node in neighbourhood.nodes if node.node_id in starts and node.node_key in wanted.keys]
    files = {node.source_file for node in named if node.kind == "FILE"}
    members = {
        node.node_id
        for node in neighbourhood.nodes
        if files and node.node_id in starts and node.source_file in files
    }
    return {node.node_id for node in named} | members or starts


def number_asked_for(rows: Rows, neighbourhood: Neighbourhood, wanted: AskedEdges) -> int:
    """Return how many edges the whole graph has that are asked for, however many the walk took."""
    ids = ids_of(neighbourhood, wanted)
    if wanted.names_file:
        ids |= {int(row["node_id"]) for row in rows(sql_text("graph/members.sql"), {"ids": sorted(ids)})}
    found = rows(
        sql_text("pipeline/number_of_links.sql"),
        {
            "ids": sorted(ids),
            "relations": sorted(wanted.asked.relations),
            "direction": wanted.asked.direction,
        },
    )
    return int(found[0]["links"])


def filled_up(first: Neighbourhood, others: Neighbourhood, *, limit: int) -> Neighbourhood:
    """Return what was asked for, filled up with what else a walk found, closest first, up to a number of nodes."""
    begun = {node.node_id: node for node in (*others.nodes, *first.nodes) if node.relation is None}
    starts, asked = set(begun), {node.node_id: node for node in first.nodes if node.relation}
    nodes = (
        *begun.values(),
        *(node for node in asked.values() if node.node_id not in starts),
        *(node for node in others.nodes if node.node_id not in starts and node.node_id not in asked),
    )[:limit]
    ids = {node.node_id for node in nodes}
    edges = {edge.edge_no: edge for edge in (*others.edges, *first.edges)}
    return replace(
        others,
        nodes=nodes,
        edges=tuple(edge for _, edge in sorted(edges.items()) if {edge.from_id, edge.to_id} <= ids),
    )
