"""Lay a part of the graph out as a tree: each node once, under the node through which it was first reached."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ragduck.picture.drawing import names_of

Node = Mapping[str, Any]
Edge = Mapping[str, Any]

OUT, IN = "→", "←"


@dataclass(frozen=True, slots=True)
class Branch:
    """A node with how it is tied to the node above it, whose id is ``above``.

    ``lead`` is drawn before the node, ``below`` before further lines about it. ``tie`` reads from the node above:
    `→ Calls` when that calls this one, `← Calls` when this one calls that. ``evidence`` are all edges between the
    two, first the one by which the node was reached. ``loop`` names the relations of the node to itself.
    """

    node: Node
    name: str
    above: int | None = None
    tie: str = ""
    loop: str = ""
    evidence: tuple[Edge, ...] = ()
    lead: str = ""
    below: str = ""


def tree_of(nodes: Sequence[Node], edges: Sequence[Edge], *, starts: Collection[str]) -> Iterator[Branch]:
    """Yield the nodes as a tree in reading order; the nodes whose keys are in ``starts`` are its roots.

    Nodes have node_id, node_key, kind, repo, branch and how they were reached, via_id and edge_no; edges have
    edge_no, from_id, to_id and relation. What a walk began with beside its starts hangs below what contains it.
    """
    above = _above(nodes, edges, starts)
    hanging: dict[int | None, list[Branch]] = {}
    for branch in _tied(nodes, edges, above):
        hanging.setdefault(branch.above, []).append(branch)
    placed: set[int] = set()
    for root in [*hanging.pop(None, []), *(branch for group in hanging.values() for branch in group)]:
        for branch in _reading_order(root, hanging, placed):  # a root after the first is one of a ring
            yield branch


def path_of(nodes: Sequence[Node], edges: Sequence[Edge]) -> Iterator[Branch]:
    """Yield the nodes of a path, each tied to the one before it, as one list without a node above."""
    ids = [node["node_id"] for node in nodes]
    for branch in _tied(nodes, edges, dict(zip(ids[1:], ids, strict=False))):
        yield replace(branch, above=None)


def _tied(nodes: Sequence[Node], edges: Sequence[Edge], above: Mapping[int, int]) -> Iterator[Branch]:
    names = names_of(nodes)
    between: dict[frozenset[int], list[Edge]] = {}
    for edge in edges:
        between.setdefault(frozenset((edge["from_id"], edge["to_id"])), []).append(edge)
    for node in nodes:
        own, upper = node["node_id"], above.get(node["node_id"])
        found = between.get(frozenset((own, upper)), []) if upper is not None else []
        evidence = _first(found, edge_no=node.get("edge_no"))
        loop = ", ".join(dict.fromkeys(str(edge["relation"]) for edge in between.get(frozenset((own,)), ())))
        yield Branch(node, names[own], upper, _tie(evidence, to_id=own), loop, evidence)


def _first(edges: Sequence[Edge], *, edge_no: int | None) -> tuple[Edge, ...]:
    """Return the edges with that of a number before the others."""
    return tuple(sorted(edges, key=lambda edge: edge["edge_no"] != edge_no))


def _tie(evidence: Sequence[Edge], *, to_id: int) -> str:
    """Return the relations behind their arrows, the first edge's arrow first."""
    told: dict[str, dict[str, None]] = {}
    for edge in evidence:
        arrow = OUT if edge["to_id"] == to_id else IN
        told.setdefault(arrow, {})[str(edge["relation"])] = None
    return " ".join(f"{arrow} {', '.join(relations)}" for arrow, relations in told.items())


def _above(nodes: Sequence[Node], edges: Sequence[Edge], starts: Collection[str]) -> dict[int, int]:
    """Return the node above each by their ids."""
    shown = {node["node_id"] for node in nodes}
    above = {node["node_id"]: node["via_id"] for node in nodes if node.get("via_id") in shown}
    begun = {node["node_id"] for node in nodes if node.get("via_id") is None}
    members = {
        node["node_id"] for node in nodes if node["node_id"] in begun and node["node_key"] not in starts
    }
    for edge in edges:
        if edge["relation"] == "Contains" and edge["to_id"] in members and edge["from_id"] in begun:
            above.setdefault(edge["to_id"], edge["from_id"])
    return above


def _reading_order(
    root: Branch, hanging: Mapping[int | None, Sequence[Branch]], placed: set[int]
) -> Iterator[Branch]:
    """Yield a branch and all below it that was not placed before, and draw the lines."""
    waiting = [root]
    while waiting:
        branch = waiting.pop()
        own = branch.node["node_id"]
        if own in placed:
            continue
        placed.add(own)
        group = [each for each in hanging.get(own, ()) if each.node["node_id"] not in placed]
        group.sort(key=_place_among_siblings)
        yield replace(branch, below=branch.below + ("│  " if group else "   "))
        for each in reversed(group):
            last = each is group[-1]
            lead, below = ("└─ ", "   ") if last else ("├─ ", "│  ")
            waiting.append(replace(each, lead=branch.below + lead, below=branch.below + below))


def _place_among_siblings(branch: Branch) -> tuple[bool, str, str, str, int]:
    """Sort what the node above leads to before what leads to it, then by relation and name."""
    node = branch.node
    return (branch.tie.startswith(IN), branch.tie, branch.name.casefold(), node["node_key"], node["node_id"])
