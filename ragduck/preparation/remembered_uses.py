"""Remember what statements use from one run to the next, so that only files that changed are read again.

What is read off a file depends on its own facts, on the declarations of all files, and on what is told of all files
together. An edit within a method mostly leaves all but the first as they are, and a method that is added or gone
matters to those that name it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

from ragduck.facts.digests import NO_DECLARATIONS
from ragduck.facts.packing import declarations_of, head_of, path_of
from ragduck.graph.code.file_uses import FileUses, StatementReader, UsesOfFiles, uses_together
from ragduck.graph.file_rows import Reach
from ragduck.model import Snapshot
from ragduck.parse_cache import ParsedFiles, code_fingerprint
from ragduck.preparation.remembered_rows import RowsPlace, Since
from ragduck.preparation.touched_files import Touched, touched_files
from ragduck.preparation.uses_record import KeptUses, packed_heads, packed_uses, unpacked_heads, unpacked_uses

CODE = (
    "edge_table.py", "facts", "graph", "model.py", "preparation/remembered_rows.py",
    "preparation/remembered_uses.py", "preparation/touched_files.py", "preparation/uses_record.py", "sqlreader",
)  # fmt: skip
LIBRARIES = ("numpy", "pyarrow")
FEW_FILES = 50
FEW_SHARE = 0.05  # of all files; beyond, several processes are faster
DIGEST_BYTES = 20


class RememberedUses:
    """What the statements of a snapshot use: of files that are not touched, what an earlier run found in them.

    ``anew`` begins to find out what the statements of all files use. That is done at once where it is clear by now
    that nothing else will do.
    """

    def __init__(
        self, cache: Path, snapshot: Snapshot, facts: Sequence[bytes], *, anew: Callable[[], UsesOfFiles]
    ) -> None:
        self._table = ParsedFiles(cache)
        self._key = _key_of("uses", snapshot)
        self._heads_key = _key_of("heads", snapshot)
        self._packed = {path_of(packed): packed for packed in facts}
        self._declarations = _digest(sorted(set(map(declarations_of, facts)) - {NO_DECLARATIONS}))
        self._facts = {path: _digest(packed) for path, packed in self._packed.items()}
        self._anew = anew
        self._kept = self._usable()
        self._touched = self._touched_since(self._kept) if self._kept is not None else None
        self._begun = anew() if self._touched is None else None
        self.rows = RowsPlace(cache, _key_of("rows", snapshot), self._since())

    @property
    def are_remembered(self) -> bool:
        """Whether few files will be read, as far as can be told by now."""
        return self._touched is not None

    def __call__(self, reader: StatementReader) -> FileUses:
        """Return what statements use, and keep it unless it was kept before."""
        told = _digest([_in_order(each) for each in reader.told])
        kept, touched = self._kept, self._touched
        if kept is None or touched is None or kept.told != told:
            found = (self._begun or self._anew())(reader)
        elif kept.facts == self._facts:
            return kept.uses
        else:
            again = [reader.files[path] for path in sorted(touched.paths) if path in reader.files]
            found = uses_together([kept.uses.without(touched.paths), reader.read(again)])
        self._keep(KeptUses(self._declarations, told, self._facts, found))
        return found

    def _usable(self) -> KeptUses | None:
        """Return what was kept, if few files have changed since."""
        data = self._read(self._key)
        kept = unpacked_uses(data, key=self._key) if data is not None else None
        return kept if kept is not None and self._are_few(_new_in(self._facts, kept.facts)) else None

    def _touched_since(self, kept: KeptUses) -> Touched | None:
        """Return the files whose statements have to be read again; None if that is those of many."""
        changed = _new_in(self._facts, kept.facts) | _new_in(kept.facts, self._facts)
        if kept.declarations == self._declarations:
            return Touched(frozenset(changed))
        data = self._read(self._heads_key)
        heads = (
            unpacked_heads(data, declarations=kept.declarations, key=self._heads_key)
            if data is not None
            else None
        )
        touched = touched_files(heads, self._packed, changed) if heads is not None else None
        return touched if touched is not None and self._are_few(touched.paths) else None

    def _since(self) -> Since:
        """Tell rules that read files one by one what has become of these."""
        now, kept = _stand_in(self._declarations, self._facts), self._kept
        if kept is None:
            return Since(b"", now, {})
        again: dict[Reach, AbstractSet[str]] = {
            Reach.OWN: _new_in(self._facts, kept.facts) | _new_in(kept.facts, self._facts)
        }
        if self._touched is not None:
            again[Reach.NAMES] = self._touched.paths
            if not self._touched.values_may_differ:
                again[Reach.VALUES] = self._touched.paths
        return Since(_stand_in(kept.declarations, kept.facts), now, again)

    def _are_few(self, paths: AbstractSet[str]) -> bool:
        return len(paths) <= max(FEW_FILES, FEW_SHARE * len(self._facts))

    def _read(self, key: bytes) -> bytes | None:
        return self._table.read([key]).get(key) if key else None

    def _keep(self, kept: KeptUses) -> None:
        if not self._key:
            return
        rows: dict[bytes, bytes] = {}
        try:
            rows[self._key] = packed_uses(kept, key=self._key)
            if self._kept is None or self._kept.declarations != self._declarations:
                rows[self._heads_key] = self._packed_heads()
        except (
            OverflowError,
            ValueError,
        ):  # of Arrow, too: a name that is no text, a line beyond all numbers
            return
        self._table.write(rows)

    def _packed_heads(self) -> bytes:
        heads = {
            path: head_of(packed)
            for path, packed in self._packed.items()
            if declarations_of(packed) != NO_DECLARATIONS
        }
        return packed_heads(heads, declarations=self._declarations, key=self._heads_key)


def _stand_in(declarations: bytes, facts: Mapping[str, bytes]) -> bytes:
    """Hash all facts of all files."""
    return _digest((declarations, sorted(facts.items())))


def _new_in(facts: Mapping[str, bytes], others: Mapping[str, bytes]) -> set[str]:
    """Return the paths of files that are not, or not as they are here, among others."""
    return {path for path, digest in facts.items() if others.get(path) != digest}


def _key_of(kind: str, snapshot: Snapshot) -> bytes:
    """Name a snapshot and the code that makes graphs; empty where the code cannot be read."""
    code = code_fingerprint(CODE, libraries=LIBRARIES)
    named = (kind, snapshot.repo, snapshot.branch, snapshot.root_name, code)
    return _digest(named) if code is not None else b""


def _in_order(told: Mapping[str, frozenset[str]]) -> list[tuple[str, list[str]]]:
    return sorted((key, sorted(names)) for key, names in told.items())


def _digest(value: object) -> bytes:
    content = value if isinstance(value, bytes) else repr(value).encode("utf-8", errors="surrogatepass")
    return hashlib.blake2b(content, digest_size=DIGEST_BYTES).digest()
