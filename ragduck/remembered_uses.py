"""Remember what statements use from one run to the next, so that only files that changed are read again.

What is read off a file depends on its own facts, on the declarations of all files, on what a container is told of and
on the methods that send what they are given. An edit within a method mostly leaves all but the first as they are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ragduck.facts.digests import NO_DECLARATIONS
from ragduck.facts.packing import declarations_of, path_of
from ragduck.graph.code.file_uses import FileUses, StatementReader, UsesOfFiles, uses_together
from ragduck.model import Snapshot
from ragduck.parse_cache import ParsedFiles, code_fingerprint
from ragduck.uses_record import KeptUses, packed_uses, unpacked_uses

CODE = ("edge_table.py", "facts", "graph", "model.py", "remembered_uses.py", "uses_record.py")
LIBRARIES = ("numpy", "pyarrow")
FEW_FILES = 50
FEW_SHARE = 0.05  # of all files; beyond, several processes are faster
DIGEST_BYTES = 20


class RememberedUses:
    """What the statements of a snapshot use: of files that did not change, what an earlier run found in them.

    ``anew`` begins to find out what the statements of all files use. That is done at once where it is clear by now
    that nothing else will do.
    """

    def __init__(
        self, cache: Path, snapshot: Snapshot, facts: Sequence[bytes], *, anew: Callable[[], UsesOfFiles]
    ) -> None:
        self._table = ParsedFiles(cache)
        self._key = _key_of(snapshot)
        self._declarations = _digest(sorted(set(map(declarations_of, facts)) - {NO_DECLARATIONS}))
        self._facts = {path_of(packed): _digest(packed) for packed in facts}
        self._anew = anew
        self._kept = self._usable()
        self._begun = anew() if self._kept is None else None

    @property
    def are_remembered(self) -> bool:
        """Whether few files will be read, as far as can be told by now."""
        return self._kept is not None

    def __call__(self, reader: StatementReader) -> FileUses:
        """Return what statements use, and keep it unless it was kept before."""
        registrations = _digest([_in_order(reader.registered), _in_order(reader.senders)])
        kept = self._kept
        if kept is None or kept.registrations != registrations:
            found = (self._begun or self._anew())(reader)
        elif kept.facts == self._facts:
            return kept.uses
        else:
            changed = [reader.files[path] for path in _new_in(self._facts, kept.facts)]
            others = kept.uses.without(_new_in(kept.facts, self._facts))
            found = uses_together([others, reader.read(changed)])
        self._keep(KeptUses(self._declarations, registrations, self._facts, found))
        return found

    def _usable(self) -> KeptUses | None:
        """Return what was kept if declarations are what they were, and few files have changed."""
        if self._key is None:
            return None
        data = self._table.read([self._key]).get(self._key)
        kept = unpacked_uses(data, key=self._key) if data is not None else None
        if kept is None or kept.declarations != self._declarations:
            return None
        changed = len(_new_in(self._facts, kept.facts))
        return kept if changed <= max(FEW_FILES, FEW_SHARE * len(self._facts)) else None

    def _keep(self, kept: KeptUses) -> None:
        if self._key is None:
            return
        try:
            packed = packed_uses(kept, key=self._key)
        except (
            OverflowError,
            ValueError,
        ):  # of Arrow, too: a name that is no text, a line beyond all numbers
            return
        self._table.write({self._key: packed})


def _new_in(facts: Mapping[str, bytes], others: Mapping[str, bytes]) -> set[str]:
    """Return the paths of files that are not, or not as they are here, among others."""
    return {path for path, digest in facts.items() if others.get(path) != digest}


def _key_of(snapshot: Snapshot) -> bytes | None:
    """Name a snapshot and the code that makes graphs; None where the code cannot be read."""
    code = code_fingerprint(CODE, libraries=LIBRARIES)
    named = ("uses", snapshot.repo, snapshot.branch, snapshot.root_name, code)
    return _digest(named) if code is not None else None


def _in_order(told: Mapping[str, frozenset[str]]) -> list[tuple[str, list[str]]]:
    return sorted((key, sorted(names)) for key, names in told.items())


def _digest(value: object) -> bytes:
    content = value if isinstance(value, bytes) else repr(value).encode("utf-8", errors="surrogatepass")
    return hashlib.blake2b(content, digest_size=DIGEST_BYTES).digest()
