"""Read the files of a snapshot into a store that is being built, but for those of which all is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from ragduck.model import SeenFile, SourceFile
from ragduck.parse_cache import Remembered, SeenFiles
from ragduck.preparation.reports import SnapshotReport
from ragduck.preparation.unchanged import divided, known_batches
from ragduck.preparation.workers import ParsedBatch, ParseTask, parse_files
from ragduck.progress import Stage
from ragduck.store.arrow import DocumentRows
from ragduck.store.builder import StoreBuilder


@dataclass(frozen=True, slots=True)
class Reading:
    """Add files with their chunks, and count them; ``facts`` has what they say about the graph, packed, by path.

    ``in_code_page`` names the files that do not tell their encoding.
    """

    builder: StoreBuilder
    report: SnapshotReport
    task: ParseTask
    stage: Stage
    processes: int | None
    facts: dict[str, bytes] = field(default_factory=dict)
    in_code_page: list[str] = field(default_factory=list)

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
        forgotten = self._take_over(division.known)
        seen |= self._take(parsed)
        seen |= self._take(self._parsed([file for file in files if file.path in forgotten]))
        seen_files.keep(seen.values())

    def _take_over(self, known: Sequence[SeenFile]) -> frozenset[str]:
        """Add files that were not read; return the paths of those of which the cache has nothing any more."""
        forgotten: set[str] = set()
        sources: list[pa.Table] = []
        remembered = Remembered(self.task.cache, settings=self.task.settings)
        for batch in known_batches(known, self.task.snapshot, remembered=remembered):
            self.builder.add_known_chunks(batch.rows.chunks)
            self._count(batch.rows)
            self.facts.update(batch.facts)
            self.report.problems += batch.problems
            sources.append(batch.rows.sources)
            forgotten.update(batch.forgotten)
        self.in_code_page.extend(file.path for file in known if file.code_page and file.path not in forgotten)
        if sources:
            self.builder.add_known_sources(pa.concat_tables(sources))
        return frozenset(forgotten)

    def _parsed(self, files: Sequence[SourceFile]) -> Iterable[ParsedBatch]:
        return parse_files(files, task=self.task, processes=self.processes) if files else ()

    def _take(self, batches: Iterable[ParsedBatch]) -> dict[str, SeenFile]:
        """Add files that were read; return how they looked."""
        seen: dict[str, SeenFile] = {}
        for batch in batches:
            self.builder.add_rows(batch.rows)
            self._count(batch.rows)
            self.facts.update(batch.facts)
            self.report.skipped += batch.skipped
            self.report.problems += batch.problems
            self.report.parsed += batch.parsed
            self.in_code_page.extend(batch.in_code_page)
            self.stage.advance(len(batch.skipped))
            seen |= {file.path: file for file in batch.seen}
        return seen

    def _count(self, rows: DocumentRows) -> None:
        self.report.files += rows.sources.num_rows
        self.report.chunks += rows.chunks.num_rows
        self.stage.advance(rows.sources.num_rows)
