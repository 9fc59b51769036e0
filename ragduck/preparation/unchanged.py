"""Take over files that look as they did: texts from the store, chunks from the cache, and nothing is read."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence, Set
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from zlib import crc32

import pyarrow as pa

from ragduck.model import ParseProblem, SeenFile, Snapshot, SourceFile
from ragduck.parse_cache import FileRun, Remembered, RunFacts, content_of
from ragduck.preparation.workers import in_batches
from ragduck.store.arrow import DocumentRows, joined_batches, known_rows

BATCH_RUNS = 4
BATCH_BYTES = 10_000_000  # chunks, with what is embedded, take two to three times that
AHEAD = 1
RUN_FILES = 128  # about, of which the cache keeps together what it knows of each
MAX_RUN_FILES = 500
RUN_BYTES = 4_000_000


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
            told = (file.project, file.root_namespace)
            is_told_alike = told == (before.project, before.root_namespace)
            known.append(
                before if is_told_alike else replace(before, project=told[0], root_namespace=told[1])
            )
        else:
            unknown.append(file)
    return Division(tuple(known), tuple(skipped), tuple(unknown))


def known_batches(
    files: Sequence[SeenFile], snapshot: Snapshot, *, remembered: Remembered
) -> Iterator[KnownBatch]:
    """Yield what the cache has of files, some at a time; the next is fetched while one is looked at."""
    with ThreadPoolExecutor(1) as fetching:
        pending: deque[Future[KnownBatch]] = deque()
        for runs in in_batches(_runs(files), max_bytes=BATCH_BYTES, max_files=BATCH_RUNS):
            pending.append(fetching.submit(_known_batch, runs, snapshot, remembered))
            if len(pending) > AHEAD:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


@dataclass(frozen=True, slots=True)
class _Run:
    """Files that follow each other, which the cache keeps together."""

    files: tuple[SeenFile, ...]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


def _runs(files: Sequence[SeenFile]) -> Iterator[_Run]:
    """Cut files into runs at paths that their own names choose: a file more or less leaves all other runs."""
    run: list[SeenFile] = []
    for file in files:
        if run and crc32(file.path.encode("utf-8", "surrogatepass")) % RUN_FILES == 0:
            yield from _short(run)
            run = []
        run.append(file)
    yield from _short(run)


def _short(run: Sequence[SeenFile]) -> Iterator[_Run]:
    return (_Run(tuple(some)) for some in in_batches(run, max_bytes=RUN_BYTES, max_files=MAX_RUN_FILES))


def _known_batch(runs: Sequence[_Run], snapshot: Snapshot, remembered: Remembered) -> KnownBatch:
    found = [_known_run(run.files, snapshot, remembered) for run in runs]
    return KnownBatch(
        DocumentRows.concatenated([each.rows for each in found]),
        {path: facts for each in found for path, facts in each.facts.items()},
        tuple(problem for each in found for problem in each.problems),
        tuple(path for each in found for path in each.forgotten),
    )


def _known_run(files: Sequence[SeenFile], snapshot: Snapshot, remembered: Remembered) -> KnownBatch:
    run = remembered.find_run([content_of(file) for file in files])
    forgotten: tuple[str, ...] = ()
    if run is None:
        run, files, forgotten = _run_of_single_files(files, remembered)
    rows = known_rows(snapshot, list(zip(files, run.told.counts, strict=True)), run.chunks)
    return KnownBatch(rows, *_facts_of(files, run.told), forgotten)


def _run_of_single_files(
    files: Sequence[SeenFile], remembered: Remembered
) -> tuple[FileRun, list[SeenFile], tuple[str, ...]]:
    """Put together what the cache has of single files; return it, which files these are, and those that it lacks."""
    contents = [content_of(file) for file in files]
    found = remembered.find(contents)
    forgotten = tuple(file.path for file in files if file.path not in found)
    files = [file for file in files if file.path in found]
    run = FileRun.of([found[file.path] for file in files])
    if not forgotten:
        remembered.keep_run(contents, run)
    return run, files, forgotten


def _facts_of(files: Sequence[SeenFile], told: RunFacts) -> tuple[dict[str, bytes], tuple[ParseProblem, ...]]:
    facts = dict(zip((file.path for file in files), told.facts, strict=True))
    return facts, tuple(problem for problems in told.problems for problem in problems)


def keep_runs(files: Sequence[SeenFile], *, among: Set[str], remembered: Remembered) -> None:
    """Keep what the cache has of files together with those beside them, where one of them is among some paths."""
    for run in _runs(files):
        if any(file.path in among for file in run.files):
            _run_of_single_files(run.files, remembered)


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """Files that stay as the store has them: how many chunks they have, and what is told of them beside these."""

    files: tuple[SeenFile, ...]
    chunks: int
    facts: Mapping[str, bytes]
    problems: tuple[ParseProblem, ...]
    forgotten: tuple[str, ...]


def known_facts(files: Sequence[SeenFile], *, remembered: Remembered) -> Iterator[KnownFacts]:
    """Yield what the cache has of files but their rows."""
    for run in _runs(files):
        told, found = remembered.find_facts([content_of(file) for file in run.files]), list(run.files)
        forgotten: tuple[str, ...] = ()
        if told is None:
            together, found, forgotten = _run_of_single_files(run.files, remembered)
            told = together.told
        yield KnownFacts(tuple(found), sum(told.counts), *_facts_of(found, told), forgotten)


def facts_in_cache(files: Sequence[SeenFile], *, remembered: Remembered) -> dict[str, bytes]:
    """Return the packed facts that the cache has of files, by path; nothing is kept for the next time."""
    facts: dict[str, bytes] = {}
    for run in _runs(files):
        contents = [content_of(file) for file in run.files]
        told = remembered.find_facts(contents)
        if told is not None:
            facts.update(zip((file.path for file in run.files), told.facts, strict=True))
        else:
            found = remembered.find(contents)
            facts.update((file.path, found[file.path].facts) for file in run.files if file.path in found)
    return facts


def chunks_in_cache(
    files: Sequence[SeenFile], snapshot: Snapshot, *, remembered: Remembered
) -> pa.Table | None:
    """Return the rows of the chunks of a few files; None where the cache lacks one of these."""
    found = remembered.find([content_of(file) for file in files])
    if any(file.path not in found for file in files):
        return None
    batches = [found[file.path].chunks for file in files]
    counted = [(file, batch.num_rows) for file, batch in zip(files, batches, strict=True)]
    return known_rows(snapshot, counted, joined_batches(batches)).chunks
