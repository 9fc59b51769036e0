"""An append-only journal beside a store: what was saved while the store itself could not be written.

One JSON object a line. A record counts once its line is whole: it is written under a lock that keeps other processes
out, and is on the disk before the writer goes on. A line without its end is what a killed writer left.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragduck.errors import StoreError
from ragduck.untrusted_json import read_json

MAX_LINE = 64_000_000  # bytes; a longer line is none of ours, and is not read into memory
LOCK_SECONDS = 30.0
OPENING = b'{"ragduck_journal": 1, '  # of each line that ragduck writes
# A link could lead the writer to any file of the user; O_NONBLOCK keeps a named pipe from blocking the open.
_FLAGS = 0
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
    _FLAGS |= getattr(os, _flag, 0)


@dataclass(frozen=True, slots=True)
class Entries:
    """What a journal holds: records in the order in which they were saved, and how many lines are none.

    ``torn`` counts what killed writers left; nobody was told that it was saved. ``foreign`` counts other lines.
    """

    records: tuple[Mapping[str, Any], ...] = ()
    torn: int = 0
    foreign: int = 0


def lock_of(store: Path) -> Path:
    """Return the file that is there while someone writes the journal, or folds it into the store."""
    return store.with_name(store.name + ".ragduck-journal.lock")


def is_written(store: Path) -> bool:
    """Say whether someone writes the journal of a store, or folds it: a lock that a killed one left is not held."""
    if not lock_of(store).exists():
        return False
    from filelock import FileLock, Timeout

    lock = FileLock(lock_of(store))
    try:
        lock.acquire(timeout=0)
    except (Timeout, OSError, NotImplementedError):
        return True
    lock.release()
    return False


class Journal:
    """The journal of a store, `STORE.ragduck-journal`, and the lock that guards it and the store's history."""

    def __init__(self, store: Path) -> None:
        self.store = store
        self.path = store.with_name(store.name + ".ragduck-journal")
        from filelock import FileLock  # not before it is needed: it takes long to import

        self._lock = FileLock(lock_of(store), poll_interval=0.005)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep all other writers of the journal out, of this process and of others; may be nested."""
        from filelock import Timeout

        if not self.path.parent.is_dir():  # which the lock would make
            raise self._refused(FileNotFoundError(f"there is no folder {self.path.parent}"))
        try:
            self._lock.acquire(timeout=LOCK_SECONDS)
        except Timeout as error:
            raise StoreError(
                f"another process has held {lock_of(self.store)} for {LOCK_SECONDS:.0f} seconds",
                hint="end the process that writes to the store, then run the same command again",
            ) from error
        except (OSError, NotImplementedError) as error:
            raise self._refused(error) from error
        try:
            yield
        finally:
            if self._lock.lock_counter == 1:
                with suppress(OSError):  # who waits for it sees that it is gone, and makes it anew
                    Path(self._lock.lock_file).unlink()
            self._lock.release()

    @property
    def exists(self) -> bool:
        """Whether there is a journal, or something that stands in its place."""
        return os.path.lexists(self.path)

    def append(self, records: Sequence[Mapping[str, Any]]) -> None:
        """Write records, each a JSON object; they are on the disk when this returns. Raises StoreError if not."""
        lines = b"".join(map(self._line, records))
        with self.locked():
            is_new = not self.exists
            try:
                with self._opened(os.O_RDWR | os.O_APPEND | os.O_CREAT) as descriptor:
                    _append_durably(descriptor, lines)
                if is_new:
                    sync_folder(self.path.parent)
            except OSError as error:
                raise self._refused(error) from error

    def read(self) -> Entries:
        """Return all records; lines that are none are counted, never obeyed. Needs no lock.

        Raises StoreError when the journal is a link, a folder or anything but a file, or cannot be read.
        """
        if not self.exists:
            return Entries()
        try:
            with self._opened(os.O_RDONLY) as descriptor, os.fdopen(os.dup(descriptor), "rb") as stream:
                return _entries(_lines(stream))
        except FileNotFoundError:  # folded a moment ago
            return Entries()
        except OSError as error:
            raise self._refused(error) from error

    def clear(self, *, keep_aside: bool) -> None:
        """Remove the journal, whose records are in the store; with ``keep_aside`` it is renamed instead."""
        if keep_aside:
            self.path.rename(self._free_name())
        else:
            self.path.unlink(missing_ok=True)

    def _free_name(self) -> Path:
        number = 1
        while os.path.lexists(place := self.path.with_name(f"{self.path.name}-unread-{number}")):
            number += 1
        return place

    def _line(self, record: Mapping[str, Any]) -> bytes:
        line = OPENING + json.dumps(record, allow_nan=False).encode()[1:] + b"\n"
        if len(line) > MAX_LINE:
            raise StoreError(
                f"a record of {len(line):,} bytes is too long for {self.path}",
                hint=f"records have at most {MAX_LINE:,} bytes",
            )
        return line

    @contextmanager
    def _opened(self, flags: int) -> Iterator[int]:
        if self.path.is_symlink():  # not every system has O_NOFOLLOW
            raise OSError("it is a link")
        descriptor = os.open(self.path, flags | _FLAGS, mode=self._mode())
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError("it is no regular file")
            yield descriptor
        finally:
            os.close(descriptor)

    def _mode(self) -> int:
        """Return the permissions of the store: who may read it may read what is said about it."""
        try:
            return self.store.stat().st_mode & 0o666 | 0o600
        except OSError:
            return 0o600

    def _refused(self, error: Exception) -> StoreError:
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        return StoreError(
            f"the journal {self.path} cannot be used: {reason}",
            hint="check your rights to the folder and free disk space; a journal that is a link is not followed",
        )


def _append_durably(descriptor: int, lines: bytes) -> None:
    """Write whole lines at the end, or nothing."""
    size = os.fstat(descriptor).st_size
    if size:
        os.lseek(descriptor, size - 1, os.SEEK_SET)
        if os.read(descriptor, 1) != b"\n":
            lines = b"\n" + lines  # ends what a killed writer left
    try:
        left = memoryview(lines)
        while left:
            left = left[os.write(descriptor, left) :]
        os.fsync(descriptor)
    except OSError:
        with suppress(OSError):
            os.ftruncate(descriptor, size)
        raise


def sync_folder(folder: Path) -> None:
    """Make the name of a new file durable, where the system has a way to."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _lines(stream: Any) -> Iterator[bytes | None]:
    """Yield each line with its end; None stands for one that is too long."""
    while line := stream.readline(MAX_LINE):
        if len(line) == MAX_LINE and not line.endswith(b"\n"):
            while (rest := stream.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
            yield None
        else:
            yield line


def _entries(lines: Iterator[bytes | None]) -> Entries:
    records: list[Mapping[str, Any]] = []
    torn = foreign = 0
    for line in lines:
        record = None if line is None else _record(line)
        if record is not None:
            records.append(record)
        elif line is not None and (line.startswith(OPENING) or OPENING.startswith(line.rstrip(b"\n"))):
            torn += 1
        else:
            foreign += 1
    return Entries(tuple(records), torn, foreign)


def _record(line: bytes) -> Mapping[str, Any] | None:
    if not line.startswith(OPENING) or not line.endswith(b"\n"):
        return None
    try:
        record = read_json(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None
