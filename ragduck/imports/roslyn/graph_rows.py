"""Read nodes and edges: the CSV files are the truth, graph.json fills what they lack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ragduck.imports.roslyn.bundle import Bundle
from ragduck.imports.roslyn.fields import Fields
from ragduck.imports.roslyn.texts import Record, read_rows, whole_json


class NodeRow(NamedTuple):
    """A node as the bundle has it, and the line that it stands in."""

    key: str
    kind: str
    name: str
    schema: str
    file: str
    batch: str
    domain: str
    body_path: str
    source: str
    line: int


class EdgeRow(NamedTuple):
    """An edge as the bundle has it, and the line that it stands in."""

    from_key: str
    to_key: str
    relation: str
    to_kind: str
    file: str
    batch: str
    source: str
    line: int


class GraphRows(NamedTuple):
    """All nodes by key and all edges of a bundle."""

    nodes: Mapping[str, NodeRow]
    edges: tuple[EdgeRow, ...]


def read_graph(bundle: Bundle) -> GraphRows:
    """Return the rows of all graph files; rows without a key are left out."""
    nodes: dict[str, NodeRow] = {}
    for fields in _rows(bundle, "nodes.csv"):
        node = _node(fields)
        if node is not None:
            nodes.setdefault(node.key, node)
    edges = [edge for fields in _rows(bundle, "edges.csv") if (edge := _edge(fields)) is not None]
    _fill(bundle, nodes, edges)
    return GraphRows(nodes, tuple(edges))


def _fill(bundle: Bundle, nodes: dict[str, NodeRow], edges: list[EdgeRow]) -> None:
    name = bundle.sql_file("graph/graph.json")
    if not name:
        return
    told = whole_json(bundle.files, name, ledger=bundle.ledger)
    known = {(edge.from_key, edge.to_key, edge.relation) for edge in edges}
    for fields in _items(bundle, name, told, "nodes"):
        node = _node(fields)
        if node is not None and node.key not in nodes:
            nodes[node.key] = node
    for fields in _items(bundle, name, told, "edges"):
        edge = _edge(fields)
        if edge is not None and (edge.from_key, edge.to_key, edge.relation) not in known:
            edges.append(edge)


def _rows(bundle: Bundle, name: str) -> Iterator[Fields]:
    path = bundle.sql_file(f"graph/{name}")
    for number, fields in read_rows(bundle.files, path, ledger=bundle.ledger) if path else ():
        yield Fields(fields, file=path, line=number, ledger=bundle.ledger)


def _items(bundle: Bundle, path: str, told: Mapping[str, object], name: str) -> Iterator[Fields]:
    items = told.get(name, told.get(name.capitalize()))
    if not isinstance(items, list):
        bundle.ledger.left_out("unreadable file", path, field=name, message="it is not a list")
        return
    for number, item in enumerate(items, start=1):
        if isinstance(item, dict):
            lowered = {str(key).casefold(): value for key, value in item.items()}
            record = Record(number, lowered)
            yield Fields(record.fields, file=path, line=number, ledger=bundle.ledger)
        else:
            bundle.ledger.left_out("bad record", path, line=number, field=name, message="no object")


def _node(fields: Fields) -> NodeRow | None:
    key = fields.name("key", "id")
    if not key:
        fields.left_out("no key", field="key")
        return None
    return NodeRow(
        key,
        fields.name("kind"),
        fields.name("name"),
        fields.name("schema"),
        fields.text("file")[:2000],
        fields.identity("batch"),
        fields.name("domain"),
        fields.text("body_path", "bodypath")[:2000],
        fields.file,
        fields.line,
    )


def _edge(fields: Fields) -> EdgeRow | None:
    from_key, to_key = fields.name("from", "from_id"), fields.name("to", "to_id")
    if not from_key or not to_key:
        fields.left_out("no key", field="to" if from_key else "from")
        return None
    return EdgeRow(
        from_key,
        to_key,
        fields.name("relation", "edge_type", "type"),
        fields.name("to_kind", "tokind"),
        fields.text("file")[:2000],
        fields.identity("batch"),
        fields.file,
        fields.line,
    )
