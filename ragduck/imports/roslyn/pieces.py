"""Name the texts of a bundle as the own parser names chunks."""

from __future__ import annotations

import re
from typing import NamedTuple

from ragduck.imports.roslyn.code import CodeRecord
from ragduck.imports.roslyn.database import EntityRecord, InlineRecord, SqlRecord
from ragduck.model import DataType

ELEMENT_TYPES = {
    "PROC": "procedure", "FUNC": "function", "TABLE": "table", "VIEW": "view", "TRIGGER": "trigger", "TYPE": "type",
    "SEQUENCE": "sequence", "SYNONYM": "synonym", "INDEX": "index", "SCHEMA": "schema",
}  # fmt: skip
UP_ALONE = "migration"  # element type of an Up method that is told by the migration's record only
MAX_SIGNATURE = 300  # characters
_ACCESS = re.compile(
    r"^[ \t]{0,100}(public|private protected|private|protected internal|protected|internal)\s", re.MULTILINE
)
_HEAD = 3000  # characters in which a declaration begins
_BODY_STARTS = re.compile(r"\bAS\b|\bBEGIN\b", re.IGNORECASE)
_TYPE_WORD = re.compile(r"\b(class|struct|interface|enum|record)\s")


class Piece(NamedTuple):
    """A text that becomes lines of a document, and what its chunks are called."""

    text: str
    object_id: str
    node_key: str
    element_type: str
    element_name: str
    kind: str
    name: str
    data_type: DataType = "regular_code"
    file_type: str = ""
    schema: str | None = None
    db_key: str | None = None
    class_name: str | None = None
    member: str | None = None
    cs_key: str | None = None
    member_kind: str | None = None
    visibility: str | None = None
    signature: str | None = None


def code_piece(record: CodeRecord, node_key: str) -> Piece:
    """Name a member or type of chunks.json; ``node_key`` is that of its node, which may be a DBSET or MIGRATION."""
    if node_key.endswith("|FILE"):
        name = record.path.rpartition("/")[2]
        return Piece(record.text, f"file:{record.path}", node_key, "file", name, "FILE", name)
    if not record.member:
        return type_piece(record.full_name, record.text, node_key=node_key)
    simple_type = record.type_name.rpartition(".")[2]
    return Piece(
        text=record.text,
        object_id=f"cs:{record.full_name}",
        node_key=node_key,
        element_type=record.member_kind.lower()[:40],
        element_name=f"{simple_type}.{record.member}" if simple_type else record.member,
        kind=record.kind,
        name=record.member,
        class_name=simple_type or None,
        member=record.member,
        cs_key=record.full_name,
        member_kind=record.member_kind[:40],
        visibility=_visibility(record.text),
        signature=record.signature or None,
    )


def type_piece(full_name: str, text: str, *, node_key: str) -> Piece:
    """Name a type as a whole."""
    name = full_name.rpartition(".")[2]
    declared = _TYPE_WORD.search(text[:_HEAD])
    element_type = declared[1] if declared else "class"
    return Piece(
        text=text,
        object_id=f"cs:{full_name}",
        node_key=node_key,
        element_type=element_type,
        element_name=name,
        kind=node_key.rpartition("|")[2],
        name=name,
        class_name=name,
        cs_key=full_name,
        member_kind=element_type.capitalize(),
        visibility=_visibility(text),
        signature=_type_signature(text, declared.start() if declared else -1),
    )


def stub_piece(node_key: str) -> Piece:
    """Name what has a file but no text; no chunk comes of it."""
    stem, _, kind = node_key.rpartition("|")
    name = (
        stem.rpartition(".")[2] if stem.startswith("csharp:") else simple_name(stem.partition(".")[2], kind)
    )
    file_type = "" if stem.startswith("csharp:") else "sql"
    return Piece("", stem, node_key, kind.lower(), name, kind, name, file_type=file_type)


def up_piece(record: EntityRecord, node_key: str) -> Piece:
    """Name the Up method of a migration of which the members know nothing."""
    return Piece(
        text=record.body,
        object_id=f"cs:{record.full_name}.Up",
        node_key=node_key,
        element_type=UP_ALONE,
        element_name=f"{record.type_name.rpartition('.')[2]}.Up",
        kind="METHOD",
        name="Up",
        class_name=record.type_name.rpartition(".")[2],
        member="Up",
        cs_key=f"{record.full_name}.Up",
        member_kind="Method",
        visibility=_visibility(record.body),
    )


def inline_piece(record: InlineRecord, node_key: str) -> Piece:
    """Name SQL in a string; the place that it has in the original file is kept as its signature."""
    owner = record.type_name.rpartition(".")[2]
    return Piece(
        text=record.body,
        object_id=f"sql:inline:{node_key.partition(':')[2].rpartition('|')[0]}",
        node_key=node_key,
        element_type="inline_sql",
        element_name=f"{owner}.{record.method}" if owner else record.method,
        kind=node_key.rpartition("|")[2],
        name=record.method,
        data_type="db_code",
        file_type="inline_sql",
        class_name=owner or None,
        member=record.method,
        cs_key=record.full_name,
        member_kind="Method",
        signature=f"{record.origin}, line {record.line}",
    )


class Databases(NamedTuple):
    """Names for the database of objects whose keys name none: that of the user before all, else the default."""

    chosen: str
    default: str


def sql_piece(record: SqlRecord, *, databases: Databases) -> Piece:
    """Name a database object."""
    name = record.name
    local = name.stem.removeprefix(f"{name.database}.") if name.database else name.stem
    database = name.database or databases.chosen or record.database or databases.default
    db_key = f"{database}::{local}"
    return Piece(
        text=record.body,
        object_id=f"sql:{db_key}",
        node_key=name.key,
        element_type=ELEMENT_TYPES.get(name.kind, name.kind.lower()),
        element_name=name.stem,
        kind=name.kind,
        name=simple_name(name.name, name.kind),
        data_type="db_code",
        file_type="sql",
        schema=name.schema,
        db_key=db_key,
        signature=_sql_signature(record.body),
    )


def simple_name(name: str, kind: str) -> str:
    """Return the name of an index without that of its table."""
    return name.rpartition(".")[2] if kind == "INDEX" else name


def _visibility(text: str) -> str | None:
    found = _ACCESS.search(text[:_HEAD])
    return found[1] if found is not None else None


def _type_signature(text: str, at: int) -> str | None:
    if at < 0:
        return None
    line_start = text.rfind("\n", 0, at) + 1
    line = text[line_start : line_start + 2 * MAX_SIGNATURE].partition("\n")[0]
    return " ".join(line.partition("{")[0].split())[:MAX_SIGNATURE]


def _sql_signature(body: str) -> str:
    """Return what stands before the body of a module or the columns of a table."""
    head = body[: 4 * MAX_SIGNATURE]
    lines = [line for line in head.split("\n") if not line.lstrip().startswith("--")]
    return " ".join(_BODY_STARTS.split("\n".join(lines), maxsplit=1)[0].split())[:MAX_SIGNATURE]
