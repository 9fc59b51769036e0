"""Read a whole bundle: records, documents, graph, and an account of each repair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

from ragduck.garbage import without_collection
from ragduck.imports.contract import Imported
from ragduck.imports.roslyn.bundle import Bundle
from ragduck.imports.roslyn.catalog import is_batch
from ragduck.imports.roslyn.code import read_code
from ragduck.imports.roslyn.content import Content, gather_content
from ragduck.imports.roslyn.database import (
    EntityRecord,
    InlineRecord,
    MigrationRecord,
    SqlRecord,
    parse_key,
    read_bodies,
)
from ragduck.imports.roslyn.edges import EdgeReader
from ragduck.imports.roslyn.graph_rows import GraphRows, read_graph
from ragduck.imports.roslyn.nodes import NodeBook, contained
from ragduck.imports.roslyn.paths import Roots
from ragduck.imports.roslyn.pieces import Databases
from ragduck.imports.roslyn.repairs import ForeignKey, Repairs
from ragduck.imports.roslyn.stubs import add_stubs
from ragduck.imports.roslyn.texts import read_object
from ragduck.model import Edge, Graph

LAST_YEAR = 2999
CREATES, DROPS = "create table", "drop table"


def read_bundle(bundle: Bundle, *, databases: Databases, max_chars: int) -> Imported:
    """Return what a bundle holds; ``databases`` name the database that its keys do not give."""
    with without_collection():
        return _read(bundle, databases=databases, max_chars=max_chars)


def _read(bundle: Bundle, *, databases: Databases, max_chars: int) -> Imported:
    meta = read_object(bundle.files, bundle.meta, ledger=bundle.ledger) if bundle.meta else {}
    roots = _roots(bundle, meta)
    code = list(read_code(bundle, roots))
    bodies = list(read_bodies(bundle, roots))
    rows = read_graph(bundle)
    content = gather_content(code, bodies, rows=rows, bundle=bundle, databases=databases)
    add_stubs(content, rows, roots=roots)
    graph = _graph(content, rows, bundle=bundle, roots=roots)
    taken = {
        "members": len(code),
        "database objects": sum(isinstance(body, SqlRecord) for body in bodies),
        "entities": sum(type(body) is EntityRecord for body in bodies),
        "migrations": sum(isinstance(body, MigrationRecord) for body in bodies),
        "inline SQL": sum(isinstance(body, InlineRecord) for body in bodies),
        "nodes": len(rows.nodes),
        "edges": len(rows.edges),
    }
    return Imported(
        documents=content.layout.documents(max_chars=max_chars, mtime_ns=_made_at(meta)),
        graph=graph,
        taken=taken,
        findings=bundle.ledger.findings(),
        notes=bundle.ledger.notes(),
    )


def _roots(bundle: Bundle, meta: Mapping[str, object]) -> Roots:
    """Return the folders that paths are below, as the bundle's maker saw them."""
    told: list[object] = [meta.get("RepositoryRoot")]
    scripts: object = None
    manifest = bundle.sql_file("manifest.json")
    if manifest:
        found: Mapping[str, object] = read_object(bundle.files, manifest, ledger=bundle.ledger)
        scripts = found.get("sqlRoot")
        told.append(scripts)
        code_roots = found.get("codeRoots")
        told += code_roots[:100] if isinstance(code_roots, list) else []
    folders = (root for root in told if isinstance(root, str))
    return Roots(folders, scripts=scripts if isinstance(scripts, str) else "")


def _made_at(meta: Mapping[str, object]) -> int:
    """Return when the bundle was made, in nanoseconds since 1970; 0 if it does not say, or says nonsense."""
    try:
        made = datetime.fromisoformat(str(meta.get("GeneratedAtUtc")))
    except ValueError:
        return 0
    if made.year > LAST_YEAR:
        return 0
    made = made if made.tzinfo else made.replace(tzinfo=UTC)
    microseconds = (made - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    return max(microseconds, 0) * 1000


def _graph(content: Content, rows: GraphRows, *, bundle: Bundle, roots: Roots) -> Graph:
    reader = EdgeReader(content, bundle=bundle, roots=roots)
    repairs = Repairs(content, rows=rows, bundle=bundle)
    ties = list(reader.ties(rows))
    edges = [*repairs.repaired(ties), *reader.calls(), *reader.bases(), *reader.changes()]
    edges += repairs.missing_keys(tie.edge for tie in ties)
    book = NodeBook(content, rows)
    book.fill()
    for keys in repairs.foreign_keys.values():
        for key in keys:
            edges += _key_edges(key, content, book=book)
    _add_created_tables(content, book)
    edges = _distinct([*edges, *contained(content, rows)])
    for edge in edges:
        book.add_external(edge.from_key)
        book.add_external(edge.to_key)
    _add_unconnected(content, rows, book=book)
    return Graph(tuple(book.nodes.values()), tuple(edges))


def _key_edges(key: ForeignKey, content: Content, *, book: NodeBook) -> Iterable[Edge]:
    """Make the node of a foreign key as the own graph has it, part of its table."""
    page, placed = content.layout.places[key.child]
    line = placed.start + key.line - 1
    node_key = f"{key.child.rpartition('|')[0].rpartition('.')[0]}.{key.name}|FOREIGN_KEY"
    book.add_part(node_key, page=page, start=line, end=line)
    yield Edge(key.child, node_key, "Contains", page.path, line, "foreign key")
    yield Edge(node_key, key.parent, "Uses", page.path, line, "foreign key", detail=key.name)


def _add_created_tables(content: Content, book: NodeBook) -> None:
    """Give tables that only migrations create, and none drops, a node where they are created."""
    dropped = {
        change.table.key.casefold()
        for record in content.migrations.values()
        for change in record.changes
        if change.rule == DROPS
    }
    for record in content.migrations.values():
        up = content.layout.places.get(f"csharp:{record.full_name}.Up|METHOD")
        for change in record.changes if up is not None else ():
            key = content.catalog.find_object(change.table) or change.table.key
            is_left = change.rule == CREATES and change.table.key.casefold() not in dropped
            if up is not None and is_left:
                book.add_part(key, page=up[0], start=up[1].start, end=up[1].end)


def _add_unconnected(content: Content, rows: GraphRows, *, book: NodeBook) -> None:
    """Keep nodes that no edge names; what only stands for the end of a row that was repaired is dropped."""
    ends = {key for row in rows.edges for key in (row.from_key, row.to_key)}
    for key in rows.nodes.keys() - ends:
        name = parse_key(key)
        if key.startswith("csharp:") or (name.name and name.kind and not is_batch(name)):
            book.add_external(content.catalog.key_of(key))


def _distinct(edges: Iterable[Edge]) -> list[Edge]:
    """Keep the first of edges that say the same in the same way."""
    kept: dict[tuple[str, str, str, str, str], Edge] = {}
    for edge in edges:
        kept.setdefault((edge.from_key, edge.to_key, edge.relation, edge.rule, edge.detail), edge)
    return list(kept.values())
