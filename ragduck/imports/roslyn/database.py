"""Read sql_bodies.jsonl: database objects, entities, migrations and inline SQL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ragduck.imports.roslyn.bundle import Bundle
from ragduck.imports.roslyn.code import note_protection, path_of
from ragduck.imports.roslyn.fields import Fields
from ragduck.imports.roslyn.paths import Roots
from ragduck.imports.roslyn.texts import read_lines

SQL_KINDS = {
    "TABLE": "TABLE", "VIEW": "VIEW", "PROC": "PROC", "PROCEDURE": "PROC", "STOREDPROCEDURE": "PROC", "FUNC": "FUNC",
    "FUNCTION": "FUNC", "TRIGGER": "TRIGGER", "TYPE": "TYPE", "SEQUENCE": "SEQUENCE", "SYNONYM": "SYNONYM",
    "INDEX": "INDEX", "SCHEMA": "SCHEMA",
}  # fmt: skip
CHANGES = (
    ("createsTables", "create table", ""),
    ("dropsTables", "drop table", ""),
    ("addsColumns", "add column", "column"),
    ("dropsColumns", "drop column", "column"),
    ("renamesColumns", "rename column", "from"),
    ("addsForeignKeys", "add foreign key", "foreignKey"),
    ("dropsForeignKeys", "drop foreign key", "foreignKey"),
)
INLINE_KINDS = frozenset({"METHOD", "FIELD", "PROPERTY", "DBSET", "TYPE", "MIGRATION"})
_FAKE = "SQL:"
_THREE_PARTS = re.compile(r"([\w$#@ -]{1,128})\.([\w$#@ -]{1,128})\.([\w$#@ -]{1,128})")


class SqlName(NamedTuple):
    """A key of the database taken apart: `[db.]schema.name|KIND`."""

    database: str
    schema: str
    name: str
    kind: str

    @property
    def stem(self) -> str:
        """The name with its schema, and its database where that is written."""
        return ".".join(part for part in (self.database, self.schema, self.name) if part)

    @property
    def key(self) -> str:
        """The key of its node."""
        return f"{self.stem}|{self.kind}"


@dataclass(frozen=True, slots=True)
class SqlRecord:
    """A database object with its text; ``database`` and ``project`` are told by bundles that ragduck wrote.

    ``domain`` is the part of the database it is of: RoslynIndexer takes the first folder below that of all scripts.
    ``written`` is its key taken apart, by which others refer to it.
    """

    name: SqlName
    path: str
    body: str
    record: int
    database: str = ""
    project: str = ""
    domain: str = ""
    written: SqlName | None = None


@dataclass(frozen=True, slots=True)
class EntityRecord:
    """A class that is kept in a table."""

    namespace: str
    type_name: str
    path: str
    body: str
    record: int

    @property
    def full_name(self) -> str:
        """The name of the class with its namespace."""
        return f"{self.namespace}.{self.type_name}" if self.namespace else self.type_name


class Change(NamedTuple):
    """What a migration does to a table."""

    rule: str
    table: SqlName
    detail: str


@dataclass(frozen=True, slots=True)
class MigrationRecord(EntityRecord):
    """A class that changes the schema; ``body`` is its Up method."""

    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class InlineRecord:
    """SQL in a string of a member; ``line`` is that of the original file, which a bundle does not have.

    ``member_kind`` is told by bundles that ragduck wrote, `FIELD` for a constant: RoslynIndexer knows methods only.
    """

    namespace: str
    type_name: str
    method: str
    origin: str
    path: str
    line: int
    body: str
    record: int
    member_kind: str = "METHOD"

    @property
    def full_name(self) -> str:
        """The name of the method with its type and namespace."""
        return ".".join(part for part in (self.namespace, self.type_name, self.method) if part)


BodyRecord = SqlRecord | MigrationRecord | EntityRecord | InlineRecord


def read_bodies(bundle: Bundle, roots: Roots) -> Iterator[BodyRecord]:
    """Yield the records of sql_bodies.jsonl in the order of the file; those without text are left out."""
    for number, raw in read_lines(bundle.files, bundle.bodies, ledger=bundle.ledger) if bundle.bodies else ():
        fields = Fields(raw, file=bundle.bodies, line=number, ledger=bundle.ledger)
        note_protection(fields)
        if fields.text("data_type") == "sql_code":
            fields.repaired("sql_code", field="data_type", message="filters know it as db_code")
        record = _record(fields, bundle, roots)
        if record is not None:
            yield record


def _record(fields: Fields, bundle: Bundle, roots: Roots) -> BodyRecord | None:
    kind = fields.name("kind", "Kind")
    body = (fields.text("body", "Body") or bundle.body_at(fields.text("bodyPath", "body_path"))).strip("\n")
    if not body.strip():
        fields.left_out("empty record", field="body")
        return None
    body = body.rstrip()
    if kind == "InlineSQL":
        return _inline(fields, body, roots)
    if kind in ("ENTITY", "MIGRATION"):
        return _entity(fields, kind, body, roots)
    return _sql(fields, kind, body, roots)


def _sql(fields: Fields, kind: str, body: str, roots: Roots) -> SqlRecord | None:
    raw = fields.text("key", "Key")[:1000]
    parsed = parse_key(raw)
    known = SQL_KINDS.get(kind.upper(), SQL_KINDS.get(parsed.kind, ""))
    if not known or not (parsed.name or fields.name("name")):
        fields.left_out(
            "unknown kind" if not known else "no name", field="kind" if not known else "key", message=kind
        )
        return None
    written_schema, written_name = fields.name("schema", "Schema"), fields.name("name", "Name")
    if parsed.database and parsed.stem == f"{written_schema}.{written_name}":  # a dot within the name
        parsed = SqlName("", written_schema, written_name, known)
    if known == "INDEX" and parsed.name:
        name = parsed._replace(kind=known)
    else:
        schema = fields.name("schema", "Schema") or parsed.schema or "dbo"
        name = SqlName(parsed.database, schema, fields.name("name", "Name") or parsed.name, known)
    if raw.startswith(_FAKE) or (raw and parsed.stem != name.stem):
        rule = "SQL: key" if raw.startswith(_FAKE) else "key of another name"
        fields.repaired(rule, field="key", message=f"{raw} is {name.key}")
    path = path_of(fields, roots, "file", "File") or f"{name.stem}.sql"
    database, project = fields.name("database"), fields.name("project")
    return SqlRecord(name, path, body, fields.line, database, project, fields.name("domain"), parsed)


def parse_key(raw: str) -> SqlName:
    """Take a key apart at its first dot and last bar; what lies between may be an expression of C#."""
    stem, bar, kind = raw.strip().removeprefix(_FAKE).rpartition("|")
    if not bar:
        stem, kind = kind, ""
    kind = kind.strip().upper()
    three = _THREE_PARTS.fullmatch(stem) if kind != "INDEX" else None
    if three is not None:
        return SqlName(three[1], three[2], three[3], kind)
    schema, dot, name = stem.partition(".")
    return SqlName("", schema, name, kind) if dot else SqlName("", "dbo" if stem else "", stem, kind)


def table_name(written: str) -> SqlName | None:
    """Return the table that a summary of a migration names, `sales.Order` or `Order`."""
    parsed = parse_key(written[:500])
    return parsed._replace(kind="TABLE") if parsed.name else None


def _entity(fields: Fields, kind: str, body: str, roots: Roots) -> EntityRecord | MigrationRecord | None:
    written = fields.name("typeFullName") or _name_of_key(fields)
    namespace = fields.name("namespace")
    simple = fields.name("name") or written.rpartition(".")[2]
    if namespace and written.startswith(f"{namespace}."):
        simple = written[len(namespace) + 1 :]
    elif not namespace and written.endswith(f".{simple}"):
        namespace = written[: -len(simple) - 1]
    if namespace == "NoNamespace":
        namespace = ""
    if not simple:
        fields.left_out("no name", field="name")
        return None
    path = path_of(fields, roots, "file", "relativePath") or f"{simple}.cs"
    if kind == "ENTITY":
        return EntityRecord(namespace, simple, path, body, fields.line)
    return MigrationRecord(namespace, simple, path, body, fields.line, tuple(_changes(fields)))


def _name_of_key(fields: Fields) -> str:
    return fields.name("key").removeprefix("csharp:").rpartition("|")[0]


def _changes(fields: Fields) -> Iterator[Change]:
    for name, rule, detail in CHANGES:
        if not detail:
            for written in fields.texts(name):
                table = table_name(written)
                if table is not None:
                    yield Change(rule, table, "")
            continue
        for each in fields.objects(name):
            table = table_name(each.name("table"))
            if table is None:
                each.left_out("no table", field=name)
                continue
            renamed = f" -> {each.name('to')}" if detail == "from" else ""
            yield Change(rule, table, each.name(detail) + renamed)


def _inline(fields: Fields, body: str, roots: Roots) -> InlineRecord:
    method = fields.name("methodFullName") or _name_of_key(fields) or fields.name("key")
    owner = fields.name("typeFullName") or method.rpartition(".")[0]
    namespace = fields.name("namespace")
    if namespace in ("NoNamespace", "") or not owner.startswith(f"{namespace}."):
        owner = owner.removeprefix("NoNamespace.")
        namespace = "" if namespace == "NoNamespace" else namespace
    type_name = owner.removeprefix(f"{namespace}.") if namespace else owner
    is_inside = owner and method.startswith(f"{owner}.") and len(method) > len(owner) + 1
    member_kind = fields.name("memberKind").upper()
    return InlineRecord(
        namespace=namespace,
        type_name=type_name,
        method=(method[len(owner) + 1 :] if is_inside else method.rpartition(".")[2]) or "inline",
        origin=fields.name("bodyOrigin") or "InlineSQL",
        path=path_of(fields, roots, "file", "relativePath") or "inline.sql",
        line=fields.number("lineNumber") or 0,
        body=body,
        record=fields.line,
        member_kind=member_kind if member_kind in INLINE_KINDS else "METHOD",
    )
