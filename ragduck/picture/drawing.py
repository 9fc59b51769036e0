"""What every drawing of the graph needs: names that tell nodes apart, ties that are drawn once, colours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

INK = "#1c2330"
OTHER_COLOUR = "#7b8da8"
COLOURS = {  # those of the page
    "TABLE": "#2f7ed8",
    "VIEW": "#5aa7e8",
    "PROC": "#d9822b",
    "FUNC": "#c9a227",
    "TRIGGER": "#b5541c",
    "TYPE": "#4c9a52",
    "METHOD": "#8a6fd1",
    "PROPERTY": "#a79bc9",
    "FIELD": "#a79bc9",
    "DBSET": "#2aa198",
    "MIGRATION": "#c2577a",
    "FILE": "#8a93a0",
}
PALENESS = 0.78  # share of white in a fill
MAX_LABEL = 60  # letters in a box of a drawing
LANGUAGE = re.compile(r"^[a-z]+:")
MEMBERS = frozenset({"METHOD", "PROPERTY", "FIELD", "DBSET"})


@dataclass(frozen=True, slots=True)
class Tie:
    """All edges from one node to another: one arrow, named after its relations."""

    from_id: int
    to_id: int
    relations: tuple[str, ...]

    @property
    def label(self) -> str:
        """Return the relations on one line."""
        return ", ".join(self.relations)


def ties_of(nodes: Iterable[Mapping[str, Any]], edges: Iterable[Mapping[str, Any]]) -> list[Tie]:
    """Return a tie for each pair of nodes that edges lead between, in order of the edges."""
    shown = {node["node_id"] for node in nodes}
    relations: dict[tuple[int, int], dict[str, None]] = {}
    for edge in edges:
        if edge["from_id"] in shown and edge["to_id"] in shown:
            relations.setdefault((edge["from_id"], edge["to_id"]), {})[str(edge["relation"])] = None
    return [Tie(from_id, to_id, tuple(names)) for (from_id, to_id), names in relations.items()]


def names_of(nodes: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """Return the name of each node by its id: short, in full where two of a kind would look the same.

    One key in several repositories or branches is told apart by these.
    """
    kinds = {str(node["node_key"]): node["kind"] for node in nodes}
    alike = Counter((short_name(key), kind) for key, kind in kinds.items())
    copies = Counter(str(node["node_key"]) for node in nodes)

    def name(node: Mapping[str, Any]) -> str:
        key = str(node["node_key"])
        short = short_name(key)
        told = short if alike[short, node["kind"]] == 1 else full_name(key)
        return told if copies[key] == 1 else f"{told} ({node['repo']}, {node['branch']})"

    return {node["node_id"]: name(node) for node in nodes}


def short_name(node_key: str) -> str:
    """Return what people call a node: `OrderService.Place`, `OrderService`, `dbo.Invoice`, `Order.cs`."""
    full, kind = full_name(node_key), node_key.rpartition("|")[2]
    if kind == "FILE":
        return full.rpartition("/")[2] or full
    if not LANGUAGE.match(node_key):
        return full
    return ".".join(full.split(".")[-2 if kind in MEMBERS else -1 :])


def full_name(node_key: str) -> str:
    """Return a key without its language and kind."""
    return LANGUAGE.sub("", node_key.rpartition("|")[0] or node_key)


def kind_text(node: Mapping[str, Any]) -> str:
    """Return the kind, and the role where it says more: `METHOD, ACTION`."""
    kind, role = str(node["kind"]), node.get("role")
    return kind if role in (None, "", kind) else f"{kind}, {role}"


def label_text(name: str) -> str:
    """Return a name as a box can hold it: on one line, without control characters, not too long."""
    line = "".join(letter if letter.isprintable() else " " for letter in name).strip()
    return line if len(line) <= MAX_LABEL else f"{line[: MAX_LABEL - 1]}…"


def tint(colour: str) -> str:
    """Return a colour mixed with so much white that dark letters can be read on it."""
    parts = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{round(255 * PALENESS + part * (1 - PALENESS)):02x}" for part in parts)
