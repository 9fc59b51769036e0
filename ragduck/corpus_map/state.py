"""Tell what map a store holds, and whether it still shows what the store holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ragduck.resources import sql_text
from ragduck.store import Database
from ragduck.store.checks import CheckResult, run_checks
from ragduck.store.statements import run_own

TABLES = frozenset({"map_facts", "map_points", "map_topics", "map_links"})


@dataclass(frozen=True, slots=True)
class MapState:
    """What is known of the map of a store; ``settings`` are those it was made with, as one text."""

    status: Literal["none", "fresh", "stale"]
    level: str = ""
    points: int = 0
    topics: int = 0
    links: int = 0
    made_at: str = ""
    settings: str = ""

    def __str__(self) -> str:
        if self.status == "none":
            return "none"
        return f"{self.status} ({self.points:,} {self.level}s, {self.topics:,} topics, {self.links:,} links)"

    def to_dict(self) -> dict[str, Any]:
        """Return the state as JSON shows it."""
        if self.status == "none":
            return {"status": "none"}
        return {
            name: getattr(self, name) for name in ("status", "level", "points", "topics", "links", "made_at")
        }


def map_state(database: Database) -> MapState:
    """Look at the tables of the map; one of other vectors than the store holds is stale."""
    if not _has_tables(database):
        return MapState("none")
    facts = {row["key"]: str(row["value"]) for row in run_own(database, sql_text("map/facts.sql"))}
    is_fresh = facts.get("vectors_fingerprint") == database.meta.get("vectors_fingerprint", "")
    return MapState(
        status="fresh" if is_fresh else "stale",
        level=facts.get("level", ""),
        points=number_of(facts, "points"),
        topics=number_of(facts, "topics"),
        links=number_of(facts, "links"),
        made_at=facts.get("made_at", ""),
        settings=facts.get("settings", ""),
    )


def check_map(database: Database) -> list[CheckResult]:
    """Look for what is wrong with the map, if there is one."""
    if not _has_tables(database):
        return []
    return run_checks(database, folder="map/checks")


def _has_tables(database: Database) -> bool:
    rows = database.rows("select table_name from duckdb_tables() where schema_name = 'main'")
    return {row["table_name"] for row in rows} >= TABLES


def number_of(facts: Mapping[str, str], name: str) -> int:
    """Return a fact that is a count; 0 for anything else."""
    text = facts.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
