"""A question asked again: the same answer without a run of the model, in a process and across processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from numpy.typing import NDArray

import ragduck
from ragduck.embed.hashing import HashingEmbedder
from ragduck.errors import EmbeddingError

QUESTION = "where are invoices created"
Asked = list[str]


class CountingEmbedder(HashingEmbedder):
    """Remember what was embedded."""

    def __init__(self, *, dimension: int = 64) -> None:
        super().__init__(dimension=dimension)
        self.asked: Asked = []

    def embed_query(self, text: str) -> NDArray[np.float32]:
        self.asked.append(text)
        return super().embed_query(text)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAGDUCK_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """The questions that the model of the shop, loaded by its name, was run for."""
    questions: Asked = []
    embed_texts = HashingEmbedder.embed_texts

    def noted(self: HashingEmbedder, texts: Any) -> NDArray[np.float32]:
        questions.extend(texts)
        return embed_texts(self, texts)

    monkeypatch.setattr(HashingEmbedder, "embed_texts", noted)
    return questions


def answer(path: Path, question: str = QUESTION, **settings: Any) -> list[tuple[str, float]]:
    with ragduck.open(path, **settings) as store:
        return [(result["node_id"], result["score"]) for result in store.search(question).results]


def test_a_second_store_runs_no_model_for_a_question_asked_before(
    shop_store: Path, folder: Path, asked: Asked
) -> None:
    first = answer(shop_store)

    second = answer(shop_store)

    assert asked == [QUESTION]
    assert second == first


def test_another_question_is_embedded(shop_store: Path, folder: Path, asked: Asked) -> None:
    answer(shop_store)

    answer(shop_store, "match a payment")

    assert asked == [QUESTION, "match a payment"]


@pytest.mark.parametrize(
    "variable", [("RAGDUCK_CACHE_DIR", ""), ("RAGDUCK_QUERY_CACHE", "off")], ids=" ".join
)
def test_nothing_is_kept_on_disk_when_it_is_turned_off(
    shop_store: Path, folder: Path, asked: Asked, monkeypatch: pytest.MonkeyPatch, variable: tuple[str, str]
) -> None:
    monkeypatch.setenv(*variable)
    answer(shop_store)

    answer(shop_store)

    assert asked == [QUESTION, QUESTION]
    assert not folder.exists()


def test_an_open_store_asks_once_without_any_file(shop_store: Path, asked: Asked) -> None:
    with ragduck.open(shop_store) as store:
        store.search(QUESTION)
        store.search(QUESTION, mode="semantic")

    assert asked == [QUESTION]


def test_a_keyword_search_leaves_no_file(shop_store: Path, folder: Path) -> None:
    with ragduck.open(shop_store) as store:
        store.search(QUESTION, mode="bm25")

    assert not folder.exists()


def test_the_vectors_of_an_embedder_of_the_users_own_stay_in_memory(shop_store: Path, folder: Path) -> None:
    own = CountingEmbedder()

    with ragduck.open(shop_store, embed_model=own) as store:
        store.search(QUESTION)
        store.search(QUESTION)
    answer(shop_store, embed_model=own)

    assert own.asked == [QUESTION, QUESTION]
    assert not folder.exists()


def test_an_embedder_of_the_users_own_is_not_answered_for_by_the_file(shop_store: Path, folder: Path) -> None:
    answer(shop_store)
    own = CountingEmbedder()

    answer(shop_store, embed_model=own)

    assert own.asked == [QUESTION]


def test_the_name_of_the_stores_own_model_is_answered_for(
    shop_store: Path, folder: Path, asked: Asked
) -> None:
    answer(shop_store)

    answer(shop_store, embed_model="hashing")

    assert asked == [QUESTION]


@pytest.mark.parametrize("other", ["hashing:128", HashingEmbedder(dimension=128)], ids=["name", "object"])
def test_another_model_is_refused_for_a_question_asked_before_too(
    shop_store: Path, folder: Path, other: Any
) -> None:
    answer(shop_store)

    with pytest.raises(EmbeddingError, match="128"):
        answer(shop_store, embed_model=other)


@pytest.mark.parametrize(
    "change",
    [("embedding_revision", "2"), ("embedding_query_prefix", "query: "), ("embedding_dimensions", "65")],
    ids=" ".join,
)
def test_another_revision_or_prefix_in_the_store_is_not_answered_for(
    shop_store: Path, tmp_path: Path, folder: Path, change: tuple[str, str]
) -> None:
    answer(shop_store)
    other = tmp_path / "other.duckdb"
    other.write_bytes(shop_store.read_bytes())
    with duckdb.connect(str(other)) as connection:
        connection.execute("update ragduck_meta set value = $2 where key = $1", change)

    with ragduck.open(other) as store:
        found = store.search(QUESTION)

    assert found.mode == "bm25"
    assert "instead of" in found.status.notes[0]


def test_a_model_that_is_gone_is_not_missed_for_a_question_asked_before(
    shop_store: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = answer(shop_store)
    monkeypatch.setitem(sys.modules, "ragduck.embed.hashing", None)

    assert answer(shop_store) == first


@pytest.mark.parametrize("content", [b"", b"damaged", b"SQLite format 3\0" + b"\0" * 5_000])
def test_a_spoilt_file_changes_no_answer(
    shop_store: Path, folder: Path, asked: Asked, content: bytes
) -> None:
    folder.mkdir()
    (folder / "query_vectors.sqlite3").write_bytes(content)

    found = answer(shop_store)

    assert len(found) == 10
    assert asked == [QUESTION]


@pytest.fixture(scope="module")
def loaded_by(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], set[str]]:
    """Ask a store of the default model in a process of its own; return which modules that took."""
    place = tmp_path_factory.mktemp("repeated")
    (place / "notes").mkdir()
    (place / "notes" / "a.md").write_text("# Invoices\n\nAn invoice is created at the end of the month.\n")
    ragduck.prepare(place / "notes", place / "n.duckdb", repo="n", branch="main", embed_model="minilm")
    program = "import sys, ragduck; ragduck.open(sys.argv[1]).search(sys.argv[2]); print(*sys.modules)"

    def ask(question: str) -> set[str]:
        done = subprocess.run(
            [sys.executable, "-c", program, str(place / "n.duckdb"), question],
            env=os.environ | {"RAGDUCK_CACHE_DIR": str(place / "cache")},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return set(done.stdout.split())

    return ask


def test_a_later_process_does_not_even_load_the_model(loaded_by: Callable[[str], set[str]]) -> None:
    first = loaded_by(QUESTION)

    second = loaded_by(QUESTION)

    assert "onnxruntime" in first
    assert second.isdisjoint({"onnxruntime", "tokenizers", "ragduck.embed.minilm", "numpy"})
