"""Read rows of the metadata with suspicion: each becomes a record, and what cannot be in it a finding."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from ragduck.model import DataType, FileClass, Finding
from ragduck.search.fields import KIND_ALIASES

METADATA = "unified_metadata.json"
TEXTS = ("text", "Content", "content", "Text")
LISTS = ("reads_from", "writes_to", "calls", "called_by", "fk_dependencies", "used_by_csharp")
NAMES = (
    "local_id", "source_file", "project", "data_type", "file_type", "file_class", "kind", "schema", "name", "db_key",
    "class", "member", "cs_key", "member_kind", "visibility", "signature", "node_key", "element_type", "element_name",
)  # fmt: skip
DATA_TYPES: Mapping[str, DataType] = {
    "regular_code": "regular_code", "db_code": "db_code", "sql_code": "db_code", "docs": "docs",
}  # fmt: skip
FILE_CLASSES: Mapping[str, FileClass] = {
    "source": "source", "test": "test", "generated": "generated", "migration": "migration", "config": "config",
    "docs": "docs", "vendored": "vendored",
}  # fmt: skip
KINDS = frozenset((
    "TABLE", "VIEW", "PROC", "FUNC", "TRIGGER", "TYPE", "SEQUENCE", "SYNONYM", "INDEX", "FOREIGN_KEY", "SCHEMA",
    "METHOD", "PROPERTY", "FIELD", "DBSET", "MIGRATION", "FILE",
))  # fmt: skip
ELEMENT_TYPES = {"PROC": "procedure", "FUNC": "function"}
OBJECT_ID = re.compile(r"[a-z]{2,20}:\S")
NODE_KEY = re.compile(r"[^|]{1,1000}\|[A-Z_]{2,20}")
MAX_NAME = 1_000  # characters
MAX_SIGNATURE = 10_000
MAX_LIST = 10_000
MAX_NUMBER = 10_000_000
MOST_IMPORTANT = 100.0


@dataclass(frozen=True, slots=True)
class Record:
    """A chunk as a row tells it; ``place`` is its row and that of its vector, from 0.

    ``lines`` are the first and last line of its file, None where the row has none that fit its text. ``names`` are
    the fields that are texts, ``lists`` those that name other objects.
    """

    place: int
    path: str
    text: str
    lines: tuple[int, int] | None
    part: int
    importance: float
    names: Mapping[str, str]
    lists: Mapping[str, tuple[str, ...]]

    @property
    def kind(self) -> str | None:
        """The kind as the store spells it: PROC for Procedure."""
        upper = self.names.get("kind", "").upper()
        kind = KIND_ALIASES.get(upper, upper)
        return kind if kind in KINDS else None

    @property
    def data_type(self) -> DataType | None:
        """What the row says; None when it says nothing known."""
        return DATA_TYPES.get(self.names.get("data_type", ""))

    @property
    def is_inline(self) -> bool:
        """Whether it is SQL within a member that is a chunk of its own."""
        return self.names.get("file_type") == "inline_sql"

    @property
    def object_id(self) -> str:
        """The logical object: as ragduck names it, else put together from the fields of the historic rows."""
        local_id, names = self.names.get("local_id", ""), self.names
        if OBJECT_ID.match(local_id):
            return local_id
        if self.is_of_database:
            return f"sql:{names.get('db_key') or self.full_name}"
        if "cs_key" in names or "class" in names:
            return f"cs:{names.get('cs_key') or self.full_name}"
        return f"file:{self.path}"

    @property
    def node_key(self) -> str:
        """The node that it defines; its file where the row does not tell."""
        told = self.names.get("node_key", "")
        if NODE_KEY.fullmatch(told):
            return told
        if self.is_of_database:
            return f"{self.full_name}|{self.kind}"
        if "cs_key" in self.names or "class" in self.names:
            kind = "METHOD" if "member" in self.names else "TYPE"
            return f"csharp:{self.names.get('cs_key') or self.full_name}|{kind}"
        return f"file:{self.path}|FILE"

    @property
    def is_of_database(self) -> bool:
        """Whether it is a named database object."""
        return self.kind is not None and "name" in self.names and self.data_type == "db_code"

    @property
    def full_name(self) -> str:
        """`schema.name` or `Class.Member`, as far as the row has them; else the name of the file."""
        names = self.names
        if self.is_of_database:
            return f"{names.get('schema') or 'dbo'}.{names['name']}"
        parts = [names[name] for name in ("class", "member") if name in names]
        return ".".join(parts) or names.get("name") or PurePosixPath(self.path).name

    @property
    def element_type(self) -> str:
        """procedure, class, method and so on."""
        kind = self.node_key.rpartition("|")[2]
        return self.names.get("element_type") or ELEMENT_TYPES.get(kind, kind.lower())


def text_of(row: Mapping[str, Any]) -> str | None:
    """Return the text that a row brings; None for the rows of historic indexes, which have none."""
    for name in TEXTS:
        text = row.get(name)
        if isinstance(text, str) and text.strip():
            clean = text.encode("utf-8", "replace").decode("utf-8")
            return clean.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    return None


def record_of(row: Mapping[str, Any], text: str, *, place: int, findings: list[Finding]) -> Record:
    """Return what a row tells; a field that is of another type than it should be is a finding, and left out."""
    fields = _Fields(row, place, findings)
    names = {name: value for name in NAMES if (value := fields.name(name)) is not None}
    return Record(
        place=place,
        path=names.get("source_file", "unnamed"),
        text=text,
        lines=fields.lines(text),
        part=fields.count("chunk_part"),
        importance=fields.importance(),
        names=names,
        lists={name: values for name in LISTS if (values := fields.keys(name))},
    )


@dataclass(frozen=True, slots=True)
class _Fields:
    """The fields of one row, each checked when it is asked for."""

    row: Mapping[str, Any]
    place: int
    findings: list[Finding]

    def name(self, field: str) -> str | None:
        value = self.row.get(field)
        longest = MAX_SIGNATURE if field == "signature" else MAX_NAME
        if isinstance(value, str) and len(value) <= longest:
            return "".join(value.encode("utf-8", "replace").decode("utf-8").split("\0")).strip() or None
        if value is not None:
            self._refuse(field, "is no text of usual length")
        return None

    def count(self, field: str) -> int:
        value = self.row.get(field)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_NUMBER:
            return value
        if value is not None:
            self._refuse(field, "is no count")
        return 0

    def lines(self, text: str) -> tuple[int, int] | None:
        start, end = self.count("start_line"), self.count("end_line")
        return (start, end) if start and end == start + text.count("\n") else None

    def importance(self) -> float:
        value = self.row.get("importance_score")
        if isinstance(value, int | float) and 0 < value <= MOST_IMPORTANT:
            return float(value)
        if value is not None:
            self._refuse("importance_score", "is no factor")
        return 1.0

    def keys(self, field: str) -> tuple[str, ...]:
        value = self.row.get(field)
        if isinstance(value, list):
            keys = [key.strip() for key in value[:MAX_LIST] if isinstance(key, str) and key.isprintable()]
            kept = tuple(dict.fromkeys(key for key in keys if key and len(key) <= MAX_NAME))
            if len(keys) < len(value):
                self._refuse(field, f"has {len(value) - len(keys):,} entries that are no keys")
            return kept
        if value is not None:
            self._refuse(field, "is no list")
        return ()

    def _refuse(self, field: str, message: str) -> None:
        self.findings.append(
            Finding("left out", "bad field", METADATA, self.place + 1, field, f"it {message}")
        )
