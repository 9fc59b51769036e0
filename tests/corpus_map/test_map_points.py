"""What a map shows, and the vectors that it is laid out by."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ragduck.corpus_map.points import Points, read_points
from ragduck.corpus_map.settings import MapSettings
from ragduck.store import open_database


def points_of(store: Path, settings: MapSettings | None = None) -> Points:
    with open_database(store) as database:
        return read_points(database, settings or MapSettings())


def test_each_chunk_with_a_vector_is_a_point(shop_store: Path) -> None:
    found = points_of(shop_store)

    with open_database(shop_store) as database:
        rows = database.rows("select node_id from documents where embedding is not null order by chunk_no")
    assert [point.node_id for point in found.points] == [row["node_id"] for row in rows]


def test_equal_contents_share_a_vector(shop_store: Path) -> None:
    found = points_of(shop_store)

    with open_database(shop_store) as database:
        rows = database.rows(
            "select count(distinct content_hash) as n from documents where embedding is not null"
        )
    assert len(found.vectors) == rows[0]["n"] < len(found.points)


def test_vector_of_a_point_is_that_of_its_chunk(shop_store: Path) -> None:
    found = points_of(shop_store)

    with open_database(shop_store) as database:
        rows = database.rows("select embedding from documents where embedding is not null order by chunk_no")
    stored = np.array([row["embedding"] for row in rows])
    assert np.allclose(found.vectors[found.vector_of], stored, atol=1e-6)


def test_file_has_the_mean_direction_of_its_chunks(shop_store: Path) -> None:
    found = points_of(shop_store, MapSettings(level="file"))

    place = next(number for number, point in enumerate(found.points) if point.source_file == "README.md")
    with open_database(shop_store) as database:
        rows = database.rows("select embedding from documents where source_file = 'README.md'")
    mean = np.mean([row["embedding"] for row in rows], axis=0)
    assert np.allclose(found.vectors[found.vector_of[place]], mean / np.linalg.norm(mean), atol=1e-5)


def test_chunks_of_files_know_their_points(shop_store: Path) -> None:
    found = points_of(shop_store, MapSettings(level="file"))

    with open_database(shop_store) as database:
        rows = database.rows("select chunk_no, doc_id from documents")
    files = {row["chunk_no"]: row["doc_id"] for row in rows}
    owners = [found.points[owner].doc_id for owner in found.owners]
    assert owners == [files[chunk] for chunk in found.chunks]


def test_sample_takes_so_many_and_the_same_each_time(shop_store: Path) -> None:
    first = points_of(shop_store, MapSettings(sample=50))
    second = points_of(shop_store, MapSettings(sample=50))

    assert len(first.points) == 50
    assert first.points == second.points
    assert first.left_out == len(points_of(shop_store).points) - 50


def test_larger_sample_holds_the_smaller(shop_store: Path) -> None:
    small = points_of(shop_store, MapSettings(sample=20, level="file"))
    large = points_of(shop_store, MapSettings(sample=40, level="file"))

    assert {point.node_id for point in small.points} < {point.node_id for point in large.points}


def test_other_repositories_and_branches_are_left_out(shop_store: Path) -> None:
    found = points_of(shop_store, MapSettings(repos=("shop",), branches=("other",)))

    assert found.points == ()
