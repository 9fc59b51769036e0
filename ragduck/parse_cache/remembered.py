"""Find files among those that were parsed before, and keep those that were not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from ragduck.facts.packing import packed_facts
from ragduck.model import Document, ParsedDocument
from ragduck.parse import ChunkSettings
from ragduck.parse_cache.keys import Content, content_of, key_of, parser_fingerprint
from ragduck.parse_cache.records import Record, packed, unpacked_record
from ragduck.parse_cache.table import ParsedFiles
from ragduck.store.arrow import CHUNK_SCHEMA, chunk_batch


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What parsing found in one file: rows without the file's own columns, and packed facts."""

    chunks: pa.RecordBatch
    facts: bytes


class Remembered:
    """What earlier runs parsed with the same settings; without a path nothing is found and nothing kept."""

    def __init__(self, path: Path | None, *, settings: ChunkSettings) -> None:
        self._parser = parser_fingerprint() if path else None
        self._table = ParsedFiles(path) if path and self._parser else None
        self._settings = settings

    def find(self, files: Sequence[Content]) -> dict[str, ParsedFile]:
        """Return what is known, by path."""
        if self._table is None:
            return {}
        paths = {self._key(content): content.path for content in files}
        rows = self._table.read(list(paths))
        found = {paths[key]: unpacked_record(row, key=key, schema=CHUNK_SCHEMA) for key, row in rows.items()}
        return {path: ParsedFile(*record) for path, record in found.items() if record is not None}

    def keep(self, files: Sequence[tuple[Document, ParsedFile]]) -> None:
        """Keep what was parsed."""
        if self._table is None:
            return
        keyed = ((self._key(content_of(document)), file) for document, file in files)
        self._table.write({key: packed(Record(file.chunks, file.facts), key=key) for key, file in keyed})

    def _key(self, content: Content) -> bytes:
        return key_of(content, settings=self._settings, parser=self._parser or b"")


def parsed_file(parsed: ParsedDocument) -> ParsedFile:
    """Return what parsing found, as rows and bytes."""
    return ParsedFile(chunk_batch(parsed.chunks), packed_facts(parsed.facts))
