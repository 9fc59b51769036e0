"""The sample shop, prepared once, and an index over it."""

from __future__ import annotations

from pathlib import Path

import pytest
from llama_index.core.indices.vector_store.base import VectorStoreIndex

from ragduck.integrations.llamaindex import RagduckVectorStore, open_index, prepare_embeddings

SHOP = Path(__file__).resolve().parents[1] / "data" / "shop"


@pytest.fixture(scope="session")
def shop_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("llamaindex") / "shop.duckdb"
    prepare_embeddings(SHOP, path, embed_model_name="hashing", verbose=False, repo="shop", branch="main")
    return path


@pytest.fixture(scope="session")
def shop_index(shop_path: Path) -> VectorStoreIndex:
    return open_index(shop_path)


@pytest.fixture(scope="session")
def shop_nodes(shop_path: Path) -> RagduckVectorStore:
    return RagduckVectorStore(shop_path)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder of two Markdown files."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "billing.md").write_text("# Billing\n\nAn invoice is created when an order ships.\n")
    (folder / "garden.md").write_text("# Garden\n\nTomatoes want sun and water.\n")
    return folder
