"""Run statements whose plan DuckDB keeps: those that read no table. Planning them takes longer than running them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Condition
from typing import Any

import duckdb

MAX_TEXT = 200_000  # characters of all values: they are a part of the statement, which has to be parsed


class PlannedStatements:
    """Statements that are planned once, on connections of their own: DuckDB keeps a plan for one connection.

    It plans a statement anew that reads a table, has a value in two places, or is given one of another type than
    before. So each value is a text, which the statement casts where it names it: `$depth::varchar::integer`.
    ``connect`` opens a further connection to the store.
    """

    def __init__(self, connect: Callable[[], duckdb.DuckDBPyConnection]) -> None:
        self._connect = connect
        self._idle: list[_Planner] = []
        self._changed = Condition()
        self._in_use = 0

    def rows(self, sql: str, values: Mapping[str, object]) -> list[dict[str, Any]]:
        """Run one statement and return its rows. Threads may call it at once."""
        texts = {name: None if value is None else str(value) for name, value in values.items()}
        with self._changed:
            planner = self._idle.pop() if self._idle else _Planner(self._connect())
            self._in_use += 1
        try:
            return planner.rows(sql, texts)
        finally:
            with self._changed:
                self._idle.append(planner)
                self._in_use -= 1
                self._changed.notify_all()

    def close(self) -> None:
        """Close the connections, once none is in use."""
        with self._changed:
            self._changed.wait_for(lambda: not self._in_use)
            while self._idle:
                self._idle.pop().close()


class _Planner:
    """A connection, and the names of the statements that it has planned."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._names: dict[str, str] = {}

    def rows(self, sql: str, texts: Mapping[str, str | None]) -> list[dict[str, Any]]:
        if "\0" in "".join(filter(None, texts.values())) or _length(texts) > MAX_TEXT:
            return fetched(self._connection.execute(sql, dict(texts)))
        name = self._names.get(sql)
        if name is None:
            name = f"planned_{len(self._names)}"
            self._connection.execute(f"prepare {name} as {sql}")
            self._names[sql] = name
        given = ", ".join(f"{key} := {_literal(text)}" for key, text in texts.items())
        return fetched(self._connection.execute(f"execute {name}({given})" if given else f"execute {name}"))

    def close(self) -> None:
        self._connection.close()


def fetched(cursor: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """Return the rows of the statement that ran last."""
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _length(texts: Mapping[str, str | None]) -> int:
    return sum(len(text) for text in texts.values() if text is not None)


def _literal(text: str | None) -> str:
    return "null" if text is None else "'" + text.replace("'", "''") + "'"
