"""Draw a tree or path of the graph as aligned lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from ragduck.cli.amounts import counted
from ragduck.cli.output import visible_line
from ragduck.picture.drawing import kind_text, short_name
from ragduck.picture.tree import Branch

MAX_HEAD = 76  # columns; what follows a longer name moves to the right on its own line
MAX_TIE = 26  # two relations; more move the name to the right
MIN_PLACE = 12
WELL_READ_PLACE = 44
SURE = 0.95  # from here on an edge needs no word of doubt

Piece = tuple[str, Mapping[str, Any]]
DIM: Mapping[str, Any] = {"dim": True}
PLAIN: Mapping[str, Any] = {}
PLACE: Mapping[str, Any] = {"fg": "cyan"}
NAME: Mapping[str, Any] = {"bold": True}


def branch_lines(branches: Sequence[Branch], *, evidence: bool, width: int | None) -> Iterator[str]:
    """Yield a line for each node and, if asked for, one for each edge to the node above it.

    Lines are cut to ``width`` columns, those of the terminal.
    """
    ties = _tie_widths(branches)
    heads = [_head(branch, ties[branch.above]) for branch in branches]
    kinds = [visible_line(kind_text(branch.node)) for branch in branches]
    head_width = min(MAX_HEAD, max((_columns(_text(head)) for head in heads), default=0))
    kind_width = max(map(_columns, kinds), default=0)
    if width is not None and width - head_width - kind_width < WELL_READ_PLACE:
        head_width = kind_width = 0  # ragged columns leave more of each line for its place
    for branch, head, kind in zip(branches, heads, kinds, strict=True):
        gap = " " * max(0, head_width - _columns(_text(head)))
        before = [*head, (f"{gap}  {_filled(kind, kind_width)}  ", PLAIN)]
        room = None if width is None else width - _columns(_text(before))
        yield _painted([*before, (_place(branch.node, room), PLACE)], width)
        if evidence:
            for line in _evidence_lines(branch, indent=" " * (ties[branch.above] + 1)):
                yield _painted(line, width)


def _tie_widths(branches: Sequence[Branch]) -> dict[int | None, int]:
    """Return the columns for ties by the node above, so that names below one node stand in line."""
    widths: dict[int | None, int] = {}
    for branch in branches:
        widths[branch.above] = max(widths.get(branch.above, 0), min(MAX_TIE, _columns(branch.tie)))
    return widths


def _head(branch: Branch, ties: int) -> list[Piece]:
    tie = f"{_filled(visible_line(branch.tie), ties)} " if branch.tie else ""
    loop = visible_line(f" ↺ {branch.loop}") if branch.loop else ""
    return [(branch.lead, DIM), (tie, PLAIN), (visible_line(branch.name), NAME), (loop, DIM)]


def _place(node: Mapping[str, Any], room: int | None) -> str:
    """Return where a node is defined, or what maps to it; for want of room its end, which says more."""
    if node.get("entity"):
        place = visible_line(f"mapped by {short_name(node['entity'])}, {node['mapping']}")
    elif not node.get("source_file"):
        return "not in the store"
    else:
        first, last = node["start_line"], node["end_line"]
        place = visible_line(f"{node['source_file']}:{first}" + (f"-{last}" if last != first else ""))
    if room is None or _columns(place) <= room or room < MIN_PLACE:
        return place
    return "…" + place[_columns(place) - room + 1 :]


def _evidence_lines(branch: Branch, *, indent: str) -> Iterator[list[Piece]]:
    for edge in branch.evidence:
        relation = f"{edge['relation']}  " if len(branch.evidence) > 1 else ""
        file = "" if edge["source_file"] == branch.node.get("source_file") else edge["source_file"]
        told = f"{relation}{file}:{edge['line']}  {edge.get('snippet') or ''}"
        yield [(f"{branch.below}{indent}{visible_line(told).rstrip()}{_doubt(edge)}", DIM)]


def _doubt(edge: Mapping[str, Any]) -> str:
    """Say how an edge was found where that is not sure, and how often."""
    parts = []
    if edge["confidence"] < SURE:
        parts.append(f"{edge['rule']}, {edge['confidence']:.0%} sure")
    if edge["sites"] > 1:
        parts.append(counted(edge["sites"], "place"))
    return f"  [{visible_line('; '.join(parts))}]" if parts else ""


def _painted(pieces: Sequence[Piece], width: int | None) -> str:
    """Return the pieces in their styles, cut after ``width`` columns."""
    from rich.cells import set_cell_size

    line, left = "", width
    last = len(pieces) - 1
    for place, (text, style) in enumerate(pieces):
        shown = text.rstrip() if place == last else text
        if left is not None and _columns(shown) + (place != last) > left:
            return line + click.style(set_cell_size(shown, max(0, left - 1)) + "…", **style)
        line += click.style(shown, **style) if shown else ""
        left = left - _columns(shown) if left is not None else None
    return line


def _text(pieces: Sequence[Piece]) -> str:
    return "".join(text for text, _ in pieces)


def _filled(text: str, width: int) -> str:
    return text + " " * max(0, width - _columns(text))


def _columns(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)
