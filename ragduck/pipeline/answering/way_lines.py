"""Say the way between two things that a question asks for, step by step."""

from __future__ import annotations

from collections.abc import Iterator

from ragduck.pipeline.answering.names import code, short_name
from ragduck.search.neighbourhood import Neighbourhood
from ragduck.shell import quote
from ragduck.visible_text import visible_line


def told_of_way(way: Neighbourhood) -> Iterator[str]:
    """Yield the steps of a way along the edges, each with its place, and how to see the lines."""
    ends = [code(short_name(node.node_key)) for node in (way.nodes[0], way.nodes[-1])]
    keys = [node.node_key for node in (way.nodes[0], way.nodes[-1])]
    command = code(f"ragduck graph STORE {quote(keys[0])} --to {quote(keys[1])}")
    number = len(way.nodes) - 1
    yield f"{number} step{'' if number == 1 else 's'} from {ends[0]} to {ends[1]}; with their lines: {command}"
    edges = way.edges_by_number()
    lines = []
    for node in way.nodes[1:]:
        edge = edges.get(node.edge_no) if node.edge_no is not None else None
        place = f" ({visible_line(edge.location)})" if edge else ""
        arrow = f"—{node.relation}→" if node.direction == "out" else f"←{node.relation}—"
        lines.append(f"- {short_name(node.via_key or '')} {arrow} {short_name(node.node_key)}{place}")
    yield "\n".join(lines)
