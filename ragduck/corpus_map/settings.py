"""What a map is asked for."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Literal

from ragduck.errors import UsageError

Level = Literal["chunk", "file"]

MAX_POINTS = 100_000
MAX_NEIGHBOURS = 200
MIN_TOPIC = 5  # points
SEED_LIMIT = 2**32


@dataclass(frozen=True, slots=True)
class MapSettings:
    """How a map is made; ``min_cluster_size`` None means half the square root of the number of points.

    Raises UsageError for a number out of its range.
    """

    level: Level = "chunk"
    repos: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()
    n_neighbors: int = 15
    min_dist: float = 0.1
    min_cluster_size: int | None = None
    topics: bool = True
    links: bool = True
    sample: int = MAX_POINTS
    random_state: int = 42

    def __post_init__(self) -> None:
        _require_within("--n-neighbors", self.n_neighbors, 2, MAX_NEIGHBOURS)
        _require_within("--min-dist", self.min_dist, 0, 1)
        _require_within("--sample", self.sample, 1, 10 * MAX_POINTS)
        _require_within("--random-state", self.random_state, 0, SEED_LIMIT - 1)
        if self.min_cluster_size is not None:
            _require_within("--min-cluster-size", self.min_cluster_size, 2, MAX_POINTS)

    def topic_size(self, points: int) -> int:
        """Return the fewest points that make a topic."""
        return self.min_cluster_size or max(MIN_TOPIC, int(points**0.5 / 2))

    @property
    def key(self) -> str:
        """Return the settings as one text: equal texts give equal maps of equal stores."""
        in_order = replace(
            self, repos=tuple(sorted(set(self.repos))), branches=tuple(sorted(set(self.branches)))
        )
        return json.dumps(asdict(in_order), sort_keys=True)


def _require_within(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise UsageError(f"{name} is {value}, not {low} to {high}", hint="see: ragduck map --help")
