"""Keep a store open for many calls, and open it anew when `prepare` has put another file in its place."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Condition

from ragduck.errors import StoreError
from ragduck.library import Store
from ragduck.mcp_server.interruption import InterruptibleDatabase, current_call
from ragduck.mcp_server.settings import ServerSettings
from ragduck.store import open_database

DRAIN_SECONDS = 5.0  # for which a call waits for others that still read the earlier file
LOOK_SECONDS = 0.05
MAX_OPENINGS = 5

Identity = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class OpenStore:
    """A store as the library knows it, and the database below, for statements that are limited."""

    store: Store
    database: InterruptibleDatabase
    identity: Identity


class LiveStore:
    """The store of a server. Threads may use it at once; each call sees the file that is there when it begins.

    The engine gives a process the file it already has open under a path. So the earlier one is closed first, once
    the calls that read it are done.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._opened: OpenStore | None = None
        self._users = 0
        self._changed = Condition()

    @contextmanager
    def opened(self) -> Iterator[OpenStore]:
        """Lend the store. Raises StoreError when there is none, it is foreign, or an earlier one is still read."""
        opened = self._borrow()
        try:
            yield opened
        finally:
            with self._changed:
                self._users -= 1
                self._changed.notify_all()

    def close(self) -> None:
        """Close the file."""
        with self._changed:
            self._close()

    def _borrow(self) -> OpenStore:
        ends = time.monotonic() + DRAIN_SECONDS
        with self._changed:
            while True:
                opened = self._current()
                if opened is not None:
                    self._users += 1
                    return opened
                current_call().require_running()
                if time.monotonic() > ends:
                    raise StoreError(
                        f"{self._settings.store} was replaced, and a call still reads the earlier file",
                        hint="call again when that is done",
                    )
                self._changed.wait(LOOK_SECONDS)

    def _current(self) -> OpenStore | None:
        """Return the store of the file that is there now; None while others read an earlier one."""
        if self._opened is not None and self._opened.identity == self._identity():
            return self._opened
        if self._users:
            return None
        self._close()
        self._opened = self._open()
        return self._opened

    def _open(self) -> OpenStore:
        for _ in range(MAX_OPENINGS):
            before = self._identity()
            opened = open_database(self._settings.store)
            if before is not None and before == self._identity():
                database = InterruptibleDatabase(opened)
                settings = self._settings
                store = Store(database, embed_model=settings.embed_model, faiss=settings.mirror)
                return OpenStore(store, database, before)
            opened.close()  # it was replaced in between
        raise StoreError(f"{self._settings.store} is being written", hint="call again when that is done")

    def _identity(self) -> Identity | None:
        try:
            found = self._settings.store.stat()
        except OSError:
            return None
        return (found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size)

    def _close(self) -> None:
        if self._opened is not None:
            self._opened.store.close()
            self._opened = None
