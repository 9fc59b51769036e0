"""Remember what reading found in the files of a folder, so that those that look as they did are not read again."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pyarrow as pa

from ragduck.model import UNREADABLE, Document, SeenFile, SkippedFile, SourceFile
from ragduck.parse_cache.keys import parser_fingerprint
from ragduck.parse_cache.records import Record, packed, unpacked_record
from ragduck.parse_cache.table import ParsedFiles
from ragduck.store.identity import text_hash

SETTLED_NS = 2_000_000_000  # what changed later may change again without another time
_PASSING = frozenset({UNREADABLE})
_NAMES = tuple(field.name for field in fields(SeenFile))
_NUMBERS = frozenset({"size", "mtime_ns", "ctime_ns"})
_KINDS = {**dict.fromkeys(_NUMBERS, pa.int64()), "is_in_series": pa.bool_()}
_SCHEMA = pa.schema([(name, _KINDS.get(name, pa.string())) for name in _NAMES])


def seen_file(file: SourceFile, read: Document | SkippedFile) -> SeenFile | None:
    """Return what to remember of a file that was read; None where it may read otherwise next time."""
    if isinstance(read, SkippedFile):
        seen = _seen(file, reason=read.reason, detail=read.detail)
        return seen if read.reason not in _PASSING and _is_as_walked(file) else None
    seen = _seen(
        file,
        project=file.project,
        language=read.language,
        file_type=read.file_type,
        file_class=read.file_class,
        text_hash=text_hash(read.text),
        code_page=read.code_page,
        root_namespace=file.root_namespace,
    )
    return seen if _is_as_walked(file) else None


def _seen(file: SourceFile, **found: Any) -> SeenFile:
    state = (file.path, file.size, file.mtime_ns, file.ctime_ns)
    return SeenFile(*state, is_in_series=file.is_in_series, **found)


def _is_as_walked(file: SourceFile) -> bool:
    """Whether a file that was read in between looks as it did when it was found."""
    try:
        now = os.lstat(file.absolute_path)
    except OSError:
        return False
    then = (file.size, file.mtime_ns, file.ctime_ns)
    return (now.st_size, now.st_mtime_ns, now.st_ctime_ns) == then


class SeenFiles:
    """What the last run read in a folder; without a path of the cache nothing is found and nothing kept."""

    def __init__(self, cache: Path | None, *, root: Path) -> None:
        parser = parser_fingerprint() if cache else None
        self._table = ParsedFiles(cache) if cache and parser else None
        self._key = hashlib.blake2b(b"seen\0" + os.fsencode(root), digest_size=20, key=parser or b"").digest()
        self._begun_ns = time.time_ns()

    def find(self) -> Mapping[str, SeenFile]:
        """Return what is known, by path."""
        if self._table is None:
            return {}
        row = self._table.read([self._key]).get(self._key)
        record = unpacked_record(row, key=self._key, schema=_SCHEMA) if row else None
        if record is None:
            return {}
        columns = [column.to_pylist() for column in record.rows.columns]
        seen = (SeenFile(*values) for values in zip(*columns, strict=True))
        return {one.path: one for one in seen}

    def is_settled(self, file: SeenFile) -> bool:
        """Whether a file that was read since then cannot have changed afterwards without another time."""
        return 0 <= file.mtime_ns < self._begun_ns - SETTLED_NS

    def keep(self, files: Iterable[SeenFile]) -> None:
        """Keep how files looked, but those that changed so lately that they may change again unseen.

        Times before 1970, which some archives carry, may be beyond all numbers of the record.
        """
        if self._table is None:
            return
        settled = [one for one in files if self.is_settled(one)]
        columns = [[getattr(one, name) for one in settled] for name in _NAMES]
        rows = pa.RecordBatch.from_arrays(
            [pa.array(values, kind) for values, kind in zip(columns, _SCHEMA.types, strict=True)],
            schema=_SCHEMA,
        )
        self._table.write({self._key: packed(Record(rows), key=self._key)})
