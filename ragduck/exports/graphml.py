"""Write a graph as GraphML for networkx, Gephi, yEd and others; see http://graphml.graphdrawing.org."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal, TextIO

MARK = "<!-- a graph written by ragduck -->"
ROOT = (
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    'xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns '
    'http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">'
)

AttributeType = Literal["string", "int", "double", "boolean"]
NODE_ATTRIBUTES: Mapping[str, AttributeType] = {
    "key": "string",
    "label": "string",  # what Gephi shows
    "kind": "string",
    "role": "string",
    "name": "string",
    "schema": "string",
    "project": "string",
    "file": "string",
    "start_line": "int",
    "end_line": "int",
    "repo": "string",
    "branch": "string",
    "data_type": "string",
    "version": "string",
    "external": "boolean",
}
EDGE_ATTRIBUTES: Mapping[str, AttributeType] = {
    "relation": "string",
    "file": "string",
    "line": "int",
    "rule": "string",
    "confidence": "double",
    "detail": "string",
    "sites": "int",
}

SPECIAL = re.compile("[&<>\x00-\x08\x0b-\x1f\ufffe\uffff]")
# What XML 1.0 cannot hold at all is dropped; a bare carriage return would be read as a line end.
REPLACED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}

Row = tuple[object, ...]


def write_head(file: TextIO) -> None:
    """Write all that comes before the first node: the attributes with their types."""
    file.write(f'<?xml version="1.0" encoding="UTF-8"?>\n{MARK}\n{ROOT}\n')
    for kind, attributes in (("node", NODE_ATTRIBUTES), ("edge", EDGE_ATTRIBUTES)):
        for name, attribute_type in attributes.items():
            file.write(
                f'  <key id="{kind}_{name}" for="{kind}" attr.name="{name}" attr.type="{attribute_type}"/>\n'
            )
    file.write('  <graph id="system" edgedefault="directed">\n')


def write_nodes(file: TextIO, rows: Iterable[Row]) -> int:
    """Write rows of an id and NODE_ATTRIBUTES; return how many. Values that are None or empty are left out."""
    names = [f"node_{name}" for name in NODE_ATTRIBUTES]
    written = 0
    for identity, *values in rows:
        file.write(f'    <node id="{identity}">{_data(names, values)}</node>\n')
        written += 1
    return written


def write_edges(file: TextIO, rows: Iterable[Row]) -> int:
    """Write rows of two ids and EDGE_ATTRIBUTES as write_nodes does."""
    names = [f"edge_{name}" for name in EDGE_ATTRIBUTES]
    written = 0
    for source, target, *values in rows:
        file.write(f'    <edge source="{source}" target="{target}">{_data(names, values)}</edge>\n')
        written += 1
    return written


def write_tail(file: TextIO) -> None:
    """Write what closes the document."""
    file.write("  </graph>\n</graphml>\n")


def _data(names: Iterable[str], values: Iterable[object]) -> str:
    return "".join(
        f'<data key="{name}">{text}</data>'
        for name, value in zip(names, values, strict=True)
        if (text := _text(value))
    )


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return SPECIAL.sub(lambda found: REPLACED.get(found[0], ""), str(value))
