"""Read, parse and chunk files in worker processes, in order and with bounded memory.

A parser is native code and its input may be hostile: a file that kills or stalls its process is stored as plain
text and reported, and the others go on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as OutOfTime
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from ragduck.model import Document, ParsedDocument, ParseProblem, SeenFile, SkippedFile, Snapshot, SourceFile
from ragduck.parse import ChunkSettings, parse_document, parse_plainly
from ragduck.parse_cache import Remembered, content_of, parsed_file, seen_file
from ragduck.preparation.processes import begun, count_of, end_processes, ended
from ragduck.sources import WINDOWS_1252, read_document
from ragduck.store.arrow import DocumentRows, file_rows

BATCH_BYTES = 1_000_000
BATCH_FILES = 100
AHEAD = 3  # batches under way per process
BATCH_SECONDS = 180  # a megabyte takes about one
FILE_SECONDS = 30


class HasSize(Protocol):
    """What takes so many bytes on disk."""

    @property
    def size(self) -> int:
        """Bytes."""


File = TypeVar("File", bound=HasSize)


@dataclass(frozen=True, slots=True)
class ParseTask:
    """What a worker needs besides the files; ``cache`` holds what earlier runs parsed.

    ``code_page`` is that of files that are neither UTF-8 nor UTF-16.
    """

    snapshot: Snapshot
    settings: ChunkSettings
    cache: Path | None = None
    code_page: str = WINDOWS_1252


@dataclass(frozen=True, slots=True)
class ParsedBatch:
    """Rows for the store, facts for the graph, and what was left out or not understood.

    ``facts`` are packed, by path, for `read_facts`; ``parsed`` counts the files that the cache did not hold, ``seen``
    says what may be remembered of reading them. Of files ``in_code_page`` nothing but the task told the encoding.
    """

    rows: DocumentRows
    facts: Mapping[str, bytes]
    skipped: tuple[SkippedFile, ...]
    problems: tuple[ParseProblem, ...]
    parsed: int
    seen: tuple[SeenFile, ...] = ()
    in_code_page: tuple[str, ...] = ()


def parse_files(
    files: Sequence[SourceFile], *, task: ParseTask, processes: int | None = None
) -> Iterator[ParsedBatch]:
    """Begin to read files and cut them into chunks; yield them batch by batch in the order given."""
    batches = _batches(files)
    count = _count(batches, processes)
    ahead = count * AHEAD
    pending = deque((batch, _submit(batch, task, count)) for batch in batches[:ahead])
    return _results(pending, batches[ahead:], task, count)


def _batches(files: Sequence[SourceFile]) -> list[list[SourceFile]]:
    return list(in_batches(files, max_bytes=BATCH_BYTES, max_files=BATCH_FILES))


def _count(batches: Sequence[object], processes: int | None) -> int:
    return min(count_of(processes), max(len(batches), 1))


def _results(
    pending: deque[tuple[list[SourceFile], Future[ParsedBatch]]],
    further: Iterable[list[SourceFile]],
    task: ParseTask,
    count: int,
) -> Iterator[ParsedBatch]:
    try:
        for batch in further:
            yield _result(*pending.popleft(), task, count)
            pending.append((batch, _submit(batch, task, count)))
        while pending:
            yield _result(*pending.popleft(), task, count)
    except BaseException:  # Ctrl-C, or whoever asked ended: nobody wants what is under way
        end_processes()
        raise


def parse_batch(
    files: Sequence[SourceFile], task: ParseTask, *, plainly: str | None = None, is_kept: bool = True
) -> ParsedBatch:
    """Read and chunk files one after the other; a file that cannot be read comes back as skipped.

    ``plainly`` gives the reason why no parser may look at them. The cache takes what it lacked if that ``is_kept``.
    """
    read = [read_document(file, code_page=task.code_page) for file in files]
    documents = [item for item in read if isinstance(item, Document)]
    remembered = Remembered(None if plainly else task.cache, settings=task.settings)
    known = remembered.find([content_of(document) for document in documents])
    anew = [_parse(document, task.settings, plainly) for document in documents if document.path not in known]
    found = {item.document.path: parsed_file(item) for item in anew}
    if is_kept:
        remembered.keep([(item.document, found[item.document.path]) for item in anew])
    found |= known
    return ParsedBatch(
        file_rows(task.snapshot, [(document, found[document.path].chunks) for document in documents]),
        {document.path: found[document.path].facts for document in documents},
        tuple(item for item in read if isinstance(item, SkippedFile)),
        tuple(problem for document in documents for problem in found[document.path].problems),
        len(anew),
        tuple(filter(None, map(seen_file, files, read))),
        tuple(document.path for document in documents if document.code_page),
    )


def _parse(document: Document, settings: ChunkSettings, plainly: str | None) -> ParsedDocument:
    if plainly is None:
        return parse_document(document, settings=settings)
    return parse_plainly(document, settings=settings, reason=plainly)


def in_batches(files: Iterable[File], *, max_bytes: int, max_files: int) -> Iterator[list[File]]:
    """Cut files into batches by their size on disk and their number; a larger file is a batch of its own."""
    batch: list[File] = []
    size = 0
    for file in files:
        if batch and (size + file.size > max_bytes or len(batch) >= max_files):
            yield batch
            batch, size = [], 0
        batch.append(file)
        size += file.size
    if batch:
        yield batch


def _submit(batch: list[SourceFile], task: ParseTask, count: int) -> Future[ParsedBatch]:
    return begun(count, parse_batch, batch, task)


def _result(batch: list[SourceFile], future: Future[ParsedBatch], task: ParseTask, count: int) -> ParsedBatch:
    """Wait for a batch; when its process died or hangs, go through its files one by one.

    A process that hangs is killed with the others, so that batches that wait beside it are gone through, too.
    """
    try:
        return future.result(timeout=BATCH_SECONDS)
    except OutOfTime:
        end_processes()
    except ended():
        pass
    return _joined([_alone(file, task, count) for file in batch])


def _alone(file: SourceFile, task: ParseTask, count: int) -> ParsedBatch:
    """Parse one file; when it kills or stalls its process, keep it as plain text."""
    try:
        return _submit([file], task, count).result(timeout=FILE_SECONDS)
    except ended():
        return parse_batch([file], task, plainly="the parser crashed on it")
    except OutOfTime:
        end_processes()
        return parse_batch([file], task, plainly=f"the parser took more than {FILE_SECONDS} s")


def _joined(batches: Sequence[ParsedBatch]) -> ParsedBatch:
    return ParsedBatch(
        DocumentRows.concatenated([batch.rows for batch in batches]),
        {path: facts for batch in batches for path, facts in batch.facts.items()},
        tuple(file for batch in batches for file in batch.skipped),
        tuple(problem for batch in batches for problem in batch.problems),
        sum(batch.parsed for batch in batches),
        tuple(file for batch in batches for file in batch.seen),
        tuple(path for batch in batches for path in batch.in_code_page),
    )
