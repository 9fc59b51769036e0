"""The file that saves the vectors of an interrupted run, and the tables in which a prepare collects what it read."""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import duckdb

from ragduck.errors import StoreError
from ragduck.store.damage import first_line, is_held
from ragduck.store.schema import run_build_step
from ragduck.store.writer_lock import WriterLock, busy, unwritable

SUFFIX = ".ragduck-work"
NOT_TORN = ("lock", "permission", "no space", "cannot open", "read-only", "no such file", "not a directory")


def work_file_of(store: Path, *, model_key: str) -> Path:
    """Return where the vectors of a model are saved: what a run with another model does leaves them alone."""
    return store.with_name(f"{store.name}.{blake2b(model_key.encode(), digest_size=4).hexdigest()}{SUFFIX}")


def attach_work_file(connection: duckdb.DuckDBPyConnection, path: Path, *, dimension: int) -> None:
    """Attach ``path`` as `saved`, with the vectors that an earlier run left, and empty tables as `stage`.

    The tables are in memory, and spill to disk beyond its limit: no later run has a use for them, so that they need
    neither a log nor a checkpoint.

    Its lock keeps a second prepare out. A file of another version of DuckDB, or a torn one, is begun anew: it only
    saves time. Raises StoreError when another process holds it or it cannot be written.
    """
    try:
        _attach(connection, path)
    except duckdb.Error as error:
        if any(sign in str(error).lower() for sign in NOT_TORN):
            raise _explained(error, path) from error
        remove_database(path)
        _attach(connection, path)
    connection.execute("attach ':memory:' as stage")
    _drop_vectors_of_other_type(connection, dimension)
    run_build_step(connection, "01_stage", dimension=dimension)


def remove_database(path: Path) -> None:
    """Remove a DuckDB file and the log beside it."""
    path.unlink(missing_ok=True)
    path.with_name(path.name + ".wal").unlink(missing_ok=True)


def remove_left(store: Path, *, model_key: str) -> None:
    """Remove what an interrupted run saved where nothing is left to do for it, unless another one is under way."""
    path = work_file_of(store, model_key=model_key)
    if not path.exists():
        return
    lock = WriterLock(store)
    with suppress(StoreError, OSError):
        lock.acquire(wait=0)
        try:
            remove_database(path)
        finally:
            lock.release()


def quoted(path: Path) -> str:
    """Return a path as it stands between single quotes in SQL."""
    return str(path).replace("'", "''")


def quoted_name(name: str) -> str:
    """Return a name as it stands between double quotes in SQL, quotes included."""
    return '"' + name.replace('"', '""') + '"'


def _attach(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    connection.execute(f"attach '{quoted(path)}' as saved")


def _explained(error: duckdb.Error, path: Path) -> StoreError:
    store = path.with_name(path.name.removesuffix(SUFFIX).rpartition(".")[0])
    if is_held(error):
        return busy(store)
    return unwritable(store, reason=first_line(error))


def _drop_vectors_of_other_type(connection: duckdb.DuckDBPyConnection, dimension: int) -> None:
    rows = connection.execute(
        "select data_type from duckdb_columns() "
        "where database_name = 'saved' and table_name = 'embeddings' and column_name in ('embedding', 'sign_0') "
        "order by column_name"
    ).fetchall()
    if rows and rows != [(f"FLOAT[{dimension}]",), ("BLOB",)]:
        connection.execute("drop table saved.embeddings")
