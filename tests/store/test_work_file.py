"""The file that saves the vectors of an interrupted run."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from ragduck.store.work_file import attach_work_file, remove_left, work_file_of
from ragduck.store.writer_lock import WriterLock


@pytest.mark.parametrize("columns", ["sign_0 bigint, embedding float[8]", "sign_0 blob, embedding float[4]"])
def test_vectors_that_another_version_or_model_left_are_dropped(tmp_path: Path, columns: str) -> None:
    path = tmp_path / "s.duckdb.ragduck-work"
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"create table embeddings (model varchar, content_hash varchar, {columns})")
        connection.execute("insert into embeddings (content_hash) values ('a')")

    with duckdb.connect() as connection:
        attach_work_file(connection, path, dimension=8)
        left = connection.execute("select count(*) from saved.embeddings").fetchall()

    assert left == [(0,)]


def test_vectors_that_an_interrupted_run_left_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb.ragduck-work"
    with duckdb.connect() as connection:
        attach_work_file(connection, path, dimension=8)
        connection.execute("insert into saved.embeddings (content_hash) values ('a')")

    with duckdb.connect() as connection:
        attach_work_file(connection, path, dimension=8)
        left = connection.execute("select count(*) from saved.embeddings").fetchall()

    assert left == [(1,)]


def test_what_is_left_is_removed_unless_another_run_is_under_way(tmp_path: Path) -> None:
    store = tmp_path / "s.duckdb"
    path = work_file_of(store, model_key="m")
    other = work_file_of(store, model_key="other")
    for each in (path, path.with_name(path.name + ".wal"), other):
        each.write_bytes(b"")
    lock = WriterLock(store)
    lock.acquire(wait=0)

    remove_left(store, model_key="m")
    assert path.exists()
    lock.release()
    remove_left(store, model_key="m")

    assert list(tmp_path.iterdir()) == [other]
