"""Tell what edges say, apart from where they stand: to compare those of a file with what they were."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from ragduck.model import Edge


class Stated(NamedTuple):
    """On which line something is said first, and how often and how surely it is."""

    line: int
    sites: int = 0
    confidence: float = 0.0


Saying: TypeAlias = tuple[str, str, str, str, str, str]


def said_in(edges: Iterable[Edge]) -> dict[Saying, Stated]:
    """Return what edges say, and where they say it first and how often, by file."""
    found: dict[Saying, Stated] = {}
    for one in edges:
        line, sites, confidence = found.get(_saying(one), Stated(one.line))
        told = Stated(min(line, one.line), sites + one.sites, max(confidence, one.confidence))
        found[_saying(one)] = told
    return found


def _saying(edge: Edge) -> Saying:
    return edge.from_key, edge.to_key, edge.relation, edge.rule, edge.detail, edge.source_file
