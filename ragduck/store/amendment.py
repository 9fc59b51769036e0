"""Add to a store what can be left out of it, without a moment at which readers find it half done."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from ragduck.errors import RagduckError, StoreError
from ragduck.store.connection import Database, open_database, open_for_writing
from ragduck.store.damage import first_line, told_damage
from ragduck.store.in_place import new_file_of, put_in_place
from ragduck.store.journal import Journal
from ragduck.store.saved_blocks import mend
from ragduck.store.work_file import remove_database
from ragduck.store.writer_lock import WriterLock


@contextmanager
def amended(
    target: Path, *, require: Callable[[Database], None], wait: float = 0.0
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Give a copy of the store to write to, which takes its place when all went well.

    ``require`` is given the store and raises when it is no longer what the caller read. No one else can prepare the
    store or save conversations in it meanwhile; readers are not disturbed. Another writer is waited for ``wait``
    seconds. Raises StoreBusyError, StoreError.
    """
    copy = new_file_of(target)
    lock = WriterLock(target)
    lock.acquire(wait=wait)
    try:
        with Journal(target).locked(), _told(target):
            copy_store(target, copy, require=require)
            with open_for_writing(copy) as database:
                yield database.connection
                database.connection.execute("checkpoint")
            shutil.copymode(target, copy)
            _log_of(target).unlink(missing_ok=True)  # what it says is in the copy
            put_in_place(copy, target)
    finally:
        remove_database(copy)
        lock.release()


def copy_store(
    target: Path,
    copy: Path,
    *,
    require: Callable[[Database], None] | None = None,
    copy_file: Callable[[Path, Path], object] = shutil.copyfile,
) -> None:
    """Copy the store and its log while it is held open, which keeps everyone from writing to it.

    The lock of its journal must be held. ``require`` is given the store first.
    """
    mend(target)
    remove_database(copy)
    with open_database(target) as database:
        if require is not None:
            require(database)
        copy_file(target, copy)
        if _log_of(target).exists():
            copy_file(_log_of(target), _log_of(copy))


def _log_of(store: Path) -> Path:
    """Return where DuckDB keeps what it has not yet written into the file itself."""
    return store.with_name(store.name + ".wal")


@contextmanager
def _told(target: Path) -> Iterator[None]:
    try:
        with told_damage(target):
            yield
    except RagduckError:
        raise
    except (duckdb.Error, OSError) as error:
        raise StoreError(
            f"{target} could not be written: {first_line(error)}",
            hint="check free disk space and your rights to the folder, then run the same command again",
        ) from error
