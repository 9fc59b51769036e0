"""What an evaluation finds: scores per query, means per group, latency."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass, replace
from pathlib import Path
from typing import Any

from ragduck.errors import UsageError
from ragduck.evaluation.metrics import mean_of
from ragduck.evaluation.queries import Query
from ragduck.evaluation.targets import Labels

PERCENTILES = (50, 95, 99)


@dataclass(frozen=True, slots=True)
class Found:
    """A target that a search returned, and the chunk that found it."""

    target: str
    rank: int
    location: str


@dataclass(frozen=True, slots=True)
class Miss:
    """The best hit that belongs to no target."""

    rank: int
    location: str
    element_name: str


@dataclass(frozen=True, slots=True)
class QueryResult:
    """How one query fared. ``targets`` are the labels that count.

    ``milliseconds`` is the time of a search whose question was embedded before; ``first_milliseconds`` that of the
    first search, with the embedding unless an earlier process has left it.
    """

    query: Query
    scores: Mapping[str, float]
    targets: tuple[str, ...]
    found: tuple[Found, ...]
    best_wrong: Miss | None
    milliseconds: float
    first_milliseconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON shows it."""
        return {
            "query": self.query.text,
            "category": self.query.category,
            "file": self.query.file,
            "line": self.query.line,
            "metrics": dict(self.scores),
            "targets": list(self.targets),
            "found": [asdict(found) for found in self.found],
            "best_wrong": asdict(self.best_wrong) if self.best_wrong else None,
            "milliseconds": self.milliseconds,
            "first_milliseconds": self.first_milliseconds,
        }


@dataclass(frozen=True, slots=True)
class Group:
    """Some queries together: all of them, those of a category, those of a file. ``kind`` says which."""

    kind: str
    name: str
    results: tuple[QueryResult, ...]

    def mean(self, metric: str) -> float:
        """Return the mean of a metric such as `ndcg@10`."""
        return mean_of([result.scores for result in self.results], metric)

    def latency(self) -> dict[str, float]:
        """Return percentiles of the milliseconds that searches took without the embedding of the question."""
        return _percentiles([result.milliseconds for result in self.results])

    def first_latency(self) -> dict[str, float]:
        """Return percentiles of the milliseconds that the first search of each question took."""
        return _percentiles([result.first_milliseconds for result in self.results])

    def to_dict(self) -> dict[str, Any]:
        """Return the means as JSON shows them."""
        means = {metric: self.mean(metric) for metric in self.results[0].scores}
        times = {"latency_ms": self.latency(), "first_latency_ms": self.first_latency()}
        return {"queries": len(self.results), "metrics": means, **times}


@dataclass(frozen=True, slots=True)
class ModeResult:
    """How all queries fared in one mode. ``notes`` are what the searches had to say, such as missing vectors."""

    mode: str
    results: tuple[QueryResult, ...]
    notes: tuple[str, ...] = ()

    @property
    def overall(self) -> Group:
        """All queries."""
        return Group("overall", "", self.results)

    def mean(self, metric: str) -> float:
        """Return the mean of a metric over all queries."""
        return self.overall.mean(metric)

    def groups(self) -> Iterator[Group]:
        """Yield all queries, then each category and each file, where there are several."""
        yield self.overall
        yield from self._split("category", [result.query.category or "" for result in self.results])
        yield from self._split("file", [result.query.file for result in self.results])

    def _split(self, kind: str, names: Sequence[str]) -> Iterator[Group]:
        kinds = sorted(set(names))
        if len(kinds) < 2:
            return
        for name in kinds:
            members = [result for result, own in zip(self.results, names, strict=True) if own == name]
            yield Group(kind, name or f"no {kind}", tuple(members))

    def to_dict(self) -> dict[str, Any]:
        """Return means, groups and queries as JSON shows them."""
        split = list(self.groups())[1:]
        return {
            "mode": self.mode,
            **self.overall.to_dict(),
            "categories": {group.name: group.to_dict() for group in split if group.kind == "category"},
            "files": {group.name: group.to_dict() for group in split if group.kind == "file"},
            "notes": list(self.notes),
            "results": [result.to_dict() for result in self.results],
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How a store fares at a set of queries, mode by mode; ``metrics`` are the names of the scores.

    There are several ``stores`` when evaluations were pooled.
    """

    stores: tuple[Path, ...]
    top_k: int
    settings: Mapping[str, Any]
    metrics: tuple[str, ...]
    labels: Labels
    modes: tuple[ModeResult, ...]

    @property
    def queries(self) -> tuple[Query, ...]:
        """What was asked."""
        return tuple(result.query for result in self.modes[0].results)

    def only(self, mode: str) -> Evaluation:
        """Return the evaluation of one of the modes; UsageError when it was not asked in it."""
        kept = tuple(result for result in self.modes if result.mode == mode)
        if not kept:
            known = ", ".join(result.mode for result in self.modes)
            raise UsageError(f"mode {mode!r} was not evaluated", hint=f"modes: {known}")
        return replace(self, modes=kept)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON shows it."""
        return {
            "stores": [str(store) for store in self.stores],
            "top_k": self.top_k,
            "settings": {name: plain_setting(value) for name, value in self.settings.items()},
            "queries": len(self.queries),
            "targets": {
                "count": self.labels.count,
                "missing": list(self.labels.missing),
                "matching": list(self.labels.how),
            },
            "modes": [mode.to_dict() for mode in self.modes],
        }


def pool(evaluations: Iterable[Evaluation]) -> Evaluation:
    """Put evaluations of several stores together, so that means and comparisons are over all their queries.

    Raises UsageError unless all have the same modes, metrics and settings.
    """
    parts = list(evaluations)
    first = parts[0]
    for part in parts[1:]:
        if _terms(part) != _terms(first):
            raise UsageError(
                f"{part.stores[0]} was evaluated in another way than {first.stores[0]}",
                hint="evaluate all stores with the same modes, top_k and settings",
            )
    return replace(
        first,
        stores=tuple(store for part in parts for store in part.stores),
        labels=Labels(
            tuple(targets for part in parts for targets in part.labels.targets),
            tuple(note for part in parts for note in part.labels.how),
        ),
        modes=tuple(_pooled([part.modes[place] for part in parts]) for place in range(len(first.modes))),
    )


def _terms(evaluation: Evaluation) -> tuple[object, ...]:
    modes = tuple(mode.mode for mode in evaluation.modes)
    return (modes, evaluation.metrics, evaluation.top_k, dict(evaluation.settings))


def _pooled(modes: Sequence[ModeResult]) -> ModeResult:
    results = tuple(result for mode in modes for result in mode.results)
    return ModeResult(
        modes[0].mode, results, tuple(dict.fromkeys(note for mode in modes for note in mode.notes))
    )


def _percentiles(milliseconds: Sequence[float]) -> dict[str, float]:
    import numpy as np

    values = np.percentile(milliseconds, PERCENTILES)
    return {f"p{percentile}": float(value) for percentile, value in zip(PERCENTILES, values, strict=True)}


def plain_setting(value: Any) -> Any:
    """Return a setting in lists, dicts and plain values."""
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, Mapping):
        return {name: plain_setting(inner) for name, inner in value.items()}
    return list(value) if isinstance(value, tuple | set | frozenset) else value
