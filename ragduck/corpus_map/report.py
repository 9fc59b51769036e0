"""What the making of a map has to tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class MapReport:
    """Where the page is and what the map holds.

    ``topics`` gives each topic's name and number of points, ``links`` how many there are of each status.
    ``is_stored_one`` says that the store already held this map, which was only drawn again.
    """

    store: Path
    page: Path
    level: str
    method: str
    points: int
    left_out: int
    without_vector: int
    topics: tuple[tuple[str, int], ...]
    between_topics: int
    links: Mapping[str, int]
    page_bytes: int
    seconds: Mapping[str, float]
    is_stored_one: bool

    def to_dict(self) -> dict[str, Any]:
        """Return the report as `map --json` prints it."""
        return {
            "store": str(self.store),
            "page": str(self.page),
            "page_bytes": self.page_bytes,
            "level": self.level,
            "method": self.method,
            "points": self.points,
            "left_out": self.left_out,
            "without_vector": self.without_vector,
            "between_topics": self.between_topics,
            "topics": [{"name": name, "points": points} for name, points in self.topics],
            "links": dict(self.links),
            "stored_already": self.is_stored_one,
            "seconds": {stage: round(spent, 2) for stage, spent in self.seconds.items()},
        }
