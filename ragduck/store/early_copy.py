"""Copy a store that will be amended while other work goes on, for as long as it stays as it was."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import duckdb

from ragduck.errors import RagduckError
from ragduck.store.amendment import copy_store
from ragduck.store.journal import Journal
from ragduck.store.seal import Looks, looks_of, seal_of

BLOCK = 262_144  # bytes; blocks of 8 MB take the system seven times as long, as it finds large pages for them


class EarlyCopy:
    """A copy that a thread makes.

    Nobody else in this process may open the store before that has ended: to close it frees the engine's lock.
    """

    def __init__(self, store: Path, copy: Path) -> None:
        self._store = store
        self._copy = copy
        self._looked: Looks | None = None
        self._is_unwanted = Event()
        self._thread = Thread(target=self._make, name="ragduck-copy")
        self._thread.start()

    def wait(self) -> None:
        """Wait until the store is copied, or could not be."""
        self._thread.join()

    def stop(self) -> None:
        """End copying: nobody wants it any more."""
        self._is_unwanted.set()
        self._thread.join()

    def finish(self) -> bool:
        """Copy the store again if it is another since; return whether it is still sealed.

        Raises what `copy_store` does.
        """
        self.wait()
        with Journal(self._store).locked():
            if not self._is_as_store():
                copy_store(self._store, self._copy)
            return seal_of(self._store) is not None

    def _is_as_store(self) -> bool:
        try:
            return self._looked is not None and looks_of(self._store) == self._looked
        except OSError:
            return False

    def _make(self) -> None:
        with suppress(RagduckError, OSError, duckdb.Error):  # then it is copied later, and told why not
            with Journal(self._store).locked():
                looked = looks_of(self._store)
                copy_store(self._store, self._copy, copy_file=self._copy_file)
            self._looked = None if self._is_unwanted.is_set() else looked

    def _copy_file(self, source: Path, target: Path) -> None:
        block = memoryview(bytearray(BLOCK))
        with source.open("rb", buffering=0) as reading, target.open("wb", buffering=0) as writing:
            while not self._is_unwanted.is_set() and (count := reading.readinto(block)):
                written = 0
                while written < count:
                    written += writing.write(block[written:count])
            # Else the checkpoint of what is written to the copy would wait for all of it
            os.fsync(writing.fileno())
