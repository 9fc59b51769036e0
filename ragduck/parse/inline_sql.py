"""Make chunks of the SQL that stands in string literals, beside those of the members around it."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from ragduck.facts import Choice, Expression, FileFacts, Joined, Text
from ragduck.model import Chunk, Document, Outline, Symbol
from ragduck.parse.chunk import EMBEDDED_CHARS, IMPORTANCE, ChunkSettings, key_language
from ragduck.sqlreader.destinations import Destination
from ragduck.sqlreader.recognition import UNKNOWN_PIECE, Certainty, begins_like_sql, recognize
from ragduck.sqlreader.sites import RUNNING, Site, sites_of

FILE_TYPE = "inline_sql"
_FIRST_WORD = re.compile(r"[A-Za-z]+")
_MAX_SKELETON = 20_000  # characters of a literal; more do not change what it is


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Lines of a literal, or of a part of a very long one."""

    start: int
    end: int
    node_key: str


@dataclass(frozen=True, slots=True)
class _Place:
    """The member that a literal stands in, and the type around it."""

    symbol: Symbol | None = None
    owner: Symbol | None = None


def inline_sql_chunks(
    document: Document, outline: Outline, facts: FileFacts, *, settings: ChunkSettings
) -> tuple[Chunk, ...]:
    """Return a chunk per literal that is an SQL statement; the literals of one member are parts of one object."""
    sites = [site for site in sites_of(facts) if _is_statement(site)]
    if not sites:
        return ()
    lines = document.lines
    stretches = [
        piece
        for stretch in _literals(sites, lines)
        for piece in _cut(lines, stretch, max_chars=settings.max_chars)
    ]
    places = _places(document, outline)
    totals = Counter(_object_id(stretch.node_key) for stretch in stretches)
    seen: Counter[str] = Counter()
    chunks: list[Chunk] = []
    for stretch in stretches:
        object_id = _object_id(stretch.node_key)
        place = places.get(stretch.node_key, _Place())
        text = "\n".join(lines[stretch.start - 1 : stretch.end])
        part = (seen[object_id], totals[object_id])
        chunks.append(_chunk(document, stretch, place, text=text, part=part))
        seen[object_id] += 1
    return tuple(chunks)


def _literals(sites: Iterable[Site], lines: list[str]) -> Iterator[_Stretch]:
    """Yield the literals in order, leaving out those within the lines of another one; two may share a line."""
    found = [_Stretch(site.line, site.end_line, site.source) for site in sites if _is_written_at(site, lines)]
    last = 0
    for stretch in sorted(found, key=lambda one: (one.start, -one.end, one.node_key)):
        if stretch.start >= last and stretch.end > last:
            yield stretch
            last = stretch.end


def _is_statement(site: Site) -> bool:
    if not site.is_own or site.destination is Destination.REFUSES:
        return False
    text = _skeleton(site.value)
    certainty = recognize(text) if begins_like_sql(text) else Certainty.NONE
    return certainty is Certainty.SURE or (certainty is Certainty.POSSIBLE and site.destination in RUNNING)


def _is_written_at(site: Site, lines: list[str]) -> bool:
    """Tell a literal from a use of the local that holds it: the first word of its SQL is in its lines."""
    if not 1 <= site.line <= site.end_line <= len(lines):
        return False
    first = _FIRST_WORD.search(_skeleton(site.value))
    written = "\n".join(lines[site.line - 1 : site.end_line])
    return first is not None and re.search(rf"\b{first[0]}(?![\w(.])", written) is not None


def _skeleton(value: Expression) -> str:
    if isinstance(value, Text):
        return value.value[:_MAX_SKELETON]
    if isinstance(value, Joined):
        pieces = (part.value if isinstance(part, Text) else UNKNOWN_PIECE for part in value.parts)
        return "".join(pieces)[:_MAX_SKELETON]
    if isinstance(value, Choice):
        options = [_skeleton(option) for option in value.options if isinstance(option, (Text, Joined))]
        return next((text for text in options if begins_like_sql(text)), UNKNOWN_PIECE)
    return UNKNOWN_PIECE


def _cut(lines: list[str], stretch: _Stretch, *, max_chars: int) -> Iterator[_Stretch]:
    start, size = stretch.start, 0
    for line in range(stretch.start, stretch.end + 1):
        length = len(lines[line - 1]) + 1
        if size and size + length > max_chars:
            yield _Stretch(start, line - 1, stretch.node_key)
            start, size = line, 0
        size += length
    yield _Stretch(start, stretch.end, stretch.node_key)


def _places(document: Document, outline: Outline) -> dict[str, _Place]:
    """Map the ends of node keys, `Shop.OrderService.Place|METHOD`, to symbols and the types around them."""
    places: dict[str, _Place] = {}
    pending: list[tuple[Symbol, Symbol | None]] = [(symbol, None) for symbol in outline.symbols]
    prefix = f"{facts_language(outline, document)}:"
    while pending:
        symbol, owner = pending.pop()
        places[f"{prefix}{symbol.qualified_name}|{symbol.kind or 'TYPE'}"] = _Place(symbol, owner)
        pending.extend((child, symbol) for child in symbol.children)
    return places


def facts_language(outline: Outline, document: Document) -> str:
    """Return the language as node keys have it."""
    return outline.facts.language if outline.facts else document.language


def _object_id(node_key: str) -> str:
    return f"sql:inline:{_qualified_name(node_key)}"


def _qualified_name(node_key: str) -> str:
    return node_key.partition(":")[2].rpartition("|")[0]


def _chunk(
    document: Document, stretch: _Stretch, place: _Place, *, text: str, part: tuple[int, int]
) -> Chunk:
    symbol, owner = place.symbol, place.owner
    shown = f"{owner.name}.{symbol.name}" if symbol and owner else symbol.name if symbol else ""
    name = shown or PurePosixPath(document.path).name
    embedding_text = f"{name}\n{text}"[:EMBEDDED_CHARS]
    is_csharp = key_language(document) == "csharp"
    return Chunk(
        text=text,
        start_line=stretch.start,
        end_line=stretch.end,
        object_id=_object_id(stretch.node_key),
        node_key=stretch.node_key,
        chunk_part=part[0],
        chunk_total=part[1],
        data_type="db_code",
        file_type=FILE_TYPE,
        element_type=FILE_TYPE,
        element_name=name,
        embedding_text=embedding_text,
        content_hash=hashlib.blake2b(embedding_text.encode(), digest_size=16).hexdigest(),
        kind=symbol.kind or "TYPE" if symbol else "FILE",
        name=symbol.name if symbol else name,
        class_name=owner.name if owner else None,
        member=symbol.name if symbol and owner else None,
        cs_key=symbol.qualified_name if symbol and is_csharp else None,
        member_kind=symbol.member_kind if symbol else None,
        visibility=symbol.visibility if symbol else None,
        importance_score=IMPORTANCE.get(document.file_class, 1.0),
    )
