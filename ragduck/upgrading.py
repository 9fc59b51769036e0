"""Turn a sqlrooms-rag file into a store, with the vectors that it has."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ragduck.errors import ForeignFileError, UsageError
from ragduck.imports.sqlrooms import sqlrooms_sources
from ragduck.preparation.prepare import prepare
from ragduck.preparation.reports import PrepareReport
from ragduck.progress import NO_PROGRESS, Progress
from ragduck.shell import quote
from ragduck.store import open_database
from ragduck.store.in_place import put_in_place
from ragduck.store.writer_lock import WriterLock

BACKUP = ".bak"
UNFINISHED = ".upgraded"


@dataclass(frozen=True, slots=True)
class UpgradeReport:
    """What an upgrade did; ``backup`` is where the old file is when the store took its place."""

    old: Path
    store: Path
    backup: Path | None
    prepared: PrepareReport

    def to_dict(self) -> dict[str, Any]:
        """Return the report as `upgrade --json` prints it."""
        return {
            **self.prepared.to_dict(),
            "old": str(self.old),
            "backup": str(self.backup) if self.backup else None,
        }


def upgrade(
    old: str | Path,
    new: str | Path | None = None,
    *,
    repo: str | None = None,
    branch: str | None = None,
    overwrite: bool = False,
    progress: Progress = NO_PROGRESS,
) -> UpgradeReport:
    """Make a store of a sqlrooms-rag file without embedding its texts again.

    Without ``new`` the store takes the place of the file in one step, and the file is kept as `OLD.bak`.
    ``overwrite`` replaces a store that is there already, or that backup.
    Raises UsageError when there is one, ForeignFileError for a file that is none of sqlrooms-rag.
    """
    place = Path(old).resolve() if Path(old).is_symlink() else Path(old)
    require_upgradable(place)
    if new is not None and Path(new).resolve() != place.resolve():
        store = Path(new)
        _require_free(store, overwrite=overwrite)
        made = make_store(place, store, repo=repo, branch=branch, overwrite=overwrite, progress=progress)
        return UpgradeReport(place, store, None, made)
    backup = place.with_name(place.name + BACKUP)
    if (log := place.with_name(place.name + ".wal")).exists():
        raise UsageError(
            f"{place} has changes that wait in {log.name}",
            hint=f"ragduck upgrade {quote(str(place))} -o NEW, or close what writes it and try again",
        )
    lock = WriterLock(place)
    lock.acquire(wait=0)
    try:
        require_upgradable(place)  # nobody else can have upgraded it since
        _require_free(backup, overwrite=overwrite)
        return _in_place(place, backup, repo=repo or place.stem, branch=branch, progress=progress)
    finally:
        lock.release()


def require_upgradable(path: Path) -> None:
    """Refuse a file that is missing, is a store already, or that another system than sqlrooms-rag wrote."""
    try:
        open_database(path).close()
    except ForeignFileError:
        if not sqlrooms_sources(path):
            raise
        return
    raise UsageError(
        f"{path} is a store of this ragduck already",
        hint=f'ragduck search {quote(str(path))} "your question"',
    )


def make_store(old: Path, store: Path, **settings: Any) -> PrepareReport:
    """Prepare a store of one sqlrooms-rag file; texts without a vector are embedded only if its model can be had."""
    (source,) = sqlrooms_sources(old)
    return prepare(old, store, embed_model="default" if source.model else None, **settings)


def _in_place(old: Path, backup: Path, **settings: Any) -> UpgradeReport:
    unfinished = old.with_name(old.name + UNFINISHED)
    if unfinished.exists():
        open_database(unfinished).close()  # one that a killed run left; anything else is somebody's
    try:
        made = make_store(old, unfinished, overwrite=unfinished.exists(), **settings)
        shutil.copymode(old, unfinished)
        backup.unlink(missing_ok=True)
        _keep(old, backup)
        put_in_place(unfinished, old)
    finally:
        unfinished.unlink(missing_ok=True)
        unfinished.with_name(unfinished.name + ".ragduck-lock").unlink(missing_ok=True)
    return UpgradeReport(old, old, backup, replace(made, store=old))


def _keep(old: Path, backup: Path) -> None:
    """Give the old file a second name, so that at no moment there is nothing in its place."""
    try:
        os.link(old, backup)
    except OSError:  # file systems without hard links
        shutil.copy2(old, backup)


def _require_free(path: Path, *, overwrite: bool) -> None:
    if path.exists() and not overwrite:
        raise UsageError(f"{path} is there already", hint="choose another name with -o, or add --overwrite")
