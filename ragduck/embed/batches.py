"""Embed many texts in batches that can be shown, saved and repeated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ragduck.embed.protocol import Embedder
from ragduck.errors import EmbeddingError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH_SIZE = 256
BATCH_CHARACTERS = 65_536  # some five seconds of work for minilm on two cores
LONGEST_COUNTED = 4_096  # models cut long texts, so that more characters cost nothing more


def embed_in_batches(
    embedder: Embedder, texts: Sequence[str], *, batch_size: int = BATCH_SIZE
) -> Iterator[tuple[list[int], NDArray[np.float32]]]:
    """Yield the positions and vectors of one batch after the other, each position once.

    Longest texts come first, so that an estimate of the time left errs on the safe side and too large a batch
    fails at once. The order depends on the texts alone.
    """
    for positions in plan_batches([len(text) for text in texts], batch_size=batch_size):
        vectors = embedder.embed_texts([texts[position] for position in positions])
        yield positions, checked(vectors, len(positions), embedder)


def checked(vectors: NDArray[np.float32], rows: int, embedder: Embedder) -> NDArray[np.float32]:
    """Return the vectors if there is a finite one for each text; plugged-in models may get that wrong."""
    import numpy as np

    expected = (rows, embedder.model.dimension)
    if vectors.shape != expected:
        raise EmbeddingError(
            f"{embedder.model.name} returned vectors of shape {vectors.shape}, not {expected}",
            hint="check the model, or choose another with --embed-model",
        )
    if not np.isfinite(vectors).all():
        raise EmbeddingError(
            f"{embedder.model.name} returned vectors that are not finite",
            hint="check the model, or choose another with --embed-model",
        )
    return vectors


def plan_batches(
    lengths: Sequence[int], *, batch_size: int = BATCH_SIZE, budget: int = BATCH_CHARACTERS
) -> Iterator[list[int]]:
    """Group positions of similar length, at most ``batch_size`` and about ``budget`` characters each."""
    batch: list[int] = []
    for position in sorted(range(len(lengths)), key=lambda index: (-lengths[index], index)):
        widest = min(lengths[batch[0] if batch else position], LONGEST_COUNTED)
        if batch and (len(batch) >= batch_size or (len(batch) + 1) * widest > budget):
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch
