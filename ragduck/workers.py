"""Read, parse and chunk files in worker processes, in order and with bounded memory."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future

from ragduck.model import ParsedDocument, SkippedFile, SourceFile
from ragduck.parse import ChunkSettings, parse_document
from ragduck.sources import read_document

BATCH_BYTES = 1_000_000
BATCH_FILES = 100
FEW_FILES = 100  # starting processes costs more than they save
AHEAD = 3  # batches under way per process

Parsed = ParsedDocument | SkippedFile


def parse_files(
    files: Sequence[SourceFile], *, settings: ChunkSettings, processes: int | None = None
) -> Iterator[list[Parsed]]:
    """Yield files read and cut into chunks, batch by batch in the order given."""
    processes = processes or max(2, _usable_cores())
    batches = list(_batches(files))
    if processes < 2 or len(files) <= FEW_FILES:
        for batch in batches:
            yield parse_batch(batch, settings)
        return
    yield from _parse_in_processes(batches, settings, processes)


def parse_batch(files: Iterable[SourceFile], settings: ChunkSettings) -> list[Parsed]:
    """Read and chunk files one after the other; a file that cannot be read comes back as skipped."""
    parsed: list[Parsed] = []
    for file in files:
        document = read_document(file)
        if isinstance(document, SkippedFile):
            parsed.append(document)
        else:
            parsed.append(parse_document(document, settings=settings))
    return parsed


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
    batches: Sequence[list[SourceFile]], settings: ChunkSettings, processes: int
) -> Iterator[list[Parsed]]:
    """Run batches in processes that do not import the caller's script, as those of multiprocessing would."""
    from loky import ProcessPoolExecutor

    with ProcessPoolExecutor(processes, initializer=_ignore_interrupts) as pool:
        pending: deque[Future[list[Parsed]]] = deque()
        for batch in batches:
            pending.append(pool.submit(parse_batch, batch, settings))
            if len(pending) >= processes * AHEAD:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the main process, which ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
