"""The packed facts of a snapshot with the cache in which is kept what was made of them, and the keys of that."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from ragduck.facts import FileFacts
from ragduck.facts.digests import NO_DECLARATIONS
from ragduck.facts.packing import Room, declarations_of, path_of, read_facts
from ragduck.garbage import without_collection
from ragduck.model import Snapshot
from ragduck.parse_cache import ParsedFiles, code_fingerprint

CODE = (
    "edge_table.py", "facts", "graph", "model.py", "node_table.py", "preparation/compared_files.py",
    "preparation/brought_in_sight.py", "preparation/declared_otherwise.py",
    "preparation/declared_parts.py", "preparation/eased_types.py",
    "preparation/followed_types.py", "preparation/imported_otherwise.py",
    "preparation/known_facts.py", "preparation/known_words.py", "preparation/named_values.py",
    "preparation/opened_for_others.py", "preparation/opened_otherwise.py", "preparation/other_languages.py",
    "preparation/packed_tables.py", "preparation/reached_declarations.py", "preparation/reached_members.py",
    "preparation/remembered_rows.py", "preparation/remembered_rules.py",
    "preparation/remembered_uses.py", "preparation/rules_record.py", "preparation/standing_names.py",
    "preparation/touched_files.py", "preparation/touched_types.py",
    "preparation/uses_record.py", "sqlreader",
)  # fmt: skip
LIBRARIES = ("numpy", "pyarrow")
Later: TypeAlias = Callable[[Callable[[], None]], object]
DIGEST_BYTES = 20


class KnownFacts:
    """The packed facts of all files of a snapshot by path, with hashes of each, and of all declarations.

    ``can_be_kept`` holds where it is known which code makes something of them. ``later`` is given what keeps that.
    ``read`` reads all files, where somebody has read most of them before.
    """

    def __init__(
        self,
        cache: Path,
        snapshot: Snapshot,
        facts: Sequence[bytes],
        *,
        later: Later | None = None,
        read: Callable[[], Iterable[FileFacts]] | None = None,
    ) -> None:
        self.table = ParsedFiles(cache)
        self._later = later or _at_once
        self.packed = {path_of(packed): packed for packed in facts}
        self.digests = {path: digest_of(packed) for path, packed in self.packed.items()}
        self.declarations = digest_of(sorted(set(map(declarations_of, facts)) - {NO_DECLARATIONS}))
        self._named = (snapshot.repo, snapshot.branch, snapshot.root_name)
        self._code = code_fingerprint(CODE, libraries=LIBRARIES)
        self._read: dict[bytes, bytes | None] = {}
        self._read_files = read or (lambda: read_facts(facts, Room()))
        self._files: Mapping[str, FileFacts] = {}

    @property
    def files(self) -> Mapping[str, FileFacts]:
        """All files by path, the facts of statements still packed; a million objects until they are `taken`."""
        self.read_files()
        return self._files

    def read_files(self) -> None:
        """Read all files, unless they were."""
        if not self._files:
            with without_collection():
                self._files = {file.path: file for file in self._read_files()}

    def taken(self) -> Iterator[FileFacts]:
        """Yield all files, for whoever takes them to let go."""
        files, self._files = self.files, {}
        yield from files.values()

    @property
    def name(self) -> bytes:
        """A hash that stands for all facts of all files, in order."""
        return digest_of(list(self.digests.items()))

    @property
    def can_be_kept(self) -> bool:
        """Say whether what is made of the facts has keys."""
        return self._code is not None

    def key_of(self, kind: str) -> bytes:
        """Name a kind of what is made of the facts, and the code that does; empty where the code cannot be read."""
        kept_as = (kind, *self._named, self._code)
        return digest_of(kept_as) if self._code is not None else b""

    def read(self, key: bytes) -> bytes | None:
        """Return what is kept under a key, the same each time, whatever another process keeps meanwhile."""
        if key and key not in self._read:
            self._read[key] = self.table.read([key]).get(key)
        return self._read.get(key)

    def keep(self, pack: Callable[[], Mapping[bytes, bytes]]) -> None:
        """Keep what is packed under keys: that takes a while, and nothing waits for it."""

        def kept() -> None:
            try:
                rows = pack()
            except (
                OverflowError,
                ValueError,
            ):  # of Arrow, too: a name that is no text, a line beyond all numbers
                return
            self.table.write(rows)

        self._later(kept)


def _at_once(keep: Callable[[], None]) -> None:
    keep()


def digest_of(value: object) -> bytes:
    """Hash bytes, or what is written of something else."""
    content = value if isinstance(value, bytes) else repr(value).encode("utf-8", errors="surrogatepass")
    return hashlib.blake2b(content, digest_size=DIGEST_BYTES).digest()
