"""Know what the objects of migration scripts are called in the end."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

_BEFORE_VERSION = re.compile(r"^(?!v\d[\d._]*__)[a-z]{1,20}[._-]?(?=\d+[._]\d+[._]\d+[._])", re.IGNORECASE)
_NUMBERS = re.compile(r"(\d{1,18})")
_BETWEEN = dict.fromkeys("._", "\U0010ffff")  # within a version, which is later than the one that ends here
_UNDOING = re.compile(r"(.*)([._ -])(?:down|undo|rollback|revert)(\.[^./]*)", re.IGNORECASE | re.DOTALL)
_MAX_STEPS = 100  # from one name to the next
_GONE = ""

Moment = tuple[tuple[object, ...], int]  # order of a path, and a line


class ScriptRuns(NamedTuple):
    """Which migrations in code run scripts: ``places`` tells by path where a script stands in the order of all.

    ``undone`` are the paths of scripts that only undo what a migration did.
    """

    places: Mapping[str, str] = {}
    undone: frozenset[str] = frozenset()

    def order_of(self, path: str) -> tuple[object, ...]:
        """Return what scripts are sorted by."""
        return (*in_order(self.places.get(path, path)), path)


def undoing_by_name(paths: Collection[str]) -> frozenset[str]:
    """Return the scripts that undo others by their names: `2_add_down.sql` beside `2_add.sql` or `2_add_up.sql`."""
    known = {path.casefold() for path in paths}
    found = set()
    for path in paths:
        undoing = _UNDOING.fullmatch(path)
        if undoing is not None:
            before, mark, end = (part.casefold() for part in undoing.groups())
            if not known.isdisjoint((f"{before}{end}", f"{before}{mark}up{end}")):
                found.add(path)
    return frozenset(found)


def in_order(path: str) -> tuple[object, ...]:
    """Return what paths are sorted by: numbers in them by their size, so that 2.10 comes after 2.9, and 2.9.1, too.

    What a script of a version is called beside that comes last: `Install.2.1.0.sql` before `2.10.0.sql`.
    """
    folder, slash, name = path.rpartition("/")
    written = f"{folder}{slash}{_BEFORE_VERSION.sub('', name)}".casefold()
    parts = _NUMBERS.split(written)  # texts and numbers take turns
    return tuple(int(part) if at % 2 else _BETWEEN.get(part, part) for at, part in enumerate(parts)), path


class Renames:
    """Which names scripts take from objects, and when; scripts are noted in their order."""

    def __init__(self, runs: ScriptRuns) -> None:
        self._runs = runs
        self._changes: defaultdict[str, list[tuple[Moment, str]]] = defaultdict(list)
        self._orders: dict[str, tuple[object, ...]] = {}

    def rename(self, old: str, new: str, *, path: str, line: int) -> None:
        """Note that an object is called differently from here on; ``old`` and ``new`` are keys."""
        self._note(old, new, path, line)

    def drop(self, key: str, *, path: str, line: int) -> None:
        """Note that an object ends: what is made by its name later is another one."""
        self._note(key, _GONE, path, line)

    def key_after(self, key: str, *, path: str, line: int) -> str:
        """Return what a key stands for after all scripts that a script uses on a line."""
        at: Moment = (self._order(path), line)
        find = bisect_left  # a rename itself speaks of what it makes
        for _ in range(_MAX_STEPS):
            changes: Sequence[tuple[Moment, str]] = self._changes.get(key.casefold(), ())
            place = find(changes, at, key=itemgetter(0))
            if place == len(changes) or changes[place][1] == _GONE:
                return key
            at, key = changes[place]
            find = bisect_right
        return key

    def _note(self, old: str, new: str, path: str, line: int) -> None:
        self._changes[old.casefold()].append(((self._order(path), line), new))

    def _order(self, path: str) -> tuple[object, ...]:
        if path not in self._orders:
            self._orders[path] = self._runs.order_of(path)
        return self._orders[path]
