"""A folder for what is needed while a process runs; what a killed one left is removed by one that comes later."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filelock import BaseFileLock

PREFIX = "ragduck-"
LOCK, INSIDE = "lock", "files"
YOUNG_SECONDS = 60


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Give a new folder, gone at the end: it is held by a lock that ends with the process, however that ends."""
    _remove_left()
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as name:
        lock = _locked(Path(name))
        try:
            inside = Path(name).resolve() / INSIDE
            inside.mkdir()
            yield inside
        finally:
            if lock is not None:
                lock.release()  # before it is removed, as Windows wants it


def _locked(folder: Path) -> BaseFileLock | None:
    """Hold a folder if nobody else does; None where somebody does, and where nothing can be locked."""
    from filelock import FileLock, Timeout

    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(timeout=0)
    except (OSError, NotImplementedError, Timeout):
        return None
    return lock


def _remove_left() -> None:
    """Remove the folders that nobody holds any more; a young one may be about to be held."""
    with suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False) and _is_own(entry):
                folder = Path(entry.path)
                lock = _locked(folder) if _is_old(folder / LOCK) else None
                if lock is not None:
                    lock.release()
                    shutil.rmtree(folder, ignore_errors=True)


def _is_old(lock: Path) -> bool:
    try:
        return time.time() - lock.stat().st_mtime > YOUNG_SECONDS
    except OSError:
        return False


def _is_own(entry: os.DirEntry[str]) -> bool:
    return os.name == "nt" or entry.stat(follow_symlinks=False).st_uid == os.geteuid()
