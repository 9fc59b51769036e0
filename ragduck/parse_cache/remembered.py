"""Find files among those that were parsed before, and keep those that were not."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from ragduck.facts.packing import packed_facts
from ragduck.model import Document, ParsedDocument, ParseProblem
from ragduck.parse import ChunkSettings
from ragduck.parse_cache.keys import Content, content_of, key_of, parser_fingerprint
from ragduck.parse_cache.records import Record, packed, unpacked_record
from ragduck.parse_cache.table import ParsedFiles
from ragduck.store.arrow import CHUNK_SCHEMA, chunk_batch

_SIZE = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What parsing found in one file: rows without the file's own columns, packed facts, problems."""

    chunks: pa.RecordBatch
    facts: bytes
    problems: tuple[ParseProblem, ...] = ()


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
        return {path: _file_of(path, record) for path, record in found.items() if record is not None}

    def keep(self, files: Sequence[tuple[Document, ParsedFile]]) -> None:
        """Keep what was parsed, unless it may be parsed better another time."""
        if self._table is None:
            return
        lasting = [(document, file) for document, file in files if not _is_passing(file)]
        keyed = ((self._key(content_of(document)), file) for document, file in lasting)
        self._table.write({key: packed(_record_of(file), key=key) for key, file in keyed})

    def _key(self, content: Content) -> bytes:
        return key_of(content, settings=self._settings, parser=self._parser or b"")


def parsed_file(parsed: ParsedDocument) -> ParsedFile:
    """Return what parsing found, as rows and bytes."""
    return ParsedFile(chunk_batch(parsed.chunks), packed_facts(parsed.facts), parsed.problems)


def _is_passing(file: ParsedFile) -> bool:
    return any(problem.passing for problem in file.problems)


def _record_of(file: ParsedFile) -> Record:
    """Return a file as one record: the problems stand in front of the facts, after their size."""
    told = json.dumps([(problem.line, problem.message) for problem in file.problems]).encode()
    return Record(file.chunks, _SIZE.pack(len(told)) + told + file.facts)


def _file_of(path: str, record: Record) -> ParsedFile:
    start = _SIZE.size
    end = start + _SIZE.unpack_from(record.data)[0]
    problems = tuple(
        ParseProblem(path, line, message) for line, message in json.loads(record.data[start:end])
    )
    return ParsedFile(record.rows, record.data[end:], problems)
