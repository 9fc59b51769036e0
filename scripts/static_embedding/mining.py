"""Find hard negatives with the model of the first rounds: chunks close to a question whose chunk is another."""

from __future__ import annotations

import numpy as np
import torch
from model import StaticModel
from numpy.typing import NDArray
from views import Bags

NEIGHBOURS = 256  # of one package side by side
SHARD = 4_096  # pairs that are compared with each other
TOO_CLOSE = 0.95  # of the score of the right chunk: it may be right as well


def hard_negatives(
    model: StaticModel, queries: Bags, chunks: Bags, *, count: int, chance: np.random.Generator
) -> NDArray[np.int64]:
    """Return for each pair the numbers of ``count`` pairs whose chunks the model takes for its own."""
    blocks = np.arange(len(queries) // NEIGHBOURS * NEIGHBOURS).reshape(-1, NEIGHBOURS)
    order = blocks[chance.permutation(len(blocks))].reshape(-1)
    found = chance.integers(0, len(queries), size=(len(queries), count))
    for start in range(0, len(order), SHARD):
        rows = order[start : start + SHARD]
        found[rows] = rows[_closest(model, queries, chunks, rows, count)]
    return found


def _closest(
    model: StaticModel, queries: Bags, chunks: Bags, rows: NDArray[np.int64], count: int
) -> NDArray[np.int64]:
    with torch.no_grad():
        scores = model.queries(*queries.select(rows)) @ model.chunks(*chunks.select(rows)).T
        scores[scores > TOO_CLOSE * scores.diagonal().clone()[:, None]] = -1
        closest: NDArray[np.int64] = torch.topk(scores, count, dim=1).indices.numpy()
    return closest
