"""Tell what a store is: versions, model, snapshots, counts and search parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from ragduck.resources import sql_text
from ragduck.store.connection import Database
from ragduck.store.statements import run_own

MADE_BY = (
    "created_at",
    "ragduck_version",
    "duckdb_version",
    "schema_version",
    "tokenizer_version",
    "chunk_size",
)
SEARCHED_BY = ("bm25_k1", "vector_scan", "vector_candidates", "vector_recall_at_10")


@dataclass(frozen=True, slots=True)
class SnapshotFacts:
    """One repository and branch of a store; ``prepared_at`` is UTC."""

    repo: str
    branch: str
    commit_sha: str | None
    root: str
    prepared_at: datetime
    files: int
    chunks: int
    nodes: int
    edges: int
    skipped: int
    problems: int

    @property
    def age_seconds(self) -> float:
        """How long ago it was prepared."""
        return (datetime.now(UTC).replace(tzinfo=None) - self.prepared_at).total_seconds()

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as `info --json` prints them."""
        return {
            **asdict(self),
            "prepared_at": self.prepared_at.isoformat(timespec="seconds"),
            "age_seconds": round(self.age_seconds),
        }


@dataclass(frozen=True, slots=True)
class StoreFacts:
    """What a store is. ``chunks_by`` counts chunks by data_type, file_class and kind."""

    path: str
    size_bytes: int
    made: Mapping[str, str]
    model: Mapping[str, str]
    totals: Mapping[str, int]
    snapshots: tuple[SnapshotFacts, ...]
    chunks_by: Mapping[str, Mapping[str, int]]
    search: Mapping[str, str]
    fts_fields: tuple[Mapping[str, Any], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as `info --json` prints them."""
        return {
            "path": self.path,
            "size_bytes": self.size_bytes,
            "made": dict(self.made),
            "model": dict(self.model),
            "totals": dict(self.totals),
            "snapshots": [snapshot.to_dict() for snapshot in self.snapshots],
            "chunks_by": {field: dict(counts) for field, counts in self.chunks_by.items()},
            "search": {**self.search, "fts_fields": [dict(row) for row in self.fts_fields]},
        }


def describe(database: Database) -> StoreFacts:
    """Read the facts from the file's own tables."""
    meta = database.meta
    return StoreFacts(
        path=str(database.path),
        size_bytes=database.path.stat().st_size,
        made={name: meta[name] for name in MADE_BY if name in meta},
        model={
            name.removeprefix("embedding_"): value
            for name, value in meta.items()
            if name.startswith("embedding_")
        },
        totals=_rows(database, "totals")[0],
        snapshots=snapshots_of(database),
        chunks_by=_chunks_by(database),
        search={name: meta[name] for name in SEARCHED_BY if name in meta},
        fts_fields=tuple(_rows(database, "fts_fields")),
    )


def snapshots_of(database: Database) -> tuple[SnapshotFacts, ...]:
    """Return the repositories and branches in order of their names."""
    return tuple(SnapshotFacts(**row) for row in _rows(database, "snapshots"))


def _chunks_by(database: Database) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for row in _rows(database, "chunks_by"):
        counts.setdefault(row["field"], {})[row["value"]] = row["chunks"]
    return counts


def _rows(database: Database, name: str) -> list[dict[str, Any]]:
    return run_own(database, sql_text(f"info/{name}.sql"))
