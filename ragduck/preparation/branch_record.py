"""Remember what a branch of a store was made of, so that the next run tells which files may stay where they are."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from ragduck.model import Snapshot
from ragduck.parse_cache import ParsedFiles
from ragduck.parse_cache.records import Record, packed, unpacked_record
from ragduck.store.schema import VERSIONS
from ragduck.store.seal import Looks, Seal, put_seal, seal_of

_SCHEMA = pa.schema(
    [
        ("path", pa.string()),
        ("key", pa.binary()),
        ("size", pa.int64()),
        ("mtime_ns", pa.int64()),
        ("edges", pa.string()),
    ]
)


class FileRecord(NamedTuple):
    """What names the parse of a file, and how it looked."""

    key: bytes
    size: int
    mtime_ns: int


NO_FILE = FileRecord(b"", 0, 0)


@dataclass(frozen=True, slots=True)
class BranchRecord:
    """By path, what the rows of a file depend on, and a hash of the edges that were found in it."""

    files: dict[str, FileRecord] = field(default_factory=dict)
    edges: dict[str, str] = field(default_factory=dict)

    def packed(self, key: bytes) -> bytes:
        """Return the record as bytes."""
        paths = sorted({*self.files, *self.edges})
        files = [self.files.get(path, NO_FILE) for path in paths]
        columns = [paths, *map(list, zip(*files, strict=True)), [self.edges.get(path) for path in paths]]
        arrays = [pa.array(values, kind) for values, kind in zip(columns, _SCHEMA.types, strict=True)]
        return packed(Record(pa.RecordBatch.from_arrays(arrays, schema=_SCHEMA)), key=key)

    @classmethod
    def unpacked(cls, data: bytes, key: bytes) -> BranchRecord | None:
        """Read back what `packed` gave."""
        record = unpacked_record(data, key=key, schema=_SCHEMA)
        if record is None:
            return None
        rows = zip(*(column.to_pylist() for column in record.rows.columns), strict=True)
        found = cls()
        for path, *file, edges in rows:
            if file[0]:
                found.files[path] = FileRecord(*file)
            if edges is not None:
                found.edges[path] = edges
        return found


@dataclass(frozen=True, slots=True)
class Records:
    """What a branch was made of, where the store is as it was written then, and what it is made of now."""

    known: BranchRecord | None = None
    found: BranchRecord = field(default_factory=BranchRecord)

    def known_edges(self) -> frozenset[str]:
        """Return the files in which the edges are as they were."""
        known = self.known.edges if self.known is not None else {}
        return frozenset(path for path, edges in self.found.edges.items() if known.get(path) == edges)


class BranchRecords:
    """The records of a store that this code wrote; without a cache there are none."""

    def __init__(self, store: Path, *, cache: Path | None, made_by: Sequence[str]) -> None:
        self._store = store
        self._table = ParsedFiles(cache) if cache else None
        self._made_by = " ".join((*made_by, VERSIONS["duckdb_version"]))
        self._names: dict[tuple[str, str], str] = {}

    def find(self, snapshot: Snapshot) -> BranchRecord | None:
        """Return what a branch was made of, if the store is as it was written then. Nobody else may be writing it."""
        if self._table is None:
            return None
        seal = seal_of(self._store)
        self._names = dict(seal.branches) if seal is not None and seal.made_by == self._made_by else {}
        name, key = self._names.get((snapshot.repo, snapshot.branch)), self._key(snapshot)
        data = self._table.read([key]).get(key) if name is not None else None
        return BranchRecord.unpacked(data, key) if data is not None and _name_of(data) == name else None

    def keep(self, snapshot: Snapshot, record: BranchRecord) -> None:
        """Remember what a branch is made of, before the store is sealed."""
        if self._table is None:
            return
        key = self._key(snapshot)
        try:
            data = record.packed(key)
        except (
            OverflowError,
            ValueError,
        ):  # of Arrow, too: a time beyond all numbers, a name that is no text
            self._names.pop((snapshot.repo, snapshot.branch), None)
            return
        self._table.write({key: data})
        self._names[snapshot.repo, snapshot.branch] = _name_of(data)

    def seal(self, looked: Looks | None) -> None:
        """Seal the store, which was just written, and ``looked`` so. What is remembered of other branches stays."""
        if self._table is not None and looked is not None:
            put_seal(self._store, Seal(self._made_by, self._names), looked=looked)

    def _key(self, snapshot: Snapshot) -> bytes:
        named = repr(("branch", str(self._store.resolve()), snapshot.repo, snapshot.branch))
        return hashlib.blake2b(named.encode("utf-8", "surrogatepass"), digest_size=20).digest()


def _name_of(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()
