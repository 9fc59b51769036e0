"""What a store that is added to holds already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from ragduck.errors import ForeignFileError, SourceError, StoreError, UsageError
from ragduck.model import EmbeddingModel, Snapshot
from ragduck.preparation.reports import SnapshotReport
from ragduck.resources import sql_text
from ragduck.shell import quote
from ragduck.sources import Source
from ragduck.sources.detached import DETACHED
from ragduck.sources.same_repository import is_of_another
from ragduck.store import open_database
from ragduck.store.roots import Key, Root


class Prepared(Protocol):
    """A source as it is now: equal fingerprints mean that nothing changed."""

    @property
    def snapshot(self) -> Snapshot:
        """The repository and branch that it is put under."""

    @property
    def fingerprint(self) -> str:
        """Hash of all that its chunks depend on."""


@dataclass(frozen=True, slots=True)
class Previous:
    """What a store that is added to holds: its model, and per repository and branch its root and files.

    ``looked`` is how the file looked before that was read, empty where it was not there.
    """

    model: EmbeddingModel | None
    roots: dict[tuple[str, str], str]
    fingerprints: dict[tuple[str, str], str]
    looked: tuple[int, ...]

    def is_of(self, target: Path) -> bool:
        """Whether the file is the one that was read, and nobody has changed it since."""
        return bool(self.looked) and _look_at(target) == self.looked

    def holds(self, given: Sequence[Prepared], *, model_key: str) -> bool:
        """Whether every folder was prepared before as it is now, with the same model."""
        known = self.model.key if self.model else "none"
        return model_key == known and all(
            self.fingerprints.get((each.snapshot.repo, each.snapshot.branch)) == each.fingerprint
            for each in given
        )


def previous_of(target: Path, *, overwrite: bool) -> Previous | None:
    """Return what there is to add to; None for a new or empty file, or a store to be overwritten.

    Raises ForeignFileError for a file that is no store, even when it is to be overwritten.
    """
    if not target.exists() or (target.is_file() and target.stat().st_size == 0):
        return None
    looked = _look_at(target)
    try:
        with open_database(target) as database:
            snapshots = database.rows("select repo, branch, root, fingerprint from snapshots")
            meta = database.meta
    except ForeignFileError:
        raise
    except StoreError:
        if overwrite:
            return None
        raise
    if overwrite:
        return None
    return Previous(
        model=EmbeddingModel.from_dict(meta),
        roots={(row["repo"], row["branch"]): row["root"] for row in snapshots},
        fingerprints={(row["repo"], row["branch"]): row["fingerprint"] for row in snapshots},
        looked=looked,
    )


def _look_at(target: Path) -> tuple[int, ...]:
    try:
        found = target.stat()
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def totals_of(target: Path) -> dict[str, int]:
    """Count what a store holds."""
    with open_database(target) as database:
        return database.rows(sql_text("info/totals.sql"))[0]


def held_reports(target: Path, reports: Sequence[SnapshotReport]) -> tuple[SnapshotReport, ...]:
    """Return reports of sources that were not read again, with what the store holds of them.

    Of files that were skipped and of problems it holds only how many there are.
    """
    with open_database(target) as database:
        held = {(row["repo"], row["branch"]): row for row in database.rows(sql_text("info/held.sql"))}
    return tuple(_held(report, held[report.snapshot.repo, report.snapshot.branch]) for report in reports)


def _held(report: SnapshotReport, row: Mapping[str, Any]) -> SnapshotReport:
    known = {"skipped": report.left_out.total(), "problems": len(report.problems)}
    return replace(
        report,
        files=row["files"],
        chunks=row["chunks"],
        nodes=row["nodes"],
        edges=row["edges"],
        undefined_objects=row["undefined_objects"],
        unknown=frozenset(name for name, count in known.items() if count != row[name]),
    )


def held_otherwise(
    snapshot: Snapshot, previous: Previous, *, store: Path, known: Mapping[Key, Root]
) -> Iterator[str]:
    """Tell under which other names the store holds the folder of a snapshot, as all of it would be found twice."""
    for (repo, branch), root in sorted(known.items()):
        is_held = (repo, branch) in previous.roots and repo != snapshot.repo
        if is_held and root.folder == str(snapshot.root):
            yield _found_twice(repo, branch, store=store)


def held_as_head(snapshot: Snapshot, previous: Previous, *, store: Path) -> Iterator[str]:
    """Tell of what an earlier run called HEAD, where it is known now what that is a commit of."""
    is_held = previous.roots.get((snapshot.repo, DETACHED)) == snapshot.root_name
    if is_held and snapshot.branch != DETACHED:
        yield _found_twice(snapshot.repo, DETACHED, store=store)


def _found_twice(repo: str, branch: str, *, store: Path) -> str:
    return (
        f"the store holds this folder as {repo}, {branch}, too, so that it is found twice; drop that with: "
        f"ragduck drop {quote(str(store))} --repo {quote(repo)} --branch {quote(branch)}"
    )


def replaced(snapshot: Snapshot, previous: Previous | None) -> Iterator[str]:
    """Tell what is replaced that came from elsewhere."""
    root = previous.roots.get((snapshot.repo, snapshot.branch)) if previous else None
    if root not in (None, snapshot.root_name):
        yield f"it takes the place of what came from {root}; keep both with --repo or --branch"


def require_same_roots(snapshots: Sequence[Snapshot], previous: Previous) -> None:
    """Refuse to replace one folder of a checkout by another unless the repository is named on purpose."""
    for snapshot in snapshots:
        root = previous.roots.get((snapshot.repo, snapshot.branch), snapshot.root_name)
        if root != snapshot.root_name:
            raise UsageError(
                f"the store holds folder {root} as {snapshot.repo}, {snapshot.branch}; "
                f"folder {snapshot.root_name} would replace it",
                hint=f"keep both with --repo {snapshot.repo}-{snapshot.root_name}, "
                f"or replace it with --repo {snapshot.repo}",
            )


def require_same_origin(source: Source, known: Mapping[Key, Root], *, store: Path, is_named: bool) -> None:
    """Refuse to replace a branch that git had by what is on disk, or a folder by another one of the same name.

    Checkouts of one repository may replace each other, and so may all that is ``is_named`` alike on purpose; a folder
    that is gone was moved.
    """
    snapshot = source.snapshot
    root = known.get((snapshot.repo, snapshot.branch))
    if root is None:
        return
    if source.note and root.revision:
        raise SourceError(
            f"{snapshot.repo} has no revision {snapshot.branch} any more; the store has it as git had it",
            hint=f"keep that, or drop it, to call so what is on disk: ragduck drop {quote(str(store))} "
            f"--repo {quote(snapshot.repo)} --branch {quote(snapshot.branch)}",
        )
    if not is_named and is_of_another(snapshot.root, Path(root.folder)):
        raise UsageError(
            f"the store holds {root.folder} as {snapshot.repo}, {snapshot.branch}; "
            f"{snapshot.root} would replace it",
            hint=f"keep both with --repo NAME, or replace it with --repo {quote(snapshot.repo)}",
        )
