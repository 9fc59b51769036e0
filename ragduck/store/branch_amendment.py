"""Bring one branch of a store up to date in a copy of the live file, where writing all of it would take longer.

Files, chunks, words, nodes and edges that are as they were stay where they are; others give way to what was found.
Numbers are those that a store written whole would have, and so are all rows but for their order in the file, the
times at which they were made, and the choice of the vector scan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import duckdb

from ragduck.model import EmbeddingModel, Snapshot
from ragduck.resources import for_dimension, sql_text, with_parts
from ragduck.store.amendable import Held, held_of, rows_of
from ragduck.store.finish import GRAPH_STEPS, UNWANTED_COMPRESSION, counts_of, set_up, write_metadata
from ragduck.store.history_tables import forget_history
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
    run_build_step,
    run_in_slices,
    slices,
)
from ragduck.store.steps import Step
from ragduck.store.work_file import quoted

COUNTED: Mapping[str, str] = MappingProxyType({NODES: "part.nodes", EDGES: "part.edges"})
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


@contextmanager
def attached(connection: duckdb.DuckDBPyConnection, copy: Path) -> Iterator[None]:
    """Attach a copy of a store as `store`, to be written to."""
    connection.execute(f"set disabled_compression_methods = '{UNWANTED_COMPRESSION}'")
    connection.execute(f"attach '{quoted(copy)}' as store (row_group_size {ROW_GROUP_SIZE})")
    try:
        yield
    finally:
        connection.execute("detach store")


def amend(
    connection: duckdb.DuckDBPyConnection,
    snapshot: Snapshot,
    *,
    model: EmbeddingModel | None,
    model_key: str,
    dimension: int,
    settings: Mapping[str, str],
) -> dict[str, int] | None:
    """Put what was read of a branch into the store that is attached as `store`; return its rows per table.

    Conversations are to be brought by `fill_history`. None where it has to be written whole: then nothing of what was
    read is lost, and the copy is to be thrown away.
    """
    connection.execute("attach ':memory:' as part")
    connection.execute("use part")
    try:
        set_up(connection, model_key=model_key)
        set_variables(connection, repo=snapshot.repo, branch=snapshot.branch)
        create_tables(connection, dimension=dimension)
        held = held_of(connection, dimension=dimension, settings=settings)
        if held is None:
            return None
        amendment = _Amendment(connection, held, dimension)
        amendment.make()
        connection.execute("use store")
        told = {AMENDED: str(held.amended + amendment.beyond), **settings}
        write_metadata(connection, model=model, model_key=model_key, scan=held.scan, settings=told)
        forget_history(connection)
        counts = counts_of(connection)
        connection.execute("checkpoint store")
        return counts
    finally:
        with suppress(duckdb.Error):
            connection.execute("rollback")  # of what failed halfway, which would hide why
        connection.execute("use memory")
        connection.execute("detach part")
        connection.execute("reset checkpoint_threshold")


def set_variables(connection: duckdb.DuckDBPyConnection, **values: object) -> None:
    """Set variables of the statements that follow."""
    for name, value in values.items():
        connection.execute(f"set variable {name} = $value", {"value": value})


class _Amendment:
    """A branch that is brought up to date: what was read is made into tables of `part`, and these are put in.

    ``beyond`` is how many more chunks are replaced than those of files that changed.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, held: Held, dimension: int) -> None:
        self._connection = connection
        self._held = held
        self._dimension = dimension
        self._is_for_all = held.is_for_all
        self.beyond = 0

    def make(self) -> None:
        """Lay out what was read, compare it with the store, and put in what is not as it was."""
        self._run("begin")
        self._run("sources")
        self._lay_out()
        extents = {
            kind: self._now(kind, table) for kind, table in (*COUNTED.items(), (CHUNKS, "numbered_chunks"))
        }
        chunks = extents[CHUNKS]
        self._set(first_chunk=chunks.before, last_chunk=chunks.last, more_chunks=chunks.more)
        self._set(chunks_before=self._count("count(*)", "store.documents"))
        self._set(snapshot_no=self._held.snapshot_no)
        self._find_chunks(chunks.are)
        self._put_in_chunks()
        self._weigh()
        self._run("branch_chunks")
        self._build("09_signals")
        extents[FILES] = self._now(FILES, "part.chunk_signals", counted="count(distinct file_no)")
        for table in TABLES:
            self._put_in(table, extents)
        self._run("snapshot")

    def _now(self, kind: str, table: str, *, counted: str = "count(*)") -> Extent:
        """Return which rows of a kind the branch had, and how many there are now."""
        return replace(self._held.extents[kind], are=self._count(counted, table))

    def _lay_out(self) -> None:
        """Make the graph of what was read, and number chunks; with other branches where the graph leads there."""
        if self._is_for_all:
            self._build("02_keep_graph")
            self._build("02_keep_chunks")
        for step in STEPS:
            step.run(self._connection, dimension=self._dimension)
            if step.name == SNIPPETS and self._is_for_all:
                self._run("snippets")

    def _find_chunks(self, count: int) -> None:
        """Find which of so many chunks are not as they were, their vectors and words."""
        told = [name for name in self._columns("documents") if name not in NOT_COMPARED]
        same = " and ".join(f"held.{column} is not distinct from own.{column}" for column in told)
        for low, high in slices(count, size=SLICE):
            self._set(low=low, high=high)
            self._run("chunks", {"these_same": same})
        self.beyond = max(0, self._count("count(*)", "part.documents") - self._held.changed)
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
        if rows_of(self._connection, "means_moved"):
            self._run("all_terms")
        self._build("08_fts_weights")
        self._run("weights")
        self._connection.execute("set search_path = 'part,store'")

    def _put_in(self, table: NumberedTable, extents: Mapping[str, Extent]) -> None:
        """Bring the rows of the branch in a table up to date, and the numbers of those of later branches."""
        columns = self._columns(table.name)
        snapshot_no = None if self._is_for_all else self._held.snapshot_no
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

    def _build(self, name: str) -> None:
        run_build_step(self._connection, name, dimension=self._dimension)

    def _run(self, name: str, words: Mapping[str, str] = NO_WORDS) -> None:
        sql = for_dimension(with_parts(sql_text(f"amend/{name}.sql")), self._dimension)
        for placeholder, meant in words.items():
            sql = sql.replace(placeholder, meant)
        self._connection.execute(sql)

    def _count(self, counted: str, table: str) -> int:
        return int(self._connection.execute(f"select {counted} from {table}").fetchall()[0][0])

    def _set(self, **values: object) -> None:
        set_variables(self._connection, **values)
