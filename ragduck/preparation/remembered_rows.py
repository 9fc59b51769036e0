"""Remember what rules read off files, from one run to the next, so that only files that changed are read again.

What a rule reads off a file depends on the facts of the file, on what the rule is told of all files together, and on
what other files declare, as far as it looks at that. What was made by other code is under another key.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import NamedTuple

from ragduck.facts import FileFacts, MemberFact
from ragduck.graph.file_rows import VALUES, FileRule, Reach, Reading, ReadOff, ReadTogether, Row
from ragduck.parse_cache import ParsedFiles

CHECKSUM_BYTES = 4
DIGEST_BYTES = 20
FASTEST = 1
_TOGETHER = ""


class Since(NamedTuple):
    """What has become of files since an earlier run.

    ``before`` and ``now`` stand for all facts as they were and as they are; ``before`` is empty where nothing is
    known. ``again`` has the paths of files that may give something else, by how far a rule looks; no entry where
    that may be any file. ``touched`` has those whose statements may mean something else, where types may be others,
    too; None where that may be any file. Where ``values_may_differ``, so may others that look at values; ``valued``
    are members that may stand for something else by those that they name, where these are known.
    """

    before: bytes
    now: bytes
    again: Mapping[Reach, AbstractSet[str]]
    touched: AbstractSet[str] | None = None
    values_may_differ: bool = True
    valued: tuple[MemberFact, ...] = ()


class RowsPlace(NamedTuple):
    """Where rows are kept, and what has happened since."""

    cache: Path
    key: bytes
    since: Since


class _Kept(NamedTuple):
    """What a rule read off files: those without rows are not named, ``passing`` ones are read each time.

    ``apart`` has hashes of what the rule was told apart, ``leans`` what rows of a file lean on, where they do.
    """

    told: str
    rows: dict[str, Sequence[Row]]
    passing: frozenset[str]
    apart: dict[str, str]
    leans: dict[str, Sequence[str]]


class RememberedRows:
    """Apply rules to files that may give something else than before; know the rows of others."""

    def __init__(self, place: RowsPlace) -> None:
        self._table = ParsedFiles(place.cache)
        self._key = place.key
        self._since = place.since
        self._known = self._read() if place.key and place.since.before else {}
        self._found: dict[str, _Kept] = {}

    def read(
        self, rule: FileRule, files: Iterable[FileFacts], reading: Reading, /
    ) -> Iterator[tuple[FileFacts, Sequence[Row]]]:
        """Yield what a rule reads off each file that it reads anything off, in order."""
        told, apart = _digest(rule.told), {name: _digest(each) for name, each in rule.apart}
        known = self._usable(rule, told, apart)
        rows: dict[str, Sequence[Row]] = {}
        passing: set[str] = set()
        leans: dict[str, Sequence[str]] = {}
        for file in files:
            found = known(file.path) if known is not None else None
            if found is None:
                found = reading(file)
            if not found.is_lasting:
                passing.add(file.path)
            elif found.rows:
                rows[file.path] = found.rows
            if found.leans:
                leans[file.path] = list(found.leans)
            if found.rows:
                yield file, found.rows
        self._found[rule.name] = _Kept(told, rows, frozenset(passing), apart, leans)

    def read_together(
        self,
        rule: FileRule,
        reading: Callable[[], ReadTogether],
        may_have_part: Callable[[Sequence[Row], str], bool],
        /,
    ) -> Sequence[Row]:
        """Return what a rule reads off several files at once, or read off them before.

        It is kept under no path; what has a part in it is kept as passing.
        """
        told = _digest(rule.told)
        known, again = self._known.get(rule.name), self._again(rule)
        if known is not None and again is not None and known.told == told:
            rows = known.rows.get(_TOGETHER, ())
            if known.passing.isdisjoint(again) and not any(may_have_part(rows, path) for path in again):
                self._found[rule.name] = known
                return rows
        found = reading()
        self._found[rule.name] = _Kept(told, {_TOGETHER: found.rows}, frozenset(found.paths), {}, {})
        return found.rows

    def _usable(
        self, rule: FileRule, told: str, apart: Mapping[str, str]
    ) -> Callable[[str], ReadOff | None] | None:
        """Return what gives what was read off a file by its path, None for one that is to be read."""
        known, again = self._known.get(rule.name), self._again(rule)
        if known is None or again is None or known.told != told:
            return None
        otherwise = {name for name, digest in apart.items() if known.apart.get(name) != digest}
        if self._since.values_may_differ:
            otherwise.add(VALUES)
        leaning = (path for path, names in known.leans.items() if not otherwise.isdisjoint(names))
        unread = known.passing.union(again, leaning)
        rows, leans = known.rows, known.leans
        return lambda path: None if path in unread else ReadOff(rows.get(path, ()), leans=leans.get(path, ()))

    def _again(self, rule: FileRule) -> AbstractSet[str] | None:
        """Return the files that a rule reads again whatever their rows lean on; None for all."""
        return self._since.again.get(Reach.OWN) if rule.reach is Reach.OWN else self._since.touched

    def keep(self) -> None:
        """Keep what was read for the next run, unless all of it was known."""
        if self.has_news:
            self._table.write(self.packed())

    @property
    def has_news(self) -> bool:
        """Say whether something is to be kept that is not what was."""
        return bool(self._key) and (self._since.before != self._since.now or self._found != self._known)

    def packed(self) -> dict[bytes, bytes]:
        """Return what was read as it is kept."""
        return {self._key: packed_rows(self._found, now=self._since.now, key=self._key)}

    def _read(self) -> dict[str, _Kept]:
        data = self._table.read([self._key]).get(self._key)
        return unpacked_rows(data, before=self._since.before, key=self._key) if data is not None else {}


def packed_rows(found: Mapping[str, _Kept], *, now: bytes, key: bytes) -> bytes:
    """Return what rules read as bytes; the key goes into the checksum, so that no entry answers for another."""
    said = [
        (name, one.told, one.rows, sorted(one.passing), one.apart, one.leans) for name, one in found.items()
    ]
    body = zlib.compress(json.dumps((now.hex(), said), separators=(",", ":")).encode(), FASTEST)
    return _checksum(body, key) + body


def unpacked_rows(data: bytes, *, before: bytes, key: bytes) -> dict[str, _Kept]:
    """Read back what `packed_rows` gave; nothing for bytes that are not whole, or from other facts."""
    body = data[CHECKSUM_BYTES:]
    if data[:CHECKSUM_BYTES] != _checksum(body, key):
        return {}
    try:
        now, said = json.loads(zlib.decompress(body))
        found = {
            name: _Kept(told, rows, frozenset(passing), apart, leans)
            for name, told, rows, passing, apart, leans in said
        }
    except (zlib.error, ValueError, TypeError):
        return {}
    return found if now == before.hex() else {}


def _checksum(body: bytes, key: bytes) -> bytes:
    return zlib.crc32(body, zlib.crc32(key)).to_bytes(CHECKSUM_BYTES, "little")


def _digest(told: object) -> str:
    content = json.dumps(told, separators=(",", ":")).encode()  # for which tuples are lists
    return hashlib.blake2b(content, digest_size=DIGEST_BYTES).hexdigest()
