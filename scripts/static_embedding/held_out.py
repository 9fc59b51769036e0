"""Pairs of whole packages that are never trained on, to see whether training still gains."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from zlib import crc32

import numpy as np
import torch
from model import StaticModel
from pairs import Pair
from teacher import teacher_vectors
from views import LONGEST_QUESTION, MOST_CHUNK_TOKENS, SENTENCE_END, Bags

from ragduck.embed.static.tokens import Tokenizer

ONE_IN = 25  # packages
MOST = 3_000  # pairs of a kind
KINDS = {
    "python": ("python",),
    "others": ("csharp", "typescript", "tsx", "javascript", "java", "go", "sql"),
    "sections": ("markdown",),
}


def is_held_out(package: str) -> bool:
    """Whether the pairs of a package are kept for measuring."""
    return crc32(package.encode()) % ONE_IN == 0


class HeldOut:
    """The first sentence of a comment asks for its function, without the comment, among thousands."""

    def __init__(self, pairs: Sequence[Pair], tokenizer: Tokenizer, cache: Path, *, threads: int) -> None:
        self._sides: dict[str, tuple[torch.Tensor, Bags]] = {}
        for kind, languages in KINDS.items():
            chosen = [pair for pair in pairs if pair.language in languages and pair.kind != "name"]
            chosen = Random(0).sample(chosen, min(MOST, len(chosen)))
            if chosen:
                asked = [_question(pair)[:LONGEST_QUESTION] for pair in chosen]
                vectors = teacher_vectors(asked, cache, threads=threads).astype(np.float32)
                chunks = Bags(map(_chunk, chosen), tokenizer, most=MOST_CHUNK_TOKENS)
                self._sides[kind] = torch.from_numpy(vectors), chunks

    def ndcg(self, model: StaticModel) -> dict[str, float]:
        """Return NDCG@10 of each kind."""
        return {kind: _ndcg(model, *sides) for kind, sides in self._sides.items()}


def _question(pair: Pair) -> str:
    return SENTENCE_END.split(pair.text)[0] if pair.text else pair.title.rpartition(" > ")[2]


def _chunk(pair: Pair) -> str:
    return f"{pair.title.rpartition('.')[2]}\n{pair.code}" if pair.text else pair.code


def _ndcg(model: StaticModel, questions: torch.Tensor, chunks: Bags) -> float:
    rows = np.arange(len(questions))
    with torch.no_grad():
        scores = (model.queries(questions) @ model.chunks(*chunks.select(rows)).T).numpy()
    ranks = (scores > scores.diagonal()[:, None]).sum(axis=1) + 1
    return float(np.where(ranks <= 10, 1 / np.log2(ranks + 1), 0).mean())
