"""Write a piece of the graph in lines: nodes with the relation that led to them, and where that stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ragduck.pipeline.prompting.tokens import Count
from ragduck.search.neighbourhood import GraphEdge, GraphNode, Neighbourhood
from ragduck.sources.classification import classify
from ragduck.visible_text import visible_line

DATABASE_KINDS = (
    "TABLE", "VIEW", "PROC", "FUNC", "TRIGGER", "SEQUENCE", "SYNONYM", "INDEX", "FOREIGN_KEY", "SCHEMA",
)  # fmt: skip
KINDS = (*DATABASE_KINDS[:5], "MIGRATION", "TYPE", "DBSET", "METHOD")


@dataclass(frozen=True, slots=True)
class GraphLine:
    """One line about one node; ``other_kind`` is the kind of the node it is tied to, ``edge_no`` what ties them."""

    kind: str
    text: str
    is_start: bool
    other_kind: str | None = None
    edge_no: int | None = None
    is_test: bool = False


def graph_lines(neighbourhood: Neighbourhood) -> list[GraphLine]:
    """Return a line for each node, closest first, and after the start nodes what ties them to each other."""
    edges = neighbourhood.edges_by_number()
    kinds = {node.node_id: node.kind for node in neighbourhood.nodes}
    lines = [_line(node, edges, kinds) for node in neighbourhood.nodes]
    starts = [line for line in lines if line.is_start]
    return [*starts, *_between_starts(neighbourhood), *(line for line in lines if not line.is_start)]


def graph_text(neighbourhood: Neighbourhood, *, count: Count, budget: int) -> str:
    """Return the lines that fit a budget of tokens, grouped by kind; how many are left out is said at the end."""
    lines, used, kept = graph_lines(neighbourhood), 0, []
    for line in lines:
        used += count(line.text) + 1
        if used > budget:
            break
        kept.append(line)
    left = len(lines) - len(kept)
    end = [f"({left} more lines are left out)"] if left else []
    return "\n".join([*_grouped(kept), *end]) if kept else ""


def _grouped(lines: Sequence[GraphLine]) -> Iterator[str]:
    present = {line.kind for line in lines}
    for kind in (*(kind for kind in KINDS if kind in present), *sorted(present.difference(KINDS))):
        yield f"{kind}:"
        yield from (line.text for line in lines if line.kind == kind)


def _line(node: GraphNode, edges: Mapping[int, GraphEdge], kinds: Mapping[int, str]) -> GraphLine:
    role = f" {node.role}" if node.role else ""
    if node.relation is None or node.via_key is None:
        mapped = f"mapped at {node.mapping}" if node.mapping else "not defined here"
        place = f" ({node.location or mapped})"
        return GraphLine(node.kind, visible_line(f"{node.node_key}{role}{place}"), is_start=True)
    edge = edges.get(node.edge_no) if node.edge_no is not None else None
    arrow = f"—{node.relation}→" if node.direction == "in" else f"←{node.relation}—"
    place = f" ({edge.location})" if edge else ""
    text = f"{node.node_key}{role} {arrow} {node.via_key}{place}"
    return GraphLine(
        node.kind,
        visible_line(text),
        is_start=False,
        other_kind=kinds.get(node.via_id or -1),
        edge_no=node.edge_no,
        is_test=is_test(node),
    )


def _between_starts(neighbourhood: Neighbourhood) -> list[GraphLine]:
    starts = starts_of(neighbourhood)
    return lines_of_edges(
        neighbourhood,
        (
            edge
            for edge in neighbourhood.edges
            if edge.relation != "Contains" and {edge.from_id, edge.to_id} <= starts
        ),
    )


def starts_of(neighbourhood: Neighbourhood) -> set[int]:
    """Return the numbers of the nodes that no step of the walk led to."""
    return {node.node_id for node in neighbourhood.nodes if node.relation is None}


def lines_of_edges(neighbourhood: Neighbourhood, edges: Iterable[GraphEdge]) -> list[GraphLine]:
    """Return a line for each two nodes and their relation; those of tests come last."""
    nodes = {node.node_id: node for node in neighbourhood.nodes}
    lines: dict[tuple[int, str, int], GraphLine] = {}
    for edge in edges:
        if edge.from_id in nodes and edge.to_id in nodes and edge.from_id != edge.to_id:
            line = _edge_line(edge, nodes[edge.from_id], nodes[edge.to_id])
            lines.setdefault((edge.from_id, edge.relation, edge.to_id), line)
    return sorted(lines.values(), key=lambda line: line.is_test)


def is_test(node: GraphNode) -> bool:
    """Whether a node is a test or lies among them, as what tests share does."""
    return node.role == "TEST" or (node.source_file is not None and _is_test_file(node.source_file))


@lru_cache(maxsize=4096)
def _is_test_file(path: str) -> bool:
    return classify(path, "").file_class == "test"


def _edge_line(edge: GraphEdge, from_node: GraphNode, to_node: GraphNode) -> GraphLine:
    return GraphLine(
        from_node.kind,
        visible_line(f"{edge.from_key} —{edge.relation}→ {edge.to_key} ({edge.location})"),
        is_start=False,
        other_kind=to_node.kind,
        edge_no=edge.edge_no,
        is_test=is_test(from_node) or is_test(to_node),
    )


def within(neighbourhood: Neighbourhood | None, branch: str | None) -> Neighbourhood | None:
    """Return the part of a neighbourhood that one branch shows; all of it without a branch."""
    if neighbourhood is None or branch is None:
        return neighbourhood
    nodes = tuple(node for node in neighbourhood.nodes if node.branch == branch)
    edges = tuple(edge for edge in neighbourhood.edges if edge.branch == branch)
    return replace(neighbourhood, nodes=nodes, edges=edges) if nodes else None


def merged(old: Neighbourhood | None, new: Neighbourhood, *, limit: int) -> Neighbourhood:
    """Return both neighbourhoods in one, each node and edge once.

    Those of other branches all stay; of the branches of the newer walk, as many older ones as it leaves room for.
    """
    if old is None:
        return new
    branches = {(node.repo, node.branch) for node in new.nodes}
    known = {node.node_id for node in new.nodes}
    others = [node for node in old.nodes if (node.repo, node.branch) not in branches]
    older = [node for node in old.nodes if (node.repo, node.branch) in branches and node.node_id not in known]
    kept = older[: max(limit - len(new.nodes), 0)]
    nodes = (*others, *kept, *new.nodes)
    ids = {node.node_id for node in nodes}
    edges = {edge.edge_no: edge for edge in (*old.edges, *new.edges)}
    return Neighbourhood(
        starts=tuple(dict.fromkeys((*old.starts, *new.starts))),
        nodes=nodes,
        edges=tuple(edge for edge in edges.values() if {edge.from_id, edge.to_id} <= ids),
        is_cut=old.is_cut or new.is_cut or len(kept) < len(older),
        notes=tuple(dict.fromkeys((*old.notes, *new.notes))),
    )
