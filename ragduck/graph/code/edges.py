"""Collect edges, those that say the same thing in the same way as one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ragduck.model import Edge


class Site(NamedTuple):
    """A place in a file."""

    path: str
    line: int


class EdgeCollector:
    """Take edges one by one and count their sites: there are several times as many sites as edges.

    ``renamed`` gives the keys that declarations have in the graph where they are others.
    """

    def __init__(self, renamed: Mapping[str, str] | None = None) -> None:
        self._renamed = renamed or {}
        self._found: dict[tuple[str, str, str, str], tuple[Site, float, int]] = {}

    def add(
        self, from_key: str, to_key: str, *, relation: str, rule: str, at: Site, confidence: float = 1.0
    ) -> None:
        """Note that a site shows a relation; nothing is related to itself."""
        from_key = self._renamed.get(from_key, from_key)
        to_key = self._renamed.get(to_key, to_key)
        if from_key == to_key:
            return
        key = (from_key, to_key, relation, rule)
        known = self._found.get(key)
        if known is None:
            self._found[key] = (at, confidence, 1)
        else:
            site, surest, count = known
            self._found[key] = (min(site, at), max(surest, confidence), count + 1)

    def edges(self) -> tuple[Edge, ...]:
        """Return what was collected, in the order in which it was first seen."""
        return tuple(
            Edge(from_key, to_key, relation, site.path, site.line, rule, confidence, sites=count)
            for (from_key, to_key, relation, rule), (site, confidence, count) in self._found.items()
        )
