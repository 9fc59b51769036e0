"""Parameters of the ranking are checked, changed for one question or for a whole store."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import ragduck
from ragduck import SearchRequest
from ragduck.errors import UsageError
from ragduck.library import Store
from ragduck.resources import sql_text


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


def found(store: Store, question: str, **settings: Any) -> list[tuple[str, float]]:
    return [(result["node_id"], result["score"]) for result in store.search(question, **settings).results]


def defaults(store: Store) -> dict[str, float]:
    weights: dict[str, float] = store.sql("select ranking() as weights")[0]["weights"]
    return weights


def test_unknown_parameter_is_refused_with_the_one_that_was_meant(store: Store) -> None:
    with pytest.raises(UsageError) as caught:
        store.search("order", ranking={"definitions": 1.0})

    assert "'definitions'" in caught.value.message
    assert "did you mean definition?" in (caught.value.hint or "")


def test_unknown_parameter_is_answered_with_all_there_are(store: Store) -> None:
    with pytest.raises(UsageError) as caught:
        store.search("order", ranking={"qqqqqq": 1.0})

    assert "did you mean" not in (caught.value.hint or "")
    assert all(name in (caught.value.hint or "") for name in defaults(store))


@pytest.mark.parametrize(
    "name", ["same_file := 1) --", "definition, same_file", "", "Definition", "query_text"]
)
def test_name_of_a_parameter_is_never_taken_as_sql(store: Store, name: str) -> None:
    with pytest.raises(UsageError, match="no parameter"):
        store.search("order", ranking={name: 1.0})


@pytest.mark.parametrize("mode", ["hybrid", "bm25", "semantic", "semantic_rerank"])
def test_unknown_parameter_is_refused_in_every_mode(store: Store, mode: Any) -> None:
    with pytest.raises(UsageError, match="no parameter"):
        store.search("order", mode=mode, ranking={"definitions": 1.0})


@pytest.mark.parametrize(
    "value", [-1, -0.001, math.nan, math.inf, -math.inf, True, False, "1", None, [1.0], 1j]
)
def test_value_that_is_no_number_from_zero_on_is_refused(value: Any) -> None:
    with pytest.raises(UsageError) as caught:
        SearchRequest("order", ranking={"definition": value})

    assert "definition" in caught.value.message
    assert caught.value.hint


def test_whole_number_too_large_for_a_float_is_refused(store: Store) -> None:
    with pytest.raises(UsageError):
        store.search("order", ranking={"definition": 10**400})


def test_name_that_is_no_text_is_refused(store: Store) -> None:
    with pytest.raises(UsageError):
        store.search("order", ranking={1: 2.0})


@pytest.mark.parametrize("value", [0, 0.0, 1, 2.5])
def test_numbers_from_zero_on_are_taken(store: Store, value: float) -> None:
    answer = store.search("InvoiceService", ranking={"definition": value}, top_k=1)

    assert answer.results[0]["score_parts"]["definition"] == value


def test_every_parameter_may_be_zero(store: Store) -> None:
    for name in defaults(store):
        scores = [score for _, score in found(store, "invoice order", ranking={name: 0}, top_k=100)]

        assert scores
        assert all(map(math.isfinite, scores)), name


def test_no_parameters_rank_as_the_defaults(store: Store) -> None:
    assert found(store, "invoice order", ranking=defaults(store)) == found(store, "invoice order")


def test_parameters_of_one_question_do_not_stay(store: Store) -> None:
    before = found(store, "InvoiceService")

    changed = found(store, "InvoiceService", ranking={"definition": 0.0})

    assert changed != before
    assert found(store, "InvoiceService") == before


def test_rrf_k_of_the_request_wins_over_that_of_the_ranking(store: Store) -> None:
    assert found(store, "invoice order", rrf_k=5, ranking={"rrf_k": 900}) == (
        found(store, "invoice order", ranking={"rrf_k": 5})
    )


def test_rrf_k_of_the_ranking_differs_from_that_of_plain_fusion(store: Store) -> None:
    plain = found(store, "invoice order", signals=False)

    assert plain == found(store, "invoice order", signals=False, ranking={"rrf_k": 5})


@pytest.mark.parametrize("settings", [{"use_rrf": False}, {"mode": "semantic_rerank"}])
def test_signals_do_not_go_with_weighted_scores(settings: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        SearchRequest("order", signals=True, **settings)

    assert "signals" in caught.value.message
    assert caught.value.hint


def test_weighted_scores_come_without_signals(store: Store) -> None:
    results = store.search("order", use_rrf=False).results

    assert {result["score_type"] for result in results} == {"weighted"}
    assert all(result["score_parts"] is None for result in results)


@pytest.fixture
def tuned_store(shop_store: Path, tmp_path: Path) -> Iterator[Store]:
    """The sample shop whose owner does not care for definitions and dislikes tests."""
    copy = Path(shutil.copy(shop_store, tmp_path / "tuned.duckdb"))
    with duckdb.connect(str(copy)) as connection:
        macro = connection.extract_statements(sql_text("macros/04_ranking.sql"))[0].query
        changed = macro.replace(" definition := 2.0", " definition := 0").replace(
            "test_penalty := 0.2", "test_penalty := 7"
        )
        assert changed.count(":= 0,") + changed.count(":= 7,") >= 2
        connection.execute(changed.replace("create macro", "create or replace macro"))
    with ragduck.open(copy) as opened:
        yield opened


@pytest.mark.parametrize("mode", ["hybrid", "bm25", "semantic"])
def test_store_ranks_by_the_defaults_of_its_owner(store: Store, tuned_store: Store, mode: Any) -> None:
    tuned = found(tuned_store, "InvoiceService", mode=mode, signals=True, top_k=50)

    assert tuned == found(
        store,
        "InvoiceService",
        mode=mode,
        signals=True,
        top_k=50,
        ranking={"definition": 0, "test_penalty": 7},
    )
    assert tuned != found(store, "InvoiceService", mode=mode, signals=True, top_k=50)


def test_question_changes_the_defaults_of_the_owner(store: Store, tuned_store: Store) -> None:
    assert found(tuned_store, "InvoiceService", ranking={"definition": 1.0, "test_penalty": 0.2}) == (
        found(store, "InvoiceService", ranking={"definition": 1.0, "test_penalty": 0.2})
    )


def test_stored_macro_takes_the_defaults_of_the_owner(tuned_store: Store) -> None:
    rows = tuned_store.sql("from hybrid('InvoiceService', null, top_k := 3)")

    expected = found(tuned_store, "InvoiceService", mode="bm25", top_k=3)
    assert [(row["node_id"], row["score"]) for row in rows] == expected
