"""Write a piece of the graph to stdout or a file in the format that was asked for."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragduck.cli.amounts import size_text
from ragduck.cli.output import say, visible_line, write, write_styled
from ragduck.errors import UsageError

if TYPE_CHECKING:
    from ragduck.search.neighbourhood import Neighbourhood

    FilesAt = Callable[[Sequence[str]], list[dict[str, Any]]]

FORMATS = ("text", "json", "mermaid", "dot", "html")
ENDINGS = {
    ".json": "json",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
    ".dot": "dot",
    ".gv": "dot",
    ".htm": "html",
    ".html": "html",
}
TEXT_ENDINGS = ("", ".txt")
MAX_TEXT = 20_000  # letters of one node's text in a page
DATABASE_MARK = b"DUCK"  # after a checksum of eight bytes


def format_of(file: Path | None) -> str:
    """Return the format that the ending of a file means; without an ending it is text."""
    ending = file.suffix.lower() if file else ""
    if ending in TEXT_ENDINGS:
        return "text"
    if ending not in ENDINGS:
        raise UsageError(
            f"no format has the ending {ending}",
            hint=f"endings: {' '.join([*ENDINGS, *TEXT_ENDINGS[1:]])}; or say it with --format",
        )
    return ENDINGS[ending]


def require_place(form: str, file: Path | None, *, retry: str) -> None:
    """Refuse a place that cannot take the answer before any work is done."""
    if file is None:
        if form == "html" and sys.stdout.isatty():
            raise UsageError("html is for a browser, not for a terminal", hint=retry)
        return
    if not file.parent.is_dir():
        raise UsageError(f"there is no folder {file.parent}", hint="make it first, or choose another place")
    if file.is_file() and _is_database(file):
        raise UsageError(f"{file} is a database: -o would replace it", hint=retry)


def write_text(found: Neighbourhood, file: Path | None, *, is_path: bool, evidence: bool) -> None:
    """Write a tree, or a path step by step with its evidence; on a terminal lines are cut to its width."""
    from ragduck.cli.graph_lines import branch_lines
    from ragduck.picture.tree import path_of, tree_of

    nodes, edges = _mappings(found)
    branches = list(path_of(nodes, edges) if is_path else tree_of(nodes, edges, starts=found.starts))
    width = shutil.get_terminal_size().columns if file is None and sys.stdout.isatty() else None
    lines = branch_lines(branches, evidence=evidence or is_path, width=width)
    if file is not None:
        _write_file(file, "".join(f"{click.unstyle(line)}\n" for line in lines))
        return
    for line in lines:
        write_styled(line)


def write_drawing(
    found: Neighbourhood, form: str, file: Path | None, *, title: str, files_at: FilesAt
) -> None:
    """Write JSON, a Mermaid flowchart, a DOT digraph or a page; ``files_at`` gives files by their paths."""
    drawing = _drawing(found, form, title=title, files_at=files_at)
    if file is not None:
        _write_file(file, drawing)
    elif form == "html":
        sys.stdout.buffer.write(drawing.encode())  # the page says that it is UTF-8
    else:
        write(drawing)


def _drawing(found: Neighbourhood, form: str, *, title: str, files_at: FilesAt) -> str:
    nodes, edges = _mappings(found)
    if form == "json":
        return json.dumps(found.to_dict(), ensure_ascii=False, indent=2, default=str) + "\n"
    if form == "mermaid":
        from ragduck.picture.mermaid import excess_of, mermaid_of

        chart = mermaid_of(nodes, edges, starts=found.starts)
        if excess := excess_of(chart):
            say(f"{excess}; ask for fewer with --max-nodes, or take --format html")
        return chart
    if form == "dot":
        from ragduck.picture.dot import dot_of

        return dot_of(nodes, edges, starts=found.starts)
    from ragduck.picture import graph_page

    once = {node["node_key"]: node for node in reversed(nodes)}  # a page has one place for a key
    shown = [node for node in nodes if once[node["node_key"]] is node]
    return graph_page(shown, edges, title=title, texts=dict(_texts(shown, files_at)))


def _mappings(found: Neighbourhood) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    answer = found.to_dict()
    return answer["nodes"], answer["edges"]


def _texts(nodes: Sequence[Mapping[str, Any]], files_at: FilesAt) -> Iterator[tuple[str, str]]:
    """Yield the key and the text of each node that the store defines."""
    paths = dict.fromkeys(node["source_file"] for node in nodes if node["source_file"])
    lines = {
        (file["source_file"], file["repo"], file["branch"]): file["text"].split("\n")
        for file in files_at(list(paths))
    }
    for node in nodes:
        file = lines.get((node["source_file"], node["repo"], node["branch"]))
        if file:
            text = "\n".join(file[node["start_line"] - 1 : node["end_line"]])
            yield node["node_key"], text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}\n…"


def _is_database(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(12)[8:] == DATABASE_MARK


def _write_file(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8", newline="\n")
    say(visible_line(f"{file}: {size_text(len(text.encode()))}"))
