"""Make the nodes of a bundle: files, types, members and database objects, with their roles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import PurePosixPath

from ragduck.graph.code.jobs import ENTRIES
from ragduck.graph.code.roles import (
    CONTEXTS,
    CONTROLLERS,
    PAGE_ACTIONS,
    PAGES,
    SERVICE_ENDINGS,
    TEST_MARKS,
)
from ragduck.imports.roslyn.content import Content, Defined
from ragduck.imports.roslyn.database import SqlName, parse_key
from ragduck.imports.roslyn.details import Definition, usual_domain
from ragduck.imports.roslyn.graph_rows import GraphRows
from ragduck.imports.roslyn.layout import Page, Placed
from ragduck.imports.roslyn.pieces import simple_name
from ragduck.model import Edge, Node

_VERSION = re.compile(r"\d{4,20}")
_MARK = re.compile(r"^[ \t]{0,100}\[(\w{1,60})", re.MULTILINE)
_NO_ACTION = "NonAction"
_PAGE = "PAGE"  # the model of a Razor page: a controller of which only some methods are actions
_HEAD = 3000  # characters in which attributes stand
MOST_NESTED = 20  # types around a type


class NodeBook:
    """Collects nodes by key; the first of a key counts, and one with a place before one without."""

    def __init__(self, content: Content, rows: GraphRows) -> None:
        self.nodes: dict[str, Node] = {}
        self._content = content
        self._names = {name.stem.casefold(): name for name in _told_names(rows)}
        self._names |= {record.name.stem.casefold(): record.name for record in content.objects.values()}

    def fill(self) -> None:
        """Make the nodes of all that has a text."""
        content = self._content
        for page in content.layout.pages.values():
            self._add_file(page)
        roles = _type_roles(content)
        for full_name, key in content.catalog.types.items():
            self._add_type(full_name, key, roles.get(full_name))
        for full_name, key in content.catalog.members.items():
            found = content.layout.places.get(key)
            if found is not None:
                owner = full_name.rpartition(".")[0]
                role = roles.get(owner)
                is_helper = role == "JOB" and found[1].piece.name not in _started(owner, content)
                self._add_member(key, found, None if is_helper else role)
        for defined in content.definitions:
            start, end = defined.placed.start, defined.placed.end
            self._add(self._object(defined.key, defined.page, start=start, end=end))

    def add_external(self, key: str) -> None:
        """Make a node of what is named but has no text in the bundle."""
        if key in self.nodes:
            return
        node = external_node(key)
        if not key.startswith(("csharp:", "file:")):
            name = self._name_of(key)
            node = replace(node, name=simple_name(name.name, name.kind), schema=name.schema or None)
        elif key in self._content.catalog.entities:
            node = replace(node, role="ENTITY")
        self.nodes[key] = node

    def add_part(self, key: str, *, page: Page, start: int, end: int) -> None:
        """Make a node of a database object that is part of another text, such as a key of a table."""
        if key not in self.nodes:
            self._add(self._object(key, page, start=start, end=end))

    def _add(self, node: Node) -> None:
        self.nodes.setdefault(node.node_key, node)

    def _add_file(self, page: Page) -> None:
        self._add(
            Node(
                f"file:{page.path}|FILE",
                "FILE",
                PurePosixPath(page.path).name,
                page.data_type,
                project=page.project,
                source_file=page.path,
                start_line=1,
                end_line=max(page.lines, 1),
            )
        )

    def _add_type(self, full_name: str, key: str, role: str | None) -> None:
        """Add a type with the lines of its own text, else with those from its first member to its last."""
        spans = self._content.type_spans.get(full_name)
        if not spans:
            return
        is_migration = key.endswith("|MIGRATION")
        pages = self._content.layout.pages
        path = next((each for each in spans if pages[each].is_migration), next(iter(spans)))
        page, (start, end) = pages[path], spans[path]
        up = self._content.layout.places.get(f"csharp:{full_name}.Up|METHOD")
        if is_migration and up is not None and up[0].path in spans:
            page, (start, end) = up[0], spans[up[0].path]
            path = page.path
        own = self._content.layout.places.get(key)
        is_elsewhere = is_migration and up is not None and own is not None and own[0] is not up[0]
        if own is not None and own[0].is_migration is page.is_migration and not is_elsewhere:
            page, placed = own
            path, start, end = page.path, placed.start, placed.end
        self._add(
            Node(
                key,
                key.rpartition("|")[2],
                full_name.rpartition(".")[2],
                page.data_type,
                role="MIGRATION" if is_migration else _shown_role(role),
                project=page.project,
                source_file=path,
                start_line=start,
                end_line=end,
                version=_version(path, full_name) if is_migration else None,
            )
        )

    def _add_member(self, key: str, found: tuple[Page, Placed], type_role: str | None) -> None:
        page, placed = found
        self._add(
            Node(
                key,
                key.rpartition("|")[2],
                placed.piece.name,
                page.data_type,
                role=_member_role(placed, type_role) if key.endswith("|METHOD") else None,
                project=page.project,
                source_file=page.path,
                start_line=placed.start,
                end_line=placed.end,
            )
        )

    def _name_of(self, key: str) -> SqlName:
        """Take a key apart as a record or row of it does: a dot may be part of a name."""
        stem, _, kind = key.rpartition("|")
        told = self._names.get(stem.casefold())
        return told._replace(kind=kind) if told is not None else parse_key(key)

    def _object(self, key: str, page: Page, *, start: int, end: int) -> Node:
        name = self._name_of(key)
        return Node(
            key,
            name.kind,
            simple_name(name.name, name.kind),
            "db_code",
            schema=name.schema,
            project=page.project,
            source_file=page.path,
            start_line=start,
            end_line=end,
        )


def _told_names(rows: GraphRows) -> Iterator[SqlName]:
    """Yield the names of database objects whose rows tell schema and name apart where the key does not."""
    for row in rows.nodes.values():
        stem = row.key.rpartition("|")[0]
        if stem == f"{row.schema}.{row.name}":
            yield SqlName("", row.schema, row.name, row.kind)


def external_node(key: str) -> Node:
    """Return the node of what is defined elsewhere."""
    stem, _, kind = key.rpartition("|")
    if key.startswith("csharp:"):
        return Node(
            key, kind, stem.rpartition(".")[2].partition(":")[0] or stem, "regular_code", is_external=True
        )
    if key.startswith("file:"):
        return Node(key, kind, PurePosixPath(stem).name, "db_code", is_external=True)
    name = parse_key(key)
    return Node(
        key, kind, simple_name(name.name, name.kind), "db_code", schema=name.schema or None, is_external=True
    )


def _version(path: str, full_name: str) -> str | None:
    found = _VERSION.match(PurePosixPath(path).name) or _VERSION.search(full_name.rpartition(".")[2])
    return found[0] if found is not None else None


def _type_roles(content: Content) -> dict[str, str]:
    """Say what part types play, by their bases, their sets and their names, as the own graph does."""
    contexts = {
        full.rpartition(".")[0] for full, key in content.catalog.members.items() if key.endswith("|DBSET")
    }
    entities = {key.removeprefix("csharp:").rpartition("|")[0] for key in content.entities}
    entities |= content.stub_entities
    return {
        full: role
        for full in content.catalog.types
        if (role := _type_role(full, content, contexts=contexts, entities=entities))
    }


def _type_role(full: str, content: Content, *, contexts: set[str], entities: set[str]) -> str:
    records = content.types.get(full, ())
    bases, interfaces = _bases(full, content), _interfaces(full, content)
    simple = full.rpartition(".")[2]
    if full in contexts or any(base.endswith(CONTEXTS) for base in bases):
        return "DBCONTEXT"
    if full in entities:
        return "ENTITY"
    if not PAGES.isdisjoint(bases):
        return _PAGE
    if not CONTROLLERS.isdisjoint(bases) or simple.endswith("Controller"):
        return "CONTROLLER"
    if any(not TEST_MARKS.isdisjoint(_marks(record.text)) for record in records):
        return "TEST"
    if simple.endswith("Repository") or any(name.endswith("Repository") for name in interfaces):
        return "REPOSITORY"
    if _started(full, content):
        return "JOB"
    is_service = simple.endswith(SERVICE_ENDINGS) or any(
        name.endswith("Service") and name != "IHostedService" for name in interfaces
    )
    return "SERVICE" if is_service else ""


def _bases(full: str, content: Content) -> set[str]:
    records = content.types.get(full, ())
    return {record.base_type.partition("<")[0].rpartition(".")[2] for record in records}


def _interfaces(full: str, content: Content) -> set[str]:
    return {name.partition("<")[0] for record in content.types.get(full, ()) for name in record.interfaces}


def _started(full: str, content: Content) -> frozenset[str]:
    """Return the names of the methods that a host or a scheduler calls of a type."""
    named = _bases(full, content) | {name.rpartition(".")[2] for name in _interfaces(full, content)}
    return frozenset(name for base in named for name in ENTRIES.get(base, ()))


def _shown_role(role: str | None) -> str | None:
    return "CONTROLLER" if role == _PAGE else role


def _member_role(placed: Placed, type_role: str | None) -> str | None:
    if type_role == "JOB":
        return type_role
    marks = _marks(placed.piece.text)
    if type_role == "TEST" and not TEST_MARKS.isdisjoint(marks):
        return "TEST"
    is_routed = type_role == "CONTROLLER" or (
        type_role == _PAGE and placed.piece.name.startswith(PAGE_ACTIONS)
    )
    is_action = (
        is_routed
        and placed.piece.visibility == "public"
        and placed.piece.element_type == "method"
        and _NO_ACTION not in marks
    )
    return "ACTION" if is_action else None


def _marks(text: str) -> set[str]:
    return set(_MARK.findall(text[:_HEAD])) if "[" in text[:_HEAD] else set()


def contained(content: Content, rows: GraphRows) -> Iterator[Edge]:
    """Yield what contains what, and where: files their types and objects, types their members and types within."""
    types = content.catalog.types
    details = _details_of_code(content, rows)
    for full_name, spans in content.type_spans.items():
        for path, (start, _) in spans.items():
            detail = details.get(types[full_name], "")
            yield _contains(f"file:{path}|FILE", types[full_name], path, start, detail=detail)
    for full_name, namespace in content.namespaces.items():
        spans = content.type_spans.get(full_name) or content.inline_spans.get(full_name, {})
        for path, (start, _) in islice(spans.items(), 1):
            for outer, inner in islice(_nesting(full_name, namespace), MOST_NESTED):
                outer_key, inner_key = (types.get(each, f"csharp:{each}|TYPE") for each in (outer, inner))
                yield _contains(outer_key, inner_key, path, start)
    for full_name, key in content.catalog.members.items():
        found = content.layout.places.get(key)
        if found is None:
            continue
        page, placed = found
        outer = full_name.rpartition(".")[0]
        owner = types[outer] if outer in content.type_spans else f"file:{page.path}|FILE"
        line = content.up_lines.get(key, placed.start)
        yield _contains(owner, key, page.path, line, detail=details.get(key, ""))
    for each in content.definitions:
        path, line = each.page.path, each.placed.start
        edge = _contains(f"file:{path}|FILE", each.key, path, line, detail=_detail_of(each, rows))
        yield replace(edge, rule="definition")


def _nesting(full_name: str, namespace: str) -> Iterator[tuple[str, str]]:
    """Yield each type around a type with the one within, from the inside out."""
    inner = full_name
    while (outer := inner.rpartition(".")[0]) and outer != namespace and outer.startswith(namespace):
        yield outer, inner
        inner = outer


def _contains(outer: str, inner: str, path: str, line: int, *, detail: str = "") -> Edge:
    return Edge(outer, inner, "Contains", path, line, "declaration", detail=detail)


def _details_of_code(content: Content, rows: GraphRows) -> dict[str, str]:
    """Return what rows of code say beyond what all of their kind do."""
    return {
        content.catalog.key_of(row.key): str(Definition(row.batch, row.domain))
        for row in rows.nodes.values()
        if row.key.startswith("csharp:") and (row.batch or row.domain != usual_domain(row.kind))
    }


def _detail_of(defined: Defined, rows: GraphRows) -> str:
    """Return what the row of an object says, and of further definitions, which have none, what the record does."""
    record = defined.record
    row = rows.nodes.get(record.name.key if record else defined.key) if defined.is_first else None
    if row is not None:
        return str(Definition(row.batch, row.domain))
    return str(Definition("", record.domain if record else ""))
