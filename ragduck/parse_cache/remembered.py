"""Find files among those that were parsed before, and keep those that were not."""

from __future__ import annotations

import hashlib
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
from ragduck.store.arrow import CHUNK_SCHEMA, chunk_batch, joined_batches

_SIZE = struct.Struct("<I")
_SIZES = struct.Struct("<III")


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What parsing found in one file: rows without the file's own columns, packed facts, problems."""

    chunks: pa.RecordBatch
    facts: bytes
    problems: tuple[ParseProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class FileRun:
    """What parsing found in files that follow each other: all their rows, with the number of those of each file."""

    chunks: pa.RecordBatch
    counts: tuple[int, ...]
    facts: tuple[bytes, ...]
    problems: tuple[tuple[ParseProblem, ...], ...]

    @classmethod
    def of(cls, files: Sequence[ParsedFile]) -> FileRun:
        """Put files together."""
        return cls(
            joined_batches([file.chunks for file in files]),
            tuple(file.chunks.num_rows for file in files),
            tuple(file.facts for file in files),
            tuple(file.problems for file in files),
        )


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

    def find_run(self, files: Sequence[Content]) -> FileRun | None:
        """Return what is known of files that were kept together, in this order."""
        if self._table is None:
            return None
        key = self._run_key(files)
        row = self._table.read([key]).get(key)
        record = unpacked_record(row, key=key, schema=CHUNK_SCHEMA) if row is not None else None
        return _run_of([content.path for content in files], record) if record is not None else None

    def keep_run(self, files: Sequence[Content], run: FileRun) -> None:
        """Keep what is known of files together, since to read it as one takes a third of the time."""
        if self._table is not None:
            key = self._run_key(files)
            self._table.write({key: packed(_record_of_run(run), key=key)})

    def keep(self, files: Sequence[tuple[Document, ParsedFile]]) -> None:
        """Keep what was parsed, unless it may be parsed better another time."""
        if self._table is None:
            return
        lasting = [(document, file) for document, file in files if not _is_passing(file)]
        keyed = ((self._key(content_of(document)), file) for document, file in lasting)
        self._table.write({key: packed(_record_of(file), key=key) for key, file in keyed})

    def _run_key(self, files: Sequence[Content]) -> bytes:
        keys = b"".join(self._key(content) for content in files)
        return hashlib.blake2b(keys, digest_size=20, person=b"run").digest()

    def _key(self, content: Content) -> bytes:
        return key_of(content, settings=self._settings, parser=self._parser or b"")


def parsed_file(parsed: ParsedDocument) -> ParsedFile:
    """Return what parsing found, as rows and bytes."""
    return ParsedFile(chunk_batch(parsed.chunks), packed_facts(parsed.facts), parsed.problems)


def _is_passing(file: ParsedFile) -> bool:
    return any(problem.passing for problem in file.problems)


def _record_of(file: ParsedFile) -> Record:
    """Return a file as one record: the problems stand in front of the facts, after their size."""
    told = _told(file.problems)
    return Record(file.chunks, _SIZE.pack(len(told)) + told + file.facts)


def _file_of(path: str, record: Record) -> ParsedFile:
    start = _SIZE.size
    end = start + _SIZE.unpack_from(record.data)[0]
    return ParsedFile(record.rows, record.data[end:], _problems(path, record.data[start:end]))


def _told(problems: Sequence[ParseProblem]) -> bytes:
    return json.dumps([(problem.line, problem.message) for problem in problems]).encode()


def _problems(path: str, told: bytes) -> tuple[ParseProblem, ...]:
    return tuple(ParseProblem(path, line, message) for line, message in json.loads(told))


def _record_of_run(run: FileRun) -> Record:
    """Return a run as one record: the sizes of each file's rows, problems and facts, then these one by one."""
    told = [_told(problems) if problems else b"" for problems in run.problems]
    sizes = zip(run.counts, map(len, told), map(len, run.facts), strict=True)
    return Record(run.chunks, b"".join([*(_SIZES.pack(*each) for each in sizes), *told, *run.facts]))


def _run_of(paths: Sequence[str], record: Record) -> FileRun:
    place = _SIZES.size * len(paths)
    sizes = list(_SIZES.iter_unpack(record.data[:place]))
    parts: list[bytes] = []
    for size in [*(told for _, told, _ in sizes), *(facts for _, _, facts in sizes)]:
        parts.append(record.data[place : place + size])
        place += size
    told, facts = parts[: len(paths)], parts[len(paths) :]
    problems = tuple(_problems(path, each) if each else () for path, each in zip(paths, told, strict=True))
    return FileRun(record.rows, tuple(count for count, _, _ in sizes), tuple(facts), problems)
