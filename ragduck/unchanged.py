"""Take over files that look as they did: texts from the store, chunks from the cache, and nothing is read."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence, Set
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from ragduck.model import ParseProblem, SeenFile, Snapshot, SourceFile
from ragduck.parse_cache import Remembered, content_of
from ragduck.store.arrow import DocumentRows, known_rows
from ragduck.workers import in_batches

BATCH_FILES = 500
BATCH_BYTES = 10_000_000  # chunks, with what is embedded, take two to three times that
AHEAD = 1


@dataclass(frozen=True, slots=True)
class Division:
    """The files of a source: those of which all is known, those known to be skipped, and those to be read."""

    known: tuple[SeenFile, ...]
    skipped: tuple[SeenFile, ...]
    unknown: tuple[SourceFile, ...]


@dataclass(frozen=True, slots=True)
class KnownBatch:
    """Rows of files, those of sources without text, with their facts by path and what could not be read of them.

    Of files that are ``forgotten`` the cache has nothing.
    """

    rows: DocumentRows
    facts: Mapping[str, bytes]
    problems: tuple[ParseProblem, ...]
    forgotten: tuple[str, ...]


def divided(
    files: Sequence[SourceFile], *, seen: Mapping[str, SeenFile], held: Set[str], code_page: str
) -> Division:
    """Divide files by whether they look as when they were ``seen``, and whether the store has their text.

    ``held`` has the hashes of the texts that it has, ``code_page`` is that of files that do not tell their encoding.
    """
    known: list[SeenFile] = []
    skipped: list[SeenFile] = []
    unknown: list[SourceFile] = []
    for file in files:
        before = seen.get(file.path)
        if before is None or not before.looks_like(file, code_page=code_page):
            unknown.append(file)
        elif before.reason:
            skipped.append(before)
        elif before.text_hash in held:
            known.append(replace(before, project=file.project))
        else:
            unknown.append(file)
    return Division(tuple(known), tuple(skipped), tuple(unknown))


def known_batches(
    files: Sequence[SeenFile], snapshot: Snapshot, *, remembered: Remembered
) -> Iterator[KnownBatch]:
    """Yield what the cache has of files, some at a time; the next is fetched while one is looked at."""

    with ThreadPoolExecutor(1) as fetching:
        pending: deque[Future[KnownBatch]] = deque()
        for some in in_batches(files, max_bytes=BATCH_BYTES, max_files=BATCH_FILES):
            pending.append(fetching.submit(_known_batch, some, snapshot, remembered))
            if len(pending) > AHEAD:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def _known_batch(files: Sequence[SeenFile], snapshot: Snapshot, remembered: Remembered) -> KnownBatch:
    found = remembered.find([content_of(file) for file in files])
    there = [file for file in files if file.path in found]
    return KnownBatch(
        known_rows(snapshot, [(file, found[file.path].chunks) for file in there]),
        {file.path: found[file.path].facts for file in there},
        tuple(problem for file in there for problem in found[file.path].problems),
        tuple(file.path for file in files if file.path not in found),
    )
