"""Read the tables of a sqlrooms-rag file, whichever of their columns it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ragduck.model import Finding
from ragduck.store.foreign import ForeignDatabase
from ragduck.untrusted_json import read_json

CHUNKS = "documents"
FILES = "source_documents"
FACTS = "embedding_metadata"
MAX_METADATA = 4 << 20  # characters of one row's JSON
DOC_IDS = ("doc_id", "ref_doc_id", "document_id")
PATHS = ("file_path", "file_name", "filename", "source")


@dataclass(frozen=True, slots=True)
class FileRow:
    """A row of source_documents, counted from 1; several may have the same path."""

    number: int
    doc_id: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A row of documents, counted from 1. ``row_id`` is how the engine knows it; ``headings`` are those above it."""

    number: int
    row_id: int
    text: str
    doc_ids: tuple[str, ...]
    path: str
    headings: tuple[str, ...]


def is_recognised(database: ForeignDatabase) -> bool:
    """Whether the file has chunks as sqlrooms-rag and LlamaIndex's DuckDBVectorStore write them.

    A column called rowid would hide the number by which the engine knows a row.
    """
    columns = database.tables.get(CHUNKS, {}).keys()
    return {"node_id", "text"} <= columns and "rowid" not in columns and "ragduck_meta" not in database.tables


def facts_of(database: ForeignDatabase) -> dict[str, str]:
    """Return the rows of embedding_metadata; empty for files without that table."""
    if not {"key", "value"} <= database.tables.get(FACTS, {}).keys():
        return {}
    rows = database.read(f"select try(key::varchar), try(value::varchar) from {FACTS} limit 1000")
    return {key: value for key, value in rows if key is not None and value is not None}


def file_rows(database: ForeignDatabase, findings: list[Finding]) -> Iterator[FileRow]:
    """Yield the rows of source_documents that have an id and a text; the others are findings."""
    columns = database.tables.get(FILES, {})
    if not {"doc_id", "text"} <= columns.keys() or "rowid" in columns:
        return
    fields = [_field(columns, name) for name in ("doc_id", "file_path", "file_name", "text")]
    rows = database.read(f"select {', '.join(fields)} from {FILES} order by rowid")
    for number, (doc_id, path, name, text) in enumerate(rows, start=1):
        if doc_id is None or text is None:
            findings.append(_left_out(FILES, number, "doc_id" if doc_id is None else "text", "there is none"))
        else:
            yield FileRow(number, doc_id, path or name or "", _plain(text))


def chunk_rows(database: ForeignDatabase, findings: list[Finding]) -> Iterator[ChunkRow]:
    """Yield the rows of documents that have a text; the others are findings."""
    columns = database.tables[CHUNKS]
    fields = [_field(columns, name) for name in ("text", "doc_id", "metadata_")]
    rows = database.read(f"select rowid, {', '.join(fields)} from {CHUNKS} order by rowid")
    for number, (row_id, text, doc_id, metadata) in enumerate(rows, start=1):
        if text is None or not text.strip():
            findings.append(_left_out(CHUNKS, number, "text", "there is none"))
            continue
        told = _object(metadata)
        if told is None:
            findings.append(_left_out(CHUNKS, number, "metadata_", "it is no JSON object"))
            told = {}
        ids = (doc_id, *(told.get(name) for name in DOC_IDS))
        path = next((told[name] for name in PATHS if isinstance(told.get(name), str) and told[name]), "")
        yield ChunkRow(
            number,
            row_id,
            _plain(text),
            tuple(each for each in ids if isinstance(each, str)),
            path,
            _headings(told),
        )


def _field(columns: Mapping[str, str], name: str) -> str:
    """Read a column, each value for itself, so that one which cannot be computed costs no other."""
    return f'try("{name}"::varchar)' if name in columns else "null"


def _left_out(table: str, number: int, field: str, message: str) -> Finding:
    return Finding("left out", f"bad {field}", table, number, field, message)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")


def _object(text: str | None) -> dict[str, Any] | None:
    if text is None:
        return {}
    if len(text) > MAX_METADATA:
        return None
    try:
        value = read_json(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _headings(told: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the headings above a chunk: `header_path` has them in one, older files one by one."""
    path = told.get("header_path")
    parts = (
        path.split("/") if isinstance(path, str) else [told.get(f"Header_{level}") for level in range(1, 7)]
    )
    return tuple(part.strip()[:500] for part in parts[:32] if isinstance(part, str) and part.strip())
