"""Make documents of files and the chunks that were cut from them, named by their headings as the own parser does."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from ragduck.facts import FileFacts
from ragduck.imports.sqlrooms.passages import Passage, PlacedPassage, PlacedText, place
from ragduck.imports.sqlrooms.tables import ChunkRow
from ragduck.model import Chunk, Document, Finding, ParsedDocument, Symbol
from ragduck.parse.markdown import outline


@dataclass(frozen=True, slots=True)
class MarkdownFile:
    """A file as the other system kept it: its text, empty where it was not kept, and the chunks cut from it."""

    path: str
    text: str
    chunks: tuple[ChunkRow, ...]
    mtime_ns: int


def parsed_document(file: MarkdownFile, findings: list[Finding]) -> ParsedDocument:
    """Return a file with its chunks; what had to be changed to make them whole lines is added to the findings."""
    passages = [Passage(row.number, row.text, row.headings) for row in file.chunks]
    placed = place(file.text, passages)
    findings += _findings(file, placed)
    document = Document(
        path=file.path,
        text=placed.text,
        language="markdown",
        file_type="md",
        file_class="docs",
        size=len(placed.text.encode("utf-8", "replace")),
        mtime_ns=file.mtime_ns,
    )
    rows = {row.number: row for row in file.chunks}
    chunks = tuple(_chunks(document, [(passage, rows[passage.number]) for passage in placed.passages]))
    facts = FileFacts(file.path, "markdown", "docs", None, lines=document.last_line)
    return ParsedDocument(document, chunks, (), facts)


def hash_of(path: str, text: str) -> str:
    """Return the content hash of a chunk: the other system embedded the path with the text, so both count."""
    return hashlib.blake2b(f"sqlrooms-rag\0{path}\0{text}".encode(), digest_size=16).hexdigest()


def _chunks(document: Document, placed: Sequence[tuple[PlacedPassage, ChunkRow]]) -> Iterator[Chunk]:
    lines = document.lines
    sections = outline(document).symbols
    starts = [section.start_line for section in sections]
    named = [_section_at(sections, starts, passage.start_line) for passage, _ in placed]
    ids = [_object_id(document.path, section) for section in named]
    totals, seen = Counter(ids), Counter[str]()
    for (passage, row), section, object_id in zip(placed, named, ids, strict=True):
        name = section.name if section else PurePosixPath(document.path).name
        yield Chunk(
            text="\n".join(lines[passage.start_line - 1 : passage.end_line]),
            start_line=passage.start_line,
            end_line=passage.end_line,
            object_id=object_id,
            node_key=f"file:{document.path}|FILE",
            chunk_part=seen[object_id],
            chunk_total=totals[object_id],
            data_type="docs",
            file_type="md",
            element_type="section" if section else "file",
            element_name=name,
            embedding_text=row.text,
            content_hash=hash_of(document.path, row.text),
            kind=None if section else "FILE",
            name=name,
            signature=section.signature if section else None,
        )
        seen[object_id] += 1


def _section_at(sections: Sequence[Symbol], starts: Sequence[int], line: int) -> Symbol | None:
    place = bisect_right(starts, line) - 1
    return sections[place] if place >= 0 else None


def _object_id(path: str, section: Symbol | None) -> str:
    return f"doc:{path}#{section.qualified_name}" if section else f"file:{path}"


def _findings(file: MarkdownFile, placed: PlacedText) -> Iterable[Finding]:
    """Yield one finding per file and kind of repair, and one per chunk that was left out."""
    if placed.broken:
        yield _repaired("line end added", file.path, 0, f"{placed.broken:,} where a chunk ends within a line")
    if placed.shortened:
        yield _repaired(
            "overlap", file.path, placed.shortened[0], _told(placed.shortened, "begin in the one before")
        )
    if placed.added and file.text:
        yield _repaired(
            "text not in its file", file.path, placed.added[0], _told(placed.added, "put at its end")
        )
    for number in placed.covered:
        message = f"all of it is in an earlier chunk of {file.path}"
        yield Finding("left out", "covered chunk", "documents", number, "text", message)


def _repaired(rule: str, path: str, number: int, message: str) -> Finding:
    return Finding("repaired", rule, path, number, "text", message)


def _told(numbers: Sequence[int], what: str) -> str:
    rows = ", ".join(map(str, numbers[:5])) + (" …" if len(numbers) > 5 else "")
    return f"{len(numbers):,} of its chunks {what}: rows {rows} of documents"
