"""Bring one branch of a store up to date in a copy of the live file, where writing all of it would take longer.

What was read are the files that changed, all nodes, and the edges of files in which these are not as before. From
that follows which other rows may tell something else: links of neighbours, lists of chunks that are called, ranks of
files. Those are laid out by the statements that write a whole store, which see only what they need, in `part`, and
compared; rows that are as they were stay where they are. Numbers are those that a store written whole would have,
and so are all rows but for their order in the file, the times at which they were made, and the vector scan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

import duckdb
import pyarrow as pa

from ragduck.model import EmbeddingModel, Snapshot
from ragduck.store.amendable import AMENDED, amended_share, scan_of
from ragduck.store.amended_branch import AmendedBranch
from ragduck.store.amended_links import ALL_NUMBERS, AmendedLinks, place_for_links
from ragduck.store.amending import Amending
from ragduck.store.finish import TERM_KEYS, UNWANTED_COMPRESSION, counts_of, set_up, write_metadata
from ragduck.store.history_tables import forget_history
from ragduck.store.schema import ROW_GROUP_SIZE, create_tables, run_in_slices, slices
from ragduck.store.work_file import quoted

SLICE = 2 * ROW_GROUP_SIZE  # chunks
SMALL_ROW_GROUP = 2048  # rows, the fewest of DuckDB
PART = ("04_fts", "08_signals")  # tables that are laid out in part
FEW_CHUNKS = (
    100_000  # of a store: up to there one thread is through with small statements sooner than several
)
TIDYING = ("rollback", "use memory", "detach part", "reset checkpoint_threshold", "reset threads")
NOT_COMPARED = frozenset({"node_id", "chunk_no"})
ChunksIn = Callable[[Sequence[str]], pa.Table | None]


@contextmanager
def attached(connection: duckdb.DuckDBPyConnection, copy: Path) -> Iterator[None]:
    """Attach a copy of a store as `store`, to be written to.

    Row groups are as small as they can be, so that the last one of a table counts as full and rows that are added
    begin another: a checkpoint writes a row group that has more rows than before anew, texts and vectors and all.
    There is no log of changes: nobody would resume the copy, which has no use before it is finished.
    """
    connection.execute(f"set disabled_compression_methods = '{UNWANTED_COMPRESSION}'")
    connection.execute(
        f"attach '{quoted(copy)}' as store (row_group_size {SMALL_ROW_GROUP}, recovery_mode no_wal_writes)"
    )
    try:
        yield
    except BaseException:
        with suppress(duckdb.Error):  # as after a full disk, which is to be told
            connection.execute("detach store")
        raise
    connection.execute("detach store")


def amend(
    connection: duckdb.DuckDBPyConnection,
    amended: AmendedBranch,
    *,
    model: EmbeddingModel | None,
    model_key: str,
    dimension: int,
    settings: Mapping[str, str],
    chunks_in: ChunksIn,
) -> dict[str, int] | None:
    """Put what was read of a branch into the store that is attached as `store`; return its rows per table.

    The store has to be one that this ragduck wrote. Conversations are to be brought by `fill_history`. ``chunks_in``
    returns the chunks of files that were left as the parser gave them, None where that is not known. None where it
    has to be written whole: then nothing of what was read is lost, and the copy is to be thrown away.
    """
    meta = dict(connection.execute("select key, value from store.ragduck_meta").fetchall())
    scan = scan_of(meta)
    if scan is None or any(meta.get(name) != value for name, value in settings.items()):
        return None
    connection.execute("attach ':memory:' as part")
    connection.execute("use part")
    try:
        if _chunks_of(connection) <= FEW_CHUNKS:
            connection.execute("set threads = 1")
        amendment = _Amendment(connection, dimension)
        amendment.begin(amended.snapshot, amended.touched(connection), model_key=model_key)
        share = amended_share(connection, meta)
        if share is None or not amendment.is_possible(chunks_in):
            return None
        with place_for_links(connection):
            amendment.make(amended)
        connection.execute("use store")
        told = {AMENDED: str(share + amendment.beyond), **settings}
        write_metadata(connection, model=model, model_key=model_key, scan=scan, settings=told)
        forget_history(connection)
        counts = counts_of(connection)
        connection.execute("checkpoint store")
        return counts
    finally:
        for tidying in TIDYING:
            with suppress(duckdb.Error):  # of what failed halfway, which would hide why
                connection.execute(tidying)


class _Amendment(Amending):
    """A branch that is brought up to date.

    ``beyond`` is how many more chunks are replaced than those of files that changed.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, dimension: int) -> None:
        super().__init__(connection, dimension)
        self._has_other_files = False  # with chunks
        self.beyond = 0

    def begin(self, snapshot: Snapshot, touched: pa.Table, *, model_key: str) -> None:
        """Lay out empty tables, and tell of which branch and files the rest is."""
        set_up(self._connection, model_key=model_key)
        self._set(repo=snapshot.repo, branch=snapshot.branch, **ALL_NUMBERS)
        create_tables(self._connection, dimension=self._dimension, only=PART)
        self._connection.register("told_files", touched)
        self._run("begin")
        self._connection.unregister("told_files")
        self._connection.execute("set search_path = 'part,store'")

    def is_possible(self, chunks_in: ChunksIn) -> bool:
        """Look at the nodes; say whether no other rows than can be told depend on what changed."""
        extent = self._rows("extent")[0]
        nodes, chunks = self._count("stage.nodes"), self._chunks_now()
        self._set(
            snapshot_no=extent["snapshot_no"],
            nodes_before=extent["nodes_before"],
            nodes_were=extent["nodes_were"],
            more_nodes=nodes - extent["nodes_were"],
            chunks_before=extent["chunks_before"],
            more_chunks=chunks - extent["chunks_were"],
            all_chunks_before=self._count("store.documents"),
        )
        self._run("nodes")
        are_alone = extent["repos"] == 1
        if not are_alone or self._count("gone_nodes") or self._count("fresh_nodes where held_id is null"):
            self._run("node_ids")
        if are_alone:
            self._run("no_definitions")
        else:
            self._run("all_nodes")
            self._build("04_graph_definitions")
            if self._rows("definitions_moved"):
                return False
        return not self._rows("unlike") and self._name_chunks(chunks_in)

    def _name_chunks(self, chunks_in: ChunksIn) -> bool:
        """Find how chunks are called whose nodes are gone or back, while their files stay; say if it is known."""
        self._run("unnamed")
        unnamed = self._connection.execute("select source_file from unnamed_chunks").fetchall()
        parsed = chunks_in(sorted({path for (path,) in unnamed}))
        if parsed is None:
            return False
        self._connection.register("parsed_chunks", parsed)
        self._run("named")
        self._connection.unregister("parsed_chunks")
        return self._count("named_chunks") == len(unnamed)

    def make(self, amended: AmendedBranch) -> None:
        """Put in what is new, and what other rows tell since."""
        self._put_in_sources(amended.retimed)
        self._put_in_edges()
        links = AmendedLinks(self._connection, self._dimension)
        links.begin()
        with links.made_beside(amended.snapshot):
            self._put_in_chunks()
            self._connection.execute("reset threads")  # all that follows looks at much
            self._weigh()
            self._put_in_signals()
        self._run("documents_index")
        self._run("snapshot")

    def _put_in_sources(self, retimed: Mapping[str, tuple[int, datetime]]) -> None:
        self._run("sources")
        if retimed:
            self._connection.register("retimed", _retimed_table(retimed))
            self._run("sources_retimed")
            self._connection.unregister("retimed")

    def _put_in_edges(self) -> None:
        if self._count("node_ids"):
            self._run("nodes_moved")
        self._run("nodes_new")
        self._build("04_graph_edge_keys")
        self._build("04_graph_snippets")
        self._run("edges")
        self._run("edges_new")
        self._run("ties")

    def _put_in_chunks(self) -> None:
        self._run("chunk_order")
        self._has_other_files = self._count("file_places where (held_first is null) <> (chunks = 0)") > 0
        if self._has_other_files:
            self._run("held_files")
        self._run("chunks_held")
        self._build("06_chunk_lists")
        self._find_chunks()
        self._run("documents_gone")
        self._run("words_gone")
        if self._count("moved_chunks"):
            self._run("documents_moved")
            self._run("words_moved")
        self._run("documents_new")
        self._run("words_new")

    def _find_chunks(self) -> None:
        """Find which chunks are not as they were, their vectors and words."""
        told = [name for name in self._columns("documents") if name not in NOT_COMPARED]
        same = " and ".join(f"held.{column} is not distinct from own.{column}" for column in told)
        last = self._number("select coalesce(max(chunk_no), 0) from numbered_chunks")
        looked = self._count("numbered_chunks")
        parts = [(0, last + 1)] if looked <= SLICE else list(slices(last, size=SLICE))
        for low, high in parts:
            self._set(low=low, high=high)
            self._run("chunks", {"these_same": same})
        changed = self._count("stage.chunks where node_id is null")
        self.beyond = max(0, self._count("part.documents") - changed)
        self._run("texts")
        self._run("vectors")
        self._build("08_fts_begin")
        self._build("08_fts_tables")
        self._run("known")
        size = last + 1 if looked <= SLICE else SLICE
        run_in_slices(self._connection, "08_fts_words", last=last, size=size, dimension=self._dimension)
        self._build("08_fts_lengths")

    def _weigh(self) -> None:
        """Put in new words, and weigh the terms that more or fewer chunks have; all, where a statistic has moved."""
        self._connection.execute("use store")
        self._build("08_fts_means")
        if self._rows("means_moved"):
            self._run("all_terms")
        self._build("08_fts_weights")
        self._run("weights")
        self._set(low=0, high=TERM_KEYS)
        self._build("08_fts_postings")
        self._build("09_of_all_chunks")
        self._connection.execute("set search_path = 'part,store'")

    def _put_in_signals(self) -> None:
        self._run("signals")
        self._build("09_signals")
        self._run("signals_new")
        if self._has_other_files:
            self._run("files_moved")
            self._build("09_file_terms")
            self._run("file_terms_new")

    def _chunks_now(self) -> int:
        return self._count("stage.chunks where source_file in (from changed_files)") + self._count(
            "store.documents where repo = getvariable('repo') and branch = getvariable('branch') "
            "and source_file not in (from changed_files)"
        )

    def _columns(self, table: str) -> list[str]:
        rows = self._connection.execute(f"select column_name from (describe part.{table})").fetchall()
        return [name for (name,) in rows]


def _chunks_of(connection: duckdb.DuckDBPyConnection) -> int:
    return int(connection.execute("select count(*) from store.documents").fetchall()[0][0])


def _retimed_table(retimed: Mapping[str, tuple[int, datetime]]) -> pa.Table:
    sizes, times = zip(*retimed.values(), strict=True)
    return pa.table(
        {
            "file_path": pa.array(list(retimed), type=pa.string()),
            "size": pa.array(sizes, type=pa.int64()),
            "mtime": pa.array(times, type=pa.timestamp("us")),
        }
    )
