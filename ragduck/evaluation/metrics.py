"""Score rankings with ir-measures.

A target is found at the rank of its first chunk. Further chunks of it take a rank and give nothing, and the ideal
ranking holds all targets first; so each rank is handed to the library as the target found there or as a filler.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragduck.evaluation.targets import Target

if TYPE_CHECKING:
    from ir_measures import Measure, Qrel, ScoredDoc


@dataclass(frozen=True, slots=True)
class Ranking:
    """The targets of one query and, rank by rank, which of them was found there: its index, or None."""

    targets: int
    found: tuple[int | None, ...]


def rank_targets(targets: Sequence[Target], node_ids: Sequence[str]) -> Ranking:
    """Tell at which rank each target is found; a chunk of several finds the smallest that is not found yet."""
    left = sorted(range(len(targets)), key=lambda number: (len(targets[number].chunks), number))
    found: list[int | None] = []
    for node_id in node_ids:
        number = next((number for number in left if node_id in targets[number].chunks), None)
        if number is not None:
            left.remove(number)
        found.append(number)
    return Ranking(len(targets), tuple(found))


def metric_names(top_k: int, recall_at: Iterable[int]) -> tuple[str, ...]:
    """Name what is measured, the most telling first: `ndcg@10`, `mrr`, `recall@1` …"""
    return (f"ndcg@{top_k}", "mrr", *(f"recall@{depth}" for depth in sorted(set(recall_at))))


def score(rankings: Sequence[Ranking], names: Sequence[str]) -> list[dict[str, float]]:
    """Return the value of each metric for each ranking, by `ir_measures` with trec_eval's definitions."""
    import ir_measures

    measures = {name: _measure(name) for name in names}
    evaluator = ir_measures.evaluator(list(measures.values()), list(_judgements(rankings)))
    scores = [dict.fromkeys(names, 0.0) for _ in rankings]
    titles = {measure: name for name, measure in measures.items()}
    for metric in evaluator.iter_calc(list(_run(rankings))):
        scores[int(metric.query_id)][titles[metric.measure]] = float(metric.value)
    return scores


def _measure(name: str) -> Measure:
    from ir_measures import RR, R, nDCG

    kind, _, depth = name.partition("@")
    if kind == "mrr":
        return RR
    return (nDCG if kind == "ndcg" else R) @ int(depth)


def _judgements(rankings: Sequence[Ranking]) -> Iterator[Qrel]:
    from ir_measures import Qrel

    for number, ranking in enumerate(rankings):
        for target in range(ranking.targets):
            yield Qrel(str(number), f"target {target}", 1)


def _run(rankings: Sequence[Ranking]) -> Iterator[ScoredDoc]:
    from ir_measures import ScoredDoc

    for number, ranking in enumerate(rankings):
        for rank, target in enumerate(ranking.found, start=1):
            name = f"filler {rank}" if target is None else f"target {target}"
            yield ScoredDoc(str(number), name, float(-rank))


def mean_of(scores: Sequence[Mapping[str, float]], name: str) -> float:
    """Return the mean of a metric over queries; every query counts the same."""
    return sum(values[name] for values in scores) / len(scores)
