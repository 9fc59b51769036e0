"""What the teacher, all-MiniLM-L6-v2, has to say: which comments mean alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import torch
from model import StaticModel, distillation_loss
from numpy.typing import NDArray
from pairs import Pair
from teacher import teacher_vectors
from views import MOST_QUERY_TOKENS, SENTENCE_END, Bags

from ragduck.embed.static.tokens import Tokenizer

LONGEST_TEXT = 160  # characters; MiniLM reads short texts by the hundred a second


@dataclass(frozen=True, slots=True)
class Lesson:
    """Short texts with the teacher's vectors of them."""

    texts: Bags
    vectors: NDArray[np.float16]


def teacher_lesson(
    pairs: Sequence[Pair], tokenizer: Tokenizer, cache: Path, *, most: int, threads: int
) -> Lesson:
    """Let the teacher read the first sentences of comments."""
    commented = [pair for pair in pairs if len(pair.text) > 15]
    sample = Random(0).sample(commented, min(most, len(commented)))
    texts = [SENTENCE_END.split(pair.text)[0][:LONGEST_TEXT] for pair in sample]
    vectors = teacher_vectors(texts, cache / "texts", threads=threads)
    return Lesson(Bags(texts, tokenizer, most=MOST_QUERY_TOKENS), vectors)


def lesson_loss(model: StaticModel, lesson: Lesson, chance: np.random.Generator, size: int) -> torch.Tensor:
    """Compare the model's scores of texts as questions against texts as chunks with the teacher's."""
    rows = chance.choice(len(lesson.vectors), size=min(size, len(lesson.vectors)), replace=False)
    teacher = torch.from_numpy(lesson.vectors[rows].astype(np.float32))
    sides = lesson.texts.select(rows)
    return distillation_loss(model.queries(*sides), model.chunks(*sides), teacher, teacher)
