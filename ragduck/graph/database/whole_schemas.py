"""Know migration scripts that make a whole schema anew: `60.sql` among `59.diff.sql` and `61.diff.sql`.

A new database begins with such a script. What it leaves out is there no more, though no script may say how it went.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from ragduck.facts import ObjectFact

_FEWEST = 5  # tables that are made again; fewer may be made wherever they are missing
_MOST = 0.8  # of the tables there are
_AS_MANY = 1 / 3  # of a kind as there were, as a script of tables may leave procedures to another one

_Home = tuple[str, str, str]  # folder, default schema of the dialect, kind
_NONE: Mapping[str, None] = {}


class KeysByHome:
    """The folded keys of what migration scripts leave so far, by the folder of the script that defines it."""

    def __init__(self) -> None:
        self._keys: defaultdict[_Home, dict[str, None]] = defaultdict(dict)

    def add(self, fact: ObjectFact, *, path: str) -> None:
        """Note an object that a script creates, or goes on with."""
        self._keys[_home(fact, path)][fact.key.casefold()] = None

    def discard(self, fact: ObjectFact, *, path: str) -> None:
        """Forget an object that ends, or that another script creates anew."""
        self._keys[_home(fact, path)].pop(fact.key.casefold(), None)

    def at(self, home: _Home) -> Mapping[str, None]:
        """Return the keys of a kind, in the order in which they came."""
        return self._keys.get(home, _NONE)


def left_out(homes: KeysByHome, made: Iterable[ObjectFact], *, path: str) -> list[str]:
    """Return the keys that end before a script makes its own, all of the kinds that it makes as a whole.

    What it makes again is among them: its definition takes the place of those before.
    """
    keys: defaultdict[_Home, set[str]] = defaultdict(set)
    for fact in made:
        keys[_home(fact, path)].add(fact.key.casefold())
    whole = {
        home[:2]
        for home, of_home in keys.items()
        if home[2] == "TABLE" and _is_whole(of_home, homes.at(home))
    }
    return [
        key
        for home, of_home in keys.items()
        if home[:2] in whole and len(of_home) >= _AS_MANY * len(homes.at(home))
        for key in homes.at(home)
    ]


def _is_whole(tables: Iterable[str], there: Mapping[str, None]) -> bool:
    again = sum(table in there for table in tables)
    return again >= _FEWEST and again >= _MOST * len(there)


def _home(fact: ObjectFact, path: str) -> _Home:
    return path.rpartition("/")[0], fact.default_schema, fact.kind
