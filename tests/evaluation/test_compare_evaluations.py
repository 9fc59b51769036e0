"""Two evaluations of the same queries are compared query by query, and the outcome is put in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ragduck.errors import UsageError
from ragduck.evaluation import Evaluation, Query, compare
from ragduck.evaluation.compare import verdict_of
from ragduck.evaluation.results import Found, ModeResult, QueryResult
from ragduck.evaluation.significance import paired_difference
from ragduck.evaluation.targets import Labels


def evaluation(
    *values: float, store: str = "shop.duckdb", mode: str = "hybrid", **settings: object
) -> Evaluation:
    results = tuple(
        QueryResult(
            query=Query(f"question {number}", ("a.cs",)),
            scores={"ndcg@10": value, "mrr": value},
            targets=("a.cs",),
            found=(Found("a.cs", 1, "a.cs:1-2"),) if value else (),
            best_wrong=None,
            milliseconds=1.0,
            first_milliseconds=2.0,
        )
        for number, value in enumerate(values)
    )
    return Evaluation(
        (Path(store),), 10, settings, ("ndcg@10", "mrr"), Labels(()), (ModeResult(mode, results),)
    )


def test_every_metric_is_compared() -> None:
    found = compare(evaluation(0.2, 0.4), evaluation(0.6, 0.4)).modes[0]

    assert list(found.differences) == ["ndcg@10", "mrr"]
    assert found.differences["ndcg@10"].first == pytest.approx(0.3)
    assert found.differences["ndcg@10"].difference == pytest.approx(0.2)


def test_changes_are_listed_largest_first_without_those_that_stay() -> None:
    found = compare(evaluation(0.2, 0.5, 0.9), evaluation(0.3, 0.5, 0.1)).modes[0]

    assert [change.first.query.text for change in found.changes] == ["question 2", "question 0"]
    assert found.changes[0].difference == pytest.approx(-0.8)


def test_gains_and_losses_are_both_shown() -> None:
    found = compare(evaluation(0.2, 0.5, 0.9, 0.1), evaluation(0.9, 0.7, 0.8, 0.1)).modes[0]

    assert [change.first.query.text for change in found.most_changed(1)] == ["question 0", "question 2"]


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        (evaluation(1), evaluation(1, mode="bm25"), ("hybrid", "bm25")),
        (evaluation(1), evaluation(1, rrf_k=10), ("hybrid", "hybrid, rrf_k=10")),
        (
            evaluation(1, ranking={"a": 1, "b": 2}),
            evaluation(1, ranking={"a": 1, "b": 3}),
            ("hybrid, ranking.b=2", "hybrid, ranking.b=3"),
        ),
        (evaluation(1), evaluation(1, store="b.duckdb"), ("shop.duckdb, hybrid", "b.duckdb, hybrid")),
        (
            evaluation(1, store="old/shop.duckdb"),
            evaluation(1),
            (str(Path("old/shop.duckdb")) + ", hybrid", "shop.duckdb, hybrid"),
        ),
    ],
)
def test_sides_are_named_by_what_tells_them_apart(
    first: Evaluation, second: Evaluation, names: tuple[str, str]
) -> None:
    found = compare(first, second).modes[0]

    assert (found.first, found.second) == names


def test_every_mode_is_compared_with_the_only_one_of_the_second() -> None:
    both = replace(evaluation(1), modes=(*evaluation(1).modes, *evaluation(1, mode="semantic").modes))

    found = compare(both, evaluation(1, mode="bm25"))

    assert [(mode.first, mode.second) for mode in found.modes] == [("hybrid", "bm25"), ("semantic", "bm25")]


def test_other_numbers_of_modes_are_refused() -> None:
    both = replace(evaluation(1), modes=evaluation(1).modes * 2)

    with pytest.raises(UsageError, match="of 1 and 2 modes"):
        compare(evaluation(1), both)


def test_other_numbers_of_results_are_refused() -> None:
    with pytest.raises(UsageError, match="look at 10 and 20 results"):
        compare(evaluation(1), replace(evaluation(1), top_k=20, metrics=("ndcg@20", "mrr")))


def test_other_queries_are_refused() -> None:
    with pytest.raises(UsageError, match="different queries"):
        compare(evaluation(0.2), evaluation(0.2, 0.4))


def test_clear_difference_names_the_better_side() -> None:
    found = paired_difference([0.5] * 40, [0.7] * 40)

    verdict = verdict_of(found, metric="ndcg@10", queries=40)

    assert verdict == (
        "The second is better: NDCG@10 goes from 0.500 to 0.700, +0.200 (95 % interval +0.200 to +0.200); "
        "chance alone makes as large a difference less than once in 1,000 times."
    )


def test_unclear_difference_warns_of_few_queries() -> None:
    found = paired_difference([0.5, 0.4, 0.9], [0.6, 0.4, 0.8])

    verdict = verdict_of(found, metric="ndcg@10", queries=3)

    assert verdict.startswith("No clear difference: NDCG@10 goes from 0.600 to 0.600")
    assert verdict.endswith(
        "chance alone makes as large a difference 100 % of the time. "
        "3 queries are few: only a large difference would show."
    )


def test_no_difference_is_said_to_be_none() -> None:
    found = paired_difference([0.5], [0.5])

    assert verdict_of(found, metric="mrr", queries=1) == "MRR is the same for every query: 0.500."
