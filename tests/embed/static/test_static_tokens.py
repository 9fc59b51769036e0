"""Words of code and prose: parts of identifiers, joined words, pieces of unknown ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.embed.static.tokens import Tokenizer, words_in

WORDS = [
    "a",
    "b",
    "data",
    "frame",
    "dataframe",
    "file",
    "name",
    "get",
    "http",
    "response",
    "2",
    "ą",
    "zażółć",
]
VOCABULARY = {word: number for number, word in enumerate(WORDS)}


def found(text: str, *, most: int = 99) -> list[str]:
    return [WORDS[token] for token in Tokenizer(VOCABULARY).distinct_tokens(text, most=most)]


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("getHTTPResponse2", ["get", "http", "response", "2"]),
        ("IService", ["i", "service"]),
        ("__init__", ["init"]),
        ("MAX_FILE_SIZE", ["max", "file", "size"]),
        ("Café", ["cafe"]),
        ("żółw", ["zo", "ł", "w"]),
        ("", []),
    ],
)
def test_identifiers_fall_into_their_parts(identifier: str, words: list[str]) -> None:
    parts = words_in(identifier)

    assert parts == words


def test_parts_are_found_again_as_one_word() -> None:
    assert found("DataFrame") == ["data", "frame", "dataframe"]


def test_unknown_words_fall_into_known_beginnings() -> None:
    assert found("filename") == ["file", "name"]


def test_a_word_counts_once() -> None:
    assert found("file file_name name") == ["file", "name"]


def test_no_more_than_asked_for() -> None:
    assert found("get http response", most=2) == ["get", "http"]


def test_numbers_that_are_not_known_are_left_out() -> None:
    assert found("2 31415") == ["2"]


@given(st.text(max_size=200))
def test_any_text_has_tokens_of_the_vocabulary(text: str) -> None:
    assert set(found(text)) <= set(WORDS)


@given(st.text(max_size=200))
def test_tokens_do_not_depend_on_what_was_looked_at_before(text: str) -> None:
    tokenizer = Tokenizer(VOCABULARY)
    tokenizer.distinct_tokens(text[::-1], most=50)

    assert tokenizer.distinct_tokens(text, most=50) == Tokenizer(VOCABULARY).distinct_tokens(text, most=50)


def test_a_megabyte_without_a_blank_is_no_work() -> None:
    tokens = Tokenizer(VOCABULARY).distinct_tokens("xa" * 500_000, most=10)

    assert tokens == [0]
