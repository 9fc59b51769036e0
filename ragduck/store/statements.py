"""Run SQL that a person or a model wrote: one statement, reading only."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import duckdb

from ragduck.errors import StoreError, UsageError
from ragduck.store.connection import Database
from ragduck.store.damage import TORN, damage_of, first_line

HINT = "ask with one SELECT; tables: select table_name, comment from duckdb_tables()"
COLUMNS_HINT = "columns: select table_name, column_name, comment from duckdb_columns()"
MACROS_HINT = "macros: select function_name, parameters, comment from duckdb_functions() where not internal"
VECTOR_HINT = (
    "hybrid and nearest take the vector of the question: hybrid('…', null) ranks by keyword alone, "
    "and ragduck search makes the vector itself"
)
SYNTAX_HINT = "write one SELECT in the SQL of DuckDB, with 'texts' and \"names\" quoted like this"
VALUES_HINT = "try_cast(value as type) gives null where a value does not fit"
OF_VECTORS = re.compile(r"\b(?:hybrid|nearest|nearest_scores)\(|\bFLOAT\[\d+\]")
READING = frozenset({duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN})
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
ZONED = "TIMESTAMP WITH TIME ZONE"
LOOK_SECONDS = 0.2
NEEDS_PYTZ = re.compile(r"TIMESTAMP(_NS)? WITH TIME ZONE|VARIANT")

Answer = TypeVar("Answer")
Values = Mapping[str, object] | Sequence[object]  # by name, or in order


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of an answer and the names of their columns, which there may be without rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return each row by column name; of columns with the same name the last counts."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def run_read_only(
    database: Database,
    statement: str,
    parameters: Values | None = None,
    *,
    variables: Mapping[str, str] | None = None,
    max_rows: int | None = None,
) -> Table:
    """Return the rows of one SELECT, DESCRIBE, SHOW, SUMMARIZE or EXPLAIN.

    Values of ``parameters`` are bound as `$name`, or in order as `?`; those of ``variables`` are what
    `getvariable('name')` returns. After ``max_rows`` no more are fetched. A time with a zone comes back in UTC, one
    within a list or struct as text. The file is open read-only and the engine may not reach outside it; other
    statements are refused before they run, so that the answer is a clear line. Ctrl-C ends the statement at once.
    """
    if not isinstance(statement, str):
        raise UsageError(f"the statement is a {type(statement).__name__}, not a text", hint=HINT)
    bound = _bound(parameters)

    def read(connection: duckdb.DuckDBPyConnection) -> Table:
        _set_variables(connection, variables or {})
        types = _types_of(connection, text, bound)
        is_zoned = any(NEEDS_PYTZ.search(kind) for _, kind in types)
        cursor = connection.execute(_without_zones(text, types) if is_zoned else statement, bound)
        rows = cursor.fetchall() if max_rows is None else cursor.fetchmany(max_rows)
        if is_zoned:
            return Table(tuple(name for name, _ in types), tuple(_in_utc(row, types) for row in rows))
        return Table(tuple(column[0] for column in cursor.description or ()), tuple(rows))

    try:
        with database.lent() as lent:
            text = _required_reading(lent, statement)
            return _interruptibly(lent, partial(read, lent))
    except duckdb.Error as error:
        raise _explained(error, database) from error
    except OverflowError as error:
        raise UsageError(
            f"a value is too large to be shown: {error}", hint="write it as text: value::varchar"
        ) from error


def _bound(values: Values | None) -> dict[str, object] | list[object] | None:
    """Return values as the engine takes them."""
    if isinstance(values, Mapping):
        return dict(values) or None
    if isinstance(values, Sequence) and not isinstance(values, str | bytes):
        return list(values) or None
    if values is None:
        return None
    raise UsageError(
        f"parameters are a {type(values).__name__}", hint='give {"name": value} for $name, or [value] for ?'
    )


def _types_of(
    connection: duckdb.DuckDBPyConnection, statement: str, bound: dict[str, object] | list[object] | None
) -> list[tuple[str, str]]:
    """Return the columns of a statement and their types without running it; none of what cannot be described."""
    try:
        described = connection.execute(f"describe {_unended(statement)}", bound).fetchall()
    except duckdb.Error:  # of which the statement itself tells more
        return []
    return [(str(name), str(kind)) for name, kind, *_ in described]


def _without_zones(statement: str, types: Sequence[tuple[str, str]]) -> str:
    """Return a statement with times that need no time zones: DuckDB makes those of Python with pytz alone."""
    named = [f"c{number}" for number in range(len(types))]
    values = [_without_zone(name, kind) for name, (_, kind) in zip(named, types, strict=True)]
    return f"select {', '.join(values)} from (\n{_unended(statement)}\n) as answer({', '.join(named)})"


def _unended(statement: str) -> str:
    """Return one statement without its semicolon and what stands behind that."""
    text = statement.encode()  # offsets are in bytes
    offsets = (offset for offset, kind in duckdb.tokenize(statement) if kind == duckdb.token_type.operator)
    end = next((offset for offset in offsets if text[offset : offset + 1] == b";"), len(text))
    return text[:end].decode()


def _without_zone(name: str, kind: str) -> str:
    if kind == ZONED:
        return f"{name} at time zone 'UTC'"
    return f"{name}::varchar" if NEEDS_PYTZ.search(kind) else name


def _in_utc(row: Sequence[Any], types: Sequence[tuple[str, str]]) -> tuple[Any, ...]:
    return tuple(
        value.replace(tzinfo=UTC) if kind == ZONED and isinstance(value, datetime) else value
        for value, (_, kind) in zip(row, types, strict=True)
    )


def _set_variables(connection: duckdb.DuckDBPyConnection, variables: Mapping[str, str]) -> None:
    for name, value in variables.items():
        if not VARIABLE.fullmatch(name):
            raise UsageError(
                f"{name!r} is no name of a variable",
                hint="letters, digits and underscores: --set object=dbo.Invoice",
            )
        connection.execute(f'set variable "{name}" = $value', {"value": value})


def run_own(
    database: Database, sql: str, parameters: Mapping[str, object] | None = None
) -> list[dict[str, Any]]:
    """Return the rows of a statement of ragduck's own, which may hold an expression that a person wrote."""
    try:
        return database.rows(sql, parameters)
    except duckdb.Error as error:
        raise _explained(error, database) from error


def own_columns(
    database: Database, sql: str, parameters: Mapping[str, object] | None = None
) -> dict[str, Any]:
    """Return the columns of a statement of ragduck's own as arrays of numpy."""
    try:
        return database.columns(sql, parameters)
    except duckdb.Error as error:
        raise _explained(error, database) from error


def _interruptibly(connection: duckdb.DuckDBPyConnection, read: Callable[[], Answer]) -> Answer:
    """Read in a second thread: the engine looks for signals too seldom when it holds the main one."""
    from concurrent.futures import ThreadPoolExecutor, wait

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(read)
        try:
            while not wait([future], timeout=LOOK_SECONDS).done:
                pass  # on Windows, Ctrl-C does not reach who waits without end
            return future.result()
        except KeyboardInterrupt:
            connection.interrupt()
            raise


def _required_reading(connection: duckdb.DuckDBPyConnection, statement: str) -> str:
    """Return the text of a statement that only reads; raise UsageError for any other."""
    if any("\ud800" <= character <= "\udfff" for character in statement):
        raise UsageError("the statement is not valid text", hint="write it in UTF-8")
    statements = connection.extract_statements(statement)
    if len(statements) != 1:
        raise UsageError(f"give one statement, not {len(statements)}", hint=HINT)
    kind = statements[0].type
    if kind not in READING:
        raise UsageError(f"{kind.name} is not allowed: a store is read-only here", hint=HINT)
    return statements[0].query.strip()


def _explained(error: duckdb.Error, database: Database) -> UsageError | StoreError:
    """Say whose fault it is: the file's, the machine's, or that of the SQL."""
    reason = first_line(error)
    if damaged := damage_of(error, database.path):
        return damaged
    if isinstance(error, TORN):
        return UsageError(
            f"the engine cannot run this: {reason}",
            hint="write it another way; the store itself can be read to its end",
        )
    if isinstance(error, duckdb.ConnectionException):
        return StoreError(f"{database.path} is closed", hint="open it again: ragduck.open(STORE)")
    if isinstance(error, duckdb.OutOfMemoryException):
        return StoreError(f"there is not enough memory: {reason}", hint="ask for fewer rows or columns")
    if isinstance(error, duckdb.PermissionException):
        return UsageError(f"SQL may not reach outside the store: {reason}", hint=HINT)
    return UsageError(_without_excerpt(str(error)), hint=_hint_for(error, reason))


def _hint_for(error: duckdb.Error, reason: str) -> str:
    """Say where to look up what the statement has wrong."""
    if OF_VECTORS.search(reason):
        return VECTOR_HINT
    if isinstance(error, duckdb.ParserException):
        return SYNTAX_HINT
    if isinstance(error, duckdb.ConversionException):
        return VALUES_HINT
    if isinstance(error, duckdb.BinderException | duckdb.CatalogException):
        if "Function" in reason or "Macro" in reason or "function" in reason:
            return MACROS_HINT
        if isinstance(error, duckdb.BinderException):
            return COLUMNS_HINT
    return HINT


def _without_excerpt(message: str) -> str:
    """Drop the copy of the statement with its caret; keep `Did you mean …` and the candidates."""
    told = message.split("\nLINE ", 1)[0]
    return "; ".join(line.strip() for line in told.splitlines() if line.strip())
