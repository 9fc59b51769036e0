"""Find the dense regions of a map, and name them by the terms of their chunks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ragduck.corpus_map.ordinary_words import ORDINARY_WORDS
from ragduck.resources import sql_text
from ragduck.store import Database

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

NONE = -1  # a point between topics
NEAR = 3  # neighbours that make a place dense; with more, small maps become one topic
LARGEST = 0.5  # share of the points; of a larger topic the smallest dense regions are taken instead
CANDIDATES = 24  # terms of a topic that are looked at
KEYWORDS = 8
NAMED = 3  # keywords in a name
STEM = 5  # letters; terms that share so many from their beginning say the same
UNNAMED = "unnamed"


@dataclass(frozen=True, slots=True)
class Topic:
    """A dense region: ``x`` and ``y`` are the medians of its points."""

    number: int
    name: str
    keywords: tuple[str, ...]
    points: int
    x: float
    y: float


def no_topics(points: int) -> Integers:
    """Return that none of so many points has a topic."""
    return np.full(points, NONE, dtype=np.int64)


def find_topics(positions: Floats, *, min_size: int) -> Integers:
    """Return the number of the topic of each position, shape (rows, 2); -1 for those that lie between."""
    if len(positions) < 2 * min_size:
        return no_topics(len(positions))
    found = _clusters(positions, min_size=min_size, selection="eom")
    largest = np.bincount(found[found != NONE], minlength=1).max()
    if largest > LARGEST * len(positions):
        found = _clusters(positions, min_size=min_size, selection="leaf")
    return found


def _clusters(positions: Floats, *, min_size: int, selection: str) -> Integers:
    from sklearn.cluster import HDBSCAN

    model = HDBSCAN(
        min_cluster_size=min_size, min_samples=NEAR, cluster_selection_method=selection, copy=True, n_jobs=1
    )
    return np.asarray(model.fit_predict(positions), dtype=np.int64)


def largest_first(topics: Integers) -> Integers:
    """Number topics anew by their number of points; among equals the one that begins first."""
    found, first, counts = np.unique(topics, return_index=True, return_counts=True)
    order = sorted(
        (place for place in range(len(found)) if found[place] != NONE),
        key=lambda place: (-counts[place], first[place]),
    )
    numbers = {int(found[place]): number for number, place in enumerate(order)}
    return np.array([numbers.get(int(topic), NONE) for topic in topics], dtype=np.int64)


def describe_topics(topics: Integers, positions: Floats, keywords: dict[int, list[str]]) -> list[Topic]:
    """Return the topics in order of their numbers."""
    names = distinct_names([keywords.get(number, []) for number in range(int(topics.max(initial=NONE)) + 1)])
    return [
        Topic(
            number, name, tuple(keywords.get(number, [])), len(placed), *map(float, np.median(placed, axis=0))
        )
        for number, name in enumerate(names)
        for placed in [positions[topics == number]]
    ]


def keywords_of(database: Database, chunks: Integers, topics: Integers) -> dict[int, list[str]]:
    """Return the most telling terms of each topic; ``topics`` are those of the chunks, by number."""
    placed = pa.table(
        {
            "chunk_no": pa.array(chunks, type=pa.int32()),
            "topic": pa.array(topics, type=pa.int32(), mask=topics == NONE),
        }
    )
    with database.cursor() as cursor:
        cursor.register("placed", placed)
        rows = cursor.execute(
            sql_text("map/keywords.sql"), {"top": CANDIDATES, "ordinary": sorted(ORDINARY_WORDS)}
        ).fetchall()
    candidates: dict[int, list[str]] = {}
    for topic, term, _ in rows:
        candidates.setdefault(int(topic), []).append(str(term))
    return {topic: telling_terms(terms) for topic, terms in candidates.items()}


def telling_terms(terms: Iterable[str]) -> list[str]:
    """Keep the terms that add something to those before them: no plurals, parts or compounds of one."""
    kept: list[str] = []
    for term in terms:
        if len(kept) < KEYWORDS and not any(_say_the_same(term, other) for other in kept):
            kept.append(term)
    return kept


def _say_the_same(one: str, other: str) -> bool:
    return one in other or other in one or (len(one) > STEM and one[:STEM] == other[:STEM])


def distinct_names(keywords: Sequence[Sequence[str]]) -> list[str]:
    """Name each topic by its first keywords; of those that would be alike, later ones take more or a number."""
    taken: set[str] = set()
    names = []
    for terms in keywords:
        tries = [", ".join(terms[:count]) for count in range(NAMED, len(terms) + 1)] or [
            ", ".join(terms) or UNNAMED
        ]
        name = next((each for each in tries if each not in taken), tries[0])
        number = 2
        while name in taken:
            name = f"{tries[0]} ({number})"
            number += 1
        taken.add(name)
        names.append(name)
    return names
