"""Read what DROP, sp_rename and ALTER SCHEMA take away or call differently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ragduck.facts import ObjectName
from ragduck.sqlreader.definitions import KINDS, word
from ragduck.sqlreader.dialect import Dialect
from ragduck.sqlreader.dynamic import unquoted
from ragduck.sqlreader.names import HOLE, Reference, read_object_name
from ragduck.sqlreader.tokens import COMMENT, STRING, Token, tokenize

MOVE_TABLE = "move table"
_MAX_ARGUMENTS = 24  # tokens of an sp_rename that are looked at


class Drop(NamedTuple):
    """An object that a statement drops; ``table`` is that of an index or trigger."""

    kind: str
    name: ObjectName
    line: int
    table: ObjectName | None = None


def read_drops(tokens: Sequence[Token], at: int, end: int) -> Iterator[Drop]:
    """Yield what the DROP statement ``tokens[at:end]`` drops; temporary objects are none."""
    keyword = word(tokens, at + 1)
    if word(tokens, at) != "DROP" or keyword not in KINDS:
        return
    kind, position = KINDS[keyword][0], at + 2
    while word(tokens, position) in ("IF", "EXISTS", "CONCURRENTLY"):
        position += 1
    while position < end:
        written = read_object_name(tokens, position)
        line, after = tokens[position].line, written.end
        table = None
        if kind in ("INDEX", "TRIGGER") and word(tokens, after) == "ON":
            on = read_object_name(tokens, after + 1)
            table, after = on.name, on.end
        if written.name and written.end <= end:
            yield _drop(kind, written.name, line, table)
        if after <= position or after >= end or tokens[after].text != ",":
            return
        position = after + 1


def _drop(kind: str, name: ObjectName, line: int, table: ObjectName | None) -> Drop:
    if kind == "INDEX" and table is None and name.schema:
        table = ObjectName(name.schema, name.database)  # DROP INDEX dbo.Table.Index
        name = ObjectName(name.name)
    return Drop(kind, name, line, table)


def changes_of(drop: Drop) -> Iterator[Reference]:
    """Yield what a drop does to a table."""
    if drop.kind == "TABLE":
        yield Reference(drop.name, "SchemaChange", drop.line, "TABLE", "drop table")
    elif drop.kind == "INDEX" and drop.table:
        yield Reference(drop.table, "SchemaChange", drop.line, "TABLE", "drop index", drop.name.name)


def read_rename(tokens: Sequence[Token], at: int, end: int, *, dialect: Dialect) -> Reference | None:
    """Read `sp_rename 'old', 'new', 'COLUMN'`, or 'INDEX', as the change of a table."""
    written = read_object_name(tokens, at + 1)
    if written.name is None or written.name.name.casefold() != "sp_rename":
        return None
    stop = min(end, written.end + _MAX_ARGUMENTS)
    strings = [unquoted(token.text) for token in tokens[written.end : stop] if token.kind == STRING]
    if len(strings) < 2:
        return None
    inner = [token for token in tokenize(strings[0], dialect=dialect).tokens if token.kind != COMMENT]
    old = read_object_name(inner, 0)
    what = strings[2].upper() if len(strings) > 2 else ""
    if old.name is None or HOLE in strings[1]:
        return None
    line, new = tokens[at].line, strings[1]
    if what in ("COLUMN", "INDEX") or (not what and old.parts > 2):
        table = ObjectName(old.name.schema, old.name.database)
        detail, rule = f"{old.name.name} -> {new}", f"rename {what.lower() or 'column'}"
        return Reference(table, "SchemaChange", line, "TABLE", rule, detail) if table.name else None
    is_object = what in ("", "OBJECT")
    return Reference(old.name, "SchemaChange", line, "TABLE", "rename table", new) if is_object else None


def read_transfer(tokens: Sequence[Token], at: int, end: int) -> Reference | None:
    """Read `ALTER SCHEMA Sales TRANSFER dbo.Orders` as the change of a table, which may be another object as well."""
    if word(tokens, at) != "ALTER" or word(tokens, at + 1) != "SCHEMA":
        return None
    schema = read_object_name(tokens, at + 2)
    if schema.name is None or schema.parts > 1 or word(tokens, schema.end) != "TRANSFER":
        return None
    position = schema.end + 1
    if (
        word(tokens, position) == "OBJECT"
        and [one.text for one in tokens[position + 1 : position + 3]] == [":"] * 2
    ):
        position += 3
    moved = read_object_name(tokens, position)
    if moved.name is None or moved.end > end or any(HOLE in token.text for token in tokens[at:end]):
        return None
    return Reference(moved.name, "SchemaChange", tokens[at].line, "TABLE", MOVE_TABLE, schema.name.name)
