"""A score by signals is the sum of its parts, and an explanation shows those that add something."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.library import Store
from ragduck.search.explain import explain

QUESTIONS = ("invoice order", "how does PaymentMatcher work")
HARSH = {"test_penalty": 9.0, "migration_penalty": 9.0, "generated_penalty": 9.0}


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


@pytest.fixture(scope="module", params=["hybrid", "bm25", "semantic"])
def answers(store: Store, request: pytest.FixtureRequest) -> list[Any]:
    """Answers with many hits of each file, and with totals below zero."""
    return [
        store.search(question, mode=request.param, signals=True, top_k=400, ranking=ranking)
        for question in QUESTIONS
        for ranking in ({}, HARSH, {"same_file": 2.0})
    ]


def test_score_is_the_sum_of_its_parts(answers: list[Any]) -> None:
    results = [result for answer in answers for result in answer.results]

    for result in results:
        assert sum(result["score_parts"].values()) == pytest.approx(result["score"], rel=1e-9, abs=1e-12)


def test_score_may_be_negative(answers: list[Any]) -> None:
    scores = [result["score"] for answer in answers for result in answer.results]

    assert min(scores) < -5


def test_further_chunk_of_a_file_with_a_negative_total_is_not_moved(answers: list[Any]) -> None:
    negative = [r for answer in answers for r in answer.results if r["score"] < 0]

    assert {result["score_parts"]["same_file"] for result in negative} == {0.0}


def test_results_come_in_order_of_score(answers: list[Any]) -> None:
    for answer in answers:
        scores = [result["score"] for result in answer.results]

        assert scores == sorted(scores, reverse=True)


def test_explanation_adds_up_to_the_score(answers: list[Any]) -> None:
    for answer in answers:
        for result in answer.results:
            explanation = explain(result, answer.request)

            assert explanation.score == result["score"]
            assert sum(part.value or 0 for part in explanation.parts) == pytest.approx(
                result["score"], abs=1e-9
            )


def test_explanation_shows_exactly_the_parts_that_are_not_zero(answers: list[Any]) -> None:
    for answer in answers:
        for result in answer.results:
            shown = {part.side: part.value for part in explain(result, answer.request).parts}

            assert shown == {name: value for name, value in result["score_parts"].items() if value != 0}


def test_explanation_tells_rank_and_score_of_each_side(store: Store) -> None:
    answer = store.search("invoice order", top_k=1)

    parts = {part.side: (part.rank, part.score) for part in explain(answer.results[0], answer.request).parts}

    best = answer.results[0]
    assert parts["bm25"] == (best["bm25_rank"], best["bm25_score"])
    assert parts["vector"] == (best["vector_rank"], best["vector_score"])


def test_every_part_is_described(store: Store) -> None:
    answer = store.search("InvoiceService", top_k=100)

    for result in answer.results:
        assert all(" " in part.formula for part in explain(result, answer.request).parts)


def test_score_without_signals_is_explained_too(store: Store) -> None:
    answer = store.search("invoice order", signals=False)

    for result in answer.results:
        explanation = explain(result, answer.request)
        assert sum(part.value or 0 for part in explanation.parts) == pytest.approx(result["score"])


def test_score_type_tells_signals_from_plain_keyword_scores(store: Store) -> None:
    with_signals = store.search("invoice", mode="bm25").results
    without = store.search("invoice", mode="bm25", signals=False).results

    assert {result["score_type"] for result in with_signals} == {"ranked"}
    assert {result["score_type"] for result in without} == {"bm25"}
