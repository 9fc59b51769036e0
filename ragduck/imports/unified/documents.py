"""Make documents with chunks of the records of a unified index."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragduck.facts import FileFacts
from ragduck.imports.unified.layout import laid_out
from ragduck.imports.unified.rows import FILE_CLASSES, METADATA, Record
from ragduck.model import Chunk, DataType, Document, Finding, ParsedDocument
from ragduck.sources.classification import classify

EMBEDDED_CHARS = 4_000  # as many as the own parser gives to a model


@dataclass(frozen=True, slots=True)
class PlacedRecord:
    """A record and the lines of its file that it has become, with its keys."""

    record: Record
    path: str
    object_id: str
    node_key: str
    start_line: int
    end_line: int


def document_of(
    path: str, records: Sequence[Record], *, mtime_ns: int, findings: list[Finding]
) -> tuple[ParsedDocument, tuple[PlacedRecord, ...]]:
    """Return a file put together from its records, and where each of them is in it."""
    page = laid_out(records)
    if page.moved:
        message = f"{len(page.moved):,} rows of {path} are on lines of other rows: put at its end"
        findings.append(
            Finding("repaired", "taken lines", METADATA, page.moved[0] + 1, "start_line", message)
        )
    document = _document(path, page.text, page.records[0][0], mtime_ns)
    placed = tuple(
        PlacedRecord(record, path, record.object_id, record.node_key, start, end)
        for record, start, end in page.records
    )
    facts = FileFacts(
        path, document.language, document.file_class, document.project, lines=document.last_line
    )
    return ParsedDocument(document, tuple(_chunks(document, placed)), (), facts), placed


def _document(path: str, text: str, first: Record, mtime_ns: int) -> Document:
    found = classify(path, text)
    return Document(
        path=path,
        text=text,
        language=found.language,
        file_type=found.file_type,
        file_class=FILE_CLASSES.get(first.names.get("file_class", ""), found.file_class),
        size=len(text.encode()),
        mtime_ns=mtime_ns,
        project=first.names.get("project"),
    )


def _chunks(document: Document, placed: Sequence[PlacedRecord]) -> Iterator[Chunk]:
    totals = Counter(each.object_id for each in placed)
    seen: Counter[str] = Counter()
    for each in sorted(placed, key=lambda item: (item.object_id, item.record.part, item.start_line)):
        object_id = each.object_id
        yield _chunk(document, each, part=seen[object_id], total=totals[object_id])
        seen[object_id] += 1


def _chunk(document: Document, placed: PlacedRecord, *, part: int, total: int) -> Chunk:
    record, names = placed.record, placed.record.names
    data_type = record.data_type or _data_type(document)
    title = names.get("signature") if record.names.get("element_type") == "section" else None
    return Chunk(
        text=record.text,
        start_line=placed.start_line,
        end_line=placed.end_line,
        object_id=placed.object_id,
        node_key=placed.node_key,
        chunk_part=part,
        chunk_total=total,
        data_type=data_type,
        file_type=names.get("file_type") or document.file_type,
        element_type=record.element_type,
        element_name=names.get("element_name") or record.full_name,
        embedding_text=f"{title or record.full_name}\n{record.text}"[:EMBEDDED_CHARS],
        content_hash=hash_of(record),
        kind=record.kind,
        schema=names.get("schema"),
        name=names.get("name") or names.get("member") or names.get("class"),
        db_key=names.get("db_key"),
        class_name=names.get("class"),
        member=names.get("member"),
        cs_key=names.get("cs_key"),
        member_kind=names.get("member_kind"),
        visibility=names.get("visibility"),
        signature=names.get("signature"),
        importance_score=record.importance,
    )


def hash_of(record: Record) -> str:
    """Return the content hash of a chunk, unlike that of any own chunk, which must not take its vector."""
    content = f"unified index\0{record.full_name}\0{record.names.get('signature', '')}\0{record.text}"
    return hashlib.blake2b(content.encode(), digest_size=16).hexdigest()


def _data_type(document: Document) -> DataType:
    if document.language == "sql":
        return "db_code"
    return "docs" if document.file_class == "docs" else "regular_code"
