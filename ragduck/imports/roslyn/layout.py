"""Lay the texts of a bundle out as documents: a bundle has members but no files, and no lines.

A document is made of its members' texts in order of their ids, with one blank line between; entities, migrations,
inline SQL and database objects follow. The lines of chunks and nodes are the lines in that text.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from ragduck.facts import FileFacts
from ragduck.imports.roslyn.pieces import Piece
from ragduck.model import Chunk, DataType, Document, FileClass, ParsedDocument
from ragduck.parse.chunk import EMBEDDED_CHARS, IMPORTANCE
from ragduck.parse.spans import OVERSHOOT
from ragduck.sources import classify

SEARCHED = 100_000  # characters in which an edge looks for its line


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece at its lines."""

    piece: Piece
    start: int
    end: int

    def find(self, word: str) -> int | None:
        """Return the first line that has a word; None if none has."""
        text = self.piece.text
        at = _find_word(text, word)
        if at < 0 and self.piece.file_type == "sql":
            at = _find_word(text[:SEARCHED].lower(), word.lower())
        return self.start + text.count("\n", 0, at) if at >= 0 else None

    def line_of(self, word: str) -> int:
        """Return the first line that has a word, the first of all if none has."""
        found = self.find(word)
        return self.start if found is None else found


def _find_word(text: str, word: str) -> int:
    """Return where a word stands that is no part of a longer one; -1 if it does not."""
    at = text.find(word, 0, SEARCHED) if word else -1
    while at >= 0:
        end = at + len(word)
        is_part = (at and _is_word(text[at - 1])) or _is_word(text[end : end + 1])
        if not is_part:
            return at
        at = text.find(word, end, SEARCHED)
    return -1


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


@dataclass(slots=True)
class Page:
    """A document that grows piece by piece."""

    path: str
    language: str
    project: str | None = None
    is_migration: bool = False
    placed: list[Placed] = field(default_factory=list)
    lines: int = 0

    def add(self, piece: Piece) -> Placed:
        """Put a piece below the others."""
        start = self.lines + 2 if self.placed else 1
        self.lines = start + piece.text.count("\n")
        placed = Placed(piece, start, self.lines)
        self.placed.append(placed)
        return placed

    def document(self, *, mtime_ns: int = 0) -> Document:
        """Return the document; what class of file it is follows from path and text."""
        text = "\n\n".join(placed.piece.text for placed in self.placed)
        found = classify(self.path, text)
        file_type = found.file_type if found.language == self.language else _FILE_TYPES[self.language]
        return Document(
            path=self.path,
            text=text,
            language=self.language,
            file_type=file_type,
            file_class=self.file_class(found.file_class),
            size=len(text.encode()),
            mtime_ns=mtime_ns,
            project=self.project,
        )

    @property
    def data_type(self) -> DataType:
        """What the chunks and nodes of the document are."""
        return "db_code" if self.language == "sql" or self.is_migration else "regular_code"

    def file_class(self, found: FileClass) -> FileClass:
        """Return what class of file it is, given what its path and text say; never docs or config."""
        if self.is_migration or (found == "migration" and self.language == "sql"):
            return "migration"
        return found if found in _OF_CODE else "source"


_FILE_TYPES = {"csharp": "cs", "sql": "sql"}
_OF_CODE = frozenset({"source", "test", "generated", "vendored"})


class Layout:
    """The documents of a bundle by path, in order of appearance."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.places: dict[str, tuple[Page, Placed]] = {}  # of nodes: the first piece that is theirs

    def page(self, path: str, *, language: str, project: str = "") -> Page:
        """Return the page of a path."""
        page = self.pages.get(path)
        if page is None:
            page = self.pages[path] = Page(path, language)
        page.project = page.project or project or None
        return page

    def add(self, page: Page, piece: Piece) -> Placed:
        """Put a piece on a page, and note where its node is first seen."""
        placed = page.add(piece)
        self.places.setdefault(piece.node_key, (page, placed))
        return placed

    def documents(self, *, max_chars: int, mtime_ns: int = 0) -> Iterator[ParsedDocument]:
        """Yield the documents with their chunks, as of the time at which the bundle was made."""
        for page in self.pages.values():
            document = page.document(mtime_ns=mtime_ns)
            chunks = tuple(_chunks(page, document, max_chars=max_chars))
            facts = FileFacts(
                page.path, page.language, document.file_class, page.project, lines=max(page.lines, 1)
            )
            yield ParsedDocument(document, chunks, (), facts)


def _chunks(page: Page, document: Document, *, max_chars: int) -> Iterator[Chunk]:
    told = [placed for placed in page.placed if placed.piece.text]
    cut = [(placed, part) for placed in told for part in _cut(placed, max_chars=max_chars)]
    totals = Counter(placed.piece.object_id for placed, _ in cut)
    seen: Counter[str] = Counter()
    for placed, (start, text) in cut:
        object_id = placed.piece.object_id
        yield _chunk(
            placed.piece, document, start=start, text=text, part=seen[object_id], total=totals[object_id]
        )
        seen[object_id] += 1


def _cut(placed: Placed, *, max_chars: int) -> Iterator[tuple[int, str]]:
    """Yield the lines of a long piece in parts that follow each other without a gap."""
    text = placed.piece.text
    if len(text) <= max_chars * OVERSHOOT:
        yield placed.start, text
        return
    held: list[str] = []
    start, size = placed.start, 0
    for number, line in enumerate(text.split("\n"), start=placed.start):
        if held and size + len(line) + 1 > max_chars:
            yield start, "\n".join(held)
            held, start, size = [], number, 0
        held.append(line)
        size += len(line) + 1
    yield start, "\n".join(held)


def _chunk(piece: Piece, document: Document, *, start: int, text: str, part: int, total: int) -> Chunk:
    embedding_text = f"{piece.element_name}\n{text}"[:EMBEDDED_CHARS]
    is_migration = document.file_class == "migration" and document.language == "csharp"
    is_code = not piece.file_type
    return Chunk(
        text=text,
        start_line=start,
        end_line=start + text.count("\n"),
        object_id=piece.object_id,
        node_key=piece.node_key,
        chunk_part=part,
        chunk_total=total,
        data_type="db_code" if is_migration else piece.data_type,
        file_type=("ef_migration" if is_migration else document.file_type) if is_code else piece.file_type,
        element_type=piece.element_type,
        element_name=piece.element_name,
        embedding_text=embedding_text,
        content_hash=hashlib.blake2b(embedding_text.encode(), digest_size=16).hexdigest(),
        kind=piece.kind,
        schema=piece.schema,
        name=piece.name,
        db_key=piece.db_key,
        class_name=piece.class_name,
        member=piece.member,
        cs_key=piece.cs_key,
        member_kind=piece.member_kind,
        visibility=piece.visibility,
        signature=piece.signature,
        importance_score=IMPORTANCE.get(document.file_class, 1.0),
    )
