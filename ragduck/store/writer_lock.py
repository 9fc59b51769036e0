"""Let one process at a time write a store."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from ragduck.errors import StoreError
from ragduck.shell import folder_command

POLL_SECONDS = 0.1


class StoreBusyError(StoreError):
    """Say that another process is writing the store."""


def busy(store: Path) -> StoreBusyError:
    """Return the error that tells whom to wait for."""
    return StoreBusyError(
        f"another prepare is writing {store}", hint="wait until it is done with --wait, or end it"
    )


def unwritable(store: Path, *, reason: str) -> StoreError:
    """Return the error that tells why a store cannot be written; one that is there can be copied elsewhere."""
    hint = (
        "check your rights to its folder, or copy it to one that you may write to"
        if store.exists()
        else "choose another place with -o"
    )
    return StoreError(f"{store} cannot be written: {reason}", hint=hint)


def require_writable(store: Path) -> None:
    """Raise StoreError where no store can be."""
    if store.is_dir():
        raise StoreError(f"{store} is a folder", hint=f"name a file: -o {store}/store.duckdb")
    folder = store.parent
    if not folder.is_dir():
        raise StoreError(f"there is no folder {folder}", hint=f"make it with: {folder_command(folder)}")
    if not os.access(folder, os.W_OK):
        raise unwritable(store, reason=f"no right to write to the folder {folder}")


class WriterLock:
    """The lock of a store, `STORE.ragduck-lock`; the system frees it when its process dies, whatever the reason."""

    def __init__(self, store: Path) -> None:
        from filelock import FileLock  # not before it is needed: it takes long to import

        self._store = store
        self._lock = FileLock(
            store.with_name(store.name + ".ragduck-lock"), poll_interval=POLL_SECONDS, thread_local=False
        )

    def acquire(self, *, wait: float) -> bool:
        """Take the lock within so many seconds; return whether someone else had it. Raises StoreBusyError."""
        from filelock import Timeout

        began = time.monotonic()
        had_to_wait = False
        while True:
            try:
                self._lock.acquire(timeout=0)
            except Timeout:
                had_to_wait = True
            except (OSError, NotImplementedError) as error:
                raise unwritable(self._store, reason=str(error)) from error
            else:
                return had_to_wait
            if time.monotonic() - began >= wait:
                raise busy(self._store)
            time.sleep(POLL_SECONDS)

    def release(self) -> None:
        """Give the lock to who waits; the file goes first, and who finds it gone makes it anew."""
        if self._lock.is_locked:
            with suppress(OSError):
                Path(self._lock.lock_file).unlink()
            self._lock.release()


def await_writer(store: Path, *, wait: float) -> None:
    """Return when no one writes the store, at once or within so many seconds. Raises StoreBusyError."""
    lock = WriterLock(store)
    lock.acquire(wait=wait)
    lock.release()
