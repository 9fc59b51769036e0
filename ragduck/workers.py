"""Read, parse and chunk files in worker processes, in order and with bounded memory."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from ragduck.model import ParsedDocument, ParseProblem, SkippedFile, Snapshot, SourceFile
from ragduck.parse import ChunkSettings, parse_document
from ragduck.sources import read_document
from ragduck.store import DocumentRows, document_rows

BATCH_BYTES = 1_000_000
BATCH_FILES = 100
FEW_FILES = 100  # starting processes costs more than they save
AHEAD = 3  # batches under way per process


@dataclass(frozen=True, slots=True)
class ParseTask:
    """What a worker needs besides the files."""

    snapshot: Snapshot
    settings: ChunkSettings


@dataclass(frozen=True, slots=True)
class ParsedBatch:
    """Rows for the store, and what was left out or not understood."""

    rows: DocumentRows
    skipped: tuple[SkippedFile, ...]
    problems: tuple[ParseProblem, ...]


def parse_files(
    files: Sequence[SourceFile], *, task: ParseTask, processes: int | None = None
) -> Iterator[ParsedBatch]:
    """Yield files read and cut into chunks, batch by batch in the order given."""
    processes = processes or max(2, _usable_cores())
    batches = list(_batches(files))
    if processes < 2 or len(files) <= FEW_FILES:
        for batch in batches:
            yield parse_batch(batch, task)
        return
    yield from _parse_in_processes(batches, task, processes)


def parse_batch(files: Iterable[SourceFile], task: ParseTask) -> ParsedBatch:
    """Read and chunk files one after the other; a file that cannot be read comes back as skipped."""
    parsed: list[ParsedDocument] = []
    skipped: list[SkippedFile] = []
    for file in files:
        document = read_document(file)
        if isinstance(document, SkippedFile):
            skipped.append(document)
        else:
            parsed.append(parse_document(document, settings=task.settings))
    problems = tuple(problem for item in parsed for problem in item.problems)
    return ParsedBatch(document_rows(task.snapshot, parsed), tuple(skipped), problems)


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _batches(files: Sequence[SourceFile]) -> Iterator[list[SourceFile]]:
    batch: list[SourceFile] = []
    size = 0
    for file in files:
        if batch and (size + file.size > BATCH_BYTES or len(batch) >= BATCH_FILES):
            yield batch
            batch, size = [], 0
        batch.append(file)
        size += file.size
    if batch:
        yield batch


def _parse_in_processes(
    batches: Sequence[list[SourceFile]], task: ParseTask, processes: int
) -> Iterator[ParsedBatch]:
    """Run batches in processes that do not import the caller's script, as those of multiprocessing would."""
    from loky import ProcessPoolExecutor

    with ProcessPoolExecutor(processes, initializer=_ignore_interrupts) as pool:
        pending: deque[Future[ParsedBatch]] = deque()
        for batch in batches:
            pending.append(pool.submit(parse_batch, batch, task))
            if len(pending) >= processes * AHEAD:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the main process, which ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
