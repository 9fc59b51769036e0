"""The model as torch trains it: vectors and weights of tokens, weights of places, and a map for questions."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from ragduck.embed.static.model import PLACE_BORDERS


class StaticModel(torch.nn.Module):
    """Sum weighted token vectors and scale the sum to length one."""

    def __init__(self, vectors: torch.Tensor, weights: torch.Tensor) -> None:
        super().__init__()
        self.vectors = torch.nn.Parameter(vectors)
        self.weights = torch.nn.Parameter(weights)
        self.query_weights = torch.nn.Parameter(torch.zeros_like(weights))
        self.place_weights = torch.nn.Parameter(torch.zeros(len(PLACE_BORDERS) + 1))
        self.query_map = torch.nn.Parameter(torch.eye(vectors.shape[1]))
        self.register_buffer("borders", torch.tensor(PLACE_BORDERS))

    @classmethod
    def distilled(cls, teacher: NDArray[np.float16], *, dimension: int) -> StaticModel:
        """Begin with the teacher's vectors of single words, turned to their main axes as Model2Vec does.

        The vocabulary is in order of frequency, so that the place stands in for the frequency (Zipf's law).
        """
        rows = torch.from_numpy(teacher.astype(np.float32))
        rows = rows - rows.mean(dim=0)
        _, _, axes = torch.linalg.svd(rows.T @ rows)
        vectors = functional.normalize(rows @ axes[:dimension].T)
        ranks = torch.arange(2, len(vectors) + 2, dtype=torch.float32)
        return cls(vectors, torch.log(torch.log(1 + ranks)) - 1.0)

    def parameter_groups(self, rate: float) -> list[dict[str, Any]]:
        """Return the parameters with their learning rates; the few weights learn faster than the vectors."""
        fast = [self.weights, self.query_weights, self.place_weights]
        return [
            {"params": [self.vectors], "lr": rate, "base": rate},
            {"params": fast, "lr": 5 * rate, "base": 5 * rate},
            {"params": [self.query_map], "lr": rate / 3, "base": rate / 3},
        ]

    def chunks(
        self, tokens: NDArray[np.int64], offsets: NDArray[np.int64], places: NDArray[np.int64]
    ) -> torch.Tensor:
        """Return unit vectors of chunks, given as tokens one after the other."""
        ids = torch.from_numpy(tokens)
        near = self.place_weights[torch.bucketize(torch.from_numpy(places), self.borders, right=True)]
        return functional.normalize(self._sums(ids, offsets, torch.exp(self.weights[ids] + near)))

    def queries(
        self, tokens: NDArray[np.int64], offsets: NDArray[np.int64], places: NDArray[np.int64]
    ) -> torch.Tensor:
        """Return unit vectors of questions, in which all places count alike, mapped to where chunks are."""
        del places
        ids = torch.from_numpy(tokens)
        sums = self._sums(ids, offsets, torch.exp(self.weights[ids] + self.query_weights[ids]))
        return functional.normalize(sums @ self.query_map)

    def _sums(self, ids: torch.Tensor, offsets: NDArray[np.int64], weights: torch.Tensor) -> torch.Tensor:
        return functional.embedding_bag(
            ids, self.vectors, torch.from_numpy(offsets), mode="sum", per_sample_weights=weights
        )


def contrastive_loss(
    queries: torch.Tensor, chunks: torch.Tensor, temperature: float, *, hard: torch.Tensor | None = None
) -> torch.Tensor:
    """Tell each question's chunk from the others of the batch, and each chunk's question (InfoNCE both ways).

    ``hard`` are further chunks, close to the questions and right for none.
    """
    scores = queries @ chunks.T / temperature
    right = torch.arange(len(scores))
    others = scores if hard is None else torch.cat([scores, queries @ hard.T / temperature], dim=1)
    return (functional.cross_entropy(others, right) + functional.cross_entropy(scores.T, right)) / 2


TEACHER_TEMPERATURE = 0.05


def distillation_loss(
    queries: torch.Tensor, chunks: torch.Tensor, teacher_queries: torch.Tensor, teacher_chunks: torch.Tensor
) -> torch.Tensor:
    """Rank the batch as the teacher does: divergence of the scores of questions against chunks.

    When both sides are the same texts, each against itself does not count.
    """
    scores, wanted = queries @ chunks.T, teacher_queries @ teacher_chunks.T
    if teacher_queries is teacher_chunks:
        itself = 1_000.0 * torch.eye(len(scores))
        scores, wanted = scores - itself, wanted - itself
    return functional.kl_div(
        functional.log_softmax(scores / TEACHER_TEMPERATURE, dim=1),
        functional.softmax(wanted / TEACHER_TEMPERATURE, dim=1),
        reduction="batchmean",
    )
