"""Topics: their order, their keywords and their names."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ragduck.corpus_map.ordinary_words import ORDINARY_WORDS
from ragduck.corpus_map.points import read_points
from ragduck.corpus_map.settings import MapSettings
from ragduck.corpus_map.topics import (
    describe_topics,
    distinct_names,
    find_topics,
    keywords_of,
    largest_first,
    telling_terms,
)
from ragduck.store import open_database


def test_topics_are_numbered_by_size_and_then_by_place() -> None:
    found = largest_first(np.array([4, -1, 2, 2, 2, 7, 4, 7]))

    assert found.tolist() == [1, -1, 0, 0, 0, 2, 1, 2]


def test_terms_that_say_the_same_are_kept_once() -> None:
    found = telling_terms(["invoice", "invoices", "invoiceservice", "service", "payments", "payment", "tax"])

    assert found == ["invoice", "service", "payments", "tax"]


def test_names_are_the_first_keywords_and_distinct() -> None:
    names = distinct_names([["a", "b", "c", "d"], ["a", "b", "c", "e"], ["a", "b", "c"], [], []])

    assert names == ["a, b, c", "a, b, c, e", "a, b, c (2)", "unnamed", "unnamed (2)"]


def test_topic_stands_in_the_middle_of_its_points() -> None:
    positions = np.array([[0, 0], [10, 2], [1, 1], [50, 50]], dtype=np.float32)

    (topic,) = describe_topics(np.array([0, 0, 0, -1]), positions, {0: ["word"]})

    assert (topic.name, topic.points, topic.x, topic.y) == ("word", 3, 1.0, 1.0)


def test_too_few_points_have_no_topic() -> None:
    found = find_topics(np.zeros((9, 2), dtype=np.float32), min_size=5)

    assert found.tolist() == [-1] * 9


def test_keywords_tell_sql_procedures_from_docs(shop_store: Path) -> None:
    with open_database(shop_store) as database:
        rows = database.rows("select chunk_no, data_type, kind from documents order by chunk_no")
        chunks = np.array([row["chunk_no"] for row in rows])
        topics = np.array(
            [0 if row["kind"] == "PROC" else 1 if row["data_type"] == "docs" else -1 for row in rows]
        )

        found = keywords_of(database, chunks, topics)

    assert "procedures" in found[0]
    assert "docs" in found[1]
    assert not ORDINARY_WORDS & {*found[0], *found[1]}


def test_keywords_of_files_come_from_their_chunks(shop_store: Path) -> None:
    with open_database(shop_store) as database:
        points = read_points(database, MapSettings(level="file"))
        topic_of = np.array([0 if ".sql" in point.source_file else -1 for point in points.points])

        found = keywords_of(database, points.chunks, topic_of[points.owners])

    assert found[0]
