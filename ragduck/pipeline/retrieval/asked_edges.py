"""The edges that a question asks for, at the nodes that it names: what calls them, or what they call."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ragduck.pipeline.question.asked_relations import (
    IMPACT,
    OWN,
    AskedRelations,
    asked_kinds,
    asked_relations,
)
from ragduck.pipeline.question.words import is_identifier
from ragduck.pipeline.retrieval.column_uses import named_column
from ragduck.pipeline.retrieval.entry_points import is_meant
from ragduck.pipeline.retrieval.graph_lines import GraphLine, lines_of_edges, starts_of
from ragduck.pipeline.state import State
from ragduck.resources import sql_text
from ragduck.search.neighbourhood import GraphEdge, Neighbourhood
from ragduck.search.relations import ENDS_IMPACT

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

HANDLING = frozenset(("Handles",))
MOST_OWN = 3  # things of a name whose own ties come first
MOST_DOING = 20  # lines about what a thing does before those about what is done to it
OF_MANY_KINDS = ("|TYPE",)  # it is its members that are tied to others
BY_WEIGHT = ("WritesTo", "SchemaChange", "Executes", "ReadsFrom", "Handles", "ForeignKey", "Calls", "MapsTo")


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

    @property
    def with_members(self) -> bool:
        """Whether what a type or file contains is meant, too: who depends on a member depends on its type."""
        return self.names_file or self.asked.is_of_nodes

    def includes(self, edge: GraphEdge, ids: Collection[int], kinds: Mapping[int, str]) -> bool:
        """Whether an edge is asked for at some nodes; ``kinds`` are those of all nodes."""
        if edge.relation not in self.asked.relations:
            return False
        if self.asked.is_of_nodes and {edge.from_id, edge.to_id} <= set(ids):
            return False
        ends = ((edge.to_id, edge.from_id, "in"), (edge.from_id, edge.to_id, "out"))
        return any(
            end in ids
            and self.asked.direction in (way, "both")
            and (not self.asked.kinds or kinds.get(other) in self.asked.kinds)
            for end, other, way in ends
        )


def asked_edges(state: State) -> AskedEdges:
    """Return what the question of a run asks of the graph."""
    concepts = state.understanding.concepts if state.understanding else ()
    names = [concept for concept in concepts if is_identifier(concept)]
    question = state.question_en or state.question
    spoken = dict(state.understanding.spoken) if state.understanding else {}
    said = dict.fromkeys(spoken.get(name, name.partition("|")[0]) for name in names)
    asked = asked_relations(question, list(said))
    keys = tuple(key for key in state.entry_nodes if any(is_meant({"node_key": key}, name) for name in names))
    if not keys:
        return AskedEdges(replace(asked, direction="both"), ())
    if state.understanding and state.understanding.type == "impact" and named_column(state) is None:
        return AskedEdges(AskedRelations(IMPACT, "in", asked_kinds(question)), keys)
    own = tuple(key for key in keys if not key.endswith(OF_MANY_KINDS))
    if not asked.relations and 0 < len(own) <= MOST_OWN and named_column(state) is None:
        return AskedEdges(AskedRelations(OWN), own)
    messages = tuple(key for key in keys if key.endswith("|TYPE"))
    if asked.relations >= HANDLING and asked.direction == "in" and messages:  # leads to what handles it
        return AskedEdges(
            replace(asked, direction="out" if asked.relations == HANDLING else "both"), messages
        )
    return AskedEdges(asked, keys)


def lines_asked_for(neighbourhood: Neighbourhood, wanted: AskedEdges) -> list[GraphLine]:
    """Return a line for each edge that is asked for, those of tests last; of what depends on something, each once."""
    ids = ids_of(neighbourhood, wanted)
    kinds = {node.node_id: node.kind for node in neighbourhood.nodes}
    edges = [edge for edge in neighbourhood.edges if wanted.includes(edge, ids, kinds)]
    if wanted.asked.is_own:
        return _own_ties(neighbourhood, edges, ids)
    if wanted.asked.is_of_nodes:
        others = {(edge.from_id if edge.to_id in ids else edge.to_id): edge for edge in reversed(edges)}
        edges = list(others.values())[::-1]
    return lines_of_edges(neighbourhood, edges)


def _own_ties(
    neighbourhood: Neighbourhood, edges: Sequence[GraphEdge], ids: Collection[int]
) -> list[GraphLine]:
    """Return what things do, the weightiest first, and what is done to them after most of that."""
    ranked = sorted(
        edges, key=lambda edge: BY_WEIGHT.index(edge.relation) if edge.relation in BY_WEIGHT else 9
    )
    doing = lines_of_edges(neighbourhood, (edge for edge in ranked if edge.from_id in ids))
    done = lines_of_edges(neighbourhood, (edge for edge in ranked if edge.from_id not in ids))
    return [*doing[:MOST_DOING], *done, *doing[MOST_DOING:]]


def ids_of(neighbourhood: Neighbourhood, wanted: AskedEdges) -> set[int]:
    """Return the numbers of the named nodes; of all that the walk began with when the question names none.

    A file is entered by its members, so that theirs are meant; so are those of a type where its dependents are.
    """
    starts = starts_of(neighbourhood)
    named = [node for node in neighbourhood.nodes if node.node_id in starts and node.node_key in wanted.keys]
    files = {node.source_file for node in named if node.kind == "FILE"}
    members = {
        node.node_id
        for node in neighbourhood.nodes
        if files and node.node_id in starts and node.source_file in files
    }
    if wanted.asked.is_of_nodes:
        members |= _contained(neighbourhood, {node.node_id for node in named})
    return {node.node_id for node in named} | members or starts


def _contained(neighbourhood: Neighbourhood, ids: set[int]) -> set[int]:
    """Return the nodes that some nodes contain, and what these contain."""
    inside: set[int] = set()
    front = ids
    while front:
        front = {
            edge.to_id
            for edge in neighbourhood.edges
            if edge.relation == "Contains" and edge.from_id in front and edge.to_id not in inside
        }
        inside |= front
    return inside


def further_dependents(
    neighbourhood: Neighbourhood, wanted: AskedEdges, lines: Sequence[GraphLine]
) -> list[GraphLine]:
    """Return which lines tell what depends on the dependents that are asked for, over any number of steps."""
    if not wanted.asked.is_impact:
        return []
    begun = ids_of(neighbourhood, wanted)
    affected, front = set(begun), begun
    found: set[int] = set()
    while front:
        led = [
            edge
            for edge in neighbourhood.edges
            if edge.relation in IMPACT and edge.to_id in front and edge.from_id not in begun
        ]
        found |= {edge.edge_no for edge in led if edge.to_id not in begun}
        front = {edge.from_id for edge in led if edge.relation != ENDS_IMPACT} - affected
        affected |= front
    return [line for line in lines if line.edge_no in found]


def number_asked_for(rows: Rows, neighbourhood: Neighbourhood, wanted: AskedEdges) -> int:
    """Return how many edges the whole graph has that are asked for, however many the walk took.

    What depends on something is counted by nodes.
    """
    ids = ids_of(neighbourhood, wanted)
    if wanted.with_members:
        ids |= {int(row["node_id"]) for row in rows(sql_text("graph/members.sql"), {"ids": sorted(ids)})}
    found = rows(
        sql_text("pipeline/number_of_links.sql"),
        {
            "ids": sorted(ids),
            "relations": sorted(wanted.asked.relations),
            "direction": wanted.asked.direction,
            "kinds": sorted(wanted.asked.kinds),
        },
    )
    return int(found[0]["neighbours" if wanted.asked.is_of_nodes else "links"])


def of_kinds(found: Neighbourhood, kinds: Collection[str]) -> Neighbourhood:
    """Return what a walk found without nodes of other kinds, beside where it began; all if none is of the kinds."""
    nodes = tuple(node for node in found.nodes if node.relation is None or node.kind in kinds)
    is_any = any(node.relation for node in nodes)
    return replace(found, nodes=nodes) if is_any else found


def outgoing(found: Neighbourhood) -> Neighbourhood:
    """Return where a walk began, and what that uses itself."""
    starts = starts_of(found)
    nodes = tuple(
        node
        for node in found.nodes
        if node.relation is None or (node.direction == "out" and node.via_id in starts)
    )
    return replace(found, nodes=nodes)


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
