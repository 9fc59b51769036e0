"""What a process finds out before it is asked, and gives to who asks with the same facts of files."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock

from ragduck.garbage import without_collection
from ragduck.graph.build import Stored, stored_in, users_in
from ragduck.graph.code.file_uses import FileUses, read_here
from ragduck.graph.types.catalog import Catalog
from ragduck.preparation.known_facts import KnownFacts
from ragduck.preparation.remembered_rows import RememberedRows
from ragduck.preparation.remembered_uses import SHARED_FILES, AskedElsewhereError, RememberedUses
from ragduck.preparation.touched_files import Touched


class Reads:
    """Files whose statements are read, of which who asks may take a part before their turn comes.

    ``size`` weighs what is left of them.
    """

    def __init__(self, paths: AbstractSet[str], size: Callable[[str], int]) -> None:
        self._left = deque(sorted(paths))
        self._size = size
        self._taken: set[str] = set()
        self._lock = Lock()

    def __iter__(self) -> Iterator[str]:
        while True:
            with self._lock:
                if not self._left:
                    return
                path = self._left.pop()
                self._taken.add(path)
            yield path

    def shared(self) -> frozenset[str]:
        """Leave half of what is left to who asks; return what is read here."""
        with self._lock:
            half = sum(map(self._size, self._left)) / 2
            while self._left and half > 0:
                half -= self._size(self._left.popleft())
            return frozenset(self._taken.union(self._left))


class FoundAhead:
    """What is found out among the facts of some files, one after the other; who asks waits for it.

    Each is given with the names of what it was found among: these facts, and those that were kept of an earlier run.
    """

    def __init__(self) -> None:
        self._touched: Future[tuple[bytes, bytes, Touched | None] | None] = Future()
        self._stored: Future[tuple[bytes, Stored, RememberedRows] | None] = Future()
        self._reads: Future[tuple[bytes, Reads] | None] = Future()
        self._uses: Future[FileUses | None] = Future()

    def find(self, facts: Callable[[], KnownFacts]) -> None:
        """Find out what can be told before anybody asks; where that fails, who asks does it, and finds the error."""
        with suppress(Exception), without_collection():
            self._find(facts())
        for each in (self._touched, self._stored, self._reads, self._uses):
            if not each.done():
                each.set_result(None)

    def _find(self, known: KnownFacts) -> None:
        uses = RememberedUses(known, anew=lambda: read_here)  # of which only is asked what became of files
        name = known.name
        self._touched.set_result((name, uses.before, uses.touched))
        if uses.touched is None:
            return
        sizes = {path: len(packed) for path, packed in known.packed.items()}
        files, rows = tuple(known.taken()), RememberedRows(uses.rows)
        catalog = Catalog(files)
        self._stored.set_result((name, stored_in(catalog, files, rows), rows))
        touched = uses.touched.paths & catalog.files.keys()
        if len(touched) > SHARED_FILES:
            reads = Reads(touched, sizes.__getitem__)
            self._reads.set_result((name, reads))
            self._uses.set_result(users_in(catalog).read(catalog.files[path] for path in reads))

    def touched(self, name: bytes, before: bytes) -> Touched | None:
        """Return the files that are touched. Raises AskedElsewhereError."""
        found = self._touched.result()
        if found is None or found[:2] != (name, before):
            raise AskedElsewhereError
        return found[2]

    def stored(self, name: bytes) -> Stored:
        """Return what code does to databases, and keep the rows. Raises AskedElsewhereError."""
        found = self._stored.result()
        if found is None or found[0] != name:
            raise AskedElsewhereError
        _, stored, rows = found
        rows.keep()
        return stored

    def reads(self, name: bytes) -> frozenset[str]:
        """Leave who asks a part of the files that are touched; return those that are read here, if any."""
        found = self._reads.result() if self._reads.done() else None
        return found[1].shared() if found is not None and found[0] == name else frozenset()

    def uses(self) -> FileUses:
        """Return what the files that are read here use. Raises AskedElsewhereError."""
        found = self._uses.result()
        if found is None:
            raise AskedElsewhereError
        return found
