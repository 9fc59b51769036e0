"""Vectors of questions: exact, told apart by all that a model is, and kept only where they are safe."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.embed.hashing import HashingEmbedder
from ragduck.embed.query_cache import (
    FILE_NAME,
    REMEMBERED,
    QueryCache,
    cache_path,
    open_query_cache,
    query_key,
)
from ragduck.embed.vector_file import VectorFile

EMBEDDER = HashingEmbedder(dimension=64)
MODEL = EMBEDDER.model
QUESTION = "where are invoices created"


@pytest.fixture
def file(tmp_path: Path) -> VectorFile:
    return VectorFile(tmp_path / "v.sqlite3")


def kept(file: VectorFile | None, *, model: Any = MODEL) -> QueryCache:
    cache = QueryCache(file=file)
    cache.keep(QUESTION, EMBEDDER.embed_query(QUESTION), model=model)
    return cache


@pytest.mark.parametrize("later", [False, True], ids=["same process", "later process"])
def test_a_vector_comes_back_bit_for_bit(file: VectorFile, later: bool) -> None:
    cache = kept(file)

    found = (QueryCache(file=file) if later else cache).find(QUESTION, model=MODEL)

    assert found is not None
    assert (found.typecode, found.tobytes()) == ("f", EMBEDDER.embed_query(QUESTION).tobytes())


@pytest.mark.parametrize(
    "other",
    [
        replace(MODEL, name="hashing2"),
        replace(MODEL, revision="2"),
        replace(MODEL, dimension=65),
        replace(MODEL, query_prefix="query: "),
        replace(MODEL, text_prefix="passage: "),
        replace(MODEL, normalized=False),
    ],
    ids=["name", "revision", "dimension", "query prefix", "text prefix", "normalised"],
)
def test_another_model_finds_nothing(file: VectorFile, other: Any) -> None:
    cache = kept(file)

    assert cache.find(QUESTION, model=other) is None
    assert QueryCache(file=file).find(QUESTION, model=other) is None


def test_another_question_finds_nothing(file: VectorFile) -> None:
    cache = kept(file)

    assert cache.find(QUESTION + " ", model=MODEL) is None


def test_the_file_does_not_hold_the_question(file: VectorFile) -> None:
    kept(file)

    assert b"invoices" not in file.path.read_bytes()


def test_a_model_without_a_revision_is_remembered_in_memory_only(file: VectorFile) -> None:
    unsure = replace(MODEL, revision="")

    cache = kept(file, model=unsure)

    assert cache.find(QUESTION, model=unsure) is not None
    assert not file.path.exists()


def test_a_vector_of_another_length_than_the_models_is_not_found(file: VectorFile) -> None:
    file.write(query_key(QUESTION, model=MODEL), b"four" * 63)

    assert QueryCache(file=file).find(QUESTION, model=MODEL) is None


@pytest.mark.parametrize(
    "given_instead",
    [
        np.zeros(63, dtype=np.float32),
        np.zeros((1, 64), dtype=np.float32),
        np.zeros(64, dtype=np.float64),
        np.full(64, np.nan, dtype=np.float32),
        [0.0] * 64,
        None,
    ],
    ids=["short", "two-dimensional", "float64", "not finite", "list", "nothing"],
)
def test_what_is_no_vector_is_not_remembered(file: VectorFile, given_instead: Any) -> None:
    cache = QueryCache(file=file)

    cache.keep(QUESTION, given_instead, model=MODEL)

    assert cache.find(QUESTION, model=MODEL) is None
    assert not file.path.exists()


def test_of_a_quick_model_the_first_question_is_kept_in_the_file(file: VectorFile) -> None:
    vector = EMBEDDER.embed_query(QUESTION)
    QueryCache(file=file).keep("of another process", vector, model=MODEL)
    cache = QueryCache(file=file)
    for text in ("first", "second"):
        cache.keep(text, vector, model=MODEL, seconds=0.0002)

    found = {
        text: [each.find(text, model=MODEL) is not None for each in (cache, QueryCache(file=file))]
        for text in ("first", "second", "of another process")
    }

    assert found == {"first": [True, True], "second": [True, False], "of another process": [False, True]}


def test_a_remembered_vector_is_safe_from_later_changes_of_the_models_own() -> None:
    cache, vector = QueryCache(), EMBEDDER.embed_query(QUESTION).copy()
    cache.keep(QUESTION, vector, model=MODEL)
    vector[:] = 0

    found = cache.find(QUESTION, model=MODEL)

    assert found is not None
    assert any(found)


def test_memory_holds_the_questions_used_last() -> None:
    cache, vector = QueryCache(), EMBEDDER.embed_query(QUESTION)
    for number in range(REMEMBERED):
        cache.keep(str(number), vector, model=MODEL)
    cache.find("0", model=MODEL)

    cache.keep("one more", vector, model=MODEL)

    assert cache.find("0", model=MODEL) is not None
    assert cache.find("1", model=MODEL) is None


@given(st.text())
def test_every_text_has_a_key_of_its_own(text: str) -> None:
    assert query_key(text, model=MODEL) == query_key(text, model=MODEL)
    assert query_key(text, model=MODEL) != query_key(text + "\ud800", model=MODEL)


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({}, Path.home() / ".cache" / "ragduck"),
        ({"XDG_CACHE_HOME": "/x"}, Path("/x/ragduck")),
        ({"XDG_CACHE_HOME": "relative"}, Path.home() / ".cache" / "ragduck"),
        ({"XDG_CACHE_HOME": ""}, Path.home() / ".cache" / "ragduck"),
        ({"RAGDUCK_CACHE_DIR": "/own", "XDG_CACHE_HOME": "/x"}, Path("/own")),
        ({"RAGDUCK_CACHE_DIR": "~/own"}, Path.home() / "own"),
        ({"RAGDUCK_QUERY_CACHE": "on"}, Path.home() / ".cache" / "ragduck"),
    ],
    ids=str,
)
def test_the_file_lies_where_the_environment_says(environment: dict[str, str], folder: Path) -> None:
    assert cache_path(environment) == folder / FILE_NAME


@pytest.mark.parametrize(
    "environment",
    [{"RAGDUCK_CACHE_DIR": ""}, {"RAGDUCK_QUERY_CACHE": "off"}, {"RAGDUCK_QUERY_CACHE": " OFF "}],
    ids=str,
)
def test_the_environment_may_want_no_file(environment: dict[str, str]) -> None:
    assert cache_path(environment) is None


def test_a_cache_in_memory_touches_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGDUCK_CACHE_DIR", str(tmp_path))
    cache = open_query_cache(on_disk=False)

    cache.keep(QUESTION, EMBEDDER.embed_query(QUESTION), model=MODEL)

    assert list(tmp_path.iterdir()) == []
