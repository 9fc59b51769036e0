"""Batches: every text once, similar lengths together, the same result in any grouping."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.embed import embed_in_batches
from ragduck.embed.batches import plan_batches
from ragduck.embed.hashing import HashingEmbedder


@settings(deadline=None)
@given(st.lists(st.text(max_size=40), max_size=40), st.integers(1, 9))
def test_batches_put_together_equal_one_call(texts: list[str], batch_size: int) -> None:
    embedder = HashingEmbedder()
    vectors = np.zeros((len(texts), 64), dtype=np.float32)

    for positions, batch in embed_in_batches(embedder, texts, batch_size=batch_size):
        vectors[positions] = batch

    assert np.array_equal(vectors, embedder.embed_texts(texts))


@settings(deadline=None)
@given(st.lists(st.integers(0, 5_000), max_size=80), st.integers(1, 9), st.integers(100, 9_000))
def test_a_plan_holds_every_position_once_within_size_and_budget(
    lengths: list[int], batch_size: int, budget: int
) -> None:
    plan = list(plan_batches(lengths, batch_size=batch_size, budget=budget))

    assert sorted(position for batch in plan for position in batch) == list(range(len(lengths)))
    assert all(len(batch) <= batch_size for batch in plan)
    assert all(sum(min(lengths[p], 4_096) for p in batch) <= budget for batch in plan if len(batch) > 1)


def test_longest_texts_come_first() -> None:
    assert list(plan_batches([1, 30, 20, 30], batch_size=2)) == [[1, 3], [2, 0]]


def test_batches_are_embedded_only_when_asked_for() -> None:
    batches = embed_in_batches(HashingEmbedder(), ["a", "b", "c"], batch_size=1)

    first_positions, first_vectors = next(batches)

    assert first_positions == [0]
    assert first_vectors.shape == (1, 64)
