"""Tie records together by what their rows and headers name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from ragduck.imports.unified.documents import PlacedRecord
from ragduck.imports.unified.rows import KINDS, NODE_KEY
from ragduck.model import DataType, Edge, Graph, Node, ParsedDocument

RULE = "unified index"
WANTED_KINDS = {"Calls": "FUNC", "Executes": "PROC", "ReferencedBy": "METHOD"}
CODE = re.compile(r"[a-z]{2,20}:")
REFERENCES = re.compile(
    r"""\breferences\s{1,20}((?:\[[^\]\n]{1,128}\]|"[^"\n]{1,128}"|[\w.$#]{1,200}){1,12})""", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Told:
    """A relation as a row tells it; ``other`` is a key, whole or in short, and begins it when ``is_incoming``."""

    placed: PlacedRecord
    relation: str
    other: str
    is_incoming: bool = False
    is_undirected: bool = False

    @property
    def is_doubtful(self) -> bool:
        """Whether the other end may tell it better: lists of callers and of foreign keys repeat what others say."""
        return self.is_incoming or self.is_undirected


def graph_of(
    documents: Sequence[ParsedDocument],
    placed: Sequence[PlacedRecord],
    headers: Mapping[int, Mapping[str, tuple[str, ...]]],
) -> Graph:
    """Return nodes of all files and chunks, and the edges that lists and headers tell; ``headers`` are by place."""
    nodes = {node.node_key: node for node in _file_nodes(documents)}
    for each in placed:
        _add_definition(nodes, each)
    names = _Names(nodes)
    edges = {(edge.from_key, edge.to_key, edge.relation): edge for edge in _containment(nodes)}
    pairs: set[tuple[str, str]] = set()
    for told in sorted(_told(placed, headers), key=lambda each: each.is_doubtful):
        key = names.key_of(told.other, relation=told.relation)
        if key is None:
            continue
        edge = _edge(told, key)
        if told.is_doubtful and _is_known(edge, pairs):
            continue  # the other end told it, and more exactly
        pairs |= {(edge.from_key, edge.to_key), (edge.from_key, _owner(edge.to_key))}
        edges.setdefault((edge.from_key, edge.to_key, edge.relation), edge)
    for from_key, to_key, _ in edges:
        for key in (from_key, to_key):
            if key not in nodes:
                nodes[key] = _external(key)
    return Graph(tuple(nodes.values()), tuple(edges.values()))


def _file_nodes(documents: Iterable[ParsedDocument]) -> Iterator[Node]:
    for parsed in documents:
        document = parsed.document
        yield Node(
            node_key=f"file:{document.path}|FILE",
            kind="FILE",
            name=PurePosixPath(document.path).name,
            data_type=parsed.chunks[0].data_type,
            project=document.project,
            source_file=document.path,
            start_line=1,
            end_line=document.last_line,
        )


def _add_definition(nodes: dict[str, Node], placed: PlacedRecord) -> None:
    """Add the node of a chunk, or lengthen it: further parts of an object in the same file belong to it."""
    record, key = placed.record, placed.node_key
    known = nodes.get(key)
    if known is None:
        nodes[key] = Node(
            node_key=key,
            kind=key.rpartition("|")[2],
            name=record.names.get("name") or record.full_name,
            data_type=record.data_type or "regular_code",
            schema=record.names.get("schema"),
            project=record.names.get("project"),
            source_file=placed.path,
            start_line=placed.start_line,
            end_line=placed.end_line,
        )
    elif known.source_file == placed.path and known.kind != "FILE" and not record.is_inline:
        nodes[key] = replace(
            known,
            start_line=min(known.start_line or placed.start_line, placed.start_line),
            end_line=max(known.end_line or placed.end_line, placed.end_line),
        )


def _containment(nodes: Mapping[str, Node]) -> Iterator[Edge]:
    """Yield what follows from keys alone: files contain types, types contain members."""
    for key, node in nodes.items():
        if node.source_file is None or node.start_line is None or node.kind == "FILE" or not CODE.match(key):
            continue
        owner = _owner(key)
        holder = owner if owner in nodes else f"file:{node.source_file}|FILE"
        yield Edge(holder, key, "Contains", node.source_file, node.start_line, RULE)


def _told(
    placed: Sequence[PlacedRecord], headers: Mapping[int, Mapping[str, tuple[str, ...]]]
) -> Iterator[Told]:
    for each in placed:
        lists = each.record.lists
        yield from (Told(each, "ReadsFrom", key) for key in lists.get("reads_from", ()))
        yield from (Told(each, "WritesTo", key) for key in lists.get("writes_to", ()))
        yield from (Told(each, _calls(key), key) for key in lists.get("calls", ()))
        yield from _foreign_keys(each)
        own = _calls(each.node_key)
        yield from (Told(each, own, key, is_incoming=True) for key in lists.get("called_by", ()))
        yield from (Told(each, "Uses", key, is_incoming=True) for key in lists.get("used_by_csharp", ()))
        yield from _of_header(each, headers.get(each.record.place, {}))


def _foreign_keys(placed: PlacedRecord) -> Iterator[Told]:
    """Yield the tables tied by foreign keys: a list names parents and children, and the text which are parents."""
    keys = placed.record.lists.get("fk_dependencies", ())
    parents = {_bare_name(found) for found in REFERENCES.findall(placed.record.text)} if keys else set()
    for key in keys:
        is_parent = _bare_name(key.rpartition("|")[0] or key) in parents
        yield Told(placed, "ForeignKey", key, is_undirected=not is_parent)


def _bare_name(name: str) -> str:
    return re.split(r"\.(?![^\[]*\])", name)[-1].strip('[]"` ').casefold()


def _of_header(placed: PlacedRecord, header: Mapping[str, tuple[str, ...]]) -> Iterator[Told]:
    for relation, keys in header.items():
        is_incoming = relation == "ReferencedBy"
        yield from (Told(placed, "Uses" if is_incoming else relation, key, is_incoming) for key in keys)


def _calls(key: str) -> str:
    return "Executes" if key.endswith("|PROC") else "Calls"


def _is_known(edge: Edge, pairs: set[tuple[str, str]]) -> bool:
    """Whether the other end told it, or the type that it is a member of, in whose chunk it may be."""
    alike = {(edge.from_key, edge.to_key), (_owner(edge.from_key), edge.to_key)}
    if edge.relation == "ForeignKey":
        alike.add((edge.to_key, edge.from_key))
    return not pairs.isdisjoint(alike)


def _owner(key: str) -> str:
    return key.rpartition("|")[0].rpartition(".")[0] + "|TYPE"


def _edge(told: Told, key: str) -> Edge:
    own = told.placed.node_key
    from_key, to_key = (key, own) if told.is_incoming else (own, key)
    return Edge(from_key, to_key, told.relation, told.placed.path, told.placed.start_line, RULE)


class _Names:
    """Finds the node that a key means: kinds may be missing or vague in what other systems wrote."""

    def __init__(self, nodes: Mapping[str, Node]) -> None:
        self._nodes = nodes
        self._stems: dict[str, str] = {}
        for key in nodes:
            self._stems.setdefault(key.rpartition("|")[0].casefold(), key)

    def key_of(self, written: str, *, relation: str) -> str | None:
        """Return the key of a node, or one for a node that nobody defines; None for what is no key."""
        if written in self._nodes:
            return written
        stem, bar, kind = written.rpartition("|")
        stem = _plain(stem if bar else written)
        for spelling in (stem, f"csharp:{stem}", f"dbo.{stem}"):
            if found := self._stems.get(spelling.casefold()):
                return found
        kind = kind if bar and kind in KINDS else WANTED_KINDS.get(relation, "TABLE")
        key = f"{stem}|{'METHOD' if CODE.match(stem) and kind == 'TABLE' else kind}"
        return key if NODE_KEY.fullmatch(key) else None


def _plain(stem: str) -> str:
    """Drop what stands before the name of an object: the prefix of old keys, and the database."""
    return stem.removeprefix("SQL:").removeprefix("sql:").rpartition("::")[2].strip()


def _external(key: str) -> Node:
    stem, _, kind = key.rpartition("|")
    is_code = CODE.match(stem) is not None
    data_type: DataType = "regular_code" if is_code else "db_code"
    schema, _, name = stem.rpartition(".")
    return Node(
        node_key=key,
        kind=kind,
        name=name or stem,
        data_type=data_type,
        schema=None if is_code else schema.rpartition(".")[2] or None,
        is_external=True,
    )
