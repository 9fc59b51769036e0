"""Find documents among those that were parsed before, and keep those that were not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ragduck.facts.packing import packed_facts
from ragduck.model import Document, ParsedDocument
from ragduck.parse import ChunkSettings
from ragduck.parse_cache.keys import key_of, parser_fingerprint
from ragduck.parse_cache.records import ParsedFile, packed, unpacked_record
from ragduck.parse_cache.table import ParsedFiles
from ragduck.store.arrow import CHUNK_SCHEMA, chunk_batch


class Remembered:
    """What earlier runs parsed with the same settings; without a path nothing is found and nothing kept."""

    def __init__(self, path: Path | None, *, settings: ChunkSettings) -> None:
        self._parser = parser_fingerprint() if path else None
        self._table = ParsedFiles(path) if path and self._parser else None
        self._settings = settings

    def find(self, documents: Sequence[Document]) -> dict[str, ParsedFile]:
        """Return what is known, by path."""
        if self._table is None:
            return {}
        keys = {self._key(document): document.path for document in documents}
        rows = self._table.read(list(keys))
        found = {keys[key]: unpacked_record(row, key=key, schema=CHUNK_SCHEMA) for key, row in rows.items()}
        return {path: file for path, file in found.items() if file is not None}

    def keep(self, files: Sequence[tuple[Document, ParsedFile]]) -> None:
        """Keep what was parsed."""
        if self._table is None:
            return
        keyed = ((self._key(document), file) for document, file in files)
        self._table.write({key: packed(file, key=key) for key, file in keyed})

    def _key(self, document: Document) -> bytes:
        return key_of(document, settings=self._settings, parser=self._parser or b"")


def parsed_file(parsed: ParsedDocument) -> ParsedFile:
    """Return what parsing found, as rows and bytes."""
    return ParsedFile(chunk_batch(parsed.chunks), packed_facts(parsed.facts))
