"""Measure what each ingredient of the static model gives, on held-out packages and on CoSQA, as rows of a table.

Usage: ingredients.py DATA MODEL --evaluation FOLDER [--pairs 150000]

DATA is what collect.py made, MODEL a folder that train.py wrote. Parts of that model are switched off; then small
models of its vocabulary are trained, all alike but for one ingredient each.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from held_out import HeldOut
from measure import measure_cosqa
from model import StaticModel
from pairs import Pair
from teacher import teacher_vectors
from train import Round, lesson_of, parse_arguments, read_pairs, train

from ragduck.embed.static import StaticEmbedder
from ragduck.embed.static import model as shipped
from ragduck.embed.static.model import VOCABULARY_FILE, read_model, sha256_of
from ragduck.embed.static.tokens import Tokenizer

EPOCHS = 2


def main() -> None:
    """Print a row for each thing that is different."""
    arguments = parse_arguments(__doc__)
    torch.set_num_threads(arguments.threads)
    model = read_model(arguments.out, sha256=sha256_of(arguments.out))
    for label, changed in switched_off(model):
        embedder = StaticEmbedder(changed)
        figures = measure_cosqa(
            arguments.evaluation / "cosqa",
            embed_texts=embedder.embed_texts,
            embed_queries=lambda texts, embedder=embedder: np.stack([*map(embedder.embed_query, texts)]),
        )
        print(f"| {label} | {figures['ndcg@10']:.3f} |", flush=True)
    for label, reached in trained_anew(arguments):
        print(f"| {label} |", " | ".join(f"{value:.3f}" for value in reached.values()), "|", flush=True)


def switched_off(model: shipped.StaticModel) -> Iterator[tuple[str, shipped.StaticModel]]:
    """Yield the finished model and variants of it that lack something."""
    yield "the model as it ships", model
    yield "without weights of places", replace(model, place_weights=np.ones_like(model.place_weights))
    yield (
        "without the map of questions",
        replace(model, query_map=np.eye(len(model.query_map), dtype=np.float32)),
    )
    yield "questions weighted as chunks", replace(model, query_weights=model.chunk_weights)
    norms = np.linalg.norm(model.vectors.astype(np.float32), axis=1)
    even = (1 / np.maximum(norms, 1)).astype(np.float32)
    yield "all words weighted alike", replace(model, chunk_weights=even, query_weights=even)
    for words in (12_000, 6_000):
        yield (
            f"{words:,} most frequent words only",
            replace(model, tokenizer=first_words(model.tokenizer, words)),
        )
    for dimension in (192, 128, 64):
        yield f"main axes only: {dimension} dimensions", on_main_axes(model, dimension)
    for bits in (6, 4):
        step = 2 ** (8 - bits)
        coarse = (np.rint(model.vectors / step) * step).clip(-127, 127).astype(np.int8)
        yield f"vectors of {bits} bits", replace(model, vectors=coarse)


def first_words(tokenizer: Tokenizer, count: int) -> Tokenizer:
    """Return a tokenizer of the first words and of all single characters."""
    return Tokenizer(
        {word: token for word, token in tokenizer.vocabulary.items() if token < count or len(word) == 1}
    )


def on_main_axes(model: shipped.StaticModel, dimension: int) -> shipped.StaticModel:
    """Return the model with its vectors turned to their main axes, of which only the first are kept."""
    weighted = model.vectors.astype(np.float32) * model.chunk_weights[:, None]
    axes = np.linalg.eigh(weighted.T @ weighted)[1][:, ::-1]
    vectors = model.vectors.astype(np.float32) @ axes
    vectors[:, dimension:] = 0
    query_map = axes.T @ model.query_map @ axes
    query_map[:, dimension:] = 0
    largest = np.abs(vectors).max(axis=1, initial=1e-9)
    return replace(
        model,
        vectors=np.rint(vectors / largest[:, None] * 127).astype(np.int8),
        chunk_weights=model.chunk_weights * largest / 127,
        query_weights=model.query_weights * largest / 127,
        query_map=query_map,
    )


def trained_anew(arguments: argparse.Namespace) -> Iterator[tuple[str, dict[str, float]]]:
    """Train small models, each with one ingredient changed."""
    words = (arguments.out / VOCABULARY_FILE).read_text(encoding="utf-8").split()
    tokenizer = Tokenizer({word: number for number, word in enumerate(words)})
    teacher = teacher_vectors(words, arguments.data / "teacher" / "words")
    pairs, held = read_pairs(arguments)
    held_out = HeldOut(held, tokenizer)
    lesson = lesson_of(pairs, tokenizer, arguments)

    def result(
        chosen: list[Pair],
        *,
        random: bool = False,
        maps: bool = True,
        taught: bool = False,
        dimension: int = arguments.dimension,
        **changed: Any,
    ) -> dict[str, float]:
        torch.manual_seed(arguments.seed)
        model = StaticModel.distilled(teacher, dimension=dimension)
        model.query_map.requires_grad_(maps)
        if random:
            model.vectors.data = torch.randn_like(model.vectors) / 16
        plan = replace(Round(seed=arguments.seed, epochs=EPOCHS), **changed)
        for _ in train(model, chosen, tokenizer, lesson if taught else None, plan):
            continue
        return held_out.ndcg(model)

    yield f"small: {len(pairs):,} pairs", result(pairs)
    yield "small, half of the pairs", result(pairs[::2])
    yield "small, hard negatives in the last epoch", result(pairs, hard_from=EPOCHS - 1)
    yield "small, MiniLM's scores of comments", result(pairs, taught=True)
    yield "small, without the map of questions", result(pairs, maps=False)
    yield "small, 384 dimensions", result(pairs, dimension=384)
    yield "small, 128 dimensions", result(pairs, dimension=128)
    yield "small, random vectors to begin with", result(pairs, random=True)
    yield "small, batches of random pairs only", result(pairs, same=0.0)
    yield "small, temperature 0.1", result(pairs, temperature=0.1)
    python = [pair for pair in pairs if pair.language == "python"]
    yield f"small, Python only: {len(python):,} pairs", result(python)


if __name__ == "__main__":
    main()
