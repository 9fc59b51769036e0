"""BM25 with other parameters than the store was made with, computed from its counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ragduck
from ragduck.errors import UsageError
from ragduck.library import Store

WORDS = [
    "invoice",
    "order",
    "place",
    "PaymentMatcher",
    "dbo.Invoice",
    "customer",
    "stock",
    "Währung",
    "table",
]
QUESTIONS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


def scores(store: Store, question: str, **parameters: float) -> dict[int, float]:
    named = "".join(f", {name} := {value}" for name, value in parameters.items())
    rows = store.sql(f"from bm25f_scores($question{named})", {"question": question})
    return {row["chunk_no"]: row["score"] for row in rows}


def test_without_changes_the_counts_give_the_stored_weights(store: Store) -> None:
    @settings(deadline=None, max_examples=15)
    @given(QUESTIONS)
    def check(question: str) -> None:
        stored = store.sql("from bm25_scores($question)", {"question": question})

        assert scores(store, question) == pytest.approx(
            {row["chunk_no"]: row["score"] for row in stored}, rel=1e-5
        )

    check()


def test_a_field_without_weight_finds_nothing_by_itself(store: Store) -> None:
    only_names = scores(store, "matcher", content_weight=0, parts_weight=0, path_weight=0)

    named = store.sql("select chunk_no from documents where lower(element_name) like '%matcher%'")
    assert set(only_names) == {row["chunk_no"] for row in named}


def test_k1_of_zero_counts_each_term_once(store: Store) -> None:
    found = scores(store, "invoice", k1=0)

    facts = store.sql(
        "select chunk_no, idf * importance_score as score from fts_postings join fts_terms using (term_key) "
        "join documents using (chunk_no) where term = 'invoice'"
    )
    assert found == pytest.approx({row["chunk_no"]: row["score"] for row in facts})


def test_a_search_uses_the_changed_parameters(store: Store) -> None:
    answer = store.search(
        "matcher", mode="bm25", signals=False, top_k=1000,
        bm25={"content_weight": 0, "parts_weight": 0, "path_weight": 0},
    )  # fmt: skip

    assert answer.results
    assert all("matcher" in result["element_name"].lower() for result in answer.results)


def test_filters_hold_with_changed_parameters(store: Store) -> None:
    answer = store.search("invoice", bm25={"k1": 2}, filters={"kind": "PROC"})

    assert {result["kind"] for result in answer.results} == {"PROC"}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"k2": 1}, "bm25 has no parameter 'k2'"),
        ({"k1": -1}, "bm25 k1 is -1"),
        ({"name_b": 1.5}, "bm25 name_b is 1.5"),
        ({"k1": float("nan")}, "bm25 k1 is nan"),
        ({"k1": "1"}, "bm25 k1 is '1'"),
    ],
)
def test_a_parameter_that_cannot_be_is_refused(
    store: Store, parameters: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        store.search("invoice", bm25=parameters)
