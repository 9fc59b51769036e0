"""Neighbours, places of a few points, and what is said when UMAP is missing."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from ragduck.corpus_map.positions import FEW, lay_out, nearest_neighbours, require_packages
from ragduck.corpus_map.settings import MapSettings
from ragduck.errors import UsageError


def unit_vectors(count: int, dimension: int = 16) -> np.ndarray:
    vectors = np.random.default_rng(1).normal(size=(count, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_neighbours_are_the_nearest_with_the_point_itself_first() -> None:
    vectors = unit_vectors(60)

    indices, distances = nearest_neighbours(vectors, 5)

    expected = np.argsort(1 - vectors @ vectors.T, axis=1, kind="stable")[:, :5]
    assert (indices[:, 0] == np.arange(60)).all()
    assert (np.sort(indices, axis=1) == np.sort(expected, axis=1)).all()
    assert (np.diff(distances, axis=1) >= 0).all()


def test_point_is_first_even_among_more_equals_than_neighbours() -> None:
    vectors = np.repeat(unit_vectors(2), 20, axis=0)

    indices, distances = nearest_neighbours(vectors, 5)

    assert (indices[:, 0] == np.arange(40)).all()
    assert np.allclose(distances, 0, atol=1e-6)


@pytest.mark.parametrize("count", [1, 2, FEW])
def test_few_points_need_no_umap(count: int) -> None:
    places = lay_out(unit_vectors(count), MapSettings())

    assert places.shape == (count, 2)
    assert np.isfinite(places).all()


def test_one_dimension_gives_places_on_a_line() -> None:
    places = lay_out(np.array([[1.0], [-1.0], [1.0]], dtype=np.float32), MapSettings())

    assert (places[:, 1] == 0).all()


def test_missing_extra_is_named_with_the_command_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "umap", None)
    monkeypatch.setitem(sys.modules, "sklearn", None)

    with pytest.raises(UsageError) as caught:
        require_packages(FEW + 1, MapSettings())

    assert "umap-learn and scikit-learn" in caught.value.message
    assert caught.value.hint == 'in the folder of ragduck: pip install -e ".[map]"'


def test_without_topics_only_umap_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "umap", None)
    monkeypatch.setitem(sys.modules, "sklearn", None)

    with pytest.raises(UsageError, match="a map needs umap-learn, which is not installed"):
        require_packages(1000, MapSettings(topics=False))


@pytest.mark.parametrize(
    "settings",
    [{"n_neighbors": 1}, {"min_dist": 1.5}, {"sample": 0}, {"min_cluster_size": 1}, {"random_state": -1}],
)
def test_number_out_of_range_is_refused(settings: dict[str, int]) -> None:
    with pytest.raises(UsageError, match=r"is .*, not"):
        MapSettings(**settings)


def test_order_of_filters_does_not_change_the_settings() -> None:
    one = MapSettings(repos=("b", "a"))
    other = MapSettings(repos=("a", "b", "a"))

    assert one.key == other.key
