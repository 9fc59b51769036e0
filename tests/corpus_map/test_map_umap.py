"""The real thing, where the extra `map` is installed."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import ragduck
from ragduck.corpus_map.positions import lay_out
from ragduck.corpus_map.run import make_map
from ragduck.corpus_map.settings import MapSettings
from ragduck.corpus_map.topics import find_topics

pytestmark = pytest.mark.slow
pytest.importorskip("umap", reason="needs the extra map")


@pytest.fixture(scope="module")
def groups() -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors around four directions, and the group of each."""
    random = np.random.default_rng(3)
    middles = random.normal(size=(4, 24))
    group = np.repeat(np.arange(4), 30)
    vectors = middles[group] + 0.2 * random.normal(size=(120, 24))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32), group


def test_groups_become_topics(groups: tuple[np.ndarray, np.ndarray]) -> None:
    vectors, group = groups

    topics = find_topics(lay_out(vectors, MapSettings()), min_size=10)

    assert len({(topic, of) for topic, of in zip(topics, group, strict=True) if topic >= 0}) == 4


def test_same_vectors_have_the_same_places(groups: tuple[np.ndarray, np.ndarray]) -> None:
    vectors, _ = groups

    first, second = (lay_out(vectors, MapSettings()) for _ in range(2))

    assert (first == second).all()


def test_another_random_state_is_another_map(groups: tuple[np.ndarray, np.ndarray]) -> None:
    vectors, _ = groups

    one, other = (lay_out(vectors, MapSettings(random_state=state)) for state in (1, 2))

    assert not np.allclose(one, other)


def test_shop_has_topics_and_passes_its_checks(shop_store: Path, tmp_path: Path) -> None:
    store = Path(shutil.copy(shop_store, tmp_path / "shop.duckdb"))

    report = make_map(store)

    with ragduck.open(store) as opened:
        results = opened.check()
    assert report.method.startswith("umap-learn")
    assert report.topics
    assert all(result.passed for result in results)
