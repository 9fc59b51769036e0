"""The page holds everything it needs, and nothing in the store can break out of it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from ragduck.corpus_map.drawing import GRID, StoredMap, draw_page, map_page, read_map
from ragduck.errors import StoreError
from ragduck.store import open_database

HOSTILE = "</script><script>alert(1)</script><!-- \u2028 {{data}} {{script}} &lt; \\u003c"


def point(number: int, **changes: Any) -> dict[str, Any]:
    plain = {
        "point_no": number, "title": f"point {number}", "repo": "shop", "branch": "main", "source_file": "a.sql",
        "start_line": 1, "end_line": 2, "x": float(number), "y": 0.0, "topic": None, "data_type": "db_code",
        "file_class": "source", "file_type": "sql", "kind": "PROC",
    }  # fmt: skip
    return plain | changes


def drawn(points: list[dict[str, Any]], **changes: Any) -> StoredMap:
    given: dict[str, Any] = {"facts": {"level": "chunk"}, "topics": [], "links": [], "link_counts": {}}
    return StoredMap(points=points, **(given | changes))


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_points_are_columns_with_texts_given_once() -> None:
    page = map_page(drawn([point(0), point(1, title="point 0")]), title="shop")

    data = data_of(page)
    assert (data["title"], data["titles"]) == ([0, 0], ["point 0"])
    assert (data["file"], data["files"]) == ([0, 0], ["a.sql"])
    assert data["groups"]["kind"] == {"of": [0, 0], "names": ["PROC"]}
    assert data["topic"] == [-1, -1]


def test_both_directions_have_the_same_scale_and_y_grows_downwards() -> None:
    page = map_page(drawn([point(0, x=0.0, y=5.0), point(1, x=10.0, y=0.0)]), title="shop")

    data = data_of(page)
    assert data["x"] == [0, GRID]
    assert data["y"] == [0, round(GRID / 2)]


@pytest.mark.parametrize("x", [float("nan"), float("inf"), -float("inf")])
def test_places_that_are_no_numbers_do_not_spoil_the_others(x: float) -> None:
    page = map_page(drawn([point(0, x=x), point(1, x=4.0), point(2, x=8.0)]), title="shop")

    assert data_of(page)["x"] == [0, round(GRID / 2), GRID]


def test_map_without_points_can_be_drawn() -> None:
    page = map_page(drawn([]), title="empty")

    assert data_of(page)["x"] == []


def test_links_name_places_in_the_columns() -> None:
    links = [
        {"source_point_no": 7, "target_point_no": 5, "links": 2},
        {"source_point_no": 7, "target_point_no": 99, "links": 1},
    ]

    page = map_page(drawn([point(5), point(7)], links=links), title="shop")

    assert data_of(page)["links"] == [[1, 0, 2]]


def test_hostile_names_stay_data() -> None:
    topic = {"topic": 0, "name": HOSTILE, "keywords": [HOSTILE], "points": 1, "x": 0.0, "y": 0.0}
    hostile = point(0, title=HOSTILE, source_file=HOSTILE, repo=HOSTILE, kind=HOSTILE, topic=0)

    page = map_page(drawn([hostile], topics=[topic], facts={"level": HOSTILE}), title=HOSTILE)

    data = data_of(page)
    assert data["titles"] == data["files"] == data["groups"]["repo"]["names"] == [HOSTILE]
    assert data["topics"][0]["name"] == HOSTILE
    assert "<script>alert(1)" not in page
    assert page.count("</script>") == map_page(drawn([]), title="x").count("</script>")


def test_policy_allows_the_script_of_the_page_and_nothing_else() -> None:
    page = map_page(drawn([point(0)]), title="shop")

    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; script-src 'sha256-{digest}';" in page


def test_page_names_no_other_resource() -> None:
    page = map_page(drawn([point(0)]), title="shop")

    markup = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    assert not re.search(r"\b(src|href|action)\s*=", markup)
    assert not re.search(r"url\(|@import|https?://", page)


def test_script_puts_texts_into_the_page_as_texts() -> None:
    page = map_page(drawn([]), title="shop")

    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script)


def test_long_titles_are_cut() -> None:
    page = map_page(drawn([point(0, title="x" * 5000)]), title="shop")

    assert len(data_of(page)["titles"][0]) == 120


def test_page_of_a_stored_map_shows_its_points_and_links(mapped_shop: Path) -> None:
    with open_database(mapped_shop) as database:
        stored = read_map(database)

    data = data_of(map_page(stored, title="shop"))

    assert len(data["x"]) == len(stored.points) > 300
    assert len(data["links"]) == 6
    assert [topic["name"] for topic in data["topics"]] == [topic["name"] for topic in stored.topics]


def test_map_of_strange_values_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be drawn"):
        draw_page(drawn([point(0, start_line="one")]), tmp_path / "x.html", title="x")
