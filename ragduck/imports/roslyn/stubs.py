"""Give a place to what the graph says is defined in a file although no record has its text, such as synonyms."""

from __future__ import annotations

from ragduck.imports.roslyn.catalog import BATCHES, ELSEWHERE, UNSURE, is_batch
from ragduck.imports.roslyn.content import Content, Defined
from ragduck.imports.roslyn.database import SQL_KINDS, parse_key
from ragduck.imports.roslyn.graph_rows import GraphRows, NodeRow
from ragduck.imports.roslyn.layout import Page
from ragduck.imports.roslyn.paths import KnownPaths, Roots
from ragduck.imports.roslyn.pieces import stub_piece

_CSHARP = "csharp:"
_TYPES = frozenset({"ENTITY", "MIGRATION"})
_MEMBERS = frozenset({"DBSET", "METHOD", "PROPERTY", "FIELD"})


def add_stubs(content: Content, rows: GraphRows, *, roots: Roots) -> None:
    """Put a blank line on the page of each such node, which is its place."""
    known = KnownPaths(content.layout.pages)
    for row in rows.nodes.values():
        if not row.file or row.domain in ELSEWHERE:
            continue
        path = roots.file_of(row.file, known=known)
        if path:
            _add_stub(content, row, path=path)


def _add_stub(content: Content, row: NodeRow, *, path: str) -> None:
    stem, _, kind = row.key.removeprefix(_CSHARP).rpartition("|")
    is_code = row.key.startswith(_CSHARP)
    if is_code and kind in _TYPES:
        _add_type(content, stem, kind, path=path)
    elif is_code and kind in _MEMBERS:
        _add_member(content, stem, kind, path=path)
    elif not is_code and kind not in UNSURE | BATCHES:
        _add_object(content, row, path=path)


def _page(content: Content, path: str, language: str) -> Page:
    return content.layout.page(path, language=language)


def _add_type(content: Content, written: str, kind: str, *, path: str) -> None:
    full = content.catalog.find_type(written) or written
    if full in content.type_spans:
        return
    key = content.catalog.add_type(full, "MIGRATION" if kind == "MIGRATION" else "TYPE")
    content.place(_page(content, path, "csharp"), stub_piece(key), type_name=full)
    if kind == "ENTITY":
        content.stub_entities.add(full)


def _add_member(content: Content, written: str, kind: str, *, path: str) -> None:
    full = content.catalog.find_member(written) or written
    key = content.catalog.members.get(full, f"{_CSHARP}{full}|{kind}")
    if key not in content.layout.places:
        key = content.catalog.add_member(full, kind)
        content.layout.add(_page(content, path, "csharp"), stub_piece(key))


def _add_object(content: Content, row: NodeRow, *, path: str) -> None:
    name = parse_key(row.key)
    if name.kind not in SQL_KINDS or is_batch(name) or not name.name:
        return
    key = content.catalog.add_object(name)
    if key not in content.layout.places:
        page = _page(content, path, "sql")
        placed = content.layout.add(page, stub_piece(key))
        content.definitions.append(Defined(key, page, placed))
