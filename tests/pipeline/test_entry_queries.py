"""Seed 001, D and E.1, and seed 003, §4: what is searched for, under which filters and in which mode."""

from __future__ import annotations

import pytest

from ragduck.errors import PipelineError
from ragduck.pipeline.question.vocabulary import KnownWord, Vocabulary
from ragduck.pipeline.retrieval.entry_queries import (
    MAX_QUERY,
    base_filters,
    entry_query,
    interleaved,
    narrowed,
    served_mode,
    shortened,
)
from ragduck.pipeline.state import SearchMode, Understanding

ALL = ("semantic", "semantic_rerank", "bm25", "hybrid")
VOCABULARY = Vocabulary(
    {"cancelled": (KnownWord("cancel", 9, 0.3),), "invoice": (KnownWord("invoice", 90, 0.2),)}
)


def test_seed_001_e1_the_entry_query_has_the_question_its_concepts_and_forms_that_the_store_has() -> None:
    understood = Understanding("bug", "mixed", ("invoice", "cancelled"), ("invoices",))

    query = entry_query("why are invoices cancelled", understood, VOCABULARY)

    assert query == "why are invoices cancelled invoice cancelled cancel"


def test_seed_001_e1_synonyms_are_searched_for_when_the_store_has_no_word_for_a_concept() -> None:
    understood = Understanding("bug", "mixed", ("client",), ("customer",))

    assert entry_query("clients", understood, VOCABULARY) == "clients client customer"


def test_a_long_query_ends_at_a_blank() -> None:
    query = shortened("word " * 1000)

    assert len(query) <= MAX_QUERY
    assert query.endswith("word")


@pytest.mark.parametrize("mode", ALL)
def test_seed_003_4_a_mode_that_the_store_can_serve_is_taken(mode: SearchMode) -> None:
    assert served_mode(mode, allowed=ALL, has_vectors=True, policy="fail") == (mode, None)


@pytest.mark.parametrize("mode", ["semantic", "semantic_rerank", "hybrid"])
def test_seed_003_4_without_vectors_the_policy_falls_back_to_keywords_and_says_so(mode: SearchMode) -> None:
    found, why = served_mode(mode, allowed=ALL, has_vectors=False, policy="fall_back")

    assert found == "bm25"
    assert why is not None
    assert "no vectors" in why


def test_seed_003_4_the_policy_fail_is_an_error_with_a_hint() -> None:
    with pytest.raises(PipelineError) as error:
        served_mode("semantic", allowed=ALL, has_vectors=False, policy="fail")

    assert error.value.hint is not None
    assert "on_missing_mode" in error.value.hint


def test_seed_003_4_3_where_keywords_are_not_allowed_the_fall_back_is_semantic() -> None:
    found, _ = served_mode("bm25", allowed=("semantic",), has_vectors=True, policy="fall_back")

    assert found == "semantic"


def test_no_mode_at_all_is_an_error() -> None:
    with pytest.raises(PipelineError, match="no vectors"):
        served_mode("semantic", allowed=("semantic",), has_vectors=False, policy="fall_back")


def test_filters_of_a_plan_narrow_those_of_the_settings() -> None:
    made, refused = narrowed({"file_class": ["source", "test"]}, {"file_class": "test", "kind": "PROC"})

    assert made == {"file_class": ["test"], "kind": ["PROC"]}
    assert refused == ()


def test_filters_of_a_plan_never_widen_those_of_the_settings() -> None:
    made, refused = narrowed({"repo": ["shop"]}, {"repo": ["other"]})

    assert made == {"repo": ["shop"]}
    assert refused == ("repo",)


def test_repository_and_branch_of_the_settings_are_filters() -> None:
    settings = {"repository": "shop", "branch": "main", "filters": {"file_class": "source"}}

    assert base_filters(settings) == {"file_class": ["source"], "repo": ["shop"], "branch": ["main"]}


def test_a_secondary_search_is_one_of_the_second_branch() -> None:
    assert base_filters({"branch": "main", "branch_b": "next"}, secondary=True) == {"branch": ["next"]}


def test_a_secondary_search_without_a_second_branch_is_an_error() -> None:
    with pytest.raises(PipelineError, match="secondary"):
        base_filters({"branch": "main"}, secondary=True)


def test_hits_of_two_sides_are_taken_by_turns_and_once() -> None:
    code = [{"node_id": "a"}, {"node_id": "b"}, {"node_id": "c"}]
    database = [{"node_id": "x"}, {"node_id": "a"}]

    assert [hit["node_id"] for hit in interleaved([code, database])] == ["a", "x", "b", "c"]
