"""Train the static embedding: distil word vectors from all-MiniLM-L6-v2, learn from pairs, then from hard ones.

Usage: train.py DATA OUT --evaluation FOLDER [--pairs N] [--hard-pairs 600000] [--dimension 256] [--seed 1] …

DATA is what collect.py made; OUT becomes the folder of the model. All pairs are read once, with what MiniLM has to
say; then a part of them again, against the chunks that the model took for the right ones. The seed decides about
everything. Needs torch, which ragduck itself does not.
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
from held_out import HeldOut, is_held_out
from lessons import Lesson, lesson_loss, teacher_lesson
from mining import hard_negatives
from model import StaticModel, contrastive_loss
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

COUNTED = 150_000  # pairs whose words make the vocabulary
NEIGHBOURS = 32  # pairs of one package side by side in a batch
MINED = 4  # hard negatives of a pair, one of which is drawn for a batch


@dataclass(frozen=True, slots=True)
class Round:
    """How pairs are read: so often, from ``hard_from`` on (an epoch, from 0) against mined chunks as well."""

    seed: int
    epochs: int = 1
    rate: float = 0.003
    hard_from: int = 10**9
    distil: float = 0.5  # weight of MiniLM's scores
    batch: int = 1_024
    temperature: float = 0.05
    same: float = 0.5  # share of batches of neighbours


def main() -> None:
    """Train, measure, quantise, measure again, write."""
    arguments = parse_arguments()
    started = time.monotonic()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    torch.use_deterministic_algorithms(mode=True)
    pairs, held = read_pairs(arguments)
    print(f"{len(pairs):,} pairs, {len(held):,} held out")
    checked = require_disjoint(pairs, read_evaluated(arguments.evaluation))
    print(f"{checked:,} pairs checked: none of them is evaluated on", flush=True)
    vocabulary = vocabulary_of(pairs, size=arguments.vocabulary)
    words = teacher_vectors(vocabulary, arguments.data / "teacher" / "words", threads=arguments.threads)
    model = StaticModel.distilled(words, dimension=arguments.dimension)
    tokenizer = Tokenizer({word: number for number, word in enumerate(vocabulary)})
    held_out = HeldOut(held, tokenizer)
    print(f"{time.monotonic() - started:.0f} s, to begin with: {shown(held_out.ndcg(model))}", flush=True)
    for chosen, lesson, plan in rounds(pairs, tokenizer, arguments):
        for label in train(model, chosen, tokenizer, lesson, plan):
            print(f"{time.monotonic() - started:.0f} s, {label}: {shown(held_out.ndcg(model))}", flush=True)
    figures = write_model(model, vocabulary, arguments.out, evaluation=arguments.evaluation)
    print(json.dumps({**figures, "seconds": round(time.monotonic() - started)}))


def lesson_of(pairs: Sequence[Pair], tokenizer: Tokenizer, arguments: argparse.Namespace) -> Lesson:
    """Let MiniLM read as many comments as the arguments say; what it said of them before is kept beside the data."""
    cache = arguments.data / "teacher"
    return teacher_lesson(pairs, tokenizer, cache, most=arguments.teacher_texts, threads=arguments.threads)


def rounds(
    pairs: Sequence[Pair], tokenizer: Tokenizer, arguments: argparse.Namespace
) -> Iterator[tuple[Sequence[Pair], Lesson | None, Round]]:
    """Yield what is read with which lesson: all pairs once, then some again, which have become harder."""
    lesson = lesson_of(pairs, tokenizer, arguments)
    yield pairs, lesson, Round(seed=arguments.seed, epochs=arguments.epochs)
    if arguments.hard_pairs:
        chosen = sampled(pairs, arguments.hard_pairs, Random(arguments.seed + 1))
        yield chosen, None, Round(seed=arguments.seed + 1, rate=0.001, hard_from=0)


def parse_arguments(description: str | None = __doc__) -> argparse.Namespace:
    """Read where data is and the ingredients to use."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--evaluation", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=10**9, help="at most so many, drawn at random")
    parser.add_argument("--unsaid", type=float, default=0.3, help="share of the pairs of a name and its body")
    parser.add_argument("--vocabulary", type=int, default=30_000)
    parser.add_argument("--dimension", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=1, help="each with questions and chunks drawn anew")
    parser.add_argument("--hard-pairs", type=int, default=600_000, help="read again against mined chunks")
    parser.add_argument("--teacher-texts", type=int, default=49_152, help="comments that MiniLM compares")
    parser.add_argument("--threads", type=int, default=2, help="1 on a machine that others use, too")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def read_pairs(arguments: argparse.Namespace) -> tuple[list[Pair], list[Pair]]:
    """Read the collected pairs, neighbours of one package side by side, and those that are held out."""
    chance = Random(arguments.seed)
    trained: list[Pair] = []
    held: list[Pair] = []
    file = pq.ParquetFile(arguments.data / "pairs.parquet")
    for number in range(file.num_row_groups):
        for row in file.read_row_group(number).to_pylist():
            is_held = is_held_out(row.pop("package"))
            if row["kind"] != "name" or chance.random() < arguments.unsaid:
                (held if is_held else trained).append(Pair(**row))
    return sampled(trained, arguments.pairs, chance), held


def sampled(pairs: Sequence[Pair], most: int, chance: Random) -> list[Pair]:
    """Draw pairs, which stay in order."""
    chosen = sorted(chance.sample(range(len(pairs)), min(most, len(pairs))))
    return [pairs[number] for number in chosen]


def vocabulary_of(pairs: Sequence[Pair], *, size: int) -> list[str]:
    """Return the words of a sample of the pairs, most frequent first."""
    sample = Random(0).sample(pairs, min(COUNTED, len(pairs)))
    texts = (whole_of(pair.title, pair.text, pair.code) for pair in sample)
    return build_vocabulary(texts, size=size, kept=list(minilm_words(VOCABULARY)))


def shown(figures: dict[str, float]) -> str:
    """Return figures on one line."""
    return ", ".join(f"{name} {value:.3f}" for name, value in figures.items())


@dataclass(frozen=True, slots=True)
class Sight:
    """One sight of each pair: what is asked, and what is to be found."""

    queries: Bags
    chunks: Bags

    @classmethod
    def of(cls, pairs: Sequence[Pair], tokenizer: Tokenizer, chance: Random) -> Sight:
        """Draw a question and a chunk for each pair."""
        return cls(
            Bags((question_of(pair, chance) for pair in pairs), tokenizer, most=MOST_QUERY_TOKENS),
            Bags((chunk_of(pair, chance) for pair in pairs), tokenizer, most=MOST_CHUNK_TOKENS),
        )


def train(
    model: StaticModel, pairs: Sequence[Pair], tokenizer: Tokenizer, lesson: Lesson | None, plan: Round
) -> Iterator[str]:
    """Run the epochs, yielding a line after each; the rate rises for a twentieth of the steps, then falls."""
    optimizer = torch.optim.Adam(model.parameter_groups(plan.rate), betas=(0.9, 0.99), fused=True)
    chance = np.random.default_rng(plan.seed)
    steps = plan.epochs * (len(pairs) // plan.batch)
    step, started = 0, time.monotonic()
    for epoch in range(plan.epochs):
        sight = Sight.of(pairs, tokenizer, Random(plan.seed + 100 * epoch))
        mined, losses = None, []
        if epoch >= plan.hard_from:
            mined = hard_negatives(model, sight.queries, sight.chunks, count=MINED, chance=chance)
        for rows in batches(len(pairs), plan.batch, same=plan.same, chance=chance):
            for group in optimizer.param_groups:
                group["lr"] = group["base"] * min(1.0, 20 * (step + 1) / steps, 1 - step / steps)
            loss = batch_loss(model, sight, rows, mined, plan.temperature, chance)
            losses.append(loss.item())
            if lesson is not None:
                loss = loss + plan.distil * lesson_loss(model, lesson, chance, plan.batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
        yield (
            f"epoch {epoch + 1} of {len(pairs):,} pairs in {time.monotonic() - started:.0f} s, "
            f"loss {np.mean(losses):.3f}"
        )


def batches(
    count: int, size: int, *, same: float, chance: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """Yield batches of row numbers: a share of runs of neighbours, whose negatives are harder, others at random."""
    blocks = np.arange(count // NEIGHBOURS * NEIGHBOURS).reshape(-1, NEIGHBOURS)
    neighbours = blocks[chance.permutation(len(blocks))].reshape(-1)
    mixed = chance.permutation(count)
    for start in range(0, count - size + 1, size):
        source = neighbours if chance.random() < same else mixed
        rows = source[start : start + size]
        if len(rows) == size:
            yield rows


def batch_loss(
    model: StaticModel,
    sight: Sight,
    rows: NDArray[np.int64],
    mined: NDArray[np.int64] | None,
    temperature: float,
    chance: np.random.Generator,
) -> torch.Tensor:
    """Return the loss of a batch, against one mined chunk for each pair as well when there are some."""
    hard = None
    if mined is not None:
        drawn = mined[rows, chance.integers(0, mined.shape[1], len(rows))]
        hard = model.chunks(*sight.chunks.select(drawn))
    queries, chunks = model.queries(*sight.queries.select(rows)), model.chunks(*sight.chunks.select(rows))
    return contrastive_loss(queries, chunks, temperature, hard=hard)


if __name__ == "__main__":
    main()
