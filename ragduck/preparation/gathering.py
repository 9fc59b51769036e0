"""Gather the files of a source, on disk or in git, before any is opened; and what other systems wrote."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ragduck.imports.contract import ForeignSource
from ragduck.model import SkippedFile, Snapshot, SourceFile
from ragduck.preparation.reports import SnapshotReport
from ragduck.resources import code_hash
from ragduck.scratch import scratch_folder
from ragduck.sources import MAX_FILE_BYTES, WINDOWS_1252, Revision, Source, walk_files, walk_revision
from ragduck.version import __version__

# What decides on the rows of a store.
CODE = (
    "edge_table.py", "facts", "graph", "imports", "model.py", "parse", "preparation/collecting.py",
    "preparation/found_ahead.py", "preparation/reading.py", "preparation/tying.py", "preparation/tying_ahead.py",
    "sources", "sqlreader", "store",
)  # fmt: skip
SQL = ("amend", "build", "macros", "schema", "search")  # macros take in parts of searches


@dataclass(frozen=True, slots=True)
class FileRules:
    """Which files of a source are taken, and the code page of those that do not tell their encoding."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_bytes: int = MAX_FILE_BYTES
    code_page: str = WINDOWS_1252


@dataclass(frozen=True, slots=True)
class Gathered:
    """The files of one source; those of a revision are there only while it is `unpacked`."""

    source: Source
    rules: FileRules
    files: tuple[SourceFile, ...]
    report: SnapshotReport
    fingerprint: str

    @property
    def snapshot(self) -> Snapshot:
        """The repository and branch that the files are put under."""
        return self.source.snapshot


@dataclass(frozen=True, slots=True)
class GatheredImport:
    """What another system wrote of one repository and branch."""

    source: ForeignSource
    report: SnapshotReport
    fingerprint: str

    @property
    def snapshot(self) -> Snapshot:
        """The repository and branch that it is put under."""
        return self.source.snapshot


def gather_import(source: ForeignSource, *, settings: Sequence[object]) -> GatheredImport:
    """Name what will be read; ``settings`` are what else the chunks depend on."""
    fingerprint = _hash((*settings, *made_by()), (source.kind, source.fingerprint))
    return GatheredImport(source, SnapshotReport(source.snapshot), fingerprint)


def gather(source: Source, *, rules: FileRules, settings: Sequence[object]) -> Gathered:
    """Walk a folder, or name the commit that will be unpacked; ``settings`` are what else the chunks depend on."""
    report = SnapshotReport(source.snapshot, otherwise=[source.note] if source.note else [])
    if source.name_note:
        report.notes.append(source.name_note)
    if source.revision:
        return Gathered(source, rules, (), report, _fingerprint_of(source.revision, rules, settings))
    snapshot = source.snapshot
    found = walk_files(snapshot.root, include=rules.include, exclude=rules.exclude, max_bytes=rules.max_bytes)
    files = _taken(found, report)
    fingerprint = _hash(
        (*settings, rules.code_page, snapshot.commit_sha, *made_by()),
        *(
            (file.path, file.size, file.mtime_ns, file.ctime_ns, file.project, file.root_namespace)
            for file in files
        ),
    )
    return Gathered(source, rules, files, report, fingerprint)


@contextmanager
def unpacked(gathered: Gathered) -> Iterator[Gathered]:
    """Give the files of a revision a place on disk for as long as they are read."""
    revision, rules = gathered.source.revision, gathered.rules
    if revision is None:
        yield gathered
        return
    with scratch_folder() as folder:
        found = walk_revision(
            revision,
            folder,
            include=rules.include,
            exclude=rules.exclude,
            max_bytes=rules.max_bytes,
        )
        yield replace(gathered, files=_taken(found, gathered.report))


def _taken(found: Iterator[SourceFile | SkippedFile], report: SnapshotReport) -> tuple[SourceFile, ...]:
    """Keep the files; the report takes what was skipped."""
    files: list[SourceFile] = []
    for item in found:
        if isinstance(item, SkippedFile):
            report.skipped.append(item)
        else:
            files.append(item)
    return tuple(files)


def _fingerprint_of(revision: Revision, rules: FileRules, settings: Sequence[object]) -> str:
    """A commit never changes, so that its hash and the rules tell all without a look at its files."""
    taken = (rules.include, rules.exclude, rules.max_bytes, rules.code_page)
    return _hash((*settings, *made_by()), (revision.commit_sha, revision.prefix, *taken))


def made_by() -> tuple[str, ...]:
    """Return what makes another store of the same files: the release, and its code, as it may be one in between."""
    return __version__, code_hash(CODE, sql=SQL)


def _hash(*parts: tuple[object, ...]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(repr(part).encode())
    return digest.hexdigest()
