"""Choose parameters on all repositories but one, for each of them: no figure is of what was chosen on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

Ranking = dict[str, float]
Scores = Callable[[str, Mapping[str, float]], Sequence[float]]

LEAST_GAIN = 1e-9  # a tie leaves the default


def choices(
    names: Sequence[str],
    scores: Scores,
    *,
    grid: Mapping[str, Sequence[float]],
    defaults: Mapping[str, float],
) -> dict[str, Ranking]:
    """Return for each repository what the others choose; ``scores`` tells the score of each question to one.

    A ranking holds what differs from ``defaults``. Every question counts the same, whichever repository it is to.
    """
    found = {}
    for left_out in names:
        others = [name for name in names if name != left_out]

        def mean(ranking: Ranking, others: Sequence[str] = others) -> float:
            values = [score for name in others for score in scores(name, ranking)]
            return sum(values) / len(values)

        found[left_out] = climb(mean, grid=grid, defaults=defaults)
    return found


def climb(
    mean: Callable[[Ranking], float], *, grid: Mapping[str, Sequence[float]], defaults: Mapping[str, float]
) -> Ranking:
    """Take the best value of one parameter after the other, in the order of the grid, the default when it ties."""
    chosen: Ranking = {}
    best = mean(chosen)
    for name, values in grid.items():
        for value in values:
            tried = {**chosen, name: value}
            if value == defaults[name]:
                del tried[name]
            reached = mean(tried)
            if reached > best + LEAST_GAIN:
                chosen, best = tried, reached
    return chosen
