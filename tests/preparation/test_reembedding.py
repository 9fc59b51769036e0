"""Giving a store vectors of another model: what a fresh prepare with that model would have made, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ragduck
from ragduck.embed.hashing import HashingEmbedder
from ragduck.errors import EmbeddingError, StoreError
from ragduck.preparation.reembedding import candidates, embed
from ragduck.store.kept_text import KeptText

VECTORS = "select id, content_hash, embedding from documents order by chunk_no"
REST = "select * exclude (embedding, sign_0) from documents order by chunk_no"
SOURCE = {
    "orders.cs": "using System;\nusing System.Linq;\n\nnamespace Shop;\n\n"
    "/// <summary>Takes orders.</summary>\npublic class Orders\n{\n    public void Place(int id)\n    {\n"
    "        var order = Find(id);\n        Send(order);\n        Log(order);\n    }\n}\n",
    "guide.md": "# Guide\n\nHow orders are placed.\n\n## Returns\n\nHow orders come back to the shop.\n",
    "table.sql": "create table dbo.Orders (Id int primary key, Total decimal(9, 2));\n",
}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same small system prepared with two models."""
    folder = tmp_path_factory.mktemp("system")
    source = folder / "source"
    source.mkdir()
    for name, text in SOURCE.items():
        (source / name).write_text(text)
    stores = {}
    for model in ("hashing", "hashing:200"):
        stores[model] = folder / f"{model.replace(':', '')}.duckdb"
        ragduck.prepare(source, stores[model], repo="shop", branch="main", embed_model=model, processes=1)
    return stores


@pytest.fixture
def store(prepared: dict[str, Path], tmp_path: Path) -> Path:
    return Path(shutil.copy(prepared["hashing"], tmp_path / "shop.duckdb"))


def rows(store: Path, statement: str) -> list[dict[str, Any]]:
    with ragduck.open(store) as opened:
        return opened.sql(statement)


def test_vectors_are_those_of_a_fresh_prepare(prepared: dict[str, Path], store: Path) -> None:
    report = embed(store, "hashing:200")

    assert rows(store, VECTORS) == rows(prepared["hashing:200"], VECTORS)
    assert (report.previous, report.model, report.approximate) == ("hashing", "hashing:200", 0)


def test_everything_but_the_vectors_stays(store: Path) -> None:
    before = rows(store, REST)

    embed(store, "hashing:100")

    assert rows(store, REST) == before


def test_the_store_passes_its_checks_afterwards(store: Path) -> None:
    embed(store, "hashing:200")

    with ragduck.open(store) as opened:
        assert [result.name for result in opened.check() if not result.passed] == []


def test_questions_are_asked_with_the_new_model(store: Path) -> None:
    embed(store, "hashing:200")

    with ragduck.open(store) as opened:
        answer = opened.search("place an order", mode="semantic", top_k=1)

    assert len(answer.results) == 1


def test_the_same_model_again_changes_nothing(store: Path) -> None:
    before = store.stat().st_mtime_ns

    report = embed(store, "hashing")

    assert report.unchanged
    assert store.stat().st_mtime_ns == before


def test_vectors_can_be_taken_away_and_made_again(prepared: dict[str, Path], store: Path) -> None:
    embed(store, "none")
    without = rows(store, "select count(embedding) as vectors from documents")

    embed(store, "hashing")

    assert without == [{"vectors": 0}]
    assert rows(store, VECTORS) == rows(prepared["hashing"], VECTORS)


def test_readers_of_the_old_file_are_not_disturbed(store: Path) -> None:
    with ragduck.open(store) as reader:
        embed(store, "hashing:200")

        assert len(reader.search("orders", mode="semantic", top_k=2).results) == 2


class Failing(HashingEmbedder):
    """Fails at the second batch of texts, and counts the texts it was given."""

    def __init__(self, *, batches: int) -> None:
        super().__init__(dimension=200)
        self.left = batches
        self.texts = 0

    def embed_texts(self, texts: Any) -> NDArray[np.float32]:
        if self.left == 0:
            raise EmbeddingError("the endpoint is gone")
        self.left -= 1
        self.texts += len(texts)
        return super().embed_texts(texts)


def test_an_interrupted_run_is_taken_up(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragduck.store.builder.EMBEDDING_SLICE", 1)
    total = len(rows(store, "select distinct content_hash from documents"))
    before = store.read_bytes()
    with pytest.raises(EmbeddingError, match="the endpoint is gone"):
        embed(store, Failing(batches=2))
    untouched = store.read_bytes() == before

    again = Failing(batches=-1)
    embed(store, again)

    assert untouched
    assert again.texts == total - 2


def test_an_interrupted_run_is_taken_up_after_one_with_another_model(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragduck.store.builder.EMBEDDING_SLICE", 1)
    total = len(rows(store, "select distinct content_hash from documents"))
    with pytest.raises(EmbeddingError, match="the endpoint is gone"):
        embed(store, Failing(batches=2))
    embed(store, "hashing:32")

    again = Failing(batches=-1)
    embed(store, again)

    assert again.texts == total - 2
    assert sorted(path.name for path in store.parent.glob("*ragduck*")) == []


def test_a_missing_store_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store"):
        embed(tmp_path / "none.duckdb", "hashing")


def test_an_unknown_model_leaves_the_store_as_it_was(store: Path) -> None:
    before = store.read_bytes()

    with pytest.raises(EmbeddingError, match="no embedding model 'minilmm'"):
        embed(store, "minilmm")

    assert store.read_bytes() == before


def test_a_link_to_the_store_stays(store: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.duckdb"
    link.symlink_to(store)

    report = embed(link, "hashing:200")

    assert link.is_symlink()
    assert report.store == store.resolve()


def test_text_without_a_line_end_has_its_candidates() -> None:
    kept = KeptText("hash", "section", "Returns", "doc:guide.md#Guide > Returns", "one line")

    texts = list(candidates(kept, header_weight=2))

    assert texts == ["Guide > Returns\nGuide > Returns\none line", "one line"]
