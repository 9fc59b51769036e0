"""A store is written a slice at a time, and how large the slices are cannot be told from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

import ragduck
from ragduck.store import finish

SHOP = Path(__file__).parents[1] / "data" / "shop"


def prepared(store: Path) -> Path:
    for repo in ("one", "two"):
        ragduck.prepare(SHOP, store, repo=repo, branch="main", embed_model="hashing", processes=1)
    return store


def rows_in_order(store: Path) -> dict[str, list[Any]]:
    """All rows of all tables as they lie in the file, but for what tells when they were made."""
    with duckdb.connect(str(store), read_only=True) as connection:
        columns = connection.execute(
            "select table_name, string_agg(format('\"{}\"', column_name), ', ' order by column_index) "
            "from duckdb_columns() where database_name = current_database() "
            "and table_name in (select table_name from duckdb_tables()) "
            "and column_name not in ('created_at', 'prepared_at') group by all order by all"
        ).fetchall()
        return {
            table: [
                row
                for row in connection.execute(f"select {names} from {table} order by rowid").fetchall()
                if row[0] != "created_at"
            ]
            for table, names in columns
        }


def test_small_slices_give_the_same_rows_in_the_same_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = prepared(tmp_path / "whole.duckdb")
    monkeypatch.setattr(
        finish, "STEPS", tuple(replace(step, rows=step.rows // 2000) for step in finish.STEPS)
    )

    sliced = prepared(tmp_path / "sliced.duckdb")

    assert rows_in_order(sliced) == rows_in_order(whole)
