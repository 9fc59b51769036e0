"""Know the prefixes that an installation gives its tables: `be_` before `Posts`, `Users` and all others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from ragduck.sqlreader.recognition import UNKNOWN_PIECE

MIN_TABLES = 5  # that share a prefix
_BEHIND_UNKNOWN = re.compile(rf"(?<![\w'{UNKNOWN_PIECE}]){UNKNOWN_PIECE}([^\W\d_]\w{{2,127}})")


class TablePrefixes:
    """Prefixes of tables, up to an underscore each; names are compared without regard to case."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {name.casefold() for name in names}
        counts = Counter(prefix for name in self._names for prefix in _prefixes(name))
        self._shared = [prefix for prefix, count in counts.items() if count >= MIN_TABLES]
        self.asked = 0  # how often the names mattered

    def put_before(self, text: str) -> str:
        """Return a statement with the prefix in place of unknown pieces in front of names that it makes a table's.

        What more than one prefix makes the name of a table stays unknown.
        """
        if UNKNOWN_PIECE not in text:
            return text
        self.asked += 1
        if not self._shared:
            return text
        return _BEHIND_UNKNOWN.sub(self._completed, text)

    def _completed(self, found: re.Match[str]) -> str:
        rest = found[1].casefold()
        fitting = [prefix for prefix in self._shared if prefix + rest in self._names]
        return fitting[0] + found[1] if len(fitting) == 1 else found[0]


def _prefixes(name: str) -> Iterable[str]:
    return (name[: found.end()] for found in re.finditer(r"(?<=[^_])_(?=[^_])", name))
