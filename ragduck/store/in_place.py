"""Put a finished store where the live one is, which others may have open."""

from __future__ import annotations

import glob
from contextlib import suppress
from itertools import count
from pathlib import Path

from ragduck.errors import StoreError
from ragduck.store.writer_lock import WriterLock

SUFFIX = ".ragduck-old"
NEW = ".ragduck-new"


class StoreInUseError(StoreError):
    """Say that a store cannot be replaced while somebody has it open."""


def new_file_of(target: Path) -> Path:
    """Return where a store is written before it takes the place of the live one."""
    return target.with_name(target.name + NEW)


def put_in_place(new: Path, target: Path) -> None:
    """Give a finished store the name of the live one; who has that open goes on reading it.

    Windows replaces no file that is open. It lets the files of DuckDB be renamed, from 1.5 on, so there the live one
    steps aside first. Raises StoreInUseError where that is refused, too; the live store is as it was then.
    """
    try:
        new.replace(target)
    except PermissionError as refused:
        if not target.exists():
            raise
        _put_aside(target, new, refused)
    remove_old(target)


def recover(target: Path, *, wait: float) -> None:
    """Give a store its name back before anybody looks at it, if nobody is writing it. Raises StoreBusyError."""
    if target.exists() or not _old_files(target):
        return
    lock = WriterLock(target)
    lock.acquire(wait=wait)
    try:
        restore_old(target)
    finally:
        lock.release()


def restore_old(target: Path) -> None:
    """Give a store its name back that stepped aside for a new one that never came, as its writer was killed.

    The new one lies there still then; one that stepped aside and was deleted since is gone.
    """
    if not target.exists() and new_file_of(target).exists() and (old := _old_files(target)):
        max(old, key=lambda path: path.stat().st_mtime_ns).rename(target)


def remove_old(target: Path) -> None:
    """Remove what stepped aside, as far as nobody reads it any more."""
    for old in _old_files(target):
        with suppress(OSError):
            old.unlink()


def _put_aside(target: Path, new: Path, refused: PermissionError) -> None:
    old = _free_name(target)
    try:
        target.rename(old)
        new.rename(target)
    except BaseException as error:
        if old.exists() and not target.exists():
            old.rename(target)
        elif isinstance(error, PermissionError):
            raise StoreInUseError(
                f"{target} cannot be replaced: {refused.strerror}",
                hint="close what reads it, such as a notebook or an MCP server, or check your rights; then run the "
                "same command again",
            ) from refused
        raise


def _free_name(target: Path) -> Path:
    names = (target.with_name(f"{target.name}.{number}{SUFFIX}") for number in count(1))
    return next(name for name in names if not name.exists())


def _old_files(target: Path) -> list[Path]:
    found = target.parent.glob(f"{glob.escape(target.name)}.*{SUFFIX}")
    return [path for path in found if path.name[len(target.name) + 1 : -len(SUFFIX)].isdecimal()]
