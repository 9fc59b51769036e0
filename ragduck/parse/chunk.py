"""Turn the spans of a document into chunks: whole lines with a name, a key and a text for the model."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import PurePosixPath

from ragduck.model import Chunk, DataType, Document, Outline, Symbol
from ragduck.parse.spans import Span, spans_of

EMBEDDED_CHARS = 4000  # more than the 256 tokens that a model reads
IMPORTANCE = {"generated": 0.5, "vendored": 0.5, "migration": 0.8, "test": 0.9}
KEY_LANGUAGES = {**dict.fromkeys(("tsx", "vue", "svelte"), "typescript"), "visualbasic": "csharp"}
ID_PREFIXES = {"csharp": "cs"}
MAX_NAMES = 300  # characters of member names in the signature of packed members


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """How documents are cut.

    ``max_chars`` is the size a chunk aims to stay under; ``header_weight`` says how often a section's heading
    path stands in front of the text that is embedded; ``database`` names the database of objects whose script
    does not say it.
    """

    max_chars: int = 1536
    header_weight: int = 3
    database: str = "db"


def chunks_of(document: Document, outline: Outline, *, settings: ChunkSettings) -> tuple[Chunk, ...]:
    """Cut a document into chunks that never cross a symbol; each is exactly the lines it names."""
    lines = document.lines
    spans = list(spans_of(document, outline.symbols, max_chars=settings.max_chars))
    identities = [_identity(document, span, settings.database) for span in spans]
    totals = Counter(identity.object_id for identity in identities)
    seen: Counter[str] = Counter()
    chunks: list[Chunk] = []
    for span, identity in zip(spans, identities, strict=True):
        part = _Part(seen[identity.object_id], totals[identity.object_id])
        chunks.append(_chunk(document, lines, span, identity, part, settings))
        seen[identity.object_id] += 1
    return tuple(chunks)


@dataclass(frozen=True, slots=True)
class _Part:
    """A place among the chunks of one object; overloads and cut bodies are parts of one object."""

    number: int
    total: int


@dataclass(frozen=True, slots=True)
class _Identity:
    """What a span is called in ids, keys, filters and results."""

    object_id: str
    node_key: str
    element_type: str
    element_name: str
    title: str


def _chunk(
    document: Document,
    lines: list[str],
    span: Span,
    identity: _Identity,
    part: _Part,
    settings: ChunkSettings,
) -> Chunk:
    defined = span.symbol or span.owner
    text = "\n".join(lines[span.start - 1 : span.end])
    body = "\n".join(lines[span.body_start - 1 : span.end])
    embedding_text = _embedding_text(identity, body, settings.header_weight)
    member = span.symbol if span.symbol is not None and span.symbol.kind in _MEMBER_KINDS else None
    is_sql = document.language == "sql"
    return Chunk(
        text=text,
        start_line=span.start,
        end_line=span.end,
        object_id=identity.object_id,
        node_key=identity.node_key,
        chunk_part=part.number,
        chunk_total=part.total,
        data_type=_data_type(document),
        file_type=_file_type(document),
        element_type=identity.element_type,
        element_name=identity.element_name,
        embedding_text=embedding_text,
        content_hash=hashlib.blake2b(embedding_text.encode(), digest_size=16).hexdigest(),
        kind=defined.kind if defined else "FILE",
        schema=defined.schema if defined else None,
        name=defined.name if defined else PurePosixPath(document.path).name,
        db_key=_db_key(defined, settings.database) if is_sql and defined and defined.kind else None,
        class_name=_class_name(span, member),
        member=member.name if member else None,
        cs_key=defined.qualified_name if defined and key_language(document) == "csharp" else None,
        member_kind=defined.member_kind if defined else None,
        visibility=defined.visibility if defined else None,
        signature=_signature(span, defined),
        importance_score=IMPORTANCE.get(document.file_class, 1.0),
    )


_MEMBER_KINDS = frozenset({"METHOD", "PROPERTY", "FIELD"})


def _identity(document: Document, span: Span, database: str) -> _Identity:
    symbol = span.symbol or span.owner
    if symbol is None or symbol.element_type in ("file", "script"):
        name = PurePosixPath(document.path).name
        element_type = symbol.element_type if symbol else "file"
        return _Identity(f"file:{document.path}", f"file:{document.path}|FILE", element_type, name, name)
    if symbol.element_type == "section":
        object_id = f"doc:{document.path}#{symbol.qualified_name}"
        title = symbol.qualified_name
        return _Identity(object_id, f"file:{document.path}|FILE", "section", symbol.name, title)
    if document.language == "sql":
        object_id = f"sql:{_db_key(symbol, database)}"
        node_key = f"{symbol.qualified_name}|{symbol.kind}"
        return _Identity(
            object_id, node_key, symbol.element_type, symbol.qualified_name, symbol.qualified_name
        )
    return _code_identity(document, span, symbol)


def _code_identity(document: Document, span: Span, symbol: Symbol) -> _Identity:
    language = key_language(document)
    object_id = f"{ID_PREFIXES.get(language, language)}:{symbol.qualified_name}"
    node_key = f"{language}:{symbol.qualified_name}|{symbol.kind or 'TYPE'}"
    owner = span.owner if span.symbol is not None else None
    shown = f"{owner.name}.{symbol.name}" if owner else symbol.name
    return _Identity(object_id, node_key, symbol.element_type, shown, shown)


def key_language(document: Document) -> str:
    """Return the language as node keys have it; Visual Basic shares its types with C#."""
    return KEY_LANGUAGES.get(document.language, document.language)


def _embedding_text(identity: _Identity, body: str, header_weight: int) -> str:
    repeats = header_weight if identity.element_type == "section" else 1
    return (f"{identity.title}\n" * repeats + body)[:EMBEDDED_CHARS]


def _signature(span: Span, defined: Symbol | None) -> str | None:
    """Return the declaration; packed members are listed by name."""
    if span.symbol is None and span.names:
        return ", ".join(span.names)[:MAX_NAMES]
    return defined.signature or None if defined else None


def _class_name(span: Span, member: Symbol | None) -> str | None:
    if span.owner is not None:
        return span.owner.name if member or span.symbol is None else span.symbol.name
    return span.symbol.name if span.symbol is not None and span.symbol.kind == "TYPE" else None


def _data_type(document: Document) -> DataType:
    if document.language == "sql" or _is_code_migration(document):
        return "db_code"
    return "docs" if document.file_class == "docs" or document.language == "markdown" else "regular_code"


def _file_type(document: Document) -> str:
    return "ef_migration" if _is_code_migration(document) else document.file_type


def _is_code_migration(document: Document) -> bool:
    return document.file_class == "migration" and key_language(document) == "csharp"


def _db_key(symbol: Symbol, database: str) -> str:
    """Name a database object across databases: `NopDb::dbo.Order_Insert`."""
    return f"{symbol.database or database}::{symbol.qualified_name}"
