"""What a process finds out before it is asked, and gives to who asks with the same facts of files."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock
from typing import NamedTuple

from ragduck.garbage import without_collection
from ragduck.graph.build import Stored, stored_in, users_in
from ragduck.graph.code.file_uses import FileUses, read_here, uses_together
from ragduck.graph.types.catalog import Catalog
from ragduck.preparation.known_facts import KnownFacts
from ragduck.preparation.remembered_rows import RememberedRows
from ragduck.preparation.remembered_uses import AskedElsewhereError, RememberedUses, shared_files
from ragduck.preparation.touched_files import Touched


class Told(NamedTuple):
    """What code does to databases, and what those files use that nobody has taken over."""

    stored: Stored
    uses: FileUses


class FoundAhead:
    """What is found out among the facts of some files; who asks waits for it.

    It is told only to who asks about these facts, and knows the same of an earlier run. Who has nothing else to do
    than to wait may take over files that are to be read: half of those that are left, from the end on.
    """

    def __init__(self) -> None:
        self._touched: Future[tuple[bytes, bytes, Touched | None] | None] = Future()
        self._told: Future[tuple[bytes, Told, RememberedRows] | None] = Future()
        self._unread: list[str] = []  # in the order in which they are read
        self._changing = Lock()

    def find(self, facts: Callable[[], KnownFacts]) -> None:
        """Find out what can be told before anybody asks; where that fails, who asks does it, and finds the error."""
        with suppress(Exception), without_collection():
            self._find(facts())
        for each in (self._touched, self._told):
            if not each.done():
                each.set_result(None)

    def _find(self, known: KnownFacts) -> None:
        uses = RememberedUses(known, anew=lambda: read_here)  # of which only is asked what became of files
        name, touched = known.name, uses.touched
        self._unread = shared_files(touched.paths, known.packed) if touched is not None else []
        _spare_the_collector()
        self._touched.set_result((name, uses.before, touched))
        if touched is None:
            return
        files, rows = tuple(known.taken()), RememberedRows(uses.rows)
        catalog = Catalog(files)
        stored = stored_in(catalog, files, rows)
        told = Told(stored, uses_together(list(self._read(catalog))))
        _spare_the_collector()
        self._told.set_result((name, told, rows))

    def _read(self, catalog: Catalog) -> Iterator[FileUses]:
        """Yield what files use, one by one, as long as there are any that nobody has taken over."""
        users = users_in(catalog) if self._unread else None
        while users is not None:
            with self._changing:
                path = self._unread.pop(0) if self._unread else None
            if path is None:
                return
            yield users.read([catalog.files[path]])

    def touched(self, name: bytes, before: bytes) -> Touched | None:
        """Return the files that are touched. Raises AskedElsewhereError."""
        found = self._touched.result()
        if found is None or found[:2] != (name, before):
            raise AskedElsewhereError
        return found[2]

    def taken(self, name: bytes) -> frozenset[str]:
        """Return files that who asks reads instead, none where all were begun. Raises AskedElsewhereError."""
        found = self._touched.result()
        if found is None or found[0] != name:
            raise AskedElsewhereError
        with self._changing:
            kept = len(self._unread) // 2
            taken, self._unread = self._unread[kept:], self._unread[:kept]
        return frozenset(taken)

    def told(self, name: bytes) -> Told:
        """Return what was found, and keep its rows. Raises AskedElsewhereError."""
        found = self._told.result()
        if found is None or found[0] != name:
            raise AskedElsewhereError
        _, told, rows = found
        rows.keep()
        return told


def _spare_the_collector() -> None:
    """Let it overlook all that is there: loky has it look through everything, whenever somebody has been answered."""
    gc.freeze()
