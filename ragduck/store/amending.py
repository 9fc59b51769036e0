"""Run the statements that amend a store, a file at a time."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import duckdb

from ragduck.resources import for_dimension, sql_text, with_parts
from ragduck.store.schema import run_build_step

NO_WORDS: Mapping[str, str] = MappingProxyType({})


class Amending:
    """A connection to the copy of a store that is attached as `store`, and the statements that change it."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, dimension: int) -> None:
        self._connection = connection
        self._dimension = dimension

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

    def _count(self, table: str) -> int:
        return self._number(f"select count(*) from {table}")

    def _number(self, sql: str) -> int:
        return int(self._connection.execute(sql).fetchall()[0][0])

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            self._connection.execute(f"set variable {name} = $value", {"value": value})
