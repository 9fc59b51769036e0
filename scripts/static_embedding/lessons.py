"""What the teacher, all-MiniLM-L6-v2, has to say: which chunks it would rank first for a question."""

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
from views import Sight

LONGEST_CHUNK = 450  # characters that the teacher reads of a chunk; it reads some 60 such a second
RUN = 32  # neighbours, nearly always of one package, that are read together
RARE = frozenset(("csharp", "sql"))  # which there is little of, and which ragduck is for


@dataclass(frozen=True, slots=True)
class Lesson:
    """Numbers of pairs, with the teacher's vectors of their chunks."""

    rows: NDArray[np.int64]
    chunks: NDArray[np.float16]


def teacher_lesson(
    pairs: Sequence[Pair], sight: Sight, cache: Path, *, most: int, rare: int, threads: int
) -> Lesson:
    """Let the teacher read the chunks of ``most`` pairs, in runs of neighbours, and of ``rare`` further ones."""
    runs = Random(3).sample(range(len(pairs) // RUN), min(most, len(pairs)) // RUN)
    rows = [number for run in sorted(runs) for number in range(run * RUN, (run + 1) * RUN)]
    known = set(rows)
    further = [number for number, pair in enumerate(pairs) if pair.language in RARE and number not in known]
    further = sorted(Random(5).sample(further, min(rare, len(further))))
    vectors = [
        teacher_vectors([sight.chunk_texts[row][:LONGEST_CHUNK] for row in part], cache, threads=threads)
        for part in (rows, further)
        if part
    ]
    return Lesson(np.array(rows + further), np.concatenate(vectors))


def lesson_loss(
    model: StaticModel, lesson: Lesson, sight: Sight, chance: np.random.Generator, size: int
) -> torch.Tensor:
    """Compare the model's scores of questions against chunks with the teacher's."""
    drawn = chance.choice(len(lesson.rows), size=min(size, len(lesson.rows)), replace=False)
    rows = lesson.rows[drawn]
    questions = sight.question_vectors(rows)
    chunks = model.chunks(*sight.chunks.select(rows))
    teacher = torch.from_numpy(lesson.chunks[drawn].astype(np.float32))
    return distillation_loss(model.queries(questions), chunks, questions, teacher)
