"""The static model: chunks by their words alone, the same wherever and with whatever they are embedded; questions."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.embed import load_embedder
from ragduck.embed.minilm.tokenizer import VOCABULARY
from ragduck.embed.minilm.weights import WEIGHTS_SHA256
from ragduck.embed.static import StaticEmbedder
from ragduck.embed.static.model import (
    FOLDER,
    SHA256,
    VOCABULARY_FILE,
    WEIGHTS_FILE,
    read_model,
    weighted_sum,
)
from ragduck.errors import EmbeddingError

TEXTS = [
    "def read_json(path):\n    with open(path) as file:\n        return json.load(file)",
    "create procedure dbo.Order_Insert as insert into dbo.Orders values (1)",
    "public async Task<Invoice> CreateInvoiceAsync(Order order) { return await db.SaveAsync(order); }",
]


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    return StaticEmbedder()


def test_the_name_finds_it() -> None:
    assert isinstance(load_embedder("static"), StaticEmbedder)


def test_vectors_are_of_unit_length(embedder: StaticEmbedder) -> None:
    vectors = embedder.embed_texts(TEXTS)

    assert vectors.shape == (3, embedder.model.dimension)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


@pytest.mark.parametrize(
    ("question", "best"),
    [("load a json file", 0), ("insert an order into the table", 1), ("create an invoice", 2)],
)
def test_questions_are_close_to_what_answers_them(embedder: StaticEmbedder, question: str, best: int) -> None:
    scores = embedder.embed_texts(TEXTS) @ embedder.embed_query(question)

    assert scores.argmax() == best


def test_a_vector_does_not_depend_on_the_texts_beside_it(embedder: StaticEmbedder) -> None:
    alone = embedder.embed_texts(TEXTS[1:2])

    assert np.array_equal(alone[0], embedder.embed_texts(TEXTS)[1])


def test_known_vectors_are_met_on_every_platform(embedder: StaticEmbedder) -> None:
    expected = np.loadtxt(Path(__file__).with_name("expected.txt"))

    assert np.allclose(embedder.embed_texts(TEXTS), expected[:3], atol=1e-5)
    assert np.allclose(embedder.embed_query("load a json file"), expected[3], atol=1e-3)


@pytest.mark.parametrize("text", ["", " \n\t", "€€ …", "\ud800", "word " * 5_000])
def test_any_question_has_a_unit_vector(embedder: StaticEmbedder, text: str) -> None:
    assert np.isclose(np.linalg.norm(embedder.embed_query(text)), 1, atol=1e-5)


@pytest.mark.parametrize("question", ["getFileName", "anulować fakturę"])
def test_names_and_foreign_words_are_looked_up_as_in_chunks(embedder: StaticEmbedder, question: str) -> None:
    same, other = embedder.embed_texts([f"void f() {{ {question} }}", "void f() { readSettings }"])

    assert embedder.embed_query(question) @ same > embedder.embed_query(question) @ other + 0.2


@pytest.mark.parametrize("question", ["发票取消", "12345678"])
def test_a_question_without_known_words_is_not_like_chunks_without_any(
    embedder: StaticEmbedder, question: str
) -> None:
    wordless = embedder.embed_texts(["{ }"])[0]

    assert embedder.embed_query(question) @ wordless < 0.5


def test_the_model_of_questions_is_the_one_it_was_trained_with() -> None:
    """With another MiniLM `static` has to be trained anew: stores tell its releases apart by its own hash alone."""
    assert WEIGHTS_SHA256.startswith("8199be6f699a395f")
    assert hashlib.sha256(VOCABULARY.read_bytes()).hexdigest().startswith("07eced375cec144d")


def test_a_question_is_read_as_a_sentence(embedder: StaticEmbedder) -> None:
    first, second = map(embedder.embed_query, ("dog bites man", "man bites dog"))

    assert not np.allclose(first, second, atol=0.01)


def test_sums_are_added_one_row_after_the_other() -> None:
    chance = np.random.default_rng(1)
    rows = chance.integers(-127, 128, size=(128, 9), dtype=np.int8)
    weights = chance.random(128, dtype=np.float32)
    expected = np.zeros(9, dtype=np.float32)
    for row, weight in zip(rows, weights, strict=True):
        expected += row.astype(np.float32) * weight

    assert np.array_equal(weighted_sum(rows, weights), expected)


def test_no_texts_give_no_rows(embedder: StaticEmbedder) -> None:
    assert embedder.embed_texts([]).shape == (0, embedder.model.dimension)


@pytest.mark.parametrize("text", ["", " \n\t", "€€ …", "\ud800"])
def test_a_text_without_words_has_a_vector(embedder: StaticEmbedder, text: str) -> None:
    vector = embedder.embed_texts([text])[0]

    assert np.isclose(np.linalg.norm(vector), 1)


@given(st.lists(st.text(max_size=60), max_size=4))
def test_any_texts_have_finite_unit_vectors(texts: list[str]) -> None:
    vectors = StaticEmbedder().embed_texts(texts)

    assert np.isfinite(vectors).all()
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_the_same_word_is_close_to_itself_in_other_spellings(embedder: StaticEmbedder) -> None:
    camel, snake = embedder.embed_texts(["getFileName", "get_file_name"])

    assert camel @ snake > 0.99


def test_the_model_is_named_without_loading_it() -> None:
    model = StaticEmbedder().model

    assert (model.name, model.revision) == ("static", f"sha256:{SHA256}")


def test_the_files_of_the_model_are_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= 10_000_000


def test_changed_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / WEIGHTS_FILE).write_bytes((FOLDER / WEIGHTS_FILE).read_bytes()[:-1] + b"x")
    (tmp_path / VOCABULARY_FILE).write_bytes((FOLDER / VOCABULARY_FILE).read_bytes())

    with pytest.raises(EmbeddingError, match="are not the expected ones"):
        read_model(tmp_path, sha256=SHA256)


def test_missing_weights_are_told(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="cannot be read"):
        read_model(tmp_path, sha256=SHA256)


def test_chunks_need_neither_torch_nor_onnxruntime() -> None:
    code = (
        "import sys; from ragduck.embed import load_embedder; load_embedder('static').embed_texts(['a']);"
        "sys.exit(any(name in sys.modules for name in ('torch', 'onnxruntime', 'tokenizers', 'duckdb')))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
