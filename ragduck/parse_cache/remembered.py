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
class RunFacts:
    """What parsing found in files that follow each other but their rows, of which it has the number, file by file."""

    counts: tuple[int, ...]
    facts: tuple[bytes, ...]
    problems: tuple[tuple[ParseProblem, ...], ...]


@dataclass(frozen=True, slots=True)
class FileRun:
    """What parsing found in files that follow each other, with all their rows."""

    chunks: pa.RecordBatch
    told: RunFacts

    @classmethod
    def of(cls, files: Sequence[ParsedFile]) -> FileRun:
        """Put files together."""
        return cls(
            joined_batches([file.chunks for file in files]),
            RunFacts(
                tuple(file.chunks.num_rows for file in files),
                tuple(file.facts for file in files),
                tuple(file.problems for file in files),
            ),
        )


class Remembered:
    """What earlier runs parsed with the same settings; without a path nothing is found and nothing kept."""

    def __init__(self, path: Path | None, *, settings: ChunkSettings) -> None:
        self._parser = parser_fingerprint() if path else None
        self._table = ParsedFiles(path) if path and self._parser else None
        self._settings = repr(settings)
        self._keys: dict[Content, bytes] = {}

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
        told, rows = self.find_facts(files), self._find_record(self._run_key(files, kind=b"rows"))
        return FileRun(rows.rows, told) if told is not None and rows is not None else None

    def find_facts(self, files: Sequence[Content]) -> RunFacts | None:
        """Return the same without looking at the rows."""
        record = self._find_record(self._run_key(files, kind=b"facts"))
        return _told_in([content.path for content in files], record.data) if record is not None else None

    def _find_record(self, key: bytes) -> Record | None:
        row = self._table.read([key]).get(key) if self._table is not None else None
        return unpacked_record(row, key=key, schema=CHUNK_SCHEMA) if row is not None else None

    def key_of(self, file: Content) -> bytes:
        """Return what names all that the parse of a file depends on; empty where nothing is kept."""
        return self._key(file) if self._table is not None else b""

    def keep_run(self, files: Sequence[Content], run: FileRun) -> None:
        """Keep what is known of files together, since to read it as one takes a third of the time."""
        if self._table is not None:
            rows, facts = self._run_key(files, kind=b"rows"), self._run_key(files, kind=b"facts")
            told = Record(chunk_batch([]), _packed_facts(run.told))
            self._table.write({rows: packed(Record(run.chunks), key=rows), facts: packed(told, key=facts)})

    def keep(self, files: Sequence[tuple[Document, ParsedFile]]) -> None:
        """Keep what was parsed, unless it may be parsed better another time."""
        if self._table is None:
            return
        lasting = [(document, file) for document, file in files if not _is_passing(file)]
        keyed = ((self._key(content_of(document)), file) for document, file in lasting)
        self._table.write({key: packed(_record_of(file), key=key) for key, file in keyed})

    def _run_key(self, files: Sequence[Content], *, kind: bytes) -> bytes:
        keys = b"".join(self._key(content) for content in files)
        return hashlib.blake2b(keys, digest_size=20, person=kind).digest()

    def _key(self, content: Content) -> bytes:
        key = self._keys.get(content)
        if key is None:
            key = self._keys[content] = key_of(content, settings=self._settings, parser=self._parser or b"")
        return key


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


def _packed_facts(told: RunFacts) -> bytes:
    """Return the sizes of each file's rows, problems and facts, then these one by one."""
    problems = [_told(some) if some else b"" for some in told.problems]
    sizes = zip(told.counts, map(len, problems), map(len, told.facts), strict=True)
    return b"".join([*(_SIZES.pack(*each) for each in sizes), *problems, *told.facts])


def _told_in(paths: Sequence[str], data: bytes) -> RunFacts:
    place = _SIZES.size * len(paths)
    sizes = list(_SIZES.iter_unpack(data[:place]))
    parts: list[bytes] = []
    for size in [*(told for _, told, _ in sizes), *(facts for _, _, facts in sizes)]:
        parts.append(data[place : place + size])
        place += size
    told, facts = parts[: len(paths)], parts[len(paths) :]
    problems = tuple(_problems(path, each) if each else () for path, each in zip(paths, told, strict=True))
    return RunFacts(tuple(count for count, _, _ in sizes), tuple(facts), problems)
