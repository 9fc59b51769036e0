"""Hits ranked in memory have the scores, parts and order that the statement gives them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragduck.search.loaded_ranking import best_hits, may_rank
from ragduck.search.ranking import RANKED_TYPES, asked_names, asked_values, ranked_sql

KEYS = st.integers(1, 12)
WEIGHTS = st.floats(0, 4) | st.sampled_from([0.0, 1.0, 1_000_000.0])
FILE_CLASSES = ("source", "test", "migration", "generated", "vendored", "docs", None)
NAMES = (
    "vector_share", "evidence_share", "coverage_weight", "definition_weight", "spelled_weight", "rrf_k",
    "first_place", "min_coverage", "coverage_terms", "quoted_weight", "min_spelled", "member_definition",
    "packed_definition",
    "type_head_weight", "file_name", "min_file_name", "folder_name", "file_evidence", "file_evidence_half",
    "loose_file", "centrality_weight", "test_penalty", "migration_penalty", "generated_penalty", "same_file",
)  # fmt: skip


@st.composite
def questions(draw: st.DrawFn) -> dict[str, Any]:
    """Draw what `question` tells: weights, terms and keys."""
    asked: dict[str, Any] = {name: draw(WEIGHTS) for name in NAMES}
    asked["terms"] = draw(st.integers(0, 9))
    for name in ("word_keys", "stem_keys", "quoted_chunks", "placed_chunks"):
        asked[name] = draw(st.lists(KEYS, max_size=4))
    asked["spelled_keys"] = draw(st.lists(KEYS, max_size=5))
    asked["spelled_shares"] = draw(st.lists(st.floats(0, 1), max_size=5))
    return asked


@st.composite
def hits(draw: st.DrawFn) -> dict[str, list[Any]]:
    """Draw hits of both sides with their signals; those of a file have the file's."""
    chunk_nos = draw(st.lists(st.integers(1, 40), unique=True, max_size=30))
    by_keyword = draw(st.permutations(chunk_nos))[: draw(st.integers(0, len(chunk_nos)))]
    by_meaning = draw(st.permutations(chunk_nos))[: draw(st.integers(0, len(chunk_nos)))]
    files = [(draw(st.sampled_from(FILE_CLASSES)), draw(KEYS), draw(st.integers(1, 30))) for _ in range(4)]
    named = [draw(st.none() | st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 2))) for _ in files]
    centralities = [draw(st.floats(0, 8)) for _ in files]
    found = [number for number in chunk_nos if number in by_keyword or number in by_meaning]
    places = [draw(st.integers(0, 3)) for _ in found]
    ranks = {name: {number: rank for rank, number in enumerate(order, 1)} for name, order in (
        ("bm25_rank", by_keyword), ("vector_rank", by_meaning)
    )}  # fmt: skip
    return {
        "chunk_no": found,
        **{name: [known.get(number) for number in found] for name, known in ranks.items()},
        "bm25_terms": [draw(st.integers(1, 9)) if number in by_keyword else None for number in found],
        "file_no": places,
        "name_key": [draw(st.none() | KEYS) for _ in found],
        "spelled_key": [draw(st.none() | KEYS) for _ in found],
        "member_keys": [draw(st.none() | st.lists(KEYS, max_size=4)) for _ in found],
        "is_member": [draw(st.sampled_from([True, False, None])) for _ in found],
        "type_head": [draw(st.booleans()) for _ in found],
        "file_class": [files[place][0] for place in places],
        "class_key": [files[place][1] for place in places],
        "centrality": [centralities[place] for place in places],
        "loose_chunks": [files[place][2] for place in places],
        **{
            name: [None if (told := named[place]) is None else told[column] for place in places]
            for column, name in enumerate(("file_share", "folder_share", "rarity"))
        },
    }


@pytest.fixture(scope="module")
def engine() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


def by_statement(
    engine: duckdb.DuckDBPyConnection, found: dict[str, list[Any]], asked: dict[str, Any], top_k: int
) -> list[dict[str, Any]]:
    values = asked_values(asked) | {name: json.dumps(found[name]) for name in RANKED_TYPES}
    texts = {name: None if value is None else str(value) for name, value in values.items()}
    cursor = engine.execute(ranked_sql(), texts | {"top_k": str(top_k)})
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(found=hits(), asked=questions(), top_k=st.integers(1, 40))
def test_scores_and_order_are_those_of_the_statement(
    engine: duckdb.DuckDBPyConnection, found: dict[str, list[Any]], asked: dict[str, Any], top_k: int
) -> None:
    expected = by_statement(engine, found, asked, top_k)

    ranked = best_hits(found, asked, top_k=top_k)

    scores = [row["score"] for row in expected]
    assert [row["score"] for row in ranked] == pytest.approx(scores)
    if [row["score"] for row in ranked] == scores:  # sums may differ in their last bits
        assert [row["chunk_no"] for row in ranked] == [row["chunk_no"] for row in expected]
    parts = {row["chunk_no"]: row["score_parts"] for row in expected}
    for row in ranked:
        assert row["chunk_no"] not in parts or row["score_parts"] == pytest.approx(parts[row["chunk_no"]])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(found=hits(), same_file=st.sampled_from([0.5, 1.0, 1_000_000.0]))
def test_ties_are_broken_by_place(
    engine: duckdb.DuckDBPyConnection, found: dict[str, list[Any]], same_file: float
) -> None:
    weights = dict.fromkeys(NAMES, 0.0) | {"centrality_weight": 1.0, "rrf_k": 20.0, "same_file": same_file}
    asked = a_question(**weights)
    found["centrality"] = [1.0] * len(found["chunk_no"])

    ranked = best_hits(found, asked, top_k=40)

    assert ranked == by_statement(engine, found, asked, 40)


def a_hit(**columns: Any) -> dict[str, list[Any]]:
    names = dict.fromkeys(RANKED_TYPES)
    return {name: [value] for name, value in (names | {"chunk_no": 1, "file_no": 1} | columns).items()}


def a_question(**changes: Any) -> dict[str, Any]:
    lists: dict[str, Any] = {
        name: []
        for name in (
            "word_keys",
            "stem_keys",
            "spelled_keys",
            "spelled_shares",
            "quoted_chunks",
            "placed_chunks",
        )
    }
    return {**dict.fromkeys(NAMES, 1.0), "terms": 1, **lists, **changes}


def test_a_hit_without_signals_has_no_score(engine: duckdb.DuckDBPyConnection) -> None:
    found, asked = a_hit(vector_rank=1), a_question()

    ranked = best_hits(found, asked, top_k=5)

    assert ranked == by_statement(engine, found, asked, 5)
    assert ranked[0]["score"] is None


@pytest.mark.parametrize("weight", [None, "much", math.nan, math.inf])
def test_what_is_no_finite_number_is_left_to_the_engine(weight: Any) -> None:
    assert may_rank(a_question(), names=asked_names())
    assert not may_rank(a_question(rrf_k=weight), names=asked_names())


def test_what_a_store_does_not_tell_is_left_to_the_engine() -> None:
    asked = a_question()
    del asked["loose_file"]

    assert not may_rank(asked, names=asked_names())


def test_names_without_shares_spell_nothing(engine: duckdb.DuckDBPyConnection) -> None:
    found = a_hit(vector_rank=1, spelled_key=5, file_no=1, centrality=0.0, loose_chunks=1)
    asked = a_question(spelled_keys=[], spelled_shares=[1.0])

    assert best_hits(found, asked, top_k=1) == by_statement(engine, found, asked, 1)


def test_endless_scores_come_first(engine: duckdb.DuckDBPyConnection) -> None:
    count = 60
    found = {name: [column[0]] * count for name, column in a_hit(centrality=0.0, loose_chunks=1).items()}
    found |= {"chunk_no": [*range(count)], "vector_rank": [*range(1, count + 1)]}
    asked = a_question(same_file=1_000_000.0)

    ranked = best_hits(found, asked, top_k=count)

    assert [row["chunk_no"] for row in ranked] == [
        row["chunk_no"] for row in by_statement(engine, found, asked, count)
    ]
    assert ranked[0]["score"] == math.inf


def test_nothing_found_is_nothing_ranked() -> None:
    assert best_hits({name: [] for name in RANKED_TYPES}, a_question(), top_k=5) == []
