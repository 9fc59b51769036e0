"""Write the database objects, entities, migrations and inline SQL of a branch as sql_bodies.jsonl has them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import PurePosixPath
from typing import Any

from ragduck.exports.roslyn_branch import CSHARP, Branch, ChunkFacts, NodeFacts
from ragduck.exports.roslyn_code import ORIGIN, CodePart
from ragduck.imports.roslyn.details import Definition, definition
from ragduck.imports.roslyn.pieces import UP_ALONE

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
ALTERATION = "alter_table"  # element type of a statement that changes a table: no definition
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
        self._told = dict(_definitions(branch))
        self._starts = {edge.to_key: edge.line for edge in branch.edges if edge.relation == "Contains"}
        self.body_paths: dict[str, str] = {}

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the records; ``bodyPath`` is where the text of each lies below the SQL folder."""
        for record in self._records():
            yield record | {"body": record["body"].strip("\n").rstrip()}

    def _records(self) -> Iterator[dict[str, Any]]:
        yield from self._objects()
        nodes = self._branch.nodes.values()
        yield from (self._entity(node) for node in nodes if is_entity(node) and self._branch.text_of(node))
        changes, alone = self._changes(), self._told_alone()
        for node in nodes:
            up = self._branch.nodes.get(f"{CSHARP}{node.full_name}.Up|METHOD")
            if node.kind == "MIGRATION" and node.is_csharp and up is not None:
                body = alone.get(up.key) or self._text_of_up(up)
                if body.strip():
                    yield self._migration(node, body, changes.get(node.key, {}))
        yield from self._inline()

    def definition_of(self, node: NodeFacts) -> Definition | None:
        """Return batch and domain of an object if a bundle told them."""
        return self._told.get((node.source_file or "", node.key))

    def domain_of(self, node: NodeFacts) -> str:
        """Return the domain that a bundle told, else the first folder below that which all scripts share."""
        told = self.definition_of(node)
        if told is not None:
            return told.domain
        path = (node.source_file or "")[len(self._root) :].lstrip("/")
        return path.partition("/")[0] if "/" in path else ""

    def _objects(self) -> Iterator[dict[str, Any]]:
        further = self._further()
        for node in self.objects:
            body = self._branch.text_of(node)
            if body.strip():
                yield self._object(node, body)
            for run in further.get(node.key, ()):
                place = node._replace(source_file=run[0].source_file)
                body = self._branch.text(place.source_file, start=run[0].start_line, end=run[-1].end_line)
                yield self._object(place, body)

    def _further(self) -> dict[str, list[list[ChunkFacts]]]:
        """Return the chunks of further definitions of objects, as scripts of other folders have them."""
        found: dict[str, list[list[ChunkFacts]]] = defaultdict(list)
        known = {node.key: node for node in self.objects}
        chunks = [
            chunk
            for chunk in self._branch.chunks
            if chunk.node_key in known and chunk.element_type != ALTERATION
        ]
        for _, group in groupby(chunks, key=lambda one: (one.source_file, one.node_key)):
            for run in _runs(list(group)):
                node = known[run[0].node_key]
                is_elsewhere = node.source_file != run[0].source_file
                starts, ends = node.start_line or 0, node.end_line or 0
                if is_elsewhere or run[0].start_line > ends or run[-1].end_line < starts:
                    found[node.key].append(run)
        return found

    def _object(self, node: NodeFacts, body: str) -> dict[str, Any]:
        stem = node.key.rpartition("|")[0]
        return {
            "key": node.key,
            "kind": node.kind,
            "schema": node.schema or "dbo",
            "name": stem.partition(".")[2] if node.kind == "INDEX" else node.name,
            "domain": self.domain_of(node),
            "database": node.database or "",
            "project": node.project or "",
            "file": node.source_file,
            "bodyPath": self._path(node.key, f"{stem}.{node.kind}.sql"),
            "body": body,
        }

    def _entity(self, node: NodeFacts) -> dict[str, Any]:
        return {
            "key": f"{CSHARP}{node.name}|ENTITY",
            "kind": "ENTITY",
            **self._type_fields(node),
            "bodyPath": self._path(node.key, f"Poco.{node.full_name}.ENTITY.cs"),
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

    def _told_alone(self) -> dict[str, str]:
        """Return the texts of Up methods that are told by the records of their migrations only."""
        alone = [chunk for chunk in self._branch.chunks if chunk.element_type == UP_ALONE]
        return {
            run[0].node_key: self._branch.text(
                run[0].source_file, start=run[0].start_line, end=run[-1].end_line
            )
            for _, group in groupby(alone, key=lambda one: one.node_key)
            for run in _runs(list(group))
        }

    def _text_of_up(self, up: NodeFacts) -> str:
        """Return the text of a method from the line on that a bundle's record of the migration begins with."""
        start, end = up.start_line or 1, up.end_line or 0
        told = self._starts.get(up.key, start)
        return self._branch.text(up.source_file, start=told if start <= told <= end else start, end=end)

    def _migration(self, node: NodeFacts, body: str, changes: dict[str, list[Any]]) -> dict[str, Any]:
        return {
            "key": node.key,
            "kind": "MIGRATION",
            **self._type_fields(node),
            "bodyPath": self._path(node.key, f"Migration.{node.full_name}.MIGRATION.cs"),
            "body": body.lstrip(),
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
        method = first.member or full_name.rpartition(".")[2]
        owner = full_name.removesuffix(f".{method}")
        written = ORIGIN.fullmatch(first.signature or "")
        origin, line = (written[1], int(written[2])) if written else ("HeuristicRoslyn", first.start_line)
        return {
            "key": full_name,
            "kind": "InlineSQL",
            "methodFullName": full_name,
            "memberKind": first.node_key.rpartition("|")[2].capitalize(),
            "bodyOrigin": origin,
            "namespace": self._code.type_name(owner).namespace,
            "typeFullName": owner,
            "relativePath": first.source_file,
            "file": first.source_file,
            "lineNumber": line or None,
            "bodyPath": self._path("", f"InlineSql.{full_name}.L{line}.sql"),
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


def _definitions(branch: Branch) -> Iterator[tuple[tuple[str, str], Definition]]:
    for edge in branch.edges:
        told = definition(edge.detail) if edge.relation == "Contains" else None
        if told is not None:
            yield (edge.source_file, edge.to_key), told


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
