"""Put a finished store where the live one is, which others may have open."""

from __future__ import annotations

import glob
from contextlib import suppress
from itertools import count
from pathlib import Path

from ragduck.errors import StoreError

SUFFIX = ".ragduck-old"


class StoreInUseError(StoreError):
    """Say that a store cannot be replaced while somebody has it open."""


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


def restore_old(target: Path) -> None:
    """Give a store its name back that stepped aside for one that never came, as its writer was killed."""
    if not target.exists() and (old := _old_files(target)):
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
    except PermissionError:
        raise StoreInUseError(
            f"{target} cannot be replaced: {refused.strerror}",
            hint="close what reads it, such as a notebook or an MCP server, or check your rights; then run the same "
            "command again, which embeds nothing anew",
        ) from refused
    try:
        new.rename(target)
    except BaseException:
        old.rename(target)
        raise


def _free_name(target: Path) -> Path:
    names = (target.with_name(f"{target.name}.{number}{SUFFIX}") for number in count(1))
    return next(name for name in names if not name.exists())


def _old_files(target: Path) -> list[Path]:
    return [*target.parent.glob(f"{glob.escape(target.name)}.*{SUFFIX}")]
