"""Write the database objects, entities, migrations and inline SQL of a branch as sql_bodies.jsonl has them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import PurePosixPath
from typing import Any

from ragduck.exports.roslyn_branch import CSHARP, Branch, ChunkFacts, NodeFacts
from ragduck.exports.roslyn_code import CodePart

SQL_KINDS = ("TABLE", "VIEW", "PROC", "FUNC", "TRIGGER", "TYPE", "SEQUENCE", "SYNONYM", "INDEX")
CHANGES = {
    "create table": ("createsTables", ()),
    "drop table": ("dropsTables", ()),
    "add column": ("addsColumns", ("column",)),
    "drop column": ("dropsColumns", ("column",)),
    "rename column": ("renamesColumns", ("from", "to")),
    "add foreign key": ("addsForeignKeys", ("foreignKey",)),
    "drop foreign key": ("dropsForeignKeys", ("foreignKey",)),
}
MAKER = "RoslynIndexer "
_ORIGIN = re.compile(r"(\w{1,60}), line (\d{1,9})")
_UNSAFE = re.compile(r'[\0-\x1f/\\:*?"<>|]')
MAX_FILE_NAME = 150  # characters


class BodyPart:
    """The records of a branch in order of their keys, each with the file that its text is also written to."""

    def __init__(self, branch: Branch, code: CodePart) -> None:
        self._branch = branch
        self._code = code
        self._names: Counter[str] = Counter()
        self.objects = [node for node in branch.nodes.values() if is_object(node)]
        self._root = _common_folder([node.source_file or "" for node in self.objects])
        self.body_paths: dict[str, str] = {}

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the records; ``bodyPath`` is where the text of each lies below the SQL folder."""
        yield from self._objects()
        nodes = self._branch.nodes.values()
        yield from (self._entity(node) for node in nodes if is_entity(node) and not node.is_external)
        changes = self._changes()
        for node in nodes:
            if node.kind == "MIGRATION" and node.is_csharp and not node.is_external:
                yield self._migration(node, changes.get(node.key, {}))
        yield from self._inline()

    def domain_of(self, node: NodeFacts) -> str:
        """Return the first folder of a script below the folder that all scripts share."""
        path = (node.source_file or "")[len(self._root) :].lstrip("/")
        return path.partition("/")[0] if "/" in path else ""

    def _objects(self) -> Iterator[dict[str, Any]]:
        for node in self.objects:
            stem = node.key.rpartition("|")[0]
            yield {
                "key": node.key,
                "kind": node.kind,
                "schema": node.schema or "dbo",
                "name": stem.partition(".")[2] if node.kind == "INDEX" else node.name,
                "domain": self.domain_of(node),
                "database": node.database or "",
                "project": node.project or "",
                "file": node.source_file,
                "bodyPath": self._path(node.key, f"{stem}.{node.kind}.sql"),
                "body": self._branch.text_of(node),
            }

    def _entity(self, node: NodeFacts) -> dict[str, Any]:
        return {
            "key": f"{CSHARP}{node.name}|ENTITY",
            "kind": "ENTITY",
            **self._type_fields(node),
            "bodyPath": self._path(node.key, f"Poco.{node.name}.ENTITY.cs"),
            "body": self._branch.text_of(node),
        }

    def _type_fields(self, node: NodeFacts) -> dict[str, Any]:
        name = self._code.type_name(node.full_name)
        return {
            "name": node.name,
            "namespace": name.namespace,
            "typeFullName": node.full_name,
            "file": node.source_file,
        }

    def _migration(self, node: NodeFacts, changes: dict[str, list[Any]]) -> dict[str, Any]:
        up = self._branch.nodes.get(f"{CSHARP}{node.full_name}.Up|METHOD", node)
        return {
            "key": node.key,
            "kind": "MIGRATION",
            **self._type_fields(node),
            "bodyPath": self._path(node.key, f"Migration.{node.full_name}.MIGRATION.cs"),
            "body": self._branch.text_of(up) or self._branch.text_of(node),
            **{name: changes.get(name, []) for name, _ in CHANGES.values()},
        }

    def _changes(self) -> dict[str, dict[str, list[Any]]]:
        """Return what each migration does to tables, by the fields of its record."""
        found: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
        for edge in self._branch.edges:
            known = CHANGES.get(edge.rule.removeprefix(MAKER)) if edge.relation == "SchemaChange" else None
            if known is None:
                continue
            field, names = known
            table = edge.to_key.rpartition("|")[0]
            details = edge.detail.split(" -> ", 1) if len(names) > 1 else [edge.detail]
            change: Any = {"table": table, **dict(zip(names, details, strict=False))} if names else table
            if change not in found[edge.from_key][field]:
                found[edge.from_key][field].append(change)
        return found

    def _inline(self) -> Iterator[dict[str, Any]]:
        inline = [chunk for chunk in self._branch.chunks if chunk.file_type == "inline_sql"]
        for _, group in groupby(inline, key=lambda one: (one.source_file, one.object_id)):
            for run in _runs(list(group)):
                yield self._snippet(run)

    def _snippet(self, run: Sequence[ChunkFacts]) -> dict[str, Any]:
        first = run[0]
        full_name = first.node_key.removeprefix(CSHARP).rpartition("|")[0]
        method = full_name.rpartition(".")[2]
        owner = full_name.rpartition(".")[0]
        written = _ORIGIN.fullmatch(first.signature or "")
        origin, line = (written[1], int(written[2])) if written else ("HeuristicRoslyn", first.start_line)
        return {
            "key": full_name,
            "kind": "InlineSQL",
            "methodFullName": full_name,
            "bodyOrigin": origin,
            "namespace": self._code.type_name(owner).namespace,
            "typeFullName": owner,
            "relativePath": first.source_file,
            "file": first.source_file,
            "lineNumber": line,
            "bodyPath": self._path("", f"InlineSql.{method}.L{line}.sql"),
            "body": self._branch.text(first.source_file, start=first.start_line, end=run[-1].end_line),
        }

    def _path(self, key: str, name: str) -> str:
        """Return a path of its own for a text, also where file names do not tell upper from lower case."""
        stem, dot, ending = _UNSAFE.sub("_", name).rpartition(".")
        stem = stem[:MAX_FILE_NAME]
        self._names[stem.casefold()] += 1
        count = self._names[stem.casefold()]
        path = f"docs/bodies/{stem}{f'.{count}' if count > 1 else ''}{dot}{ending}"
        if key:
            self.body_paths[key] = path
        return path


def is_object(node: NodeFacts) -> bool:
    """Tell a database object that a script defines."""
    is_sql = node.language == "sql" and not node.is_csharp
    return is_sql and node.kind in SQL_KINDS and not node.is_external


def is_entity(node: NodeFacts) -> bool:
    """Tell a class that is kept in a table."""
    return node.is_csharp and node.kind == "TYPE" and node.role == "ENTITY"


def _runs(chunks: Sequence[ChunkFacts]) -> Iterator[list[ChunkFacts]]:
    run: list[ChunkFacts] = []
    for chunk in chunks:
        if run and chunk.start_line != run[-1].end_line + 1:
            yield run
            run = []
        run.append(chunk)
    yield run


def _common_folder(paths: Sequence[str]) -> str:
    folders = [PurePosixPath(path).parent.parts for path in paths if path]
    if not folders:
        return ""
    shortest = min(folders, key=len)
    depth = 0
    while depth < len(shortest) and all(folder[depth] == shortest[depth] for folder in folders):
        depth += 1
    return "/".join(shortest[:depth])
