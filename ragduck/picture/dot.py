"""Draw a part of the graph in DOT, the language of Graphviz."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ragduck.picture.drawing import COLOURS, INK, OTHER_COLOUR, kind_text, label_text, names_of, ties_of, tint

SHAPES = {
    "TABLE": "cylinder",
    "VIEW": "cylinder",
    "DBSET": "cylinder",
    "PROC": "component",
    "FUNC": "component",
    "TRIGGER": "component",
    "FILE": "note",
    "MIGRATION": "hexagon",
}
NODES = f'node [shape=box, style="filled,rounded", fontname="sans-serif", fontsize=11, fontcolor="{INK}"];'
EDGES = f'edge [fontname="sans-serif", fontsize=9, color="{OTHER_COLOUR}", fontcolor="{INK}"];'
ESCAPES = {ord("\\"): "\\\\", ord('"'): '\\"', ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}

Node = Mapping[str, Any]
Edge = Mapping[str, Any]


def dot_of(nodes: Sequence[Node], edges: Sequence[Edge], *, starts: Collection[str] = ()) -> str:
    """Return a digraph with a box for each node and an arrow for each pair that edges tie.

    Nodes have node_id, node_key, kind, role, repo, branch, source_file, start_line and is_external, edges from_id,
    to_id and relation; names may be hostile. The nodes whose keys are in ``starts`` have a thick border, external
    ones a dashed one; the tooltip is the whole key.
    """
    ids = {node["node_id"]: f"n{number}" for number, node in enumerate(nodes, start=1)}
    names = names_of(nodes)
    lines = ["digraph ragduck {", "    rankdir=LR;", f"    {NODES}", f"    {EDGES}"]
    lines += [
        f"    {ids[node['node_id']]} [{_box(node, names[node['node_id']], is_start=node['node_key'] in starts)}];"
        for node in nodes
    ]
    lines += [
        f"    {ids[tie.from_id]} -> {ids[tie.to_id]} [label={quoted(tie.label)}];"
        for tie in ties_of(nodes, edges)
    ]
    return "\n".join([*lines, "}"]) + "\n"


def quoted(*lines: str) -> str:
    r"""Return lines as one quoted string; Graphviz reads entities and `\n` in it, and nothing else."""
    return '"' + r"\n".join(label_text(line).translate(ESCAPES) for line in lines) + '"'


def _box(node: Node, name: str, *, is_start: bool) -> str:
    colour = COLOURS.get(str(node["kind"]), OTHER_COLOUR)
    attributes = {
        "label": quoted(name, kind_text(node)),
        "tooltip": quoted(str(node["node_key"])),
        "color": quoted(colour),
        "fillcolor": quoted(tint(colour)),
    }
    if node["kind"] in SHAPES:
        attributes["shape"] = SHAPES[str(node["kind"])]
        attributes["style"] = quoted("filled")
    if node["is_external"]:
        attributes["style"] = quoted("filled,dashed")
    if is_start:
        attributes["penwidth"] = "3"
    return ", ".join(f"{name}={value}" for name, value in attributes.items())
