"""The hashing embedder: deterministic, finite, unit length, words shared are similarity."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.embed.hashing import HashingEmbedder, iter_features
from ragduck.errors import EmbeddingError

KNOWN_VECTOR = [0.0, 0.447214, -0.894427, 0.0]
ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()), max_size=300)


@settings(deadline=None)
@given(st.lists(ANY_TEXT, min_size=1, max_size=5), st.integers(1, 130))
def test_every_vector_is_finite_and_of_unit_length(texts: list[str], dimension: int) -> None:
    vectors = HashingEmbedder(dimension=dimension).embed_texts(texts)

    assert vectors.shape == (len(texts), dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


@settings(deadline=None)
@given(st.lists(ANY_TEXT, min_size=2, max_size=4))
def test_a_vector_does_not_depend_on_the_texts_beside_it(texts: list[str]) -> None:
    embedder = HashingEmbedder()

    together = embedder.embed_texts(texts)

    assert all(
        np.array_equal(row, embedder.embed_query(text)) for row, text in zip(together, texts, strict=True)
    )


def test_another_process_computes_the_same_vector() -> None:
    program = (
        "from ragduck.embed.hashing import HashingEmbedder; "
        "print(HashingEmbedder().embed_query('placeOrder \\u0141\\u00f3d\\u017a').tolist())"
    )

    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert printed.stdout.strip() == str(HashingEmbedder().embed_query("placeOrder Łódź").tolist())


def test_known_text_keeps_its_vector_on_every_platform() -> None:
    vector = HashingEmbedder(dimension=4).embed_query("place order order")

    assert vector.tolist() == pytest.approx(KNOWN_VECTOR, abs=1e-6)


def test_camel_and_snake_parts_are_features_beside_the_whole_word() -> None:
    features = list(iter_features("HTTPServer place_order id"))

    assert features == ["httpserver", "http", "server", "place_order", "place", "order", "id"]


def test_a_text_is_closer_to_one_that_shares_its_words() -> None:
    question, near, far = HashingEmbedder().embed_texts(
        ["place order", "PlaceOrder now", "unrelated invoice"]
    )

    assert question @ near > question @ far


def test_a_text_without_words_gets_the_first_unit_vector() -> None:
    vector = HashingEmbedder(dimension=3).embed_query(" \x00…")

    assert vector.tolist() == [1, 0, 0]


def test_no_texts_give_no_rows() -> None:
    assert HashingEmbedder(dimension=5).embed_texts([]).shape == (0, 5)


def test_a_word_of_200_000_characters_is_embedded() -> None:
    assert np.isfinite(HashingEmbedder().embed_query("aB" * 100_000)).all()


@pytest.mark.parametrize("dimension", [0, -1, 5_000])
def test_an_unusable_dimension_is_refused(dimension: int) -> None:
    with pytest.raises(EmbeddingError, match=f"hashing:{dimension}"):
        HashingEmbedder(dimension=dimension)
