"""Branches read from git: the same rows as from a checkout, nothing embedded twice, nothing read without need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from numpy.typing import NDArray

import ragduck
from ragduck.embed.hashing import HashingEmbedder
from ragduck.errors import SourceError
from ragduck.model import EmbeddingModel
from ragduck.preparation import gathering

pytestmark = pytest.mark.slow

Git = Callable[..., str]
TIMES = "created_at, mtime"


class CountingEmbedder:
    """The hashing embedder, which remembers what it was asked."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._hashing = HashingEmbedder()

    @property
    def model(self) -> EmbeddingModel:
        return self._hashing.model

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += texts
        return self._hashing.embed_texts(texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._hashing.embed_query(text)


def body(number: int, factor: int) -> str:
    return f"def total_{number}(order):\n    price = order.price * {factor}\n    return price + {number}\n"


@pytest.fixture
def shop(git: Git, tmp_path: Path) -> Path:
    """A checkout of main with 100 files; develop, which is not checked out, has another text in one of them."""
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for number in range(100):
        (folder / f"total_{number}.py").write_text(body(number, 2))
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Open the shop")
    git(folder, "checkout", "-q", "-b", "develop")
    (folder / "total_7.py").write_text(body(7, 3))
    git(folder, "commit", "-q", "-a", "-m", "Raise the price")
    git(folder, "checkout", "-q", "main")
    return folder


def rows(store: Path) -> dict[str, list[Any]]:
    """What is known of files, chunks and graph, but for times."""
    tables = ("documents", "source_documents", "nodes", "edges", "fts_postings")
    with duckdb.connect(str(store), read_only=True) as connection:
        return {
            table: connection.execute(
                f"select {f'* exclude ({TIMES})' if table == 'source_documents' else '*'} from {table} order by all"
            ).fetchall()
            for table in tables
        }


def test_a_revision_gives_the_rows_of_its_checkout(git: Git, shop: Path, tmp_path: Path) -> None:
    ragduck.prepare(shop, tmp_path / "git.duckdb", branch="develop", embed_model="hashing")
    git(shop, "checkout", "-q", "develop")

    ragduck.prepare(shop, tmp_path / "disk.duckdb", branch="develop", embed_model="hashing")

    assert rows(tmp_path / "git.duckdb") == rows(tmp_path / "disk.duckdb")


def test_a_branch_that_differs_in_one_file_of_a_hundred_embeds_that_one(shop: Path, tmp_path: Path) -> None:
    first, second = CountingEmbedder(), CountingEmbedder()
    ragduck.prepare(shop, tmp_path / "s.duckdb", embed_model=first)

    report = ragduck.prepare(shop, tmp_path / "s.duckdb", branch="develop", embed_model=second)

    assert (len(first.texts), len(second.texts), report.embedded) == (100, 1, 1)
    assert "total_7" in second.texts[0]


def test_the_commit_of_the_revision_is_recorded(git: Git, shop: Path, tmp_path: Path) -> None:
    ragduck.prepare(shop, tmp_path / "s.duckdb", branch="develop", embed_model=None)

    with ragduck.open(tmp_path / "s.duckdb") as store:
        (snapshot,) = store.snapshots()
    assert (snapshot.branch, snapshot.root) == ("develop", "shop")
    assert snapshot.commit_sha == git(shop, "rev-parse", "develop")


def test_a_revision_that_was_prepared_before_is_not_unpacked_again(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ragduck.prepare(shop, tmp_path / "s.duckdb", branch="develop", embed_model=None)
    monkeypatch.setattr(gathering, "walk_revision", None)

    report = ragduck.prepare(shop, tmp_path / "s.duckdb", branch="develop")

    assert report.unchanged


@pytest.mark.parametrize(
    "rules", [{"exclude": ["total_1.py"]}, {"max_file_bytes": 1_000}, {"chunk_size": 64}]
)
def test_other_rules_read_the_revision_again(shop: Path, tmp_path: Path, rules: dict[str, Any]) -> None:
    ragduck.prepare(shop, tmp_path / "s.duckdb", branch="develop", embed_model=None)

    report = ragduck.prepare(shop, tmp_path / "s.duckdb", branch="develop", **rules)

    assert not report.unchanged


def test_a_label_is_told_in_the_report(shop: Path, tmp_path: Path) -> None:
    report = ragduck.prepare(shop, tmp_path / "s.duckdb", branch="weekly", embed_model=None)

    assert report.to_dict()["sources"][0]["notes"] == [
        "shop has no revision weekly: main was read from disk and is called weekly; "
        f"list its branches with: git -C {shop} branch --all"
    ]


def test_an_unknown_revision_leaves_no_store(shop: Path, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no revision nope"):
        ragduck.prepare(shop, tmp_path / "s.duckdb", revision="nope", embed_model=None)

    assert [path.name for path in tmp_path.iterdir()] == ["shop"]
