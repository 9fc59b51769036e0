"""Measure what each ingredient of the static model gives, on CoSQA, as rows of a table.

Usage: ingredients.py DATA MODEL --evaluation FOLDER [--pairs 40000] [--epochs 2]

DATA is what collect.py made, MODEL a folder that train.py wrote. Parts of that model are switched off; then small
models of its vocabulary are trained, all alike but for one ingredient each.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from random import Random

import numpy as np
import torch
from measure import measure_cosqa
from model import StaticModel
from pairs import Pair
from teacher import teacher_vectors
from train import parse_arguments, quality, read_pairs, train

from ragduck.embed.static import StaticEmbedder
from ragduck.embed.static import model as shipped
from ragduck.embed.static.model import VOCABULARY_FILE, read_model, sha256_of
from ragduck.embed.static.tokens import Tokenizer


def main() -> None:
    """Print a row for each thing that is different."""
    arguments = parse_arguments(__doc__)
    model = read_model(arguments.out, sha256=sha256_of(arguments.out))
    for label, changed in switched_off(model):
        embedder = StaticEmbedder(changed)
        figures = measure_cosqa(
            arguments.evaluation / "cosqa",
            embed_texts=embedder.embed_texts,
            embed_queries=lambda texts, embedder=embedder: np.stack([*map(embedder.embed_query, texts)]),
        )
        print(f"| {label} | {figures['ndcg@10']:.3f} |", flush=True)
    for label, ndcg in trained_anew(arguments):
        print(f"| {label} | {ndcg:.3f} |", flush=True)


def switched_off(model: shipped.StaticModel) -> Iterator[tuple[str, shipped.StaticModel]]:
    """Yield the finished model and variants of it that lack something."""
    yield "the model as it ships", model
    yield "without weights of places", replace(model, place_weights=np.ones_like(model.place_weights))
    yield "questions weighted as chunks", replace(model, query_weights=model.chunk_weights)
    norms = np.linalg.norm(model.vectors.astype(np.float32), axis=1)
    even = (1 / np.maximum(norms, 1)).astype(np.float32)
    yield "all words weighted alike", replace(model, chunk_weights=even, query_weights=even)
    for words in (24_000, 12_000, 6_000):
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
    _, axes = np.linalg.eigh(weighted.T @ weighted)
    vectors = model.vectors.astype(np.float32) @ axes[:, ::-1][:, :dimension]
    largest = np.abs(vectors).max(axis=1, initial=1e-9)
    return replace(
        model,
        vectors=np.rint(vectors / largest[:, None] * 127).astype(np.int8),
        chunk_weights=model.chunk_weights * largest / 127,
        query_weights=model.query_weights * largest / 127,
    )


def trained_anew(arguments: argparse.Namespace) -> Iterator[tuple[str, float]]:
    """Train small models, each with one ingredient changed."""
    words = (arguments.out / VOCABULARY_FILE).read_text(encoding="utf-8").split()
    tokenizer = Tokenizer({word: number for number, word in enumerate(words)})
    teacher = teacher_vectors(words, arguments.data / "teacher" / "words", seconds=3_600)
    pairs = some_pairs(arguments, arguments.pairs)
    many = min(arguments.pairs, 1_000_000)

    def result(chosen: list[Pair], *, random: bool = False, dimension: int = 256, **changed: float) -> float:
        torch.manual_seed(arguments.seed)
        settings = copy(arguments)
        vars(settings).update(changed)
        model = StaticModel.distilled(teacher, dimension=dimension)
        if random:
            model.vectors.data = torch.randn_like(model.vectors) / 16
        train(model, chosen, tokenizer, [], settings)
        return quality(model, tokenizer, arguments.evaluation)["ndcg@10"]

    yield f"small: {many:,} pairs", result(pairs)
    yield "small, half of the pairs", result(pairs[: many // 2])
    yield "small, random vectors to begin with", result(pairs, random=True)
    yield "small, batches of random pairs only", result(pairs, same=0.0)
    yield "small, batches of neighbours only", result(pairs, same=1.0)
    yield "small, temperature 0.1", result(pairs, temperature=0.1)
    yield "small, 128 dimensions", result(pairs, dimension=128)
    python = [pair for pair in pairs if pair.language == "python"]
    yield f"small, Python only: {len(python):,} pairs", result(python)
    spoken = [pair for pair in pairs if pair.kind == "doc"]
    yield f"small, comments only: {len(spoken):,} pairs", result(spoken)


def some_pairs(arguments: argparse.Namespace, count: int) -> list[Pair]:
    """Return pairs drawn at random, neighbours side by side."""
    return read_pairs(
        arguments.data, count=count, languages=[], unsaid=arguments.unsaid, chance=Random(arguments.seed)
    )


if __name__ == "__main__":
    main()
