"""Compare two evaluations of the same queries, mode by mode and query by query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ragduck.errors import UsageError
from ragduck.evaluation.results import Evaluation, ModeResult, QueryResult, plain_setting
from ragduck.evaluation.significance import Difference, paired_difference

CLEAR = 0.05  # of p: the usual line; chance alone crosses it in one comparison of twenty
FEW = 25  # queries; below, only large differences can be told from chance


@dataclass(frozen=True, slots=True)
class Change:
    """One query under both sides; ``difference`` is that of the first metric, the second side less the first."""

    first: QueryResult
    second: QueryResult
    difference: float

    def to_dict(self) -> dict[str, Any]:
        """Return the change as JSON shows it."""
        return {
            "query": self.first.query.text,
            "category": self.first.query.category,
            "file": self.first.query.file,
            "difference": self.difference,
            "first": _side(self.first),
            "second": _side(self.second),
        }


@dataclass(frozen=True, slots=True)
class ModeComparison:
    """One mode of each side: differences by metric, the first metric leading, and all queries that changed."""

    first: str
    second: str
    queries: int
    differences: Mapping[str, Difference]
    changes: tuple[Change, ...]
    latency: tuple[Mapping[str, float], Mapping[str, float]]

    def most_changed(self, number: int) -> tuple[Change, ...]:
        """Return the queries that gained most and those that lost most, at most so many of each."""
        gains = [change for change in self.changes if change.difference > 0]
        losses = [change for change in self.changes if change.difference < 0]
        return (*gains[:number], *losses[:number])

    @property
    def verdict(self) -> str:
        """What the first metric says, in words."""
        name, found = next(iter(self.differences.items()))
        return verdict_of(found, metric=name, queries=self.queries)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON shows it."""
        return {
            "first": self.first,
            "second": self.second,
            "queries": self.queries,
            "metrics": {name: found.to_dict() for name, found in self.differences.items()},
            "latency_ms": {"first": dict(self.latency[0]), "second": dict(self.latency[1])},
            "verdict": self.verdict,
            "changes": [change.to_dict() for change in self.changes],
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two evaluations side by side; ``modes`` pairs the modes of both in their order."""

    first: Evaluation
    second: Evaluation
    modes: tuple[ModeComparison, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the comparisons as JSON shows them, without the evaluations."""
        return {"modes": [mode.to_dict() for mode in self.modes]}


def compare(first: Evaluation, second: Evaluation) -> Comparison:
    """Compare two evaluations: the modes in their order, the metrics that both have, query by query.

    Where the second has one mode, every mode of the first is compared with it. Raises UsageError when the queries
    or the numbers of modes differ.
    """
    if [query.text for query in first.queries] != [query.text for query in second.queries]:
        raise UsageError(
            f"the evaluations are of different queries: {len(first.queries):,} and {len(second.queries):,}",
            hint="evaluate both with the same queries",
        )
    others = second.modes * len(first.modes) if len(second.modes) == 1 else second.modes
    if len(first.modes) != len(others):
        raise UsageError(
            f"the evaluations are of {len(first.modes)} and {len(others)} modes",
            hint="evaluate both with as many modes",
        )
    pairs = zip(first.modes, others, strict=True)
    return Comparison(first, second, tuple(_compare_modes(first, second, *pair) for pair in pairs))


def _compare_modes(
    first: Evaluation, second: Evaluation, before: ModeResult, after: ModeResult
) -> ModeComparison:
    metrics = [name for name in first.metrics if name in second.metrics]
    if not metrics or metrics[0] != first.metrics[0]:
        raise UsageError(
            f"the evaluations look at {first.top_k} and {second.top_k} results",
            hint="evaluate both with the same top_k",
        )
    names = _labels(first, second, before, after)
    return ModeComparison(
        first=names[0],
        second=names[1],
        queries=len(before.results),
        differences={
            name: paired_difference(
                [result.scores[name] for result in before.results],
                [result.scores[name] for result in after.results],
            )
            for name in metrics
        },
        changes=_changes(before, after, metric=metrics[0]),
        latency=(before.overall.latency(), after.overall.latency()),
    )


def _changes(before: ModeResult, after: ModeResult, *, metric: str) -> tuple[Change, ...]:
    """Return the queries whose score changed, the largest change first."""
    pairs = zip(before.results, after.results, strict=True)
    changes = [Change(old, new, new.scores[metric] - old.scores[metric]) for old, new in pairs]
    changed = [change for change in changes if change.difference]
    return tuple(sorted(changed, key=lambda change: -abs(change.difference)))


def _labels(first: Evaluation, second: Evaluation, before: ModeResult, after: ModeResult) -> tuple[str, str]:
    """Name the two sides by the mode and by whatever else tells them apart."""
    sides = ((first, second, before), (second, first, after))
    left, right = (", ".join(_parts(own, other, mode)) for own, other, mode in sides)
    return left, right


def _parts(own: Evaluation, other: Evaluation, mode: ModeResult) -> Iterator[str]:
    if own.stores != other.stores:
        is_clear = [store.name for store in own.stores] != [store.name for store in other.stores]
        yield " and ".join(store.name if is_clear else str(store) for store in own.stores)
    yield mode.mode
    known = dict(_flat(other.settings))
    for name, value in _flat(own.settings):
        if name not in known or known[name] != value:
            yield f"{name}={value}"


def _flat(settings: Mapping[str, Any], *, within: str = "") -> Iterator[tuple[str, Any]]:
    """Yield settings one by one, parts of a setting as `name.part`."""
    for name, value in settings.items():
        plain = plain_setting(value)
        if isinstance(plain, Mapping):
            yield from _flat(plain, within=f"{within}{name}.")
        else:
            yield f"{within}{name}", plain


def _side(result: QueryResult) -> dict[str, Any]:
    found = [{"target": found.target, "rank": found.rank} for found in result.found]
    return {"metrics": dict(result.scores), "found": found}


def verdict_of(found: Difference, *, metric: str, queries: int) -> str:
    """Say in words which side is better at a metric, if that can be told."""
    title = title_of(metric)
    if not found.wins and not found.losses:
        return f"{title} is the same for every query: {found.first:.3f}."
    change = f"from {found.first:.3f} to {found.second:.3f}, {found.difference:+.3f}"
    bounds = f"95 % interval {found.low:+.3f} to {found.high:+.3f}"
    if found.p < CLEAR:
        better = "second" if found.difference > 0 else "first"
        return f"The {better} is better: {title} goes {change} ({bounds}); {_odds(found.p)}."
    few = f" {queries} queries are few: only a large difference would show." if queries < FEW else ""
    return f"No clear difference: {title} goes {change} ({bounds}); {_odds(found.p)}.{few}"


def _odds(p: float) -> str:
    """Say how often chance does as much."""
    often = f"about once in {round(1 / p):,} times" if p < 0.1 else f"{100 * p:.0f} % of the time"
    return (
        f"chance alone makes as large a difference {'less than once in 1,000 times' if p < 0.001 else often}"
    )


def title_of(metric: str) -> str:
    """Return a metric's name as people write it."""
    return metric.upper() if metric.startswith(("ndcg", "mrr")) else metric
