"""Bring vectors of other systems to length one; what is zero or not finite cannot be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ragduck.imports.contract import VectorBatch

UNIT_LENGTH = 1e-3  # how far a length may be from one before it is worth a word
SHORTEST = 1e-30


def lengths_of(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the length of each row; not finite where a number is not."""
    with np.errstate(invalid="ignore", over="ignore"):
        lengths: NDArray[np.float64] = np.sqrt(np.square(vectors.astype(np.float64)).sum(axis=1))
    return lengths


def is_usable(lengths: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Say which vectors have a direction."""
    return np.isfinite(lengths) & (lengths > SHORTEST)


def unit_batch(
    hashes: Sequence[str | None],
    vectors: NDArray[np.float32],
    lengths: NDArray[np.float64],
    *,
    given: set[str],
) -> VectorBatch:
    """Return the usable vectors, scaled, of hashes that were not ``given`` before; those are added to it."""
    places: list[int] = []
    for place in np.flatnonzero(is_usable(lengths)).tolist():
        content_hash = hashes[place]
        if content_hash is not None and content_hash not in given:
            given.add(content_hash)
            places.append(place)
    is_unit = np.abs(lengths[places, None] - 1) <= 1e-6  # as exact as the numbers are: kept to the bit
    scaled = np.where(is_unit, vectors[places], vectors[places] / lengths[places, None])
    return VectorBatch(tuple(str(hashes[place]) for place in places), scaled.astype(np.float32))
