"""Train the static embedding: distil token vectors from all-MiniLM-L6-v2, then learn from pairs and from its scores.

Usage: train.py DATA OUT --evaluation FOLDER [--epochs 4] [--pairs N] [--dimension 256] [--seed 1] …

DATA is what collect.py made; OUT becomes the folder of the model. Needs torch, which ragduck itself does not.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import pyarrow.parquet as pq
import torch
from export import write_model
from measure import measure_cosqa
from model import StaticModel, contrastive_loss, distillation_loss
from numpy.typing import NDArray
from overlap import read_evaluated, require_disjoint
from pairs import Pair
from teacher import teacher_vectors
from views import (
    MOST_CHUNK_TOKENS,
    MOST_QUERY_TOKENS,
    Bags,
    build_vocabulary,
    chunk_of,
    minilm_words,
    question_of,
    whole_of,
)

from ragduck.embed.minilm.tokenizer import VOCABULARY
from ragduck.embed.static.tokens import Tokenizer

COUNTED = 100_000  # pairs whose words make the vocabulary
VIEWS = 2  # different sights of each pair, one epoch each in turn


def main() -> None:
    """Train, measure, quantise, measure again, write."""
    arguments = parse_arguments()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    chance = Random(arguments.seed)
    pairs = read_pairs(
        arguments.data,
        count=arguments.pairs,
        languages=arguments.languages,
        unsaid=arguments.unsaid,
        chance=chance,
    )
    print(f"{len(pairs):,} pairs")
    checked = require_disjoint(pairs, read_evaluated(arguments.evaluation))
    print(f"{checked:,} pairs checked: none of them is evaluated on")
    vocabulary = build_vocabulary(
        (
            whole_of(pair.title, pair.text, pair.code)
            for pair in chance.sample(pairs, min(COUNTED, len(pairs)))
        ),
        size=arguments.vocabulary,
        kept=list(minilm_words(VOCABULARY)),
    )
    tokenizer = Tokenizer({word: number for number, word in enumerate(vocabulary)})
    cache = arguments.data / "teacher"
    model = StaticModel.distilled(
        teacher_vectors(vocabulary, cache / "words", seconds=3_600), dimension=arguments.dimension
    )
    report(model, tokenizer, arguments.evaluation, "distilled")
    lessons = teacher_lessons(pairs, tokenizer, cache, arguments) if arguments.distil else []
    train(model, pairs, tokenizer, lessons, arguments)
    figures = write_model(model, vocabulary, arguments.out, evaluation=arguments.evaluation)
    print(json.dumps(figures))


def parse_arguments(description: str | None = __doc__) -> argparse.Namespace:
    """Read where data is and the ingredients to use."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--evaluation", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=10**9, help="at most so many, drawn at random")
    parser.add_argument("--unsaid", type=float, default=0.4, help="share of the pairs of a name and its body")
    parser.add_argument("--languages", nargs="*", default=[], help="only these; by default all")
    parser.add_argument("--vocabulary", type=int, default=36_000)
    parser.add_argument("--dimension", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch", type=int, default=1_024)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--temperature", type=float, default=0.05)
    parser.add_argument(
        "--same", type=float, default=0.5, help="share of batches of neighbours: hard negatives"
    )
    parser.add_argument("--distil", type=float, default=1.0, help="weight of MiniLM's scores; 0 for none")
    parser.add_argument("--teacher-seconds", type=float, default=600, help="most time for vectors of MiniLM")
    parser.add_argument("--threads", type=int, default=2, help="1 on a machine that others use, too")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--minutes", type=float, default=60, help="the learning rate falls to nothing by then at latest"
    )
    return parser.parse_args()


def read_pairs(
    data: Path, *, count: int, languages: Sequence[str], unsaid: float, chance: Random
) -> list[Pair]:
    """Read the collected pairs, neighbours of one package side by side."""
    rows = pq.read_table(data / "pairs.parquet").to_pylist()
    if languages:
        rows = [row for row in rows if row["language"] in languages]
    rows = [row for row in rows if row["kind"] != "name" or chance.random() < unsaid]
    if count < len(rows):
        rows = [rows[number] for number in sorted(chance.sample(range(len(rows)), count))]
    return [Pair(row["kind"], row["language"], row["title"], row["text"], row["code"]) for row in rows]


@dataclass(frozen=True, slots=True)
class Lesson:
    """Texts with the teacher's vectors of them: questions against chunks, or texts against texts."""

    queries: Bags
    chunks: Bags
    query_vectors: NDArray[np.float16]
    chunk_vectors: NDArray[np.float16]


def teacher_lessons(
    pairs: Sequence[Pair], tokenizer: Tokenizer, cache: Path, arguments: argparse.Namespace
) -> list[Lesson]:
    """Let the teacher read questions and the beginnings of their chunks."""
    chance = Random(0)  # the same sample whatever the seed, for the vectors are kept
    commented = [pair for pair in pairs if pair.text and 15 < len(pair.text) < 160]
    sample = chance.sample(commented, min(60_000, len(commented)))
    queries = [question_of(pair, chance) for pair in sample]
    chunks = [whole_of(pair.title, pair.text, pair.code)[:360] for pair in sample]
    half = arguments.teacher_seconds / 2
    chunk_vectors = teacher_vectors(chunks, cache / "chunks", seconds=half, threads=arguments.threads)
    query_vectors = teacher_vectors(queries, cache / "queries", seconds=half, threads=arguments.threads)
    both = min(len(query_vectors), len(chunk_vectors))
    print(f"teacher: {len(query_vectors):,} questions, {len(chunk_vectors):,} chunks")
    return [
        Lesson(
            Bags(queries[:both], tokenizer, most=MOST_QUERY_TOKENS),
            Bags(chunks[:both], tokenizer, most=MOST_CHUNK_TOKENS),
            query_vectors[:both],
            chunk_vectors[:both],
        )
    ]


def train(
    model: StaticModel,
    pairs: Sequence[Pair],
    tokenizer: Tokenizer,
    lessons: Sequence[Lesson],
    arguments: argparse.Namespace,
) -> None:
    """Run the epochs; the learning rate rises for a twentieth of the steps, then falls linearly to nothing."""
    views = []
    for number in range(min(VIEWS, arguments.epochs)):
        chance = Random(arguments.seed + number)
        queries = Bags((question_of(pair, chance) for pair in pairs), tokenizer, most=MOST_QUERY_TOKENS)
        chunks = Bags((chunk_of(pair, chance) for pair in pairs), tokenizer, most=MOST_CHUNK_TOKENS)
        views.append((queries, chunks))
    optimizer = torch.optim.Adam(model.parameter_groups(arguments.rate), betas=(0.9, 0.99), fused=True)
    chance_rows = np.random.default_rng(arguments.seed)
    steps = arguments.epochs * (len(pairs) // arguments.batch)
    step, started, losses = 0, time.monotonic(), []
    print(f"{steps} steps", flush=True)
    for epoch in range(arguments.epochs):
        queries, chunks = views[epoch % len(views)]
        for rows in batches(len(pairs), arguments.batch, same=arguments.same, chance=chance_rows):
            done = max(step / steps, (time.monotonic() - started) / 60 / arguments.minutes)
            if done >= 1:
                return
            for group in optimizer.param_groups:
                group["lr"] = group["base"] * min(1.0, 20 * (step + 1) / steps, 1 - done)
            loss = contrastive_loss(
                model.queries(*queries.select(rows)),
                model.chunks(*chunks.select(rows)),
                arguments.temperature,
            )
            for lesson in lessons:
                loss = loss + arguments.distil * lesson_loss(model, lesson, chance_rows, arguments.batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            step += 1
            if step % 50 == 0:
                print(f"step {step}, loss {np.mean(losses[-50:]):.3f}", flush=True)
        passed = time.monotonic() - started
        report(
            model,
            tokenizer,
            arguments.evaluation,
            f"epoch {epoch + 1}, {passed:.0f} s, loss {np.mean(losses):.3f}",
        )
        losses.clear()


def batches(
    count: int, size: int, *, same: float, chance: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """Yield batches of row numbers: a share of runs of neighbours, whose negatives are hard, the others at random."""
    order = np.arange(count)
    block = 32
    blocks = order[: count // block * block].reshape(-1, block)
    neighbours = blocks[chance.permutation(len(blocks))].reshape(-1)
    mixed = chance.permutation(count)
    for start in range(0, count - size + 1, size):
        source = neighbours if chance.random() < same else mixed
        rows = source[start : start + size]
        if len(rows) == size:
            yield rows


def lesson_loss(model: StaticModel, lesson: Lesson, chance: np.random.Generator, size: int) -> torch.Tensor:
    """Compare the model's scores with the teacher's on a random batch of a lesson."""
    rows = chance.choice(len(lesson.query_vectors), size=min(size, len(lesson.query_vectors)), replace=False)
    return distillation_loss(
        model.queries(*lesson.queries.select(rows)),
        model.chunks(*lesson.chunks.select(rows)),
        torch.from_numpy(lesson.query_vectors[rows].astype(np.float32)),
        torch.from_numpy(lesson.chunk_vectors[rows].astype(np.float32)),
    )


def report(model: StaticModel, tokenizer: Tokenizer, evaluation: Path, label: str) -> None:
    """Print how good the model is so far."""
    figures = quality(model, tokenizer, evaluation)
    print(f"{label}: CoSQA {', '.join(f'{name} {value:.3f}' for name, value in figures.items())}", flush=True)


def quality(model: StaticModel, tokenizer: Tokenizer, evaluation: Path) -> dict[str, float]:
    """Return how well the model as it is now finds the functions of CoSQA."""
    rows = lambda bags: bags.select(np.arange(len(bags)))  # noqa: E731

    def embed_texts(texts: Sequence[str]) -> NDArray[np.float32]:
        with torch.no_grad():
            return model.chunks(*rows(Bags(texts, tokenizer, most=MOST_CHUNK_TOKENS))).numpy()

    def embed_queries(texts: Sequence[str]) -> NDArray[np.float32]:
        with torch.no_grad():
            return model.queries(*rows(Bags(texts, tokenizer, most=MOST_QUERY_TOKENS))).numpy()

    return measure_cosqa(evaluation / "cosqa", embed_texts=embed_texts, embed_queries=embed_queries)


if __name__ == "__main__":
    main()
