"""The model as torch trains it: vectors and weights of tokens, weights of places, and a map for questions."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from ragduck.embed.static.model import PLACE_BORDERS


class StaticModel(torch.nn.Module):
    """Sum the weighted token vectors of a chunk, and move what MiniLM makes of a question to where chunks are."""

    def __init__(self, vectors: torch.Tensor, weights: torch.Tensor, query_map: torch.Tensor) -> None:
        super().__init__()
        self.vectors = torch.nn.Parameter(vectors)
        self.weights = torch.nn.Parameter(weights)
        self.place_weights = torch.nn.Parameter(torch.zeros(len(PLACE_BORDERS) + 1))
        self.query_map = torch.nn.Parameter(query_map)
        self.register_buffer("borders", torch.tensor(PLACE_BORDERS))

    @classmethod
    def distilled(cls, teacher: NDArray[np.float16], *, dimension: int) -> StaticModel:
        """Begin with the teacher's vectors of single words, turned to their main axes as Model2Vec does.

        The vocabulary is in order of frequency, so that the place stands in for the frequency (Zipf's law).
        """
        rows = torch.from_numpy(teacher.astype(np.float32))
        rows = rows - rows.mean(dim=0)
        _, _, axes = torch.linalg.svd(rows.T @ rows)
        main = axes[:dimension].T.contiguous()
        ranks = torch.arange(2, len(rows) + 2, dtype=torch.float32)
        return cls(functional.normalize(rows @ main), torch.log(torch.log(1 + ranks)) - 1.0, main.clone())

    def parameter_groups(self, rate: float) -> list[dict[str, Any]]:
        """Return the parameters with their learning rates; the few weights learn faster than the vectors."""
        return [
            {"params": [self.vectors], "lr": rate, "base": rate},
            {"params": [self.weights, self.place_weights], "lr": 5 * rate, "base": 5 * rate},
            {"params": [self.query_map], "lr": rate / 3, "base": rate / 3},
        ]

    def chunks(
        self, tokens: NDArray[np.int64], offsets: NDArray[np.int64], places: NDArray[np.int64]
    ) -> torch.Tensor:
        """Return unit vectors of chunks, given as tokens one after the other."""
        ids = torch.from_numpy(tokens)
        near = self.place_weights[torch.bucketize(torch.from_numpy(places), self.borders, right=True)]
        sums = functional.embedding_bag(
            ids,
            self.vectors,
            torch.from_numpy(offsets),
            mode="sum",
            per_sample_weights=torch.exp(self.weights[ids] + near),
        )
        return functional.normalize(sums)

    def queries(self, sentences: torch.Tensor) -> torch.Tensor:
        """Return unit vectors of questions, given as MiniLM's vectors of them."""
        return functional.normalize(sentences @ self.query_map)


def contrastive_loss(queries: torch.Tensor, chunks: torch.Tensor, temperature: float) -> torch.Tensor:
    """Tell each question's chunk from the others of the batch, and each chunk's question (InfoNCE both ways)."""
    scores = queries @ chunks.T / temperature
    right = torch.arange(len(scores))
    return (functional.cross_entropy(scores, right) + functional.cross_entropy(scores.T, right)) / 2


TEACHER_TEMPERATURE = 0.05


def distillation_loss(
    queries: torch.Tensor, chunks: torch.Tensor, teacher_queries: torch.Tensor, teacher_chunks: torch.Tensor
) -> torch.Tensor:
    """Rank the batch as the teacher does: divergence of the scores of questions against chunks."""
    return functional.kl_div(
        functional.log_softmax(queries @ chunks.T / TEACHER_TEMPERATURE, dim=1),
        functional.softmax(teacher_queries @ teacher_chunks.T / TEACHER_TEMPERATURE, dim=1),
        reduction="batchmean",
    )
