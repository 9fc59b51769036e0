"""Tell where parsed files are kept, and whether that place belongs to this user alone."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from ragduck.cache_folder import cache_file

FILE_NAME = "parsed_files.sqlite3"
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def usable_cache_path(environment: Mapping[str, str] | None = None) -> tuple[Path | None, str]:
    """Return the file, its folder made, and why there is none although nobody switched it off.

    ``RAGDUCK_PARSE_CACHE`` set to `off` switches it off, as does an empty ``RAGDUCK_CACHE_DIR``.
    """
    path = cache_file(FILE_NAME, switch="RAGDUCK_PARSE_CACHE", environment=environment)
    if path is None:
        return None, ""
    path = path.absolute()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        reason = refusal_of(path)
    except OSError as error:
        reason = f"{path.parent}: {error.strerror or error}"
    return (None, reason) if reason else (path, "")


def refusal_of(path: Path) -> str:
    """Name what lets others put something into a file; empty when nothing does.

    A store would take over what stands in the file, so the same care is due as with keys of ssh: nobody else may
    write the file, its folder or any folder above.
    """
    if not hasattr(os, "geteuid"):
        return ""
    real = path.parent.resolve(strict=True) / path.name
    if os.path.lexists(real) and not _is_ours_alone(real.lstat()):
        return f"{real} is not a file of this user alone"
    folder = real.parent
    if folder.stat().st_uid != os.geteuid() or folder.stat().st_mode & _OTHERS_WRITE:
        return f"{folder} can be written by others"
    for above in folder.parents:
        if _lets_others_rename(above.stat()):
            return f"{above} can be written by others"
    return ""


def _is_ours_alone(status: os.stat_result) -> bool:
    is_file = stat.S_ISREG(status.st_mode)
    return is_file and status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_WRITE


def _lets_others_rename(status: os.stat_result) -> bool:
    """In a sticky folder, such as /tmp, all may write but only owners rename."""
    if status.st_uid not in (0, os.geteuid()):
        return True
    return bool(status.st_mode & _OTHERS_WRITE) and not status.st_mode & stat.S_ISVTX
