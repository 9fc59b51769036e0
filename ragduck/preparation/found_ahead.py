"""What a process finds out before it is asked, and gives to who asks with the same facts of files."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from threading import Event
from time import sleep
from typing import NamedTuple

from ragduck.garbage import without_collection
from ragduck.graph.build import Stored, stored_in, users_in
from ragduck.graph.code.file_uses import ReadUses, read_here, read_uses
from ragduck.graph.types.catalog import Catalog
from ragduck.preparation.known_facts import KnownFacts
from ragduck.preparation.remembered_rows import RememberedRows
from ragduck.preparation.remembered_uses import AskedElsewhereError, RememberedUses, shared_files
from ragduck.preparation.shared_out import taken
from ragduck.preparation.touched_files import Touched

ANSWER_SECONDS = 0.2  # that an answer may take: letting all files go takes 0.1 s, in which no thread goes on
WORTH_FILES = 30  # that are left: knowing what calls can mean takes as long as to read some 20


class Told(NamedTuple):
    """What code does to databases, and what those of the shared files use that are read here, if any are shared."""

    stored: Stored
    uses: ReadUses | None


class FoundAhead:
    """What is found out among the facts of some files; who asks waits for it.

    It is told only to who asks about these facts, and knows the same of an earlier run. ``marks`` is where is noted
    who reads which files.
    """

    def __init__(self, marks: Path) -> None:
        self._marks = marks
        self._touched: Future[tuple[bytes, bytes, Touched | None] | None] = Future()
        self._told: Future[tuple[bytes, Told, RememberedRows] | None] = Future()
        self._is_asked = Event()
        self._held: Catalog | None = None  # with all files

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
        _spare_the_collector()
        self._touched.set_result((name, uses.before, touched))
        if touched is None:
            return
        files, rows = tuple(known.taken()), RememberedRows(uses.rows)
        catalog = Catalog(files)
        stored = stored_in(catalog, files, rows)
        shared = shared_files(touched.reaching, known.packed)  # of which who asks reads others meanwhile
        here = self._read_some(catalog, shared) if shared else None
        _spare_the_collector()
        self._held = catalog
        self._told.set_result((name, Told(stored, here), rows))

    def leave(self) -> None:
        """Say that nobody will ask any more."""
        self._is_asked.set()

    def let_go(self) -> None:
        """Let go of all files once the answer has been given."""
        self._is_asked.wait()
        sleep(ANSWER_SECONDS)
        self._held = None

    def _read_some(self, catalog: Catalog, shared: Sequence[str]) -> ReadUses | None:
        """Return what some files use, unless who asks has taken nearly all of them by now."""
        left = 0
        with suppress(OSError):  # as where nothing can be marked, so that none would be taken
            left = len(shared) - sum(1 for _ in self._marks.iterdir())
        if left < WORTH_FILES:
            return None
        return read_uses(users_in(catalog), taken(shared, self._marks))

    def touched(self, name: bytes, before: bytes) -> Touched | None:
        """Return the files that are touched. Raises AskedElsewhereError."""
        found = self._touched.result()
        if found is None or found[:2] != (name, before):
            raise AskedElsewhereError
        return found[2]

    def told(self, name: bytes) -> Told:
        """Return what was found, and keep its rows. Raises AskedElsewhereError."""
        found = self._told.result()
        self._is_asked.set()
        if found is None or found[0] != name:
            raise AskedElsewhereError
        _, told, rows = found
        rows.keep()
        return told


def _spare_the_collector() -> None:
    """Let it overlook all that is there: loky has it look through everything, whenever somebody has been answered."""
    gc.freeze()
