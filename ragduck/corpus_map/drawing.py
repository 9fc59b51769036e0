"""Read a map out of its store, and draw it as one HTML page that runs no script but its own and loads nothing.

What comes from the store is untrusted: it stands as JSON in a block that is no script, and the page shows it as text.
"""

from __future__ import annotations

import base64
import hashlib
import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ragduck.corpus_map.state import number_of
from ragduck.errors import StoreError
from ragduck.picture.page import PLACE, json_in_html
from ragduck.resources import sql_text
from ragduck.store import Database
from ragduck.store.statements import run_own

FOLDER = Path(__file__).resolve().parent / "page"
GRID = 65_535  # steps of a coordinate in the page
MAX_TITLE = 120  # characters
COLOURED_BY = ("repo", "branch", "data_type", "file_class", "kind", "file_type")

Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class StoredMap:
    """The tables of a map as a page shows them."""

    facts: Mapping[str, str]
    points: Rows
    topics: Rows
    links: Rows
    link_counts: Mapping[str, int]

    def number(self, fact: str) -> int:
        """Return a fact that is a count; 0 when the store tells none."""
        return number_of(self.facts, fact)


def read_map(database: Database) -> StoredMap:
    """Read the map of a store."""

    def rows(name: str) -> list[dict[str, Any]]:
        return run_own(database, sql_text(f"map/{name}.sql"))

    return StoredMap(
        facts={row["key"]: str(row["value"]) for row in rows("facts")},
        points=rows("page_points"),
        topics=rows("page_topics"),
        links=rows("page_links"),
        link_counts={row["status"]: row["links"] for row in rows("link_counts")},
    )


def draw_page(drawn: StoredMap, page: Path, *, title: str) -> int:
    """Write the page and return its size in bytes."""
    try:
        written = map_page(drawn, title=title).encode("utf-8", "replace")
    except (TypeError, ValueError, KeyError) as error:
        raise StoreError(
            f"the map in the store cannot be drawn: {error}", hint="prepare the store again with --overwrite"
        ) from error
    page.write_bytes(written)
    return len(written)


def map_page(drawn: StoredMap, *, title: str) -> str:
    """Return the page."""
    script = _script()
    parts = {
        "title": html.escape(title),
        "script_hash": _hash_source(script),
        "style": _asset("page.css"),
        "data": json_in_html(page_data(drawn)),
        "script": script,
    }
    return PLACE.sub(lambda place: parts[place[1]], _asset("page.html"))


def page_data(drawn: StoredMap) -> dict[str, Any]:
    """Return points by column, as whole numbers and places in lists of texts: short even for 100,000 of them."""
    points = list(drawn.points)
    numbers = {int(point["point_no"]): place for place, point in enumerate(points)}
    xs, ys = _on_grid(points)
    files = _Texts()
    titles = _Texts()
    groups = {name: _Texts() for name in COLOURED_BY}
    return {
        "level": drawn.facts.get("level", ""),
        "made": drawn.facts.get("made_at", ""),
        "method": drawn.facts.get("method", ""),
        "x": xs,
        "y": ys,
        "title": [titles.place(_short(point["title"])) for point in points],
        "file": [files.place(str(point["source_file"])) for point in points],
        "start": [int(point["start_line"]) for point in points],
        "end": [int(point["end_line"]) for point in points],
        "topic": [-1 if point["topic"] is None else int(point["topic"]) for point in points],
        "groups": {
            name: {"of": [texts.place(str(point[name])) for point in points], "names": texts.values}
            for name, texts in groups.items()
        },
        "titles": titles.values,
        "files": files.values,
        "topics": [
            {"name": str(topic["name"]), "keywords": list(map(str, topic["keywords"]))}
            for topic in drawn.topics
        ],
        "links": [
            [numbers[link["source_point_no"]], numbers[link["target_point_no"]], int(link["links"])]
            for link in drawn.links
            if link["source_point_no"] in numbers and link["target_point_no"] in numbers
        ],
    }


class _Texts:
    """Distinct texts in order of appearance, each with its place."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def place(self, text: str) -> int:
        return self._places.setdefault(text, len(self._places))

    @property
    def values(self) -> list[str]:
        return list(self._places)


def _on_grid(points: Rows) -> tuple[list[int], list[int]]:
    """Return whole coordinates with the same step in both directions, y growing downwards as on a screen."""
    xs, ys = ([_finite(point[name]) for point in points] for name in ("x", "y"))
    if not points:
        return [], []
    span = max(max(xs) - min(xs), max(ys) - min(ys)) or 1.0
    left, top = min(xs), max(ys)
    return [round((x - left) / span * GRID) for x in xs], [round((top - y) / span * GRID) for y in ys]


def _finite(value: Any) -> float:
    number = float(value)
    return number if math.isfinite(number) else 0.0


def _short(title: Any) -> str:
    text = str(title)
    return text if len(text) <= MAX_TITLE else f"{text[: MAX_TITLE - 1]}…"


@cache
def _script() -> str:
    """Return the parts of the script in order of their numbers, in a scope of their own."""
    parts = [path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.js"))]
    return "".join(['"use strict";\n(() => {\n', *parts, "})();\n"])


@cache
def _asset(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _hash_source(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
