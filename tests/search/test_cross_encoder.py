"""Cross-encoders by name or folder: their scores make the order, and other models are refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import pytest

import ragduck
from ragduck.library import Store
from ragduck.search.cross_encoder import RerankError, load_cross_encoder

transformers = pytest.importorskip("transformers", reason="needs the extra huggingface")
sentence_transformers = pytest.importorskip("sentence_transformers", reason="needs the extra huggingface")

QUESTION = "where are invoices created"


def tiny_model(folder: Path, kind: str, **settings: Any) -> str:
    """Save a model of one layer that knows letters, with random weights."""
    folder.mkdir()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = [f"{start}{letter}" for start in ("", "##") for letter in ascii_lowercase]
    (folder / "vocab.txt").write_text("\n".join([*special, *letters]))
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    config = transformers.BertConfig(
        vocab_size=len(special) + len(letters),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=8,
        initializer_range=1.0,
        **settings,
    )
    transformers.set_seed(1)
    getattr(transformers, kind)(config).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    place = tmp_path_factory.mktemp("models")
    return {
        "ranks": tiny_model(place / "ranks", "BertForSequenceClassification", num_labels=1),
        "classifies": tiny_model(place / "classifies", "BertForSequenceClassification", num_labels=3),
        "embeds": tiny_model(place / "embeds", "BertModel"),
    }


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


def test_the_scores_of_the_model_make_the_order(store: Store, models: dict[str, str]) -> None:
    pool = store.search(QUESTION, top_k=20).results
    texts = [f"{result['element_name']} in {result['source_file']}\n{result['text']}" for result in pool]
    model = sentence_transformers.CrossEncoder(models["ranks"], max_length=512)
    scores = dict(
        zip(
            (result["node_id"] for result in pool),
            model.predict([(QUESTION, text) for text in texts]),
            strict=True,
        )
    )

    answer = store.search(QUESTION, top_k=20, reranker=models["ranks"], rerank_pool=20)

    found = [result["score"] for result in answer.results]
    assert found == sorted(found, reverse=True)
    assert found == pytest.approx([float(scores[result["node_id"]]) for result in answer.results], abs=1e-5)
    assert [result["rank_before"] for result in answer.results] != list(range(1, 21))


def test_a_model_is_loaded_once_per_process(models: dict[str, str]) -> None:
    assert load_cross_encoder(models["ranks"]) is load_cross_encoder(models["ranks"])


@pytest.mark.parametrize("question", ["\ud800 invoice", "żółw " * 1_000, "a\0b"])
def test_any_question_can_be_scored(store: Store, models: dict[str, str], question: str) -> None:
    chunks = store.search(QUESTION, top_k=3).results

    ranked = load_cross_encoder(models["ranks"]).rank(question, chunks)

    assert len(ranked) == 3


def test_a_classifier_of_several_labels_is_refused(store: Store, models: dict[str, str]) -> None:
    with pytest.raises(RerankError, match="3 scores") as refused:
        store.search(QUESTION, reranker=models["classifies"])

    assert refused.value.hint


def test_an_embedding_model_is_refused(store: Store, models: dict[str, str]) -> None:
    with pytest.raises(RerankError, match="BertModel") as refused:
        store.search(QUESTION, reranker=models["embeds"])

    assert refused.value.hint


def test_a_folder_without_a_model_is_refused(store: Store, tmp_path: Path) -> None:
    with pytest.raises(RerankError, match="cannot be loaded") as refused:
        store.search(QUESTION, reranker=str(tmp_path))

    assert "folder must hold a cross-encoder" in str(refused.value.hint)


def test_a_name_that_cannot_be_had_hints_at_a_local_copy(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)

    with pytest.raises(RerankError, match="cannot be loaded") as refused:
        store.search(QUESTION, reranker="nobody/no-such-cross-encoder")

    assert "hf download nobody/no-such-cross-encoder" in str(refused.value.hint)
