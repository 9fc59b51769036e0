"""A mirror is tuned for questions that lie between what is stored, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ragduck.mirror import tuning
from ragduck.mirror.index import find, new_index
from ragduck.mirror.plan import plan_index

ROWS = 400
STORED = 40


def unit(rows: int) -> Any:
    drawn = np.random.default_rng(rows).standard_normal((rows, 32)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def test_between_two_vectors_lies_one_that_is_as_near_to_both() -> None:
    vectors = unit(STORED)

    halfway = tuning.between(vectors)

    assert np.linalg.norm(halfway, axis=1) == pytest.approx(np.ones(STORED), abs=1e-5)
    near, far = (halfway * vectors).sum(axis=1), (halfway * np.roll(vectors, 1, axis=0)).sum(axis=1)
    assert near == pytest.approx(far, abs=1e-5)


def test_between_opposite_vectors_is_one_of_them() -> None:
    vectors = np.array([[1, 0], [-1, 0]], dtype=np.float32)

    assert tuning.between(vectors).tolist() == vectors.tolist()


@pytest.mark.parametrize("missed", [slice(STORED), slice(STORED, None)], ids=["stored", "between"])
def test_a_search_is_taken_that_finds_enough_of_both(monkeypatch: pytest.MonkeyPatch, missed: slice) -> None:
    vectors = unit(ROWS)
    plan = plan_index(ROWS, 32, choice="hnsw")
    index = new_index(plan, dimension=32, rows=ROWS)
    index.add(vectors)
    queries = np.concatenate([vectors[:STORED], tuning.between(vectors[:STORED])])
    truth = tuning.exact_neighbours([vectors], queries, np.arange(STORED))
    assert tuning.tune(index, plan, truth).search == {"ef_search": 32}

    def torn(*arguments: Any, **settings: Any) -> Any:
        found = find(*arguments, **settings)
        if settings["search"]["ef_search"] < 256:
            found.positions[missed] = ROWS + 1
        return found

    monkeypatch.setattr(tuning, "find", torn)

    measured = tuning.tune(index, plan, truth)

    assert (measured.search, measured.recall) == ({"ef_search": 256}, 1.0)


def test_the_recall_that_is_told_is_that_of_stored_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = unit(ROWS)
    plan = plan_index(ROWS, 32, choice="hnsw", parameters={"ef_search": 64})
    index = new_index(plan, dimension=32, rows=ROWS)
    index.add(vectors)
    queries = np.concatenate([vectors[:STORED], tuning.between(vectors[:STORED])])
    truth = tuning.exact_neighbours([vectors], queries, np.arange(STORED))

    def torn(*arguments: Any, **settings: Any) -> Any:
        found = find(*arguments, **settings)
        found.positions[STORED:] = ROWS + 1
        return found

    monkeypatch.setattr(tuning, "find", torn)

    measured = tuning.tune(index, plan, truth)

    assert measured.recall == 1.0
    assert measured.is_enough
