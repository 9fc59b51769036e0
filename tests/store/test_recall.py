"""How many candidates by signs find what is nearest, against a plain comparison of everything with everything."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ragduck.store import recall
from ragduck.store.recall import Neighbours, VectorScan, choose_scan
from ragduck.store.vectors import VectorBatch

DIMENSION = 64


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def drawn(rows: int, *, seed: int = 0, clusters: int = 20) -> NDArray[np.float32]:
    """Return vectors that lie about some centres, as embeddings do; more candidates find more of them."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((clusters, DIMENSION))
    return unit(
        centres[random.integers(clusters, size=rows)] + 0.3 * random.standard_normal((rows, DIMENSION))
    )


def batches(vectors: NDArray[np.float32], size: int) -> Iterator[VectorBatch]:
    for low in range(0, len(vectors), size):
        part = vectors[low : low + size]
        yield VectorBatch(np.arange(low + 1, low + 1 + len(part), dtype=np.int32), part)


def found(vectors: NDArray[np.float32], own: int, candidates: int) -> float:
    """Return the share of the ten nearest that are among the candidates, one vector at a time."""
    cosines = vectors @ vectors[own]
    half = np.sqrt(np.mean(vectors[own] ** 2)) / 2
    sizes = [min(int(abs(one) / half + 0.5), 3) for one in vectors[own]]
    differing = ((vectors > 0) != (vectors[own] > 0)) @ np.array(sizes)
    closest = sorted(range(len(vectors)), key=lambda row: (differing[row], row))[:candidates]
    others = sorted((cosines[row] for row in range(len(vectors)) if row != own), reverse=True)
    good = [row for row in closest if row != own and cosines[row] >= others[9] - recall.TIE]
    return min(len(good) / 10, 1.0)


@settings(max_examples=25, deadline=None)
@given(
    rows=st.integers(40, 400),
    size=st.integers(30, 500),
    candidates=st.sampled_from([11, 20, 60, 200]),
    seed=st.integers(0, 1000),
)
def test_recall_is_that_of_a_plain_comparison(rows: int, size: int, candidates: int, seed: int) -> None:
    vectors = drawn(rows, seed=seed)
    vectors[5:9] = vectors[4]  # equal ones count alike
    own = np.arange(0, rows, 7)
    neighbours = Neighbours(VectorBatch((own + 1).astype(np.int32), vectors[own]))

    neighbours.read(batches(vectors, size))

    expected = np.mean([found(vectors, row, candidates) for row in own])
    assert neighbours.recall(candidates) == pytest.approx(expected)


def test_equal_vectors_are_found_however_many_there_are() -> None:
    vectors = np.repeat(drawn(1), 3000, axis=0)
    neighbours = Neighbours(VectorBatch(np.array([9], np.int32), vectors[:1]))

    neighbours.read(batches(vectors, 1000))

    assert neighbours.recall(200) == 1.0


def stored(vectors: NDArray[np.float32]) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(f"create table documents (chunk_no integer, embedding float[{DIMENSION}])")
    rows = [(number, vector.tolist()) for number, vector in enumerate(vectors, 1)]
    connection.executemany("insert into documents values (?, ?)", [*rows, (len(rows) + 1, None)])
    return connection


def test_the_fewest_candidates_that_find_enough_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recall, "SMALL", 500)
    monkeypatch.setattr(recall, "MOST", 1)
    monkeypatch.setattr(recall, "CANDIDATES", (20, 100, 400, 900))
    vectors = drawn(1000)

    with stored(vectors) as connection:
        scan = choose_scan(connection)

    own = range(9, 1000, 10)
    shares = {some: np.mean([found(vectors, row, some) for row in own]) for some in recall.CANDIDATES}
    enough = min(some for some, share in shares.items() if share >= recall.MIN_RECALL)
    assert scan == VectorScan("signs", enough, pytest.approx(shares[enough]))
    assert enough > 20


def test_signs_that_find_too_little_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recall, "SMALL", 500)
    monkeypatch.setattr(recall, "CANDIDATES", (11, 12))

    with stored(drawn(1000)) as connection:
        assert choose_scan(connection) == VectorScan("exact", 0, 1.0)


def test_more_candidates_than_pay_are_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recall, "SMALL", 500)
    monkeypatch.setattr(recall, "MIN_RECALL", 0.0)
    taken = {}
    for candidates in (62, 63):
        monkeypatch.setattr(recall, "CANDIDATES", (candidates,))
        with stored(drawn(1000)) as connection:
            taken[candidates] = choose_scan(connection).kind

    assert taken == {62: "signs", 63: "exact"}


def test_few_vectors_are_compared_exactly() -> None:
    with stored(drawn(50)) as connection:
        assert choose_scan(connection) == VectorScan("exact", 0, 1.0)
