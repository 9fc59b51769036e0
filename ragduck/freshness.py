"""Tell how fresh each branch of a store is: what changed where it was read from, as far as that can be seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from ragduck.branch_status import has_moved
from ragduck.errors import SourceError, UsageError
from ragduck.model import Document, SourceFile
from ragduck.resources import sql_text
from ragduck.sources import (
    MAX_FILE_BYTES,
    WINDOWS_1252,
    Standing,
    read_document,
    source_of,
    standing_of,
    walk_files,
)
from ragduck.store import Database
from ragduck.store.facts import SnapshotFacts
from ragduck.store.identity import stored_time, text_hash
from ragduck.store.roots import Key, Root, roots_of
from ragduck.store.statements import run_own

SHOWN_SHA = 10
CLOCK_STEP = timedelta(seconds=2)  # by which times of files may be coarser than the clock
NOT_KNOWN = "root not known here"
NOT_REACHABLE = "root not reachable"


@dataclass(frozen=True, slots=True)
class Freshness:
    """What is known of one branch; ``state`` is `fresh`, `stale` or `unknown`, and ``reason`` says why.

    The paths are those of files that differ on disk, by their text: a file that was only touched is none.
    ``commit_now`` is what the branch has come to, None outside git.
    """

    repo: str
    branch: str
    state: str
    reason: str = ""
    folder: str | None = None
    commit_now: str | None = None
    checkout_moved: bool | None = None
    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()

    @property
    def needs_root(self) -> bool:
        """Whether it would be known if a folder were named to compare with."""
        return self.reason in (NOT_KNOWN, NOT_REACHABLE)

    @property
    def text(self) -> str:
        """Return the state with its reason: `stale (3 changed, 1 added)`."""
        return f"{self.state} ({self.reason})" if self.reason else self.state

    def to_dict(self) -> dict[str, Any]:
        """Return what is known as `info --json` prints it."""
        return {
            "state": self.state,
            "reason": self.reason,
            "folder": self.folder,
            "commit_now": self.commit_now,
            "checkout_moved": self.checkout_moved,
            "changed": list(self.changed),
            "added": list(self.added),
            "deleted": list(self.deleted),
        }


@dataclass(frozen=True, slots=True)
class Differences:
    """Paths of files that are not on disk as the store has them."""

    changed: tuple[str, ...]
    added: tuple[str, ...]
    deleted: tuple[str, ...]

    def __str__(self) -> str:
        counts = {"changed": self.changed, "added": self.added, "deleted": self.deleted}
        return ", ".join(f"{len(paths):,} {name}" for name, paths in counts.items() if paths)


class _Stored(NamedTuple):
    """What the store has of a file."""

    size: int
    mtime: datetime | None
    content_hash: str
    project: str | None


def freshness_of(
    database: Database, snapshots: Sequence[SnapshotFacts], *, folders: Sequence[str | Path] = ()
) -> tuple[Freshness, ...]:
    """Look where each branch was read from, which walks the files that are on disk, and compare.

    This machine remembers where that was; ``folders`` are places to look at instead, each for the repository or the
    folder of its name. Raises UsageError for a folder that is none of the store's.
    """
    known = roots_of(database.path)
    for folder in folders:
        known |= _roots_at(Path(folder), snapshots, known)
    return tuple(
        _freshness(database, snapshot, known.get((snapshot.repo, snapshot.branch))) for snapshot in snapshots
    )


def _freshness(database: Database, snapshot: SnapshotFacts, root: Root | None) -> Freshness:
    if root is None:
        return _unknown(snapshot, NOT_KNOWN)
    standing = standing_of(root.folder, revision=root.revision, head=root.head)
    if standing is None:
        return _unknown(snapshot, NOT_REACHABLE, folder=root.folder)
    moved = has_moved(snapshot, root, standing)
    if not standing.is_on_disk:
        return _of_revision(snapshot, root, standing, moved=moved)
    differences = _compare(database, snapshot, root, standing.folder)
    commit = f"now at {standing.commit_sha[:SHOWN_SHA]}" if moved and standing.commit_sha else ""
    reason = ", ".join(part for part in (str(differences), commit) if part)
    return Freshness(
        snapshot.repo,
        snapshot.branch,
        "stale" if reason else "fresh",
        reason,
        folder=str(standing.folder),
        commit_now=standing.commit_sha,
        checkout_moved=moved,
        changed=differences.changed,
        added=differences.added,
        deleted=differences.deleted,
    )


def _of_revision(snapshot: SnapshotFacts, root: Root, standing: Standing, *, moved: bool | None) -> Freshness:
    """Judge by the commit alone; files that were on disk when they were read may have had changes of their own."""
    name = root.revision or root.head
    if moved is None:
        state, reason = "unknown", f"no revision {name} in {Path(root.folder).name}"
    elif moved:
        state, reason = "stale", f"{name} is now at {(standing.commit_sha or '')[:SHOWN_SHA]}"
    elif root.revision:
        state, reason = "fresh", ""
    else:
        state, reason = "unknown", f"{name} is not checked out, changes on disk cannot be seen"
    return Freshness(
        snapshot.repo,
        snapshot.branch,
        state,
        reason,
        folder=str(standing.folder),
        commit_now=standing.commit_sha,
        checkout_moved=moved,
    )


def _unknown(snapshot: SnapshotFacts, reason: str, *, folder: str | None = None) -> Freshness:
    return Freshness(snapshot.repo, snapshot.branch, "unknown", reason, folder=folder)


def _roots_at(folder: Path, snapshots: Sequence[SnapshotFacts], known: Mapping[Key, Root]) -> dict[Key, Root]:
    """Say which branches a folder may be the root of, and how each would be read from it."""
    found = source_of(folder)
    name = found.snapshot.root_name
    meant = [snapshot for snapshot in snapshots if snapshot.repo == found.snapshot.repo]
    meant = meant or [snapshot for snapshot in snapshots if snapshot.root == name]
    if not meant and len({snapshot.repo for snapshot in snapshots}) == 1:
        meant = list(snapshots)
    if not meant:
        repos = ", ".join(sorted({snapshot.repo for snapshot in snapshots}))
        raise UsageError(f"{folder} is no root of this store", hint=f"it holds {repos}")
    return {
        (each.repo, each.branch): _root_at(found.snapshot.root, each, known.get((each.repo, each.branch)))
        for each in meant
    }


def _root_at(folder: Path, snapshot: SnapshotFacts, known: Root | None) -> Root:
    """Read a branch that was kept in mind as then; otherwise from git, when it is there and not checked out."""
    if known is not None:
        return replace(known, folder=str(folder))
    try:
        source = source_of(folder, branch=snapshot.branch)
    except SourceError:  # a bare repository that has no such branch
        return Root(snapshot.repo, snapshot.branch, folder=str(folder), revision=snapshot.branch)
    revision = source.revision.name if source.revision else ""
    return Root(snapshot.repo, snapshot.branch, folder=str(folder), revision=revision, head=source.head or "")


def _compare(database: Database, snapshot: SnapshotFacts, root: Root, folder: Path) -> Differences:
    """Walk the folder; read only files whose size or time is not the one that was stored.

    Where the time was set back, that something about a file changed since shows.
    """
    sql = sql_text("info/files_of_branch.sql")
    rows = run_own(database, sql, {"repo": snapshot.repo, "branch": snapshot.branch})
    stored = {
        row["file_path"]: _Stored(row["size"], row["mtime"], row["content_hash"], row["project"])
        for row in rows
    }
    found = walk_files(
        folder, include=root.include, exclude=root.exclude, max_bytes=root.max_bytes or MAX_FILE_BYTES
    )
    on_disk = {file.path: file for file in found if isinstance(file, SourceFile)}
    code_page = root.code_page or WINDOWS_1252
    changed = [
        path
        for path, file in on_disk.items()
        if path in stored and _differs(file, stored[path], code_page, since=snapshot.prepared_at - CLOCK_STEP)
    ]
    added = [
        path for path, file in on_disk.items() if path not in stored and _text_of(file, code_page) is not None
    ]
    return Differences(tuple(changed), tuple(added), tuple(path for path in stored if path not in on_disk))


def _differs(file: SourceFile, stored: _Stored, code_page: str, *, since: datetime) -> bool:
    if file.project != stored.project:  # a project file came, went or was renamed, perhaps above the root
        return True
    is_alike = file.size == stored.size and stored_time(file.mtime_ns) == stored.mtime
    if is_alike and stored_time(file.ctime_ns) < since:
        return False
    text = _text_of(file, code_page)
    return text is None or text_hash(text) != stored.content_hash


def _text_of(file: SourceFile, code_page: str) -> str | None:
    """Return what would be indexed; None for a file that would be skipped, as before."""
    document = read_document(file, code_page=code_page)
    return document.text if isinstance(document, Document) else None
