"""NDCG, MRR and recall are what the definitions say, worked out by hand and by formula."""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.evaluation.metrics import Ranking, metric_names, rank_targets, score
from ragduck.evaluation.targets import Target

NAMES = metric_names(10, (1, 5, 10))


def target(*chunks: str) -> Target:
    return Target("label", frozenset(chunks))


def scores(targets: list[Target], hits: str) -> dict[str, float]:
    return score([rank_targets(targets, list(hits))], NAMES)[0]


def test_target_at_rank_three_alone() -> None:
    found = scores([target("c")], "abcd")

    assert found == pytest.approx(
        {"ndcg@10": 0.5, "mrr": 1 / 3, "recall@1": 0, "recall@5": 1, "recall@10": 1}
    )


def test_further_chunks_of_a_file_cost_ranks_and_give_nothing() -> None:
    found = scores([target("a", "b", "c"), target("d")], "abcd")

    assert found["ndcg@10"] == pytest.approx((1 + 1 / log2(5)) / (1 + 1 / log2(3)))
    assert found["recall@1"] == 0.5


def test_missing_target_counts_in_the_ideal_ranking() -> None:
    found = scores([target("a"), target()], "ab")

    assert found["ndcg@10"] == pytest.approx(1 / (1 + 1 / log2(3)))
    assert found["recall@10"] == 0.5


def test_ideal_ranking_holds_no_more_than_ten() -> None:
    targets = [target(letter) for letter in "abcdefghijkl"]

    assert scores(targets, "abcdefghij")["ndcg@10"] == pytest.approx(1)


def test_no_results_are_worth_nothing() -> None:
    assert scores([target("a")], "") == dict.fromkeys(NAMES, 0.0)


def test_chunk_of_two_targets_finds_the_smaller_first() -> None:
    ranking = rank_targets([target("a", "b", "c"), target("a")], ["a", "b", "c"])

    assert ranking.found == (1, 0, None)


def test_rankings_are_scored_apart() -> None:
    rankings = [Ranking(1, (0, None)), Ranking(1, (None, 0)), Ranking(2, (None,))]

    assert [found["mrr"] for found in score(rankings, NAMES)] == [1, 0.5, 0]


def test_cut_of_ndcg_is_the_number_of_results() -> None:
    assert metric_names(20, (5, 1, 5)) == ("ndcg@20", "mrr", "recall@1", "recall@5")


@settings(deadline=None)
@given(
    files=st.lists(st.sampled_from(range(8)), max_size=10),
    wanted=st.sets(st.sampled_from(range(12)), min_size=1),
)
def test_ndcg_is_that_of_the_formula(files: list[int], wanted: set[int]) -> None:
    hits = [f"{file}.{place}" for place, file in enumerate(files)]
    targets = [target(*(hit for hit in hits if hit.startswith(f"{file}."))) for file in sorted(wanted)]
    gain = sum(
        1 / log2(rank + 2) for rank, file in enumerate(files) if file in wanted and file not in files[:rank]
    )
    ideal = sum(1 / log2(rank + 2) for rank in range(min(10, len(wanted))))

    found = score([rank_targets(targets, hits)], NAMES)[0]

    assert found["ndcg@10"] == pytest.approx(gain / ideal)
