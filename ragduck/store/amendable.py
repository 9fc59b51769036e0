"""Tell whether a store is worth to be amended: it has to be large, and hardly anything of it out of order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import duckdb

from ragduck.model import Snapshot
from ragduck.store import recall
from ragduck.store.known_words import cuts_words_alike

# DuckDB 1.3 fails where a row group has more rows than are allowed, and misplaces vectors among deleted rows.
AMENDS = int(duckdb.__version__.partition(".")[0]) >= 2
SMALLEST = 20_000  # chunks of a store; a smaller one is written whole in seconds, and stays small
SHARE = 0.1  # of the chunks, since all was written: what comes later lies behind all others, out of order
FEW_FILES = 20  # that changed: whoever edits these waits for no more than them
MORE_FOR_FEW = 2.5  # times the share, until many changed at once
AMENDED = "amended_chunks"  # what ragduck_meta calls how many these are
SCANS = ("exact", "signs")


def may_be_amended(connection: duckdb.DuckDBPyConnection, replaced: Sequence[Snapshot]) -> bool:
    """Whether the store that is attached as `live` is worth to be amended, as far as can be told by now."""
    if not AMENDS or len(replaced) != 1 or not cuts_words_alike(connection):
        return False
    [row] = connection.execute(
        "select (select count(*) from live.documents) >= $smallest "
        "and exists (from live.snapshots where repo = $repo and branch = $branch)",
        {"smallest": SMALLEST, "repo": replaced[0].repo, "branch": replaced[0].branch},
    ).fetchall()
    return bool(row[0])


def amended_share(connection: duckdb.DuckDBPyConnection, meta: Mapping[str, str]) -> int | None:
    """Return how many chunks will have been amended since all was written; None for too large a share of all."""
    [(all_chunks, held, own, files)] = connection.execute(
        "select count(*), count(*) filter ("
        "repo = getvariable('repo') and branch = getvariable('branch') and source_file in (from changed_files)"
        "), (select count(*) from stage.chunks where source_file in (from changed_files)), "
        "(select count(*) from changed_files) from store.documents"
    ).fetchall()
    amended = int(meta.get(AMENDED, "0")) + int(held) + int(own)
    share = SHARE * (MORE_FOR_FEW if files <= FEW_FILES else 1)
    return amended if amended <= share * int(all_chunks) else None


def scan_of(meta: Mapping[str, str]) -> recall.VectorScan | None:
    """Return how the metadata of a store say that vectors are searched."""
    kind, candidates = meta.get("vector_scan"), meta.get("vector_candidates")
    known = recall.CANDIDATES if kind == "signs" else (0,)
    try:
        found = recall.VectorScan(str(kind), int(str(candidates)), float(meta.get("vector_recall_at_10", "")))
    except ValueError:
        return None
    return found if kind in SCANS and found.candidates in known and 0 <= found.recall <= 1 else None
