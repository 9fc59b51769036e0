"""`ragduck sql`: ask the store in SQL, reading only."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragduck.cli.amounts import counted
from ragduck.cli.arguments import json_option, store_argument
from ragduck.cli.output import say, write, write_json, write_styled
from ragduck.cli.tables import MAX_CELL, has_room, record_lines, table_lines
from ragduck.errors import UsageError

if TYPE_CHECKING:
    from ragduck.store.statements import Table

COMMENT = re.compile(r"--\s")


class _Statements(click.Command):
    """Takes a statement that begins with a comment of SQL for one, not for an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [f" {given}" if COMMENT.match(given) else given for given in args])


@click.command(cls=_Statements)
@store_argument
@click.argument("statement")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="What getvariable('NAME') returns: the question of a cookbook query.  [repeatable]",
)
@click.option(
    "--format", "output", type=click.Choice(["table", "records", "json", "csv"]), default="table", show_default=True,
    help="A table for people cuts long values, and becomes records, a column per line, where the terminal is "
         "too narrow; JSON is a list of row objects.",
)  # fmt: skip
@json_option
def sql(store: Path, statement: str, *, settings: tuple[str, ...], output: str, as_json: bool) -> None:
    """Run one SQL statement that reads.

    `-` takes the statement from stdin, `@NAME` from the cookbook, a collection of common questions; `@` lists them
    with what each can be told by --set.
    Writing, attaching and file access are refused. Macros search (bm25, nearest, hybrid) and walk the graph
    (neighbours, callers, callees, impact, path_between) in SQL.

    nearest and hybrid take the vector of the question, which SQL cannot make: `hybrid('place order', null)` ranks by
    keyword and signals, without meaning. In Python `load_embedder("static").embed_query("place order")` of
    ragduck.embed makes it, to be bound as `$vector`.

    \b
    Example:
      ragduck sql shop.duckdb "select kind, count(*) as chunks from documents group by kind order by kind"
      ragduck sql shop.duckdb "select location, score from bm25('create invoice')" --json
      ragduck sql shop.duckdb "select table_name, comment from duckdb_tables()" --format csv
      ragduck sql shop.duckdb @who_writes_a_table --set object=dbo.Order
    """
    if statement == "-":
        statement = sys.stdin.buffer.read().decode("utf-8-sig", errors="replace")
    table = _answer(store, statement, dict(map(_setting, settings)))
    if as_json or output == "json":
        write_json([plain(row) for row in table.to_dicts()])
    elif output == "csv":
        write("".join(_csv_lines(table)))
    else:
        for line in _shown(table, is_list=statement == "@", as_records=output == "records"):
            write_styled(line)
        say(counted(len(table.rows), "row"))


def _shown(table: Table, *, is_list: bool, as_records: bool) -> Iterator[str]:
    """Return the lines for people; a list of the questions of the cookbook is there to be read."""
    if as_records or not (is_list or has_room(table.columns, table.rows)):
        return record_lines(table.columns, table.rows)
    return table_lines(table.columns, table.rows, max_cell=None if is_list else MAX_CELL)


def _answer(store: Path, statement: str, variables: dict[str, str]) -> Table:
    from ragduck import cookbook
    from ragduck.opening import open_tables
    from ragduck.store.statements import Table

    if statement == "@":
        rows = ((name, ", ".join(cookbook.variables(name[1:])), told) for name, told in cookbook.questions())
        return Table(("query", "set", "question"), tuple(rows))
    name = statement[1:] if statement.startswith("@") else None
    if name is not None:
        statement = cookbook.query(name)
        cookbook.require_variables(name, variables)
    with open_tables(store) as opened:
        try:
            return opened.table(statement, variables=variables)
        except UsageError as error:
            if name is None or not variables:
                raise
            is_narrowed = not cookbook.PLACE.isdisjoint(each.lower() for each in variables)
            places = "; ragduck info STORE lists repositories and branches" if is_narrowed else ""
            raise UsageError(error.message, hint=f"{cookbook.usage(name)}{places}") from error


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--set takes NAME=VALUE, not {text!r}")
    return name, value


def _csv_lines(table: Table) -> Iterator[str]:
    for row in _with_header(table):
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(row)
        yield line.getvalue()


def _with_header(table: Table) -> Iterable[Iterable[Any]]:
    yield table.columns
    for row in table.rows:
        yield [_csv_cell(plain(value)) for value in row]


def _csv_cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def plain(value: Any) -> Any:
    """Return a value of the engine as JSON can hold it: bytes as hex, dates as ISO text, no NaN."""
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, Decimal):
        value = float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    if value is None or isinstance(value, bool | int | str):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
