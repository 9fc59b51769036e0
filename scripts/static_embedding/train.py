"""Train the static embedding: chunks by their words, against questions as all-MiniLM-L6-v2 reads them.

Usage: train.py DATA OUT --evaluation FOLDER [--pairs 320000] [--epochs 2] [--distil 4] [--dimension 256] [--seed 1] …

DATA is what collect.py made; OUT becomes the folder of the model. What MiniLM has to say is kept in DATA/teacher, as
that takes most of the time. The seeds decide about everything. Needs torch, which ragduck itself does not.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pyarrow.parquet as pq
import torch
from export import write_model
from held_out import HeldOut, is_held_out
from lessons import RARE, RUN, Lesson, lesson_loss, teacher_lesson
from model import StaticModel, contrastive_loss
from numpy.typing import NDArray
from overlap import read_evaluated, require_disjoint
from pairs import Pair
from teacher import teacher_vectors
from views import Sight, build_vocabulary, minilm_words, whole_of

from ragduck.embed.minilm.tokenizer import VOCABULARY
from ragduck.embed.static.tokens import Tokenizer

COUNTED = 150_000  # pairs whose words make the vocabulary
UNSAID = 0.3  # share of the pairs of a name and its body that is drawn
HELD = 60_000  # pairs of packages that are held out
KEPT = RARE | {"markdown"}  # languages of which every run is read that has one in its middle
BATCH = 1_024
TEMPERATURE = 0.05
SAME_PACKAGE = 0.5  # share of batches of neighbours, whose negatives are harder


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
    cache, threads = arguments.data / "teacher", arguments.threads
    vocabulary = vocabulary_of(pairs, size=arguments.vocabulary)
    words = teacher_vectors(vocabulary, cache / "words", threads=threads)
    model = StaticModel.distilled(words, dimension=arguments.dimension)
    tokenizer = Tokenizer({word: number for number, word in enumerate(vocabulary)})
    sight = Sight.of(pairs, tokenizer, Random(7), cache / "queries", threads=threads)
    lesson = teacher_lesson(
        pairs, sight, cache / "chunks", most=arguments.taught, rare=arguments.rare, threads=threads
    )
    held_out = HeldOut(held, tokenizer, cache / "held", threads=threads)
    print(f"{time.monotonic() - started:.0f} s, to begin with: {shown(held_out.ndcg(model))}", flush=True)
    for label in train(model, sight, lesson, arguments):
        print(f"{time.monotonic() - started:.0f} s, {label}: {shown(held_out.ndcg(model))}", flush=True)
    figures = write_model(model, vocabulary, arguments.out, evaluation=arguments.evaluation)
    print(json.dumps({**figures, "seconds": round(time.monotonic() - started)}))


def parse_arguments() -> argparse.Namespace:
    """Read where data is and the ingredients to use."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--evaluation", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=320_000, help="at most so many, in runs of neighbours")
    parser.add_argument("--vocabulary", type=int, default=30_000)
    parser.add_argument("--dimension", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--taught", type=int, default=40_000, help="chunks of any pairs that MiniLM reads")
    parser.add_argument("--rare", type=int, default=24_000, help="and of C# and SQL")
    parser.add_argument("--distil", type=float, default=4.0, help="weight of what MiniLM says of chunks")
    parser.add_argument("--threads", type=int, default=2, help="1 on a machine that others use, too")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def read_pairs(arguments: argparse.Namespace) -> tuple[list[Pair], list[Pair]]:
    """Read the collected pairs, in runs of neighbours, nearly always of one package, and those that are held out."""
    chance = Random(arguments.seed)
    every: list[Pair] = []
    held: list[Pair] = []
    file = pq.ParquetFile(arguments.data / "pairs.parquet")
    for number in range(file.num_row_groups):
        for row in file.read_row_group(number).to_pylist():
            is_held = is_held_out(row.pop("package"))
            if row["kind"] != "name" or chance.random() < UNSAID:
                (held if is_held else every).append(Pair(**row))
    runs = range(len(every) // RUN)
    kept = [run for run in runs if every[run * RUN + RUN // 2].language in KEPT]
    others = sorted(set(runs) - set(kept))
    wanted = max(0, min(len(others), arguments.pairs // RUN - len(kept)))
    chosen = sorted(kept + chance.sample(others, wanted))
    pairs = [pair for run in chosen for pair in every[run * RUN : (run + 1) * RUN]]
    return pairs, chance.sample(held, min(len(held), HELD))


def vocabulary_of(pairs: Sequence[Pair], *, size: int) -> list[str]:
    """Return the words of a sample of the pairs, most frequent first."""
    sample = Random(0).sample(pairs, min(COUNTED, len(pairs)))
    texts = (whole_of(pair.title, pair.text, pair.code) for pair in sample)
    return build_vocabulary(texts, size=size, kept=list(minilm_words(VOCABULARY)))


def shown(figures: dict[str, float]) -> str:
    """Return figures on one line."""
    return ", ".join(f"{name} {value:.3f}" for name, value in figures.items())


def train(model: StaticModel, sight: Sight, lesson: Lesson, arguments: argparse.Namespace) -> Iterator[str]:
    """Run the epochs, yielding a line after each; the rate rises for a twentieth of the steps, then falls."""
    optimizer = torch.optim.Adam(model.parameter_groups(arguments.rate), betas=(0.9, 0.99), fused=True)
    chance = np.random.default_rng(arguments.seed)
    count = len(sight.chunk_texts)
    steps = arguments.epochs * (count // BATCH)
    step, started = 0, time.monotonic()
    for epoch in range(arguments.epochs):
        losses = []
        for rows in batches(count, chance):
            for group in optimizer.param_groups:
                group["lr"] = group["base"] * min(1.0, 20 * (step + 1) / steps, 1 - step / steps)
            questions = model.queries(sight.question_vectors(rows))
            loss = contrastive_loss(questions, model.chunks(*sight.chunks.select(rows)), TEMPERATURE)
            losses.append(loss.item())
            loss = loss + arguments.distil * lesson_loss(model, lesson, sight, chance, BATCH)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
        yield f"epoch {epoch + 1} in {time.monotonic() - started:.0f} s, loss {np.mean(losses):.3f}"


def batches(count: int, chance: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Yield batches of row numbers: a share of runs of neighbours, others at random."""
    runs = np.arange(count // RUN * RUN).reshape(-1, RUN)
    neighbours = runs[chance.permutation(len(runs))].reshape(-1)
    mixed = chance.permutation(count)
    for start in range(0, count - BATCH + 1, BATCH):
        source = neighbours if chance.random() < SAME_PACKAGE else mixed
        rows = source[start : start + BATCH]
        if len(rows) == BATCH:
            yield rows


if __name__ == "__main__":
    main()
