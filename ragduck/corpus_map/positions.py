"""Lay vectors out in the plane so that near ones stay near: UMAP over exact neighbours."""

from __future__ import annotations

import importlib.util
import warnings
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragduck.corpus_map.settings import MapSettings
from ragduck.errors import UsageError
from ragduck.progress import NO_PROGRESS, Progress
from ragduck.shell import extra_command

Floats = NDArray[np.float32]

FEW = 12  # points; for fewer a neighbourhood is all of them, and the two main directions say as much
MANY = 20_000  # points; for more, neighbours are looked for among fewer directions, and the start is not spectral
DIRECTIONS = 64
BLOCK = 2_048  # points looked up at a time
TRAINING = 50_000  # points whose directions stand for those of all


def require_packages(points: int, settings: MapSettings) -> None:
    """Refuse when the extra is not installed and so many distinct vectors need it, as all but a handful do."""
    needed = {}
    if points > FEW:
        needed["umap"] = "umap-learn"
    if settings.topics and points >= 2 * settings.topic_size(points):
        needed["sklearn"] = "scikit-learn"
    missing = [package for module, package in needed.items() if importlib.util.find_spec(module) is None]
    if missing:
        raise UsageError(
            f"a map needs {' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed",
            hint=extra_command("map"),
        )


def lay_out(vectors: Floats, settings: MapSettings, *, progress: Progress = NO_PROGRESS) -> Floats:
    """Return positions, shape (rows, 2), of unit vectors, shape (rows, dimension); the same ones each time."""
    if len(vectors) <= FEW:
        return _main_directions(vectors, 2)
    reduced = _main_directions(vectors, DIRECTIONS) if len(vectors) > MANY else vectors
    indices, distances = nearest_neighbours(
        reduced, min(settings.n_neighbors, len(vectors) - 1), progress=progress
    )
    with progress.stage("load UMAP", total=None):
        umap = _imported()
    with progress.stage("lay out", total=None):
        return _umap(umap, reduced, settings, neighbours=(indices, distances))


def method_of(points: int) -> str:
    """Tell how so many distinct vectors are laid out."""
    return "principal components" if points <= FEW else f"umap-learn {version('umap-learn')}"


def nearest_neighbours(
    vectors: Floats, count: int, *, progress: Progress = NO_PROGRESS
) -> tuple[NDArray[np.int64], Floats]:
    """Return the indices and cosine distances of the ``count`` nearest vectors, each itself first."""
    import faiss

    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    unit = np.ascontiguousarray(unit, dtype=np.float32)
    index = faiss.IndexFlatIP(unit.shape[1])
    index.add(unit)
    indices = np.empty((len(unit), count), dtype=np.int64)
    distances = np.empty((len(unit), count), dtype=np.float32)
    with progress.stage("neighbours", total=len(unit)) as stage:
        for low in range(0, len(unit), BLOCK):
            block = slice(low, low + BLOCK)
            likeness, indices[block] = index.search(unit[block], count)
            distances[block] = np.maximum(0, 1 - likeness)
            stage.advance(len(likeness))
    return _themselves_first(indices, distances)


def _themselves_first(indices: NDArray[np.int64], distances: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Put each point first among its neighbours, where equal vectors may have taken its place."""
    own = np.arange(len(indices))
    is_absent = ~(indices == own[:, None]).any(axis=1)
    indices[is_absent, -1] = own[is_absent]
    is_own = indices == own[:, None]
    distances[is_own] = 0
    order = np.argsort(~is_own, axis=1, kind="stable")
    return np.take_along_axis(indices, order, 1), np.take_along_axis(distances, order, 1)


def _main_directions(vectors: Floats, count: int) -> Floats:
    """Return the coordinates along the principal components, of fixed sign; zeros where there are fewer."""
    mean = vectors.mean(axis=0)
    step = -(-len(vectors) // TRAINING)
    sample = vectors[::step] - mean
    _, components = np.linalg.eigh((sample.T @ sample).astype(np.float64))
    components = components[:, ::-1][:, :count]
    largest = np.abs(components).argmax(axis=0)
    components = components * np.sign(components[largest, np.arange(components.shape[1])])
    found = ((vectors - mean) @ components).astype(np.float32)
    return np.asarray(np.pad(found, ((0, 0), (0, max(0, count - found.shape[1])))), dtype=np.float32)


def _imported() -> Any:
    """Import UMAP, which compiles for seconds and warns about what only its makers can mend."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import umap
    except (
        ImportError,
        RuntimeError,
    ) as error:  # numba raises the latter where it cannot keep what it compiled
        raise UsageError(
            f"umap-learn cannot be loaded: {error}",
            hint=f"set NUMBA_CACHE_DIR to a folder that can be written, or reinstall, {extra_command('map')}",
        ) from error
    return umap


def _umap(
    umap: Any, vectors: Floats, settings: MapSettings, *, neighbours: tuple[NDArray[np.int64], Floats]
) -> Floats:
    model = umap.UMAP(
        n_neighbors=neighbours[0].shape[1],
        min_dist=settings.min_dist,
        metric="cosine",
        init="pca" if len(vectors) > MANY else "spectral",
        random_state=settings.random_state,
        n_jobs=1,  # threads would make each run another map
        precomputed_knn=neighbours,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = np.asarray(model.fit_transform(vectors), dtype=np.float32)
    centred = found - np.nanmean(found, axis=0)
    return np.where(np.isfinite(centred), centred, np.float32(0))
