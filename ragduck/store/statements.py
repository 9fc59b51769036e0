"""Run SQL that a person or a model wrote: one statement, reading only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import duckdb

from ragduck.errors import StoreError, UsageError
from ragduck.store.connection import Database, first_line

HINT = "ask with one SELECT; tables: select table_name, comment from duckdb_tables()"
READING = frozenset({duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN})


def run_read_only(
    database: Database, statement: str, parameters: Mapping[str, object] | None = None
) -> list[dict[str, Any]]:
    """Return the rows of one SELECT, DESCRIBE, SHOW, SUMMARIZE or EXPLAIN.

    The file is open read-only and the engine may not reach outside it; other statements are refused before
    they run, so that the answer is a clear line.
    """
    _require_reading(database, statement)
    try:
        return database.rows(statement, parameters)
    except duckdb.Error as error:
        raise _explained(error) from error


def _require_reading(database: Database, statement: str) -> None:
    try:
        statements = database.connection.extract_statements(statement)
    except duckdb.Error as error:
        raise _explained(error) from error
    if len(statements) != 1:
        raise UsageError(f"give one statement, not {len(statements)}", hint=HINT)
    kind = statements[0].type
    if kind not in READING:
        raise UsageError(f"{kind.name} is not allowed: a store is read-only here", hint=HINT)


def _explained(error: duckdb.Error) -> UsageError | StoreError:
    text = str(error).strip()
    if isinstance(error, duckdb.PermissionException):
        return UsageError(f"SQL may not reach outside the store: {first_line(error)}", hint=HINT)
    return UsageError(text, hint=HINT)
