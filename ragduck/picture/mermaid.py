"""Draw a part of the graph as a Mermaid flowchart, which Markdown viewers show as a picture."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from ragduck.picture.drawing import COLOURS, INK, OTHER_COLOUR, kind_text, label_text, names_of, ties_of, tint

# Labels are read as HTML and as Markdown: only letters, digits, and some marks between them, mean just themselves.
SPECIAL = re.compile(r"[^\w ,./-]|(?<![^\W_])[_./-]|[_./-](?![^\W_])|(?<=www)\.", re.IGNORECASE)
SHAPES = {
    "TABLE": ("[(", ")]"),
    "VIEW": ("[(", ")]"),
    "DBSET": ("[(", ")]"),
    "PROC": ("[[", "]]"),
    "FUNC": ("[[", "]]"),
    "TRIGGER": ("[[", "]]"),
    "METHOD": ("(", ")"),
    "MIGRATION": ("{{", "}}"),
}
BOX = ("[", "]")
ARROW = " -->|"
MAX_TIES = 500  # viewers refuse more unless told otherwise
MAX_LETTERS = 50_000  # likewise

Node = Mapping[str, Any]
Edge = Mapping[str, Any]


def mermaid_of(nodes: Sequence[Node], edges: Sequence[Edge], *, starts: Collection[str] = ()) -> str:
    """Return a flowchart with a box for each node and an arrow for each pair that edges tie.

    Nodes have node_id, node_key, kind, role, repo, branch and is_external, edges from_id, to_id and relation; names
    may be hostile. The nodes whose keys are in ``starts`` have a thick border, external ones a dashed one.
    """
    ids = {node["node_id"]: f"n{number}" for number, node in enumerate(nodes, start=1)}
    names = names_of(nodes)
    lines = ["flowchart LR"]
    lines += [f"    {ids[node['node_id']]}{_box(node, names[node['node_id']])}" for node in nodes]
    lines += [
        f'    {ids[tie.from_id]}{ARROW}"{escaped(tie.label)}"| {ids[tie.to_id]}'
        for tie in ties_of(nodes, edges)
    ]
    lines += [f"    {line}" for line in _styles(nodes, ids, starts)]
    return "\n".join(lines) + "\n"


def excess_of(chart: str) -> str:
    """Return what of a flowchart is more than viewers take unless told otherwise; empty if nothing is."""
    if chart.count(ARROW) > MAX_TIES:
        return f"Mermaid draws {MAX_TIES} arrows at most"
    return f"Mermaid reads {MAX_LETTERS:,} letters at most" if len(chart) > MAX_LETTERS else ""


def escaped(text: str) -> str:
    """Return text for a quoted label, in which Mermaid writes a letter as `#60;`."""
    return SPECIAL.sub(lambda letter: f"#{ord(letter[0])};", label_text(text))


def _box(node: Node, name: str) -> str:
    before, after = SHAPES.get(str(node["kind"]), BOX)
    return f'{before}"{escaped(name)}<br/>{escaped(kind_text(node))}"{after}'


def _styles(nodes: Sequence[Node], ids: Mapping[int, str], starts: Collection[str]) -> Iterator[str]:
    for kind in sorted({_class(node) for node in nodes}):
        colour = COLOURS.get(kind, OTHER_COLOUR)
        yield f"classDef kind{kind} fill:{tint(colour)},stroke:{colour},color:{INK}"
        yield f"class {_list(ids, [node for node in nodes if _class(node) == kind])} kind{kind}"
    external = [node for node in nodes if node["is_external"]]
    if external:
        yield "classDef external stroke-dasharray:4 3"
        yield f"class {_list(ids, external)} external"
    begun = [node for node in nodes if node["node_key"] in starts]
    if begun:
        yield "classDef start stroke-width:4px"
        yield f"class {_list(ids, begun)} start"


def _class(node: Node) -> str:
    return node["kind"] if node["kind"] in COLOURS else "OTHER"


def _list(ids: Mapping[int, str], nodes: Sequence[Node]) -> str:
    return ",".join(ids[node["node_id"]] for node in nodes)
