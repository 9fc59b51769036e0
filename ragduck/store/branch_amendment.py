"""Bring one branch of a store up to date in a copy of the live file, where writing all of it would take longer.

Files, chunks, words, nodes and edges that are as they were stay where they are; others give way to what was found.
Numbers are those that a store written whole would have, and so are all rows but for their order in the file, the
times at which they were made, and the choice of the vector scan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

import duckdb

from ragduck.model import Snapshot
from ragduck.resources import for_dimension, sql_text, with_parts
from ragduck.store import recall
from ragduck.store.finish import GRAPH_STEPS, counts_of, set_up
from ragduck.store.known_words import cuts_words_alike
from ragduck.store.numbered_tables import (
    CHUNKS,
    EDGES,
    FILES,
    NODES,
    TABLES,
    Extent,
    NumberedTable,
    placeholders_of,
)
from ragduck.store.schema import (
    ROW_GROUP_SIZE,
    create_tables,
    replace_macros,
    run_build_step,
    run_in_slices,
    slices,
)
from ragduck.store.steps import Step

SMALLEST = 5_000  # chunks of a store; a smaller one is written whole in a second
SHARE = 0.1  # of the chunks, since all was written: what comes later lies behind all others, out of order
AMENDED = "amended_chunks"  # what ragduck_meta calls how many these are

STEPS = (
    *GRAPH_STEPS,
    Step("05_chunk_order"),
    Step("06_chunk_lists"),
)
SNIPPETS = "04_graph_snippets"
SLICE = 2 * ROW_GROUP_SIZE  # chunks
NOT_COMPARED = frozenset({"node_id", "chunk_no"})
NO_WORDS: Mapping[str, str] = MappingProxyType({})


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


def amend(
    connection: duckdb.DuckDBPyConnection,
    snapshot: Snapshot,
    *,
    model_key: str,
    dimension: int,
    settings: Mapping[str, str],
) -> dict[str, int] | None:
    """Put what was read of a branch into the store that is attached as `store`; return its rows per table.

    None where it has to be written whole. Then nothing of what was read is lost, and the copy is to be thrown away.
    """
    connection.execute("attach ':memory:' as part")
    connection.execute("use part")
    try:
        return _Amendment(connection, snapshot, dimension).made(model_key=model_key, settings=settings)
    finally:
        connection.execute("use memory")
        connection.execute("detach part")
        connection.execute("reset checkpoint_threshold")


class _Amendment:
    """A branch that is brought up to date: what was read is made into tables of `part`, and these are put in."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, snapshot: Snapshot, dimension: int) -> None:
        self._connection = connection
        self._snapshot = snapshot
        self._dimension = dimension
        self._replaced = 0  # chunks that are not as they were
        self._is_for_all = False  # branches, as those of several repositories lead to each other

    def made(self, *, model_key: str, settings: Mapping[str, str]) -> dict[str, int] | None:
        set_up(self._connection, model_key=model_key)
        self._set(repo=self._snapshot.repo, branch=self._snapshot.branch)
        create_tables(self._connection, dimension=self._dimension)
        if self._rows("differing_objects"):
            return None
        self._run("begin")
        self._connection.execute("use store")
        replace_macros(self._connection, dimension=self._dimension, candidates=self._candidates())
        self._connection.execute("set search_path = 'part,store'")
        self._is_for_all = bool(self._rows("definitions"))
        extent = self._rows("extent_of_all" if self._is_for_all else "extent")
        [changed] = self._rows("changed")
        is_small = changed["amended"] + changed["changed"] <= SHARE * changed["chunks"]
        if not extent or not is_small or not self._has(settings) or self._rows("unlike"):
            return None
        self._run("sources")
        self._lay_out()
        self._amend(extent[0])
        self._connection.execute("use store")
        amended = changed["amended"] + max(changed["changed"], self._replaced)
        self._tell({AMENDED: str(amended), **settings})
        return counts_of(self._connection)

    def _lay_out(self) -> None:
        """Make the graph of what was read, and number chunks; with other branches where the graph leads there."""
        if self._is_for_all:
            self._build("02_keep_graph")
            self._build("02_keep_chunks")
        for step in STEPS:
            step.run(self._connection, dimension=self._dimension)
            if step.name == SNIPPETS and self._is_for_all:
                self._run("snippets")

    def _has(self, settings: Mapping[str, str]) -> bool:
        """Whether the store was made with the same settings: chunks are cut by them."""
        meta = dict(self._connection.execute("select key, value from store.ragduck_meta").fetchall())
        return all(meta.get(name) == value for name, value in settings.items())

    def _candidates(self) -> int:
        """Return how many candidates the macros of the store compare."""
        found = self._connection.execute(
            "select key, value from store.ragduck_meta where key in ('vector_scan', 'vector_candidates')"
        )
        meta = dict(found.fetchall())
        known = {str(candidates): candidates for candidates in recall.CANDIDATES}
        is_by_signs = meta.get("vector_scan") == "signs"
        return known.get(meta.get("vector_candidates") or "", recall.ALL) if is_by_signs else recall.ALL

    def _amend(self, known: Mapping[str, int]) -> None:
        """Put in all that was found; ``known`` tells where the branch lies in the store."""
        counted = {CHUNKS: "numbered_chunks", NODES: "part.nodes", EDGES: "part.edges"}
        extents = {kind: self._extent(kind, table, known) for kind, table in counted.items()}
        chunks = extents[CHUNKS]
        self._set(first_chunk=chunks.before, last_chunk=chunks.last, more_chunks=chunks.more)
        self._set(chunks_before=self._count("count(*)", "store.documents"), snapshot_no=known["snapshot_no"])
        self._find_chunks(chunks.are)
        self._put_in_chunks()
        self._weigh()
        self._run("branch_chunks")
        self._build("09_signals")
        extents[FILES] = self._extent(FILES, "part.chunk_signals", known, counted="count(distinct file_no)")
        for table in TABLES:
            self._put_in(table, extents, snapshot_no=None if self._is_for_all else known["snapshot_no"])
        self._run("snapshot")

    def _extent(
        self, kind: str, table: str, known: Mapping[str, int], *, counted: str = "count(*)"
    ) -> Extent:
        return Extent(known[f"{kind}_before"], known[kind], self._count(counted, table))

    def _find_chunks(self, count: int) -> None:
        """Find which of so many chunks are not as they were, their vectors and words."""
        told = [name for name in self._columns("documents") if name not in NOT_COMPARED]
        same = " and ".join(f"held.{column} is not distinct from own.{column}" for column in told)
        for low, high in slices(count, size=SLICE):
            self._set(low=low, high=high)
            self._run("chunks", {"these_same": same})
        self._replaced = self._count("count(*)", "part.documents")
        self._run("texts")
        self._run("vectors")
        self._build("08_fts_begin")
        self._build("08_fts_tables")
        self._run("known")
        self._run("numbers")
        run_in_slices(self._connection, "08_fts_words", last=count, size=SLICE, dimension=self._dimension)
        self._build("08_fts_lengths")

    def _put_in_chunks(self) -> None:
        self._run("documents_gone")
        self._run("words_gone")
        if self._count("count(*)", "moved_chunks"):
            self._run("documents_moved")
            self._run("words_moved")
        self._run("documents_new")
        self._run("words_new")

    def _weigh(self) -> None:
        """Weigh the terms that other chunks have than before; all, where a mean or the number of chunks has moved."""
        self._connection.execute("use store")
        self._build("08_fts_means")
        if self._rows("means_moved"):
            self._run("all_terms")
        self._build("08_fts_weights")
        self._run("weights")
        self._connection.execute("set search_path = 'part,store'")

    def _put_in(
        self, table: NumberedTable, extents: Mapping[str, Extent], *, snapshot_no: int | None
    ) -> None:
        """Bring the rows of the branch in a table up to date, and the numbers of those of later branches."""
        columns = self._columns(table.name)
        placeholders = placeholders_of(table, columns, extents, snapshot_no=snapshot_no)
        self._run("table_found", placeholders)
        if placeholders["these_moves"]:
            self._run("table_moved", placeholders)
        if placeholders["these_new"]:
            self._run("table_numbers", placeholders)
        self._run("table_new", placeholders)

    def _columns(self, table: str) -> list[str]:
        rows = self._connection.execute(f"select column_name from (describe part.{table})").fetchall()
        return [name for (name,) in rows]

    def _tell(self, facts: Mapping[str, str]) -> None:
        """Say in the metadata what the store is now."""
        now = datetime.now(UTC).replace(tzinfo=None)
        told = {**facts, "created_at": now.isoformat(sep=" ", timespec="seconds")}
        self._connection.executemany(
            "insert or replace into ragduck_meta values (?, ?)", sorted(told.items())
        )
        self._connection.execute("set variable created_at = $now", {"now": now})
        for name in ("10_metadata", "11_fingerprint"):
            self._build(name)

    def _build(self, name: str) -> None:
        run_build_step(self._connection, name, dimension=self._dimension)

    def _run(self, name: str, words: Mapping[str, str] = NO_WORDS) -> None:
        sql = for_dimension(with_parts(sql_text(f"amend/{name}.sql")), self._dimension)
        for placeholder, meant in words.items():
            sql = sql.replace(placeholder, meant)
        self._connection.execute(sql)

    def _rows(self, name: str) -> list[dict[str, Any]]:
        found = self._connection.execute(sql_text(f"amend/{name}.sql"))
        columns = [column[0] for column in found.description or ()]
        return [dict(zip(columns, row, strict=True)) for row in found.fetchall()]

    def _count(self, counted: str, table: str) -> int:
        return int(self._connection.execute(f"select {counted} from {table}").fetchall()[0][0])

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            self._connection.execute(f"set variable {name} = $value", {"value": value})
