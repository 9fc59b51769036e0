"""Read the files of a snapshot into a store that is being built, but for those of which all is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial

import pyarrow as pa

from ragduck.model import SeenFile, SourceFile
from ragduck.parse_cache import Remembered, SeenFiles, content_of, seen_file
from ragduck.preparation.branch_record import BranchRecord, FileRecord
from ragduck.preparation.known_facts import Later
from ragduck.preparation.reports import SnapshotReport
from ragduck.preparation.unchanged import (
    chunks_in_cache,
    divided,
    keep_runs,
    known_batches,
    known_facts,
)
from ragduck.preparation.workers import ParsedBatch, ParseTask, parse_files
from ragduck.progress import Stage
from ragduck.sources import read_document
from ragduck.store.builder import StoreBuilder
from ragduck.store.identity import stored_time

FEW_FILES = 50  # that are read another time sooner than looked at again


@dataclass(slots=True)
class Reading:
    """Add files with their chunks, and count them; ``facts`` has what they say about the graph, packed, by path.

    ``in_code_page`` names the files that do not tell their encoding. ``known`` tells what the store was made of,
    where files that are as they were then may stay there; ``record`` takes what they are now. ``later`` is given
    what nothing waits for.
    """

    builder: StoreBuilder
    report: SnapshotReport
    task: ParseTask
    stage: Stage
    processes: int | None
    later: Later
    known: BranchRecord | None = None
    record: BranchRecord = field(default_factory=BranchRecord)
    facts: dict[str, bytes] = field(default_factory=dict)
    in_code_page: list[str] = field(default_factory=list)
    _left: dict[str, SeenFile] = field(default_factory=dict)
    _remembered: Remembered = field(init=False)

    def __post_init__(self) -> None:
        self._remembered = Remembered(self.task.cache, settings=self.task.settings)
        self.builder.chunks_in = self._chunks_in

    def add(self, files: Sequence[SourceFile], *, is_on_disk: bool) -> None:
        """Add all files; those that a revision was unpacked to have no times by which they could be known again."""
        seen_files = SeenFiles(self.task.cache if is_on_disk else None, root=self.task.snapshot.root)
        division = divided(
            files, seen=seen_files.find(), held=self.builder.held_texts, code_page=self.task.code_page
        )
        parsed = self._parsed(division.unknown)  # in other processes, while this one goes on
        self.report.skipped += [file.skipped for file in division.skipped]
        self.stage.advance(len(division.skipped))
        seen = {file.path: file for file in (*division.skipped, *division.known)}
        self._record(division.known)
        forgotten = self._leave_or_take_over(division.known, files)
        for path in forgotten:
            self.record.files.pop(path, None)  # until it is read
        read = self._take(parsed) | self._take(
            self._parsed([file for file in files if file.path in forgotten])
        )
        seen |= read
        seen_files.keep(seen.values())
        self.later(partial(_keep_runs, seen, read.keys(), self._remembered))  # which knows nothing of facts
        if is_on_disk and self.task.cache is not None:
            self.later(partial(_keep_young, seen_files, seen, files, self.task))

    def _leave_or_take_over(self, known: Sequence[SeenFile], files: Sequence[SourceFile]) -> frozenset[str]:
        """Leave files that were not read where they are in the store, or add them; return those to be read."""
        same = [file for file in known if self._is_in_store(file)]
        if not same:
            return self._take_over(known)
        forgotten: set[str] = set()
        for some in known_facts(same, remembered=self._remembered):
            self._leave(some.files)
            self._count(len(some.files), chunks=some.chunks)
            self.facts.update(some.facts)
            self.report.problems += some.problems
            forgotten.update(some.forgotten)
        self._note_code_pages(same, forgotten)
        left = [file for file in same if file.path not in forgotten]
        self.builder.add_left = lambda: self._add_left(left, files)
        return self._take_over([file for file in known if not self._is_in_store(file)]) | forgotten

    def _add_left(self, same: Sequence[SeenFile], files: Sequence[SourceFile]) -> None:
        """Add files that were left in the store, with those that the cache lost meanwhile."""
        sources: list[pa.Table] = []
        forgotten: set[str] = set()
        for batch in known_batches(same, self.task.snapshot, remembered=self._remembered):
            self.builder.add_known_chunks(batch.rows.chunks)
            sources.append(batch.rows.sources)
            forgotten.update(batch.forgotten)
        if sources:
            self.builder.add_known_sources(pa.concat_tables(sources))
        for path in forgotten:
            self.record.files.pop(path, None)  # which may be parsed better next time
        for parsed in self._parsed([file for file in files if file.path in forgotten]):
            self.builder.add_rows(parsed.rows)

    def _take_over(self, known: Sequence[SeenFile]) -> frozenset[str]:
        """Add files that were not read; return the paths of those of which the cache has nothing any more."""
        forgotten: set[str] = set()
        sources: list[pa.Table] = []
        for batch in known_batches(known, self.task.snapshot, remembered=self._remembered):
            self.builder.add_known_chunks(batch.rows.chunks)
            self._count(batch.rows.sources.num_rows, chunks=batch.rows.chunks.num_rows)
            self.facts.update(batch.facts)
            self.report.problems += batch.problems
            sources.append(batch.rows.sources)
            forgotten.update(batch.forgotten)
        self._note_code_pages(known, forgotten)
        if sources:
            self.builder.add_known_sources(pa.concat_tables(sources))
        return frozenset(forgotten)

    def _note_code_pages(self, known: Sequence[SeenFile], forgotten: Set[str]) -> None:
        self.in_code_page.extend(file.path for file in known if file.code_page and file.path not in forgotten)

    def _record(self, files: Iterable[SeenFile]) -> None:
        """Note what the rows of files depend on."""
        remembered = self._remembered
        for file in files:
            key = remembered.key_of(content_of(file))
            if key:
                self.record.files[file.path] = FileRecord(key, file.size, file.mtime_ns)

    def _leave(self, files: Iterable[SeenFile]) -> None:
        """Leave files where the store has them, with the times that they have now."""
        left = {file.path: file for file in files}
        self._left |= left
        now = {path: self.record.files[path] for path in left}
        self.builder.leave(
            now,
            retimed={
                path: (one.size, stored_time(one.mtime_ns))
                for path, one in now.items()
                if self.known is not None and self.known.files[path] != one
            },
        )

    def _chunks_in(self, paths: Sequence[str]) -> pa.Table | None:
        """Return the chunks of files that were left as the parser gave them; None where the cache lost one."""
        files = [self._left[path] for path in paths]
        return chunks_in_cache(files, self.task.snapshot, remembered=self._remembered)

    def _is_in_store(self, file: SeenFile) -> bool:
        before = self.known.files.get(file.path) if self.known is not None else None
        now = self.record.files.get(file.path)
        return before is not None and now is not None and before.key == now.key

    def _parsed(self, files: Sequence[SourceFile]) -> Iterable[ParsedBatch]:
        return parse_files(files, task=self.task, processes=self.processes) if files else ()

    def _take(self, batches: Iterable[ParsedBatch]) -> dict[str, SeenFile]:
        """Add files that were read; return how they looked."""
        seen: dict[str, SeenFile] = {}
        passing: set[str] = set()  # which may be parsed better next time
        for batch in batches:
            self.builder.add_rows(batch.rows)
            self._count(batch.rows.sources.num_rows, chunks=batch.rows.chunks.num_rows)
            self.facts.update(batch.facts)
            self.report.skipped += batch.skipped
            self.report.problems += batch.problems
            passing |= {problem.path for problem in batch.problems if problem.passing}
            self.report.parsed += batch.parsed
            self.in_code_page.extend(batch.in_code_page)
            self.stage.advance(len(batch.skipped))
            seen |= {file.path: file for file in batch.seen}
        read = [file for file in seen.values() if not file.reason and file.path not in passing]
        self._record(read)
        self._leave(file for file in read if self._is_in_store(file))
        return seen

    def _count(self, files: int, *, chunks: int) -> None:
        self.report.files += files
        self.report.chunks += chunks
        self.stage.advance(files)


def _keep_young(
    looked: SeenFiles, seen: Mapping[str, SeenFile], files: Sequence[SourceFile], task: ParseTask
) -> None:
    """Keep how many files looked that had changed just before, as those of a new checkout, if they still read so."""
    looks = SeenFiles(task.cache, root=task.snapshot.root)
    young = [
        file
        for file in files
        if file.path in seen and looks.is_settled(seen[file.path]) and not looked.is_settled(seen[file.path])
    ]
    if len(young) > FEW_FILES:
        again = {file.path: seen_file(file, read_document(file, code_page=task.code_page)) for file in young}
        looks.keep(one for one in seen.values() if again.get(one.path, one) == one)


def _keep_runs(seen: Mapping[str, SeenFile], read: Set[str], remembered: Remembered) -> None:
    """Keep what was read together with what stands beside it, as the next run will ask for it."""
    files = [file for _, file in sorted(seen.items()) if not file.reason]
    keep_runs(files, among=read, remembered=remembered)
