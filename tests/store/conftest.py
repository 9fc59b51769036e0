"""The sample shop as a store, once for all tests of the store."""

from __future__ import annotations

from pathlib import Path

import pytest

import ragduck

SHOP = Path(__file__).parents[1] / "data" / "shop"


@pytest.fixture(scope="session")
def shop_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("shop") / "shop.duckdb"
    ragduck.prepare(SHOP, store, repo="shop", branch="main", embed_model="hashing")
    return store
