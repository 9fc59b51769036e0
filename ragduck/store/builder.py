"""Build a store beside the live file and put it in place in one step.

What was read is collected in memory, spilling to disk, and vectors in a work file of their model; a lock keeps a
second `prepare` out. The finished store is written to `STORE.ragduck-new` and renamed over the old one: readers are
never locked out, a crash loses nothing, and the vectors of an interrupted run are found again in the work file.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ragduck.errors import RagduckError, StoreError
from ragduck.model import EmbeddingModel, Snapshot
from ragduck.resources import sql_text
from ragduck.store import amendable, branch_amendment, finish, memory
from ragduck.store.addable import require_no_added_nodes, require_same_model
from ragduck.store.amended_branch import AmendedBranch
from ragduck.store.arrow import DocumentRows, GraphRows, embedding_table, text_table
from ragduck.store.connection import open_database
from ragduck.store.damage import first_line, told_damage
from ragduck.store.early_copy import EarlyCopy
from ragduck.store.history import kept_history
from ragduck.store.identity import text_hash
from ragduck.store.in_place import new_file_of, put_in_place, restore_old
from ragduck.store.journal import Journal
from ragduck.store.kept_text import KeptText
from ragduck.store.schema import NO_MODEL_DIMENSION, run_build_step
from ragduck.store.seal import Looks, looks_of
from ragduck.store.work_file import attach_work_file, quoted, remove_database, work_file_of
from ragduck.store.writer_lock import WriterLock, require_writable

EMBEDDING_SLICE = 4096  # texts held in memory at a time
TEXTS_AT_A_TIME = 200  # of files


class StoreBuilder:
    """Collect snapshots, documents and vectors, then write the store.

    Use it as a context manager: leaving it with an error keeps the live file as it was. Another writer is waited for
    ``wait`` seconds; then StoreBusyError is raised.
    """

    def __init__(
        self, target: Path, *, model: EmbeddingModel | None, overwrite: bool = False, wait: float = 0.0
    ) -> None:
        self.target = target
        self.overwrite = overwrite
        self.model = model
        self.dimension = model.dimension if model else NO_MODEL_DIMENSION
        self.model_key = model.key if model else "none"
        self.started_at = datetime.now(UTC).replace(tzinfo=None)
        self._work_file = work_file_of(target, model_key=self.model_key)
        self._new_file = new_file_of(target)
        self.spill_folder = target.with_name(target.name + ".ragduck-spill")
        self._lock = WriterLock(target)
        self._wait = wait
        self.has_waited = False  # for another writer, who may have changed the store
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._holds_vectors = False  # that a run which fails now would have to compute again
        self._embedded: pa.Array | None = None  # hashes of contents that have a vector, once they are known
        self._amended: AmendedBranch | None = None  # by which the live file may be amended
        self._copy: EarlyCopy | None = None  # of the live file, then
        self.looked: Looks | None = None  # the finished store, before it had its name
        self.add_left: Callable[[], None] = lambda: None
        self.chunks_in: Callable[[Sequence[str]], pa.Table | None] = lambda _: None
        self.held_texts: frozenset[str] = frozenset()  # hashes of the texts of files that the live file has

    def __enter__(self) -> StoreBuilder:
        require_writable(self.target)
        self.has_waited = self._lock.acquire(wait=self._wait)
        try:
            restore_old(self.target)
            self._connection = self._attached()
        except BaseException:
            self._lock.release()
            raise
        self._holds_vectors = bool(
            self._connection.execute("select 1 from saved.embeddings limit 1").fetchall()
        )
        return self

    def _attached(self) -> duckdb.DuckDBPyConnection:
        connection = duckdb.connect(
            config={"memory_limit": f"{memory.READING_LIMIT}MB", "preserve_insertion_order": True}
        )
        try:
            connection.execute("set temp_directory = $folder", {"folder": str(self.spill_folder)})
            attach_work_file(connection, self._work_file, dimension=self.dimension)
        except BaseException:
            connection.close()
            raise
        return connection

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._copy is not None:
                self._copy.stop()
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            remove_database(self._new_file)
            shutil.rmtree(self.spill_folder, ignore_errors=True)
            if error is None or not self._holds_vectors:
                remove_database(self._work_file)
        finally:
            self._lock.release()
        if isinstance(error, duckdb.Error) and not isinstance(error, RagduckError):
            raise StoreError(
                f"{self.target} could not be written: {first_line(error)}",
                hint="check free disk space and memory, then run the same command again",
            ) from error

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The engine that holds what was read as `stage` and the work file as `saved`."""
        if self._connection is None:
            raise RuntimeError("use StoreBuilder in a with statement")
        return self._connection

    def keep_others(self, replaced: Sequence[Snapshot], *, may_amend: bool = False) -> None:
        """Take over from the live file what this run does not replace, and every vector it has.

        With ``may_amend`` all of that stays where it is, if it is one branch that is replaced in a large store, and
        `write` changes a copy of the live file, which this ragduck wrote, by what has changed.
        """
        with open_database(self.target) as old:
            require_same_model(old, self.model, store=self.target)
        with self._live() as connection:
            self._name_replaced(replaced)
            require_no_added_nodes(connection)
            connection.execute("set variable model = $model", {"model": self.model_key})
            if may_amend and amendable.may_be_amended(connection, replaced):
                self._amended = AmendedBranch(replaced[0])
                run_build_step(connection, "02_embedded", dimension=self.dimension)
            else:
                self._keep()
            self._embedded = _column(
                connection,
                "select content_hash from saved.embeddings where model = $model "
                "union select content_hash from stage.embedded",
                model=self.model_key,
            )
            hashes = connection.execute("select distinct content_hash from live.source_documents").fetchall()
            self.held_texts = frozenset(row[0] for row in hashes)
        if self._amended is not None:
            self._copy = EarlyCopy(self.target, self._new_file)

    def keep_all_but_vectors(self, rebuild: Callable[[KeptText], str], *, dimension: int) -> None:
        """Take over all of the live file but its vectors, which have ``dimension`` components.

        ``rebuild`` makes the text to embed of what the store knows of a content whose vector is missing.
        """
        with self._live() as connection:
            self._name_replaced(())
            self._keep_rows(dimension=dimension)
            live = connection.cursor().execute(
                sql_text("build/02_texts_of_live.sql"), {"model": self.model_key}
            )
            while rows := live.fetchmany(EMBEDDING_SLICE):
                contents = [KeptText(*row) for row in rows]
                self._insert(
                    "stage.rebuilt", text_table({each.content_hash: rebuild(each) for each in contents})
                )

    @contextmanager
    def _live(self) -> Iterator[duckdb.DuckDBPyConnection]:
        connection = self.connection
        if self._copy is not None:
            self._copy.wait()
        # while conversations are folded into it, it cannot be opened
        with told_damage(self.target), Journal(self.target).locked():
            connection.execute(f"attach '{quoted(self.target)}' as live (read_only)")
        try:
            with told_damage(self.target):
                yield connection
        finally:
            connection.execute("detach live")

    def _keep(self) -> None:
        self._keep_rows(dimension=self.dimension)
        run_build_step(self.connection, "02_keep_vectors", dimension=self.dimension)

    def _name_replaced(self, replaced: Sequence[Snapshot]) -> None:
        self.connection.execute(
            "create or replace temp table replaced as "
            "select unnest($repos::varchar[]) as repo, unnest($branches::varchar[]) as branch",
            {"repos": [each.repo for each in replaced], "branches": [each.branch for each in replaced]},
        )

    def _keep_rows(self, *, dimension: int) -> None:
        if self.connection.execute(sql_text("build/others.sql")).fetchall():
            for name in ("02_keep_graph", "02_keep"):
                run_build_step(self.connection, name, dimension=dimension)

    def add_snapshot(self, snapshot: Snapshot, *, skipped: int, problems: int, fingerprint: str) -> None:
        """Record one repository and branch with its counts and the fingerprint of its files."""
        self.connection.execute(
            "insert into stage.snapshots "
            "values ($repo, $branch, $commit, $root, $at, $skipped, $problems, $fingerprint)",
            {
                "repo": snapshot.repo, "branch": snapshot.branch, "commit": snapshot.commit_sha,
                "root": snapshot.root_name, "at": self.started_at, "skipped": skipped, "problems": problems,
                "fingerprint": fingerprint,
            },
        )  # fmt: skip

    def add_rows(self, rows: DocumentRows) -> None:
        """Add files with their chunks."""
        self._insert("stage.sources", rows.sources)
        self._insert("stage.chunks", rows.chunks)

    def add_known_chunks(self, rows: pa.Table) -> None:
        """Add chunks whose files are added on their own, without texts to embed that have a vector."""
        if self._embedded is not None:
            place = rows.schema.get_field_index("embedding_text")
            has_vector = pc.is_in(rows["content_hash"], value_set=self._embedded)
            texts = pc.if_else(has_vector, pa.scalar(None, pa.string()), rows["embedding_text"])
            rows = rows.set_column(place, "embedding_text", texts)
        self._insert("stage.chunks", rows)

    def add_known_sources(self, rows: pa.Table) -> None:
        """Add files whose texts are among the held ones, as rows without the column `text`.

        Raises StoreError when the live file has other texts: it was replaced meanwhile, or tells a wrong hash.
        """
        self.connection.register("known", rows)
        with self._live() as connection:
            run_build_step(connection, "02_keep_texts", dimension=self.dimension)
        kept = self.connection.execute(sql_text("build/texts_kept.sql"))
        true_texts = 0
        while some := kept.fetchmany(TEXTS_AT_A_TIME):
            true_texts += sum(text_hash(text) == named for named, text in some)
        self.connection.unregister("known")
        if true_texts < rows.num_rows:
            raise StoreError(
                f"{self.target} does not hold the texts that it names",
                hint="prepare it again with --no-cache, which reads all files",
            )

    @property
    def amends(self) -> bool:
        """Whether files that are in the live file as they are now may stay there."""
        return self._amended is not None

    def leave(self, paths: Iterable[str], *, retimed: Mapping[str, tuple[int, datetime]]) -> None:
        """Leave files of the branch that is amended where they are; ``add_left`` adds them if all has to be written.

        ``chunks_in`` returns the chunks of some of them as the parser gave them, or None where that is not known.
        ``retimed`` has the size and the time of those that have others than in the live file.
        """
        if self._amended is not None:
            self._amended.leave(paths, retimed=retimed)

    def edge_hashes(self, rows: GraphRows) -> dict[str, str]:
        """Return by file a hash of the edges that were found in it, wherever they stand among others."""
        self.connection.register("batch", rows.edges)
        found = self.connection.execute(sql_text("build/edge_hashes.sql")).fetchall()
        self.connection.unregister("batch")
        return dict(found)

    def add_graph(self, rows: GraphRows, *, known_edges: Set[str] = frozenset()) -> None:
        """Add the nodes and edges of one repository and branch; both ends of an edge must be nodes.

        ``known_edges`` are the files whose edges the live file has, should their lines be what they were.
        """
        self._insert("stage.nodes", rows.nodes)
        edges = (
            rows.edges if self._amended is None else self._amended.edges_to_add(rows.edges, known=known_edges)
        )
        self._insert("stage.edges", edges)

    def _insert(self, table: str, rows: object) -> None:
        self.connection.register("batch", rows)
        self.connection.execute(f"insert into {table} by name select * from batch")
        self.connection.unregister("batch")

    def texts_without_vectors(self) -> Iterator[tuple[list[str], list[str]]]:
        """Yield slices of (content hashes, texts) still to embed, shortest first, each content once."""
        connection = self.connection
        connection.execute("set variable model = $model", {"model": self.model_key})
        run_build_step(connection, "03_missing", dimension=self.dimension)
        for offset in range(0, self.missing_vectors(), EMBEDDING_SLICE):
            rows = connection.execute(
                "select content_hash, embedding_text from missing "
                "where position > $low and position <= $high order by position",
                {"low": offset, "high": offset + EMBEDDING_SLICE},
            ).fetchall()
            yield [row[0] for row in rows], [row[1] for row in rows]

    def missing_vectors(self) -> int:
        """Count the contents still to embed; known once `texts_without_vectors` has begun."""
        return int(self.connection.execute("select count(*) from missing").fetchall()[0][0])

    def add_vectors(self, content_hashes: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Save vectors, shape (len(content_hashes), dimension); they outlive a crash from here on."""
        self._insert("saved.embeddings", embedding_table(content_hashes, vectors, model=self.model_key))
        self._holds_vectors = True

    def take_vectors(self, content_hashes: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Save vectors that a source brings, but those of contents that have one."""
        given = embedding_table(content_hashes, vectors, model=self.model_key)
        self.connection.register("batch", given)
        self.connection.execute(
            "insert into saved.embeddings by name "
            "select * from batch anti join saved.embeddings using (model, content_hash)"
        )
        self.connection.unregister("batch")
        self._holds_vectors = True

    def write(self, *, settings: dict[str, str]) -> dict[str, int]:
        """Write the finished store and put it in place of the live file, whose history it keeps; return row counts.

        A live file to be overwritten may be unreadable; then only what waits in its journal is kept.
        """
        counts = None
        if self._amended and self._copy:
            counts = self._amend(self._amended, self._copy, settings)
        if counts is None:
            counts = self._written(settings)
        with kept_history(
            self.connection, live=self.target, new=self._new_file, forget_unreadable=self.overwrite
        ):
            if self.target.exists():
                shutil.copymode(self.target, self._new_file)
            self.looked = looks_of(self._new_file)
            put_in_place(self._new_file, self.target)
        self._holds_vectors = False
        return counts

    def _amend(
        self, amended: AmendedBranch, copy: EarlyCopy, settings: dict[str, str]
    ) -> dict[str, int] | None:
        """Amend a copy of the live file; None, with all that was left there, where it has to be written whole."""
        with told_damage(self.target):
            is_as_written = copy.finish()  # all the while since it was looked at
        counts = None
        if is_as_written:
            with branch_amendment.attached(self.connection, self._new_file):
                memory.allow(self.connection, chunks_in="store.documents")
                counts = branch_amendment.amend(
                    self.connection,
                    amended,
                    model=self.model,
                    model_key=self.model_key,
                    dimension=self.dimension,
                    settings=settings,
                    chunks_in=self.chunks_in,
                )
        if counts is None:
            remove_database(self._new_file)
            with self._live():
                self._keep()
            self.add_left()
            for edges in amended.other_edges():
                self._insert("stage.edges", edges)
        return counts

    def _written(self, settings: dict[str, str]) -> dict[str, int]:
        """Write all into a new file."""
        remove_database(self._new_file)
        memory.allow(self.connection, chunks_in="stage.chunks")
        return finish.write_store(
            self.connection,
            self._new_file,
            model=self.model,
            model_key=self.model_key,
            dimension=self.dimension,
            settings=settings,
            live=self._live if self._may_take_words() else None,
        )

    def _may_take_words(self) -> bool:
        """Whether there is a live file that is to be relied upon."""
        return not self.overwrite and self.target.exists() and self.target.stat().st_size > 0

    def spilled(self) -> AbstractContextManager[None]:
        """Let what waits in memory wait on disk meanwhile: other processes need it."""
        return memory.spilled(self.connection)


def _column(connection: duckdb.DuckDBPyConnection, sql: str, **parameters: object) -> pa.Array:
    """Return the only column of a statement, which holds strings."""
    table = connection.sql(sql, params=parameters).to_arrow_table()
    return table.column(0).combine_chunks().cast(pa.string())
