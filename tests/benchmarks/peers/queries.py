"""The questions, as one JSON file: to read it needs no pyarrow, whose memory would count as that of the peer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked: words of the chunk ``row``, a vector near that chunk's, and two filters."""

    text: str
    vector: list[float]
    row: int
    narrow: tuple[str, str]
    wide: tuple[str, str]


def write_queries(path: Path, queries: Sequence[Query]) -> None:
    """Write the questions."""
    path.write_text(json.dumps([asdict(query) for query in queries]), encoding="utf-8")


def read_queries(path: Path) -> list[Query]:
    """Read what `write_queries` wrote."""
    return [
        Query(**{**query, "narrow": tuple(query["narrow"]), "wide": tuple(query["wide"])})
        for query in json.loads(path.read_text(encoding="utf-8"))
    ]
