"""Add conversations and traces to the tables of a store, and carry them from one file to the next."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

import duckdb

from ragduck.resources import sql_text
from ragduck.store.history_records import Deletion, Item, Known, to_data
from ragduck.store.schema import ROW_GROUP_SIZE
from ragduck.store.work_file import quoted

CARRIED = frozenset({"turns", "history_summaries", "pipeline_runs", "pipeline_steps"})
HISTORY_TABLES = CARRIED | {"conversations"}
# A row group takes at least a block of 256 KB, and each fold begins one; a checkpoint puts none together
MAX_SMALL_GROUPS = 8
SMALL_GROUP = 256  # rows, on average
UNFIT = (duckdb.DataError, duckdb.InvalidInputException)


def add_items(connection: duckdb.DuckDBPyConnection, items: Iterable[Item]) -> list[Item]:
    """Add items to the tables of the current database, those that are there already apart; return the unfit.

    All are added or none; unfit are those that the engine itself refuses, which ragduck never writes.
    """
    items = list(items)
    try:
        _in_transaction(connection, items)
    except UNFIT:
        return [item for item in items if not _fits(connection, item)]
    return []


def _fits(connection: duckdb.DuckDBPyConnection, item: Item) -> bool:
    try:
        _in_transaction(connection, [item])
    except UNFIT:
        return False
    return True


def _in_transaction(connection: duckdb.DuckDBPyConnection, items: Sequence[Item]) -> None:
    connection.execute("begin")
    try:
        for table in sorted(CARRIED):
            _gather(connection, table)
        for is_deletion, group in groupby(items, key=lambda item: isinstance(item, Deletion)):
            if is_deletion:
                for item in group:
                    _run_all(connection, "delete_session", session_id=item.session_id)
            else:
                _add_group(connection, group)
        _run_all(connection, "count_turns")
        connection.execute("commit")
    except BaseException:
        connection.execute("rollback")
        raise


def _gather(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Write the rows of a table anew where they lie in many small row groups: a turn would take 1 MB of the file."""
    counted = connection.execute(
        "select (select count(distinct row_group_id) from pragma_storage_info($table)), count(*) "
        f"from {table}",
        {"table": table},
    )
    groups, rows = counted.fetchall()[0]
    if groups > MAX_SMALL_GROUPS and rows < groups * SMALL_GROUP:
        connection.execute(f"create or replace temp table gathered as from {table} order by rowid")
        connection.execute(f"delete from {table}")
        connection.execute(f"insert into {table} from gathered")
        connection.execute("drop table gathered")


def _add_group(connection: duckdb.DuckDBPyConnection, items: Iterable[Item]) -> None:
    group = Known()
    group.add(items)
    runs = [to_data(run) for run in group.runs.values()]
    steps = [{"run_id": run["run_id"], **step} for run in runs for step in run.pop("steps")]
    _add_rows(connection, "add_turns", map(to_data, group.turns.values()))
    _add_rows(connection, "add_summaries", map(to_data, group.summaries.values()))
    _add_rows(connection, "add_steps", steps)
    _add_rows(connection, "add_runs", runs)


def _add_rows(connection: duckdb.DuckDBPyConnection, name: str, rows: Iterable[dict[str, Any]]) -> None:
    if rows := list(rows):
        connection.execute(sql_text(f"history/{name}.sql"), {"rows": json.dumps(rows)})


def _run_all(connection: duckdb.DuckDBPyConnection, name: str, **parameters: str) -> None:
    for statement in connection.extract_statements(sql_text(f"history/{name}.sql")):
        connection.execute(statement, parameters or None)


def fill_history(
    connection: duckdb.DuckDBPyConnection, new: Path, *, live: Path | None, items: Sequence[Item]
) -> list[Item]:
    """Put into a new store what the live file holds of history, and then ``items``; return the unfit.

    Of sessions that the items delete no text comes into the new file.
    """
    forgotten, items = _without_forgotten(items)
    with _attached(connection, new, name=f"store (row_group_size {ROW_GROUP_SIZE})"):
        if live is not None:
            with _attached(connection, live, name="live (read_only)"):
                if _holds_history(connection):
                    connection.execute("set variable forgotten = $sessions", {"sessions": forgotten})
                    connection.execute(sql_text("history/carry_over.sql"))
        connection.execute("use store")
        try:
            unfit = add_items(connection, items)
            connection.execute("checkpoint store")
        finally:
            connection.execute("use memory")
    return unfit


def forget_history(connection: duckdb.DuckDBPyConnection) -> None:
    """Empty the tables of a copy that is attached as `store`: `fill_history` brings what they hold by then."""
    for name in sorted(HISTORY_TABLES):
        connection.execute(f"delete from store.{name}")


def _without_forgotten(items: Sequence[Item]) -> tuple[list[str], list[Item]]:
    """Return the sessions that are deleted, and the items but for what was saved of these before that."""
    ends = {item.session_id: place for place, item in enumerate(items) if isinstance(item, Deletion)}
    return list(ends), [item for place, item in enumerate(items) if place > ends.get(item.session_id, -1)]


def _holds_history(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether the live file has the tables; views in their place could read other files of this machine."""
    rows = connection.execute(
        "select table_name from duckdb_tables() where database_name = 'live' and schema_name = 'main'"
    ).fetchall()
    return {name for (name,) in rows} >= CARRIED


@contextmanager
def _attached(connection: duckdb.DuckDBPyConnection, path: Path, *, name: str) -> Iterator[None]:
    connection.execute(f"attach '{quoted(path)}' as {name}")
    try:
        yield
    finally:
        connection.execute(f"detach {name.split()[0]}")
