"""Hold what a RoslynIndexer bundle is written from: nodes, edges, chunks and lines of one branch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from ragduck.resources import sql_text
from ragduck.store import Database

CSHARP = "csharp:"


class NodeFacts(NamedTuple):
    """A node of the store."""

    key: str
    kind: str
    role: str | None
    name: str
    schema: str | None
    project: str | None
    source_file: str | None
    start_line: int | None
    end_line: int | None
    is_external: bool
    language: str | None
    database: str | None

    @property
    def full_name(self) -> str:
        """The key without language and kind."""
        stem = self.key.rpartition("|")[0]
        return stem.removeprefix(CSHARP)

    @property
    def is_csharp(self) -> bool:
        """Whether it is a type or member of C#."""
        return self.key.startswith(CSHARP)


class EdgeFacts(NamedTuple):
    """An edge of the store."""

    from_key: str
    to_key: str
    relation: str
    source_file: str
    rule: str
    detail: str
    line: int


class ChunkFacts(NamedTuple):
    """A chunk of C#, of SQL in its strings, or of a database object."""

    node_key: str
    object_id: str
    source_file: str
    start_line: int
    end_line: int
    file_type: str
    kind: str | None
    class_name: str | None
    member: str | None
    member_kind: str | None
    cs_key: str | None
    signature: str | None
    project: str | None
    element_type: str


@dataclass(frozen=True, slots=True)
class Branch:
    """One repository and branch of a store, as of the time at which it was ``made``."""

    repo: str
    branch: str
    commit: str
    made: datetime
    nodes: Mapping[str, NodeFacts]
    edges: Sequence[EdgeFacts]
    chunks: Sequence[ChunkFacts]
    lines: Mapping[str, Sequence[str]]
    other_languages: Mapping[str, int]
    script_chunks: int

    def text(self, path: str | None, *, start: int | None, end: int | None) -> str:
        """Return lines of a file; empty where they are not stored."""
        lines = self.lines.get(path or "", ())
        return "\n".join(lines[(start or 1) - 1 : end or 0])

    def text_of(self, node: NodeFacts) -> str:
        """Return the lines of a node."""
        return self.text(node.source_file, start=node.start_line, end=node.end_line)


def read_branch(database: Database, *, repo: str, branch: str) -> Branch:
    """Read all that a bundle of a branch is made of."""
    names: dict[str, object] = {"repo": repo, "branch": branch}

    def rows(name: str) -> list[tuple[object, ...]]:
        return [tuple(row.values()) for row in database.rows(sql_text(f"exports/bundle_{name}.sql"), names)]

    nodes = [NodeFacts._make(row) for row in rows("nodes")]
    snapshots = database.rows(
        "select commit_sha from snapshots where repo = $repo and branch = $branch", names
    )
    (made,) = database.rows(sql_text("exports/bundle_made.sql"), names)
    return Branch(
        repo,
        branch,
        (snapshots[0]["commit_sha"] or "") if snapshots else "",
        made["made"],
        {node.key: node for node in nodes},
        [EdgeFacts._make(row) for row in rows("edges")],
        [ChunkFacts._make(row) for row in rows("chunks")],
        {str(path): str(text).split("\n") for path, text in rows("texts")},
        {str(language): int(str(count)) for language, count in rows("languages")},
        int(str(rows("scripts")[0][0])),
    )
