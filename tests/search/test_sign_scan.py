"""The scan of signs takes the closest in Python and in the macro that a plain sum over components says."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import numpy as np
import pytest
from numpy.typing import NDArray

from ragduck.resources import for_dimension
from ragduck.search.filters import Clause
from ragduck.search.request import SearchRequest
from ragduck.search.sides import Sides, VectorIndex
from ragduck.store.arrow import embedding_table
from ragduck.store.schema import create_macros, create_tables

ROWS = 600
CANDIDATES = 20
DIMENSIONS = [64, 128, 200, 384]

Floats = NDArray[np.float32]


def drawn(rows: int, dimension: int, seed: int) -> Floats:
    vectors = np.random.default_rng(seed).standard_normal((rows, dimension)) ** 3  # of sizes that differ much
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def closest(vectors: Floats, question: Floats) -> set[int]:
    """Return the chunks whose signs differ least, each component counting by its size."""
    half = np.sqrt(np.mean(question.astype(np.float64) ** 2)) / 2
    sizes = np.array([min(int(abs(one) / half + 0.5), 3) for one in question.tolist()]) if half else 0
    differing = (((vectors > 0) != (question > 0)) * sizes).sum(axis=1)
    return set(sorted(range(1, ROWS + 1), key=lambda chunk: (differing[chunk - 1], chunk))[:CANDIDATES])


def nearest(vectors: Floats, question: Floats, depth: int) -> list[int]:
    """Return the nearest of these."""
    cosines = vectors @ question
    return sorted(closest(vectors, question), key=lambda chunk: (-cosines[chunk - 1], chunk))[:depth]


@pytest.fixture(params=DIMENSIONS)
def vectors(request: pytest.FixtureRequest) -> Floats:
    return drawn(ROWS, request.param, seed=request.param)


@pytest.fixture
def connection(vectors: Floats) -> Iterator[duckdb.DuckDBPyConnection]:
    """A store of nothing but vectors, all of equal importance."""
    dimension = vectors.shape[1]
    with duckdb.connect() as opened:
        create_tables(opened, dimension=dimension)
        create_macros(opened, dimension=dimension, candidates=CANDIDATES)
        given = embedding_table([f"{number:09}" for number in range(1, ROWS + 1)], vectors, model="m")
        opened.register("given", given)
        signs = for_dimension("sign_0::bit::hugeint as sign_0,  -- per 128 dimensions", dimension)
        opened.execute("drop table documents")
        opened.execute(
            "create table documents as select content_hash::integer as chunk_no, 1.0::double as importance_score, "
            f"{signs}\n embedding from given"
        )
        yield opened


@pytest.mark.parametrize("seed", range(4))
def test_python_and_the_macro_compare_what_is_closest_by_weighed_signs(
    connection: duckdb.DuckDBPyConnection, vectors: Floats, seed: int
) -> None:
    dimension = vectors.shape[1]
    question = drawn(1, dimension, seed)[0]

    def rows(sql: str, values: dict[str, object]) -> list[dict[str, object]]:
        cursor = connection.execute(sql, values)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    sides = Sides(
        rows,
        SearchRequest("x", mode="semantic", top_k=2, signals=False),
        "semantic",
        question,
        VectorIndex(dimension, CANDIDATES),
        None,
        lambda: (),
        lambda: None,
    )
    found = sides.hits(Clause())["chunk_no"]
    macro = rows(
        f"select chunk_no from nearest_scores($vector::float[{dimension}], top_k := 2) order by score desc, chunk_no",
        {"vector": question.tolist()},
    )

    assert found == nearest(vectors, question, 2)
    assert [row["chunk_no"] for row in macro] == found


def test_the_vector_of_a_chunk_is_a_question_too(
    connection: duckdb.DuckDBPyConnection, vectors: Floats
) -> None:
    found = connection.execute(
        "select chunk_no from nearest_scores((select embedding from documents where chunk_no = 7), top_k := 2) "
        "order by score desc, chunk_no"
    ).fetchall()

    assert [chunk for (chunk,) in found] == nearest(vectors, vectors[6], 2)


def test_a_question_of_zeros_is_no_error(connection: duckdb.DuckDBPyConnection, vectors: Floats) -> None:
    found = connection.execute(
        f"select chunk_no from nearest_scores($vector::float[{vectors.shape[1]}], top_k := 2) order by chunk_no",
        {"vector": [0.0] * vectors.shape[1]},
    ).fetchall()

    assert found == [(1,), (2,)]
