"""Tell overloads apart by their lines: they share a node, which stands where the first of them does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ragduck.resources import sql_text
from ragduck.search.neighbourhood import GraphEdge, GraphNode

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

OVERLOADED = ("METHOD",)


def with_places(
    rows: Rows, nodes: Sequence[GraphNode], edges: Mapping[int, GraphEdge], *, is_path: bool
) -> tuple[GraphNode, ...]:
    """Return the nodes, each at the overload that shows the edge which it refers by, where chunks tell that one.

    In a walk that is the edge by which a node was reached, in a path also the edge by which it leads on.
    """
    shown = _shown_by(nodes, is_path=is_path)
    elsewhere = {
        place: edges[edge_no]
        for place, edge_no in shown
        if edge_no in edges and _stands_elsewhere(nodes[place], edges[edge_no])
    }
    if not elsewhere:
        return tuple(nodes)
    asked = json.dumps([edge.edge_no for edge in elsewhere.values()])
    found = {row.pop("edge_no"): row for row in rows(sql_text("graph/overloads.sql"), {"edge_nos": asked})}
    return tuple(
        replace(node, **found.get(elsewhere[place].edge_no, {})) if place in elsewhere else node
        for place, node in enumerate(nodes)
    )


def _shown_by(nodes: Sequence[GraphNode], *, is_path: bool) -> Iterator[tuple[int, int]]:
    """Yield the place of each node that refers to the one beside it, and the number of that edge."""
    for place, node in enumerate(nodes):
        if node.edge_no is None:
            continue
        if node.direction == "in":
            yield place, node.edge_no
        elif is_path:
            yield place - 1, node.edge_no


def _stands_elsewhere(node: GraphNode, edge: GraphEdge) -> bool:
    if node.kind not in OVERLOADED or edge.from_id != node.node_id:
        return False
    first, last = node.start_line or 0, node.end_line or 0
    return node.source_file is not None and not (
        edge.source_file == node.source_file and first <= edge.line <= last
    )
