"""Tool `sql`: one statement that reads."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from pydantic_core import to_jsonable_python

from ragduck import cookbook
from ragduck.mcp_server.answers import SqlData
from ragduck.mcp_server.arguments import SqlArguments
from ragduck.mcp_server.live_store import OpenStore
from ragduck.mcp_server.reply import Reply, cut, fitting, reply_text
from ragduck.mcp_server.settings import ANSWER_LETTERS
from ragduck.store.statements import Table, run_read_only

SHORTEST_CUT = 40  # letters that a value keeps, however many columns there are


def sql(opened: OpenStore, arguments: SqlArguments, *, row_limit: int) -> Reply:
    """Run a statement, and return the rows that fit."""
    table = _table(opened, arguments, max_rows=row_limit + 1)
    longest = max(ANSWER_LETTERS // (2 * max(len(table.columns), 1)), SHORTEST_CUT)
    cells = [[_cell(value, longest) for value in row] for row in table.rows[:row_limit]]
    rows = [[cell for cell, _ in row] for row in cells]
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    shown = fitting(lines, letters=ANSWER_LETTERS)
    notes = []
    if len(table.rows) > row_limit:
        notes.append(f"there are more than {row_limit} rows: aggregate, or use limit and offset")
    if shown < len(rows):
        notes.append(
            f"{len(rows) - shown} more rows do not fit: select fewer columns, or use limit and offset"
        )
    if any(is_cut for row in cells[:shown] for _, is_cut in row):
        notes.append(
            f"values are cut to {longest:,} letters: select fewer columns, substring(), or show the text"
        )
    columns = list(table.columns)
    data = SqlData(columns=columns, rows=rows[:shown], truncated=bool(notes), notes=notes)
    head = json.dumps(columns, ensure_ascii=False)
    said = f"{shown} row{'' if shown == 1 else 's'}"
    return Reply(reply_text("\n".join([head, *lines[:shown]]), said=said, notes=notes), data)


def _table(opened: OpenStore, arguments: SqlArguments, *, max_rows: int) -> Table:
    statement = arguments.statement.strip()
    if statement.startswith("@"):
        cookbook.require_variables(statement[1:], arguments.variables)
        statement = cookbook.query(statement[1:])
    return run_read_only(opened.database, statement, variables=arguments.variables, max_rows=max_rows)


def _cell(value: Any, longest: int) -> tuple[Any, bool]:
    """Return a value as JSON can hold it, and whether it was cut."""
    plain = _plain(value, longest)
    if isinstance(plain, str):
        return cut(plain, letters=longest), len(plain) > longest
    written = json.dumps(plain, ensure_ascii=False) if isinstance(plain, list | dict) else ""
    return (cut(written, letters=longest), True) if len(written) > longest else (plain, False)


def _plain(value: Any, longest: int) -> Any:
    """Return a value in the types of JSON; a number that JSON does not have is null."""
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value[:longest]).hex()
    if isinstance(value, Decimal):
        value = float(value)
    return to_jsonable_python(value, bytes_mode="base64", inf_nan_mode="null", fallback=str)
