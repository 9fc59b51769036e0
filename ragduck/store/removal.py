"""Take a repository or a branch out of a store, or what was deleted out of its file; leave the rest as it was."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragduck.errors import StoreError, UsageError
from ragduck.model import EmbeddingModel, Snapshot
from ragduck.shell import removal_command
from ragduck.store.builder import StoreBuilder
from ragduck.store.connection import Database, open_database
from ragduck.store.facts import SnapshotFacts, snapshots_of
from ragduck.store.roots import forget_roots

SETTINGS = ("chunk_size", "header_weight")
MADE = "created_at"


@dataclass(frozen=True, slots=True)
class DropReport:
    """What was taken out of a store, what stays, and the rows of the finished file."""

    store: Path
    dropped: tuple[SnapshotFacts, ...]
    kept: tuple[SnapshotFacts, ...]
    counts: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as `drop --json` prints it."""
        return {
            "store": str(self.store),
            "dropped": [_named(snapshot) for snapshot in self.dropped],
            "kept": [_named(snapshot) for snapshot in self.kept],
            "counts": self.counts,
        }


@dataclass(frozen=True, slots=True)
class PurgeReport:
    """What a store is that was written anew as it was."""

    store: Path
    size: int
    counts: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as `history purge --json` prints it."""
        return {"store": str(self.store), "size_bytes": self.size, "counts": self.counts}


def drop(store: str | Path, *, repo: str, branch: str | None = None, wait: float = 0.0) -> DropReport:
    """Remove a repository, or one branch of it, from a store.

    The store is written anew beside the live file, as if the others alone had been prepared, and put in its place in
    one step; readers are not disturbed, and the history of conversations stays. Another writer is waited for ``wait``
    seconds. Raises UsageError for a name that the store does not hold and for the last branch, StoreError when it
    cannot be read or written, StoreBusyError while someone else writes it.
    """
    path = Path(store)
    target = path.resolve() if path.is_symlink() else path
    with open_database(target) as database:
        meta = database.meta
    with StoreBuilder(target, model=EmbeddingModel.from_dict(meta), wait=wait) as builder:
        with open_database(target) as database:  # what it holds now that no one else can write it
            _require_same_vectors(database, meta)
            held = snapshots_of(database)
        dropped = _asked_for(held, repo, branch)
        kept = tuple(snapshot for snapshot in held if snapshot not in dropped)
        if not kept:
            raise UsageError(
                f"{target} holds nothing but {_listed(held)}",
                hint=f"remove the file: {removal_command(target)}",
            )
        counts = _written_without(builder, dropped, _settings(meta))
    forget_roots(target, [(each.repo, each.branch) for each in dropped])
    return DropReport(target, dropped, kept, counts)


def purge(store: str | Path, *, wait: float = 0.0) -> PurgeReport:
    """Write a store anew as it is, so that its file holds nothing any more of conversations that were deleted.

    The engine marks rows as deleted, and leaves their text where it was. What the store tells of when it was made
    stays, too. Raises as `drop` does.
    """
    path = Path(store)
    target = path.resolve() if path.is_symlink() else path
    with open_database(target) as database:
        meta = database.meta
    with StoreBuilder(target, model=EmbeddingModel.from_dict(meta), wait=wait) as builder:
        with open_database(target) as database:
            _require_same_vectors(database, meta)
            held = database.meta
        counts = _written_without(builder, (), _settings(held, MADE))
        return PurgeReport(target, target.stat().st_size, counts)


def _require_same_vectors(database: Database, meta: Mapping[str, str]) -> None:
    """Raise StoreError where the writer that was waited for gave the store vectors of another model."""
    if EmbeddingModel.from_dict(database.meta) != EmbeddingModel.from_dict(meta):
        raise StoreError(
            f"{database.path} has other vectors since this waited for its writer",
            hint="run the command again",
        )


def _written_without(
    builder: StoreBuilder, dropped: Sequence[SnapshotFacts], settings: dict[str, str]
) -> dict[str, int]:
    """Write the live file anew without some branches; return the rows of the finished one."""
    builder.keep_others([_snapshot(each) for each in dropped])
    return builder.write(settings=settings)


def _settings(meta: Mapping[str, str], *others: str) -> dict[str, str]:
    """Return what is to stay of what a store says of itself."""
    return {name: meta[name] for name in (*SETTINGS, *others) if name in meta}


def _asked_for(held: Sequence[SnapshotFacts], repo: str, branch: str | None) -> tuple[SnapshotFacts, ...]:
    found = tuple(each for each in held if each.repo == repo and branch in (None, each.branch))
    if not found:
        names = [each.branch for each in held if each.repo == repo] if branch else []
        close = difflib.get_close_matches(branch or repo, names or [each.repo for each in held], n=1)
        meant = f"; did you mean {close[0]}?" if close else ""
        asked = f"{repo}, {branch}" if branch else repo
        raise UsageError(f"the store holds no {asked}{meant}", hint=f"it holds {_listed(held)}")
    return found


def _listed(held: Sequence[SnapshotFacts]) -> str:
    return "; ".join(f"{each.repo}, {each.branch}" for each in held)


def _snapshot(facts: SnapshotFacts) -> Snapshot:
    return Snapshot(facts.repo, facts.branch, facts.commit_sha, Path(facts.root))


def _named(snapshot: SnapshotFacts) -> dict[str, Any]:
    return {
        "repo": snapshot.repo,
        "branch": snapshot.branch,
        "commit": snapshot.commit_sha,
        "files": snapshot.files,
        "chunks": snapshot.chunks,
    }
