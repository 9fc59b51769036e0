"""Collect edges, those that say the same thing in the same way as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ragduck.edge_table import EdgeRows, EdgeTable, gathered, together

MAX_WAITING = 50_000  # some 300 bytes each, against 40 in a table


class Site(NamedTuple):
    """A place in a file."""

    path: str
    line: int


class EdgeCollector:
    """Take edges one by one and count their sites in a file: there are several times as many sites as edges.

    ``renamed`` gives the keys that declarations have in the graph where they are others.
    """

    def __init__(self, renamed: Mapping[str, str] | None = None) -> None:
        self._renamed = renamed or {}
        self._waiting: dict[tuple[str, str, str, str, str], tuple[int, float, int]] = {}
        self._rows = EdgeRows()
        self._taken: list[EdgeTable] = []

    def take(self, edges: EdgeTable) -> None:
        """Take what another collected."""
        self._taken.append(edges)

    def add(
        self, from_key: str, to_key: str, *, relation: str, rule: str, at: Site, confidence: float = 1.0
    ) -> None:
        """Note that a site shows a relation; nothing is related to itself."""
        from_key = self._renamed.get(from_key, from_key)
        to_key = self._renamed.get(to_key, to_key)
        if from_key == to_key:
            return
        key = (from_key, to_key, relation, rule, at.path)
        known = self._waiting.get(key)
        if known is None:
            self._waiting[key] = (at.line, confidence, 1)
        else:
            line, surest, count = known
            self._waiting[key] = (min(line, at.line), max(surest, confidence), count + 1)
        if len(self._waiting) >= MAX_WAITING:
            self._put_away()

    def _put_away(self) -> None:
        for (from_key, to_key, relation, rule, path), (line, confidence, count) in self._waiting.items():
            words = (from_key, to_key, relation, rule, "", path)
            self._rows.add_said(words, line=line, sites=count, confidence=confidence)
        self._waiting.clear()

    def apart(self) -> EdgeTable:
        """Return what was collected with the edges of each file on their own, in no particular order."""
        return together(self.parts())

    def parts(self) -> Sequence[EdgeTable]:
        """Return what was collected as tables of their own, as they came."""
        self._put_away()
        return [self._rows.table(), *self._taken]

    def edges(self) -> EdgeTable:
        """Return what was collected, sorted by what it says."""
        return gathered(self.parts())
