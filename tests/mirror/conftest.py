"""A store with a few hundred vectors that lie as those of models do, and mirrors of it."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import ragduck
from ragduck.mirror import MirrorReport, export_faiss
from ragduck.model import EmbeddingModel

DIMENSION = 24
FOLDERS = ("src", "tests", "tools")
NAMES = ("load", "save", "order", "price", "user", "mail", "cache", "index")

Copy = Callable[..., tuple[Path, MirrorReport]]


class ScatteredEmbedder:
    """Give each text a vector near one of eight centres, chosen by the text's hash."""

    def __init__(self) -> None:
        self.model = EmbeddingModel(name="scattered", revision="1", dimension=DIMENSION)
        self._centres = np.random.default_rng(0).normal(size=(8, DIMENSION))

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
        vector = self._centres[seed % 8] + np.random.default_rng(seed).normal(size=DIMENSION)
        return (vector / np.linalg.norm(vector)).astype(np.float32)


def sources(folder: Path) -> Path:
    """Write modules of several functions, some of them tests, some with the same text."""
    for number in range(60):
        place = folder / FOLDERS[number % 3] / f"part_{number % 7}"
        place.mkdir(parents=True, exist_ok=True)
        functions = [
            f"def {name}_{number}(value):\n"
            + "".join(f"    value = {name}_step_{step}(value, {number})\n" for step in range(12))
            + "    return value\n"
            for name in NAMES
        ]
        same = "def always_the_same(value):\n" + "    value = value + 1\n" * 14 + "    return value\n"
        (place / f"module_{number}.py").write_text("\n\n".join([*functions, same]), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def embedder() -> ScatteredEmbedder:
    return ScatteredEmbedder()


@pytest.fixture(scope="session")
def scattered_store(tmp_path_factory: pytest.TempPathFactory, embedder: ScatteredEmbedder) -> Path:
    """Several hundred chunks with vectors; not to be changed."""
    folder = tmp_path_factory.mktemp("scattered")
    store = folder / "scattered.duckdb"
    ragduck.prepare(sources(folder / "code"), store, repo="code", branch="main", embed_model=embedder)
    return store


@pytest.fixture
def mirrored(scattered_store: Path, tmp_path: Path) -> Copy:
    """Copy the store to a folder of its own and export its mirror."""

    def copied(index: str = "flat", **settings: object) -> tuple[Path, MirrorReport]:
        store = tmp_path / "scattered.duckdb"
        shutil.copy(scattered_store, store)
        return store, export_faiss(store, index=index, **settings)

    return copied
