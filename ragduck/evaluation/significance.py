"""Tell a difference between two means from chance, when both were measured on the same queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PERMUTATIONS = 10_000
RESAMPLES = 10_000
EXACT_UP_TO = 13  # 2**13 sign patterns are fewer than the random ones
BATCH = 500  # rows of a random matrix; bounds memory for many queries
SEED = 20_040_101
SAME = 1e-9  # scores closer than this are ties


@dataclass(frozen=True, slots=True)
class Difference:
    """Two means over the same queries, and what to make of their difference, the second less the first.

    ``low`` and ``high`` bound the 95 % bootstrap interval of the difference. ``p`` is how often a difference at
    least this large, either way, arises when the two are swapped at random query by query; ``exact`` says that
    every pattern of swaps was tried. ``wins`` are queries at which the second is better.
    """

    first: float
    second: float
    difference: float
    low: float
    high: float
    p: float
    exact: bool
    wins: int
    ties: int
    losses: int

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name."""
        return asdict(self)


def paired_difference(first: Sequence[float], second: Sequence[float]) -> Difference:
    """Compare the scores of two runs, query by query: a two-sided randomisation test and a bootstrap interval.

    The test is Fisher's by sign flips; Smucker, Allan and Carterette 2007 recommend it for retrieval. Random draws
    have a fixed seed, so that the same scores give the same answer.
    """
    import numpy as np

    before, after = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    change = after - before
    change[np.abs(change) < SAME] = 0.0
    low, high = _interval(change)
    wins, losses = int((change > 0).sum()), int((change < 0).sum())
    differing = change[change != 0]
    return Difference(
        first=float(before.mean()),
        second=float(after.mean()),
        difference=float(change.mean()),
        low=low,
        high=high,
        p=_p_value(differing),
        exact=len(differing) <= EXACT_UP_TO,
        wins=wins,
        ties=len(change) - wins - losses,
        losses=losses,
    )


def _p_value(change: NDArray[np.float64]) -> float:
    """Return the share of sign patterns whose sum is as far from 0; queries without a change do not matter."""
    import numpy as np

    if len(change) == 0:
        return 1.0
    observed = abs(float(change.sum())) - SAME
    if len(change) <= EXACT_UP_TO:
        patterns = np.arange(2 ** len(change))[:, None] >> np.arange(len(change)) & 1
        return float((np.abs((1 - 2 * patterns) @ change) >= observed).mean())
    generator = np.random.default_rng(SEED)
    extreme = 0
    for rows in _batches(PERMUTATIONS):
        signs = 1 - 2 * generator.integers(0, 2, size=(rows, len(change)), dtype=np.int8)
        extreme += int((np.abs(signs @ change) >= observed).sum())
    return (extreme + 1) / (PERMUTATIONS + 1)  # the observed pattern counts; Davison and Hinkley 1997


def _interval(change: NDArray[np.float64]) -> tuple[float, float]:
    import numpy as np

    generator = np.random.default_rng(SEED)
    means = np.concatenate(
        [
            change[generator.integers(0, len(change), size=(rows, len(change)))].mean(axis=1)
            for rows in _batches(RESAMPLES)
        ]
    )
    low, high = np.percentile(means, (2.5, 97.5))
    return float(low), float(high)


def _batches(total: int) -> Iterator[int]:
    for begun in range(0, total, BATCH):
        yield min(BATCH, total - begun)
