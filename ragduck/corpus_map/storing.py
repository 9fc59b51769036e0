"""Put a map into a store, in place of an earlier one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ragduck.corpus_map.link_graph import ResolvedLink
from ragduck.corpus_map.points import Point
from ragduck.corpus_map.topics import NONE, Topic
from ragduck.errors import StoreError
from ragduck.resources import sql_text
from ragduck.store import Database
from ragduck.store.amendment import amended

UNCHANGED = (
    "created_at",
    "vectors_fingerprint",
    "schema_version",
)  # of ragduck_meta, while it is the same store


@dataclass(frozen=True, slots=True)
class CorpusMap:
    """All that is stored: ``positions``, shape (points, 2), and ``topic_of`` are by point, -1 for none."""

    points: Sequence[Point]
    positions: NDArray[np.float32]
    topic_of: NDArray[np.int64]
    topics: Sequence[Topic]
    links: Sequence[ResolvedLink]
    facts: Mapping[str, str]


def store_map(store: Path, drawn: CorpusMap, *, meta: Mapping[str, str], wait: float = 0.0) -> None:
    """Write the tables; ``meta`` is what the store said of itself when it was read.

    Raises StoreError when it has been prepared again since, StoreBusyError while someone else writes it, who is
    waited for ``wait`` seconds.
    """

    def require_same(database: Database) -> None:
        if any(database.meta.get(name) != meta.get(name) for name in UNCHANGED):
            raise StoreError(f"{store} was prepared again while its map was made", hint="make the map again")

    with amended(store, require=require_same, wait=wait) as connection:
        connection.execute("begin")  # one write to the log instead of one for each comment
        connection.execute(sql_text("map/drop.sql"))
        connection.execute(sql_text("map/tables.sql"))
        for name, rows in _tables(drawn).items():
            connection.register("batch", rows)
            connection.execute(f"insert into {name} by name select * from batch")
            connection.unregister("batch")
        connection.execute("commit")


def _tables(drawn: CorpusMap) -> dict[str, pa.Table]:
    return {
        "map_facts": pa.table({"key": list(drawn.facts), "value": list(drawn.facts.values())}),
        "map_points": _point_table(drawn),
        "map_topics": _topic_table(drawn.topics),
        "map_links": _link_table(drawn.links),
    }


def _point_table(drawn: CorpusMap) -> pa.Table:
    points, topic_of = drawn.points, drawn.topic_of
    texts = ("node_id", "doc_id", "repo", "branch", "source_file", "title")
    numbers = ("chunk_no", "start_line", "end_line")
    return pa.table(
        {
            "point_no": pa.array(range(len(points)), type=pa.int32()),
            **{name: _column(points, name, pa.string()) for name in texts},
            **{name: _column(points, name, pa.int32()) for name in numbers},
            "x": pa.array(drawn.positions[:, 0], type=pa.float32()),
            "y": pa.array(drawn.positions[:, 1], type=pa.float32()),
            "topic": pa.array(topic_of, type=pa.int32(), mask=topic_of == NONE),
        }
    )


def _topic_table(topics: Sequence[Topic]) -> pa.Table:
    return pa.table(
        {
            "topic": _column(topics, "number", pa.int32()),
            "name": _column(topics, "name", pa.string()),
            "keywords": pa.array([list(topic.keywords) for topic in topics], type=pa.list_(pa.string())),
            "points": _column(topics, "points", pa.int32()),
            "x": _column(topics, "x", pa.float32()),
            "y": _column(topics, "y", pa.float32()),
        }
    )


def _link_table(links: Sequence[ResolvedLink]) -> pa.Table:
    numbers = ("line", "target_line", "source_point_no", "target_point_no")
    texts = (
        "doc_id", "repo", "branch", "source_file", "link_text", "target", "status", "target_doc_id", "target_file",
        "anchor",
    )  # fmt: skip
    return pa.table(
        {
            **{name: _column(links, name, pa.string()) for name in texts},
            **{name: _column(links, name, pa.int32()) for name in numbers},
        }
    )


def _column(items: Sequence[object], name: str, kind: pa.DataType) -> pa.Array:
    return pa.array([getattr(item, name) for item in items], type=kind)
