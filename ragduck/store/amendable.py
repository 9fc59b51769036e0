"""Tell whether a store can be amended: it has to be as this ragduck writes it, as it may come from anyone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import duckdb

from ragduck.model import Snapshot
from ragduck.resources import sql_text
from ragduck.store import recall
from ragduck.store.known_words import cuts_words_alike
from ragduck.store.numbered_tables import Extent
from ragduck.store.schema import BM25_K1, create_macros
from ragduck.store.work_file import quoted_name

SMALLEST = 20_000  # chunks of a store; a smaller one is written whole in seconds, and stays small
SHARE = 0.1  # of the chunks, since all was written: what comes later lies behind all others, out of order
SCANS = ("exact", "signs")


@dataclass(frozen=True, slots=True)
class Held:
    """What a store has of a branch: rows by kind, of all branches where the graph of this one leads there.

    ``changed`` counts the chunks of files that changed, ``amended`` those that will have been amended since all was
    written.
    """

    extents: Mapping[str, Extent]
    snapshot_no: int
    is_for_all: bool
    scan: recall.VectorScan
    changed: int
    amended: int


def may_be_amended(connection: duckdb.DuckDBPyConnection, replaced: Sequence[Snapshot]) -> bool:
    """Whether the store that is attached as `live` is worth to be amended, as far as can be told by now."""
    if len(replaced) != 1 or not cuts_words_alike(connection):
        return False
    [row] = connection.execute(
        "select (select count(*) from live.documents) >= $smallest "
        "and exists (from live.snapshots where repo = $repo and branch = $branch)",
        {"smallest": SMALLEST, "repo": replaced[0].repo, "branch": replaced[0].branch},
    ).fetchall()
    return bool(row[0])


def held_of(
    connection: duckdb.DuckDBPyConnection, *, dimension: int, settings: Mapping[str, str]
) -> Held | None:
    """Look at the store that is attached as `store`, for the branch of the variables repo and branch.

    Its macros are those of this ragduck from here on, and names are looked for in `part`, which has the tables of a
    store, first. None where it is not to be amended.
    """
    try:
        return _held_of(connection, dimension=dimension, settings=settings)
    except duckdb.Error:  # of a store that is another one
        with suppress(duckdb.Error):
            connection.execute("rollback")
        return None


def _held_of(
    connection: duckdb.DuckDBPyConnection, *, dimension: int, settings: Mapping[str, str]
) -> Held | None:
    if rows_of(connection, "differing_objects"):
        return None
    meta = dict(connection.execute("select key, value from store.ragduck_meta").fetchall())
    scan = _scan_of(meta)
    needed = {**settings, "bm25_k1": str(BM25_K1)}
    if scan is None or any(meta.get(name) != value for name, value in needed.items()):
        return None
    _replace_macros(connection, dimension=dimension, candidates=scan.macro_candidates)
    connection.execute("set search_path = 'part,store'")
    is_for_all = bool(rows_of(connection, "definitions"))
    extents = _extents(rows_of(connection, "extent"), is_for_all=is_for_all)
    snapshots = rows_of(connection, "snapshots")
    [changed] = rows_of(connection, "changed")
    amended = changed["amended"] + changed["changed"]
    is_right = extents is not None and all(row["is_right"] for row in snapshots)
    if not is_right or amended > SHARE * changed["chunks"] or rows_of(connection, "unlike"):
        return None
    [snapshot_no] = connection.execute(
        "select snapshot_no from store.snapshots "
        "where repo = getvariable('repo') and branch = getvariable('branch')"
    ).fetchall()[0]
    return Held(extents or {}, snapshot_no, is_for_all, scan, changed["changed"], amended)


def rows_of(connection: duckdb.DuckDBPyConnection, name: str) -> list[dict[str, Any]]:
    """Return the rows of a query of `sql/amend`."""
    found = connection.execute(sql_text(f"amend/{name}.sql"))
    columns = [column[0] for column in found.description or ()]
    return [dict(zip(columns, row, strict=True)) for row in found.fetchall()]


def _scan_of(meta: Mapping[str, str]) -> recall.VectorScan | None:
    """Return how the store says that vectors are searched."""
    kind, candidates = meta.get("vector_scan"), meta.get("vector_candidates")
    known = recall.CANDIDATES if kind == "signs" else (0,)
    try:
        found = recall.VectorScan(str(kind), int(str(candidates)), float(meta.get("vector_recall_at_10", "")))
    except ValueError:
        return None
    return found if kind in SCANS and found.candidates in known and 0 <= found.recall <= 1 else None


def _replace_macros(connection: duckdb.DuckDBPyConnection, *, dimension: int, candidates: int) -> None:
    for row in rows_of(connection, "macros"):
        kind = "macro table" if row["is_table"] else "macro"
        name = f"{quoted_name(row['schema_name'])}.{quoted_name(row['function_name'])}"
        connection.execute(f"drop {kind} store.{name}")
    connection.execute("use store")
    create_macros(connection, dimension=dimension, candidates=candidates)


def _extents(rows: Sequence[Mapping[str, Any]], *, is_for_all: bool) -> dict[str, Extent] | None:
    """Return which rows are those of the branch, or of all; None where numbers are not those of a store."""
    if not all(
        row["is_gapless"] if is_for_all and row["kind"] == "edges" else row["is_in_order"] for row in rows
    ):
        return None
    if is_for_all:
        return {row["kind"]: Extent(0, row["total"]) for row in rows}
    return {row["kind"]: Extent(row["before"], row["own"]) for row in rows}
