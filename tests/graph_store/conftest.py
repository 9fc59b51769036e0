"""Stores of a few files with a graph made by hand, written as prepare writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.library import Store
from ragduck.model import Document, Edge, Graph, Node, Snapshot
from ragduck.parse import ChunkSettings, parse_document
from ragduck.store.arrow import document_rows, graph_rows
from ragduck.store.builder import StoreBuilder

LANGUAGES = {"cs": "csharp", "md": "markdown", "py": "python"}


def node(key: str, **fields: Any) -> Node:
    """Make a node of a key; it is external unless a file is given."""
    name, _, kind = key.rpartition("|")
    is_code = key.startswith(("csharp:", "file:"))
    plain = {
        "name": name.rpartition(".")[2],
        "data_type": "regular_code" if is_code else "db_code",
        "schema": None if is_code else name.rpartition(".")[0].rpartition(".")[2],
        "is_external": "source_file" not in fields,
    }
    return Node(node_key=key, kind=kind, **{**plain, **fields})


def edge(from_key: str, relation: str, to_key: str, **fields: Any) -> Edge:
    """Make an edge, by default of the first line of a.sql."""
    return Edge(
        from_key, to_key, relation, **{"source_file": "a.sql", "line": 1, "rule": "by hand", **fields}
    )


@dataclass(frozen=True, slots=True)
class Part:
    """What one repository and branch puts into a store; nodes and edges as above, or as bare arguments."""

    repo: str = "shop"
    branch: str = "main"
    files: Mapping[str, str] = field(default_factory=lambda: {"a.sql": "select 1 as one\n"})
    nodes: Sequence[Node | str] = ()
    edges: Sequence[Edge | tuple[str, str, str]] = ()
    is_placed: bool = True

    @property
    def snapshot(self) -> Snapshot:
        return Snapshot(self.repo, self.branch, None, Path(self.repo))

    @property
    def graph(self) -> Graph:
        """Nodes given as mere keys are at the first line of the first file, or else external."""
        edges = [edge(*each) if isinstance(each, tuple) else each for each in self.edges]
        made = [self._node(each) if isinstance(each, str) else each for each in self.nodes]
        known = {each.node_key for each in made}
        named = dict.fromkeys(key for each in edges for key in (each.from_key, each.to_key))
        return Graph((*made, *(self._node(key) for key in named if key not in known)), tuple(edges))

    def _node(self, key: str) -> Node:
        place = {"source_file": next(iter(self.files)), "start_line": 1, "end_line": 1}
        return node(key, **(place if self.is_placed else {}))


def write_store(path: Path, *parts: Part) -> Path:
    """Write parts into a store beside what it holds of other repositories and branches."""
    with StoreBuilder(path, model=None) as builder:
        if path.exists():
            builder.keep_others([part.snapshot for part in parts])
        for part in parts:
            parsed = [
                parse_document(_document(name, text), settings=ChunkSettings())
                for name, text in part.files.items()
            ]
            builder.add_rows(document_rows(part.snapshot, parsed))
            builder.add_graph(graph_rows(part.snapshot, part.graph))
            builder.add_snapshot(part.snapshot, skipped=0, problems=0, fingerprint="")
        builder.write(settings={"chunk_size": "512", "header_weight": "3"})
    return path


def _document(path: str, text: str) -> Document:
    ending = path.rpartition(".")[2]
    file_class = "test" if path.startswith("tests/") else "source"
    return Document(path, text, LANGUAGES.get(ending, ending), ending, file_class, len(text), 0)


class Hand:
    """What tests of the graph make stores with."""

    node = staticmethod(node)
    edge = staticmethod(edge)
    Part = Part
    write = staticmethod(write_store)

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def store(self, *parts: Part) -> Store:
        """Write a new store and open it."""
        path = self.folder / f"{len(list(self.folder.iterdir()))}.duckdb"
        return ragduck.open(write_store(path, *parts))


@pytest.fixture
def hand(tmp_path: Path) -> Hand:
    return Hand(tmp_path)


@pytest.fixture(scope="module")
def shared_hand(tmp_path_factory: pytest.TempPathFactory) -> Hand:
    """A hand for stores that all tests of a module read."""
    return Hand(tmp_path_factory.mktemp("shared"))
