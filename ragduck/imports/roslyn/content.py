"""Bring the records of a bundle together: what there is, under which keys, on which lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ragduck.imports.roslyn.bundle import Bundle
from ragduck.imports.roslyn.catalog import BATCHES, ELSEWHERE, UNSURE, Catalog
from ragduck.imports.roslyn.code import CodeRecord, with_namespace
from ragduck.imports.roslyn.database import (
    BodyRecord,
    EntityRecord,
    InlineRecord,
    MigrationRecord,
    SqlRecord,
    parse_key,
)
from ragduck.imports.roslyn.graph_rows import GraphRows
from ragduck.imports.roslyn.layout import Layout, Page, Placed
from ragduck.imports.roslyn.paths import KnownPaths
from ragduck.imports.roslyn.pieces import (
    Databases,
    Piece,
    code_piece,
    inline_piece,
    sql_piece,
    type_piece,
    up_piece,
)

MIGRATION_BASES = ("Migration", "DbMigration", "AutoReversingMigration", "ForwardOnlyMigration")


class Defined(NamedTuple):
    """A text that defines a database object, or the place of one whose text is not there."""

    key: str
    page: Page
    placed: Placed
    record: SqlRecord | None = None
    is_first: bool = True


@dataclass(slots=True)
class Content:
    """All records of a bundle, their keys and their places."""

    catalog: Catalog = field(default_factory=Catalog)
    layout: Layout = field(default_factory=Layout)
    keys_by_id: dict[str, str] = field(default_factory=dict)
    types: dict[str, list[CodeRecord]] = field(default_factory=lambda: defaultdict(list))
    entities: dict[str, EntityRecord] = field(default_factory=dict)  # by key of the type
    migrations: dict[str, MigrationRecord] = field(default_factory=dict)
    objects: dict[str, SqlRecord] = field(default_factory=dict)
    inline: dict[str, list[InlineRecord]] = field(default_factory=lambda: defaultdict(list))
    type_spans: dict[str, dict[str, tuple[int, int]]] = field(default_factory=lambda: defaultdict(dict))
    definitions: list[Defined] = field(default_factory=list)
    stub_entities: set[str] = field(default_factory=set)  # full names of those without a text
    inline_spans: dict[str, dict[str, tuple[int, int]]] = field(
        default_factory=dict
    )  # of types told by SQL only
    namespaces: dict[str, str] = field(default_factory=dict)  # of types, where records tell them
    up_lines: dict[str, int] = field(default_factory=dict)  # by key of Up: where its record's text begins

    def place(self, page: Page, piece: Piece, *, type_name: str = "") -> None:
        """Put a piece on a page; the lines of a type reach from its first piece to its last, per file."""
        placed = self.layout.add(page, piece)
        if type_name:
            spans = self.type_spans[type_name]
            start, _ = spans.get(page.path, (placed.start, 0))
            spans[page.path] = (start, placed.end)


def gather_content(
    code: Iterable[CodeRecord],
    bodies: Iterable[BodyRecord],
    *,
    rows: GraphRows,
    bundle: Bundle,
    databases: Databases,
) -> Content:
    """Give every record its key and its lines."""
    content = Content()
    bodies = list(bodies)
    distinct, aliases = _distinct(code, bundle)
    spaces = _namespaces(bodies)
    records = [_in_namespace(record, spaces, bundle=bundle) for record in distinct]
    _name_all(content, records, bodies=bodies, rows=rows)
    known = KnownPaths(record.path for record in records)
    filler = _Filler(content, bundle=bundle, known=known, databases=databases)
    filler.add_entities(body for body in bodies if type(body) is EntityRecord)
    filler.add_code(records, aliases)
    filler.add_migrations(body for body in bodies if isinstance(body, MigrationRecord))
    filler.add_inline(body for body in bodies if isinstance(body, InlineRecord))
    filler.add_objects((body for body in bodies if isinstance(body, SqlRecord)), rows)
    return content


def _distinct(code: Iterable[CodeRecord], bundle: Bundle) -> tuple[list[CodeRecord], dict[str, str]]:
    """Sort the records by id; of those that are the same member of the same file, keep the first.

    Returns them, and for the ids of the others the one that is kept. A project that is built for several
    frameworks has each of its members several times.
    """
    kept: dict[tuple[str, str, str, int], str] = {}
    records: list[CodeRecord] = []
    aliases: dict[str, str] = {}
    for record in sorted(code, key=_order):
        same = (record.path, record.full_name, record.signature, hash(record.text))
        if same in kept:
            bundle.ledger.repaired(
                "duplicate member", bundle.chunks, line=record.record, field="Id", message=record.full_name
            )
            aliases[record.identity] = kept[same]
            continue
        kept[same] = record.identity
        records.append(record)
    return records, aliases


def _namespaces(bodies: Iterable[BodyRecord]) -> dict[str, str]:
    """Return the namespaces of classes whose simple name is told in one namespace only."""
    told: dict[str, set[str]] = defaultdict(set)
    for body in bodies:
        if not isinstance(body, SqlRecord) and body.namespace:
            told[body.type_name.rpartition(".")[2]].add(body.namespace)
    return {name: spaces.pop() for name, spaces in told.items() if len(spaces) == 1}


def _order(record: CodeRecord) -> tuple[bool, int, str, int]:
    is_number = record.identity.isascii() and record.identity.isdigit()
    number = int(record.identity[:30]) if is_number else 0
    return (not is_number, number, record.identity, record.record)


def _in_namespace(record: CodeRecord, spaces: Mapping[str, str], *, bundle: Bundle) -> CodeRecord:
    """Take the namespace from an entity, migration or inline SQL of the same class where the member has none."""
    found = spaces.get(record.type_name.rpartition(".")[2], "") if not record.namespace else ""
    if not found:
        return record
    bundle.ledger.repaired(
        "NoNamespace",
        bundle.chunks,
        line=record.record,
        field="Text",
        message=f"{record.type_name} is in {found}",
    )
    return with_namespace(record, found)


def _name_all(
    content: Content, records: Iterable[CodeRecord], *, bodies: Iterable[BodyRecord], rows: GraphRows
) -> None:
    """Make known what is defined, before anything refers to it."""
    catalog = content.catalog
    migration_types = {
        key.removeprefix("csharp:").rpartition("|")[0] for key in rows.nodes if key.endswith("|MIGRATION")
    }
    for record in records:
        if record.type_key:
            catalog.add_type(record.type_key, "MIGRATION" if _is_migration(record) else "TYPE")
            content.namespaces.setdefault(record.type_key, record.namespace)
        if record.member:
            catalog.add_member(record.full_name, record.kind)
    for body in bodies:
        if isinstance(body, SqlRecord):
            object_key = catalog.add_object(body.name)
            if body.written is not None and body.written.stem != body.name.stem:
                catalog.add_alias(body.written, object_key)
        elif isinstance(body, EntityRecord):
            catalog.add_type(body.full_name, "MIGRATION" if isinstance(body, MigrationRecord) else "TYPE")
            content.namespaces.setdefault(body.full_name, body.namespace)
    for name in sorted(migration_types):
        full = catalog.find_type(name)
        if full is not None:
            catalog.add_type(full, "MIGRATION")
    for key, row in rows.nodes.items():
        if key.endswith("|DBSET"):
            full = catalog.find_member(key.removeprefix("csharp:").rpartition("|")[0])
            if full is not None:
                catalog.add_member(full, "DBSET")
        elif key.startswith("csharp:") and key.endswith("|FIELD"):
            name = key.removeprefix("csharp:").rpartition("|")[0]
            if catalog.find_member(name) is None:
                catalog.add_member(name, "FIELD")
        elif not key.startswith("csharp:") and row.domain not in ELSEWHERE:
            named = parse_key(key)
            if named.kind not in UNSURE | BATCHES:
                catalog.add_object(named)


class _Filler:
    """Puts records on the pages of a layout."""

    def __init__(self, content: Content, *, bundle: Bundle, known: KnownPaths, databases: Databases) -> None:
        self._content = content
        self._bundle = bundle
        self._known = known
        self._databases = databases

    def add_entities(self, entities: Iterable[EntityRecord]) -> None:
        """Put the classes that are kept in tables on the pages of their files."""
        for record in entities:
            key = self._content.catalog.add_type(record.full_name)
            if key in self._content.entities:
                self._same("duplicate entity", record.record, record.full_name)
                continue
            self._content.entities[key] = record
            page = self._page(record.path)
            piece = type_piece(record.full_name, record.body, node_key=key)
            self._content.place(page, piece, type_name=record.full_name)

    def add_code(self, records: Iterable[CodeRecord], aliases: Mapping[str, str]) -> None:
        """Put members and types on the pages of their files, in order of their ids."""
        content = self._content
        for record in records:
            key = self._key_of(record)
            page = content.layout.page(record.path, language="csharp", project=record.project)
            content.place(page, code_piece(record, key), type_name=record.type_key)
            page.is_migration |= _is_migration(record)
            if record.identity in content.keys_by_id:
                self._bundle.ledger.left_out(
                    "duplicate Id",
                    self._bundle.chunks,
                    line=record.record,
                    field="Id",
                    message=record.identity,
                )
            elif record.identity:
                content.keys_by_id[record.identity] = key
            if record.type_key:
                content.types[record.type_key].append(record)
        for identity, first in aliases.items():
            if first in content.keys_by_id:
                content.keys_by_id.setdefault(identity, content.keys_by_id[first])

    def _key_of(self, record: CodeRecord) -> str:
        catalog = self._content.catalog
        if not (record.member or record.type_key):
            return f"file:{record.path}|FILE"
        return catalog.members[record.full_name] if record.member else catalog.types[record.full_name]

    def add_migrations(self, migrations: Iterable[MigrationRecord]) -> None:
        """Put Up methods on the pages of their files, unless the members have them already."""
        content = self._content
        for record in migrations:
            key = content.catalog.add_type(record.full_name, "MIGRATION")
            if key in content.migrations:
                self._same("duplicate migration", record.record, record.full_name)
                continue
            content.migrations[key] = record
            up = content.catalog.add_member(f"{record.full_name}.Up", "METHOD")
            known = content.layout.places.get(up)
            page = known[0] if known else self._page(record.path)
            page.is_migration = True
            at = _end_in(known[1].piece.text, record.body) if known else None
            if known is not None and at is not None:
                content.up_lines[up] = known[1].start + at
            elif known is None or _squeezed(record.body) not in _squeezed(known[1].piece.text):
                content.place(page, up_piece(record, up), type_name=record.full_name)

    def add_inline(self, records: Iterable[InlineRecord]) -> None:
        """Put SQL of strings below the members of its file; a snippet has a row for each table it names."""
        seen: set[tuple[str, int, str, str]] = set()
        for record in records:
            same = (record.path, record.line, record.full_name, record.body)
            if same in seen:
                self._same("duplicate inline SQL", record.record, record.full_name)
                continue
            seen.add(same)
            key = self._content.catalog.key_of(f"csharp:{record.full_name}|{record.member_kind}")
            if not key.endswith(("|TYPE", "|MIGRATION")):
                full = key.removeprefix("csharp:").rpartition("|")[0]
                key = self._content.catalog.add_member(full, record.member_kind)
            self._content.inline[key].append(record)
            page = self._page(record.path)
            placed = self._content.layout.add(page, inline_piece(record, key))
            owner = key.removeprefix("csharp:").rpartition("|")[0].removesuffix(f".{record.method}")
            self._content.namespaces.setdefault(owner, record.namespace)
            self._content.inline_spans.setdefault(owner, {page.path: (placed.start, placed.end)})

    def add_objects(self, records: Iterable[SqlRecord], rows: GraphRows) -> None:
        """Put database objects on the pages of their scripts, in order of their batches."""
        for record in sorted(records, key=lambda one: (_batch_of(one, rows), one.record)):
            key = self._content.catalog.add_object(record.name)
            page = self._content.layout.page(record.path, language="sql", project=record.project)
            piece = sql_piece(record, databases=self._databases)._replace(node_key=key)
            if key in self._content.objects:
                first = self._content.objects[key]
                if (first.path, first.body) == (record.path, record.body):
                    self._same("duplicate object", record.record, key)
                    continue
            self._content.objects.setdefault(key, record)
            placed = self._content.layout.add(page, piece)
            is_first = self._content.objects[key] is record
            self._content.definitions.append(Defined(key, page, placed, record, is_first=is_first))

    def _page(self, path: str) -> Page:
        """Return the page of a file that may be named from another root than the members'."""
        found = self._known.find(path)
        if found is None:
            self._known.add(path)
        return self._content.layout.page(found or path, language="csharp")

    def _same(self, rule: str, record: int, name: str) -> None:
        self._bundle.ledger.repaired(rule, self._bundle.bodies, line=record, message=name)


def _is_migration(record: CodeRecord) -> bool:
    return record.base_type.rpartition(".")[2] in MIGRATION_BASES


def _batch_of(record: SqlRecord, rows: GraphRows) -> int:
    row = rows.nodes.get(record.name.key)
    return int(row.batch) if row is not None and row.batch.isascii() and row.batch.isdigit() else 0


def _end_in(text: str, body: str) -> int | None:
    """Return the number of the line from which on a text is a body, indents before both aside; None if it is not."""
    lines, wanted = text.split("\n"), body.split("\n")
    at = len(lines) - len(wanted)
    is_end = at >= 0 and lines[at].strip() == wanted[0].strip() and lines[at + 1 :] == wanted[1:]
    return at if is_end else None


def _squeezed(text: str) -> str:
    return "".join(text.split())
