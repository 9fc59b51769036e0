"""How much memory the engine may use while a store is made."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pyarrow as pa
import pytest

from ragduck.store import memory


@pytest.fixture
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    config: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": f"{memory.READING_LIMIT}MB",
        "temp_directory": str(tmp_path_factory.mktemp("spill")),
    }
    with duckdb.connect(config=config) as opened:
        yield opened


def used(connection: duckdb.DuckDBPyConnection) -> int:
    return int(connection.sql("select sum(memory_usage_bytes) from duckdb_memory()").fetchall()[0][0])


def limit_of(connection: duckdb.DuckDBPyConnection) -> str:
    return str(connection.sql("select current_setting('memory_limit')").fetchall()[0][0])


def test_what_waits_in_memory_waits_on_disk_meanwhile(connection: duckdb.DuckDBPyConnection) -> None:
    texts = pa.table({"text": [f"{number:040d}" * 100 for number in range(40_000)]})
    connection.execute("create temp table waiting as select * from texts")
    assert texts.num_rows == 40_000
    before, limit = used(connection), limit_of(connection)

    with memory.spilled(connection):
        within = used(connection)

    assert before > memory.SPILLED_LIMIT * 1_000_000 >= within
    assert limit_of(connection) == limit
    assert connection.sql("select count(*), max(length(text)) from waiting").fetchall() == [(40_000, 4_000)]


def test_memory_that_cannot_be_spared_stays(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.execute("create temp table waiting (number integer primary key)")
    connection.execute("insert into waiting select range from range(500_000)")  # an index cannot wait on disk
    monkeypatch.setattr(memory, "SPILLED_LIMIT", 1)

    with memory.spilled(connection):
        assert connection.sql("select count(*) from waiting").fetchall() == [(500_000,)]


def test_a_large_store_is_allowed_more(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.execute("create temp table chunks as select * from range(3_000)")
    monkeypatch.setattr(memory, "CHUNKS_PER_MB", 1)

    memory.allow(connection, chunks_in="chunks")

    assert limit_of(connection) == "2.7 GiB"
