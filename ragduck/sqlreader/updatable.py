"""Find the table that an UPDATE changes through a query of several: the one whose column is set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ragduck.sqlreader.definitions import bare, word
from ragduck.sqlreader.names import read_object_name
from ragduck.sqlreader.steps import after_parentheses
from ragduck.sqlreader.tokens import NAME, VARIABLE, WORD, Token

_ALL = "*"


class Column(NamedTuple):
    """A column of a query: as the query calls it, and as its source does; ``*`` stands for all."""

    name: str
    source: str
    own_name: str


def column_set(tokens: Sequence[Token], at: int) -> str | None:
    """Return the column that is given a value at a position behind SET: `a.Name = …`, `@old = Name = …`."""
    if at + 1 < len(tokens) and tokens[at].kind == VARIABLE and tokens[at + 1].text == "=":
        at += 2
    written = read_object_name(tokens, at)
    return written.name.name.casefold() if written.name else None


def origin_of(tokens: Sequence[Token], at: int, *, column: str) -> Column | None:
    """Return the column of a source that the query, whose list begins at a position, has under a name.

    It has to say which source it is of. Without one of that name, `a.*` has it where nothing else is `*`.
    """
    columns = list(_columns(tokens, at))
    named = [one for one in columns if one.name == column]
    whole = [one for one in columns if one.name == _ALL]
    if named:
        return named[0] if len(named) == 1 and named[0].source else None
    return whole[0]._replace(name=column, own_name=column) if len(whole) == 1 and whole[0].source else None


def _columns(tokens: Sequence[Token], at: int) -> Iterator[Column]:
    """Yield the columns of a query that are those of its sources; of expressions, nothing is."""
    if word(tokens, at) == "TOP":
        at = after_parentheses(tokens, at + 1)
    depth, begin = 0, at
    for position in range(at, len(tokens)):
        text = tokens[position].text
        depth += (text == "(") - (text == ")")
        is_last = depth < 0 or text == ";" or (not depth and word(tokens, position) == "FROM")
        if is_last or (text == "," and not depth):
            column = _column(tokens[begin:position])
            if column is not None:
                yield column
            begin = position + 1
        if is_last:
            return


def _column(item: Sequence[Token]) -> Column | None:
    """Read `a.Name`, `a.Name AS b`, `a.Name b`, `b = a.Name` or `a.*`."""
    called = ""
    if len(item) > 2 and item[1].text == "=" and item[0].kind in (WORD, NAME):
        called, item = bare(item[0]), item[2:]
    if item and item[-1].text == _ALL:
        source = bare(item[-3]) if len(item) > 2 and item[-2].text == "." else ""
        return Column(_ALL, source.casefold(), _ALL) if source or len(item) == 1 else None
    written = read_object_name(item, 0)
    if written.name is None:
        return None
    rest = item[written.end + (word(item, written.end) == "AS") :]
    if len(rest) > 1 or (rest and rest[0].kind not in (WORD, NAME)):
        return None
    own = written.name.name.casefold()
    name = bare(rest[0]) if rest else called or own
    return Column(name.casefold(), written.name.schema.casefold(), own)
