"""Tell queries for objects, as NHibernate has them, from SQL: `select c from Order o join o.Customer c`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ragduck.sqlreader.definitions import word
from ragduck.sqlreader.names import read_object_name
from ragduck.sqlreader.steps import RESERVED, text_at
from ragduck.sqlreader.tokens import WORD, Token

_MAX_PARTS = 4  # of a name in SQL: server, database, schema, object


class _Source(NamedTuple):
    """What a FROM or JOIN names; ``owner`` is the first part of a dotted name."""

    owner: str
    parts: int
    alias: str


def asks_for_objects(tokens: Sequence[Token]) -> bool:
    """Say whether a statement reads what an alias of its own leads to, or a class by its full name.

    In SQL an alias has columns, which can be no source; only a schema may be called like one of its own tables.
    """
    sources = list(_sources(tokens))
    aliases = {one.alias for one in sources if one.alias and one.alias != one.owner}
    return any(one.parts > _MAX_PARTS or (one.parts > 1 and one.owner in aliases) for one in sources)


def _sources(tokens: Sequence[Token]) -> Iterator[_Source]:
    for at in range(len(tokens)):
        if word(tokens, at) not in ("FROM", "JOIN") or text_at(tokens, at - 1) == ".":
            continue
        position = at + 1
        while True:
            position += word(tokens, position) == "FETCH"
            written = read_object_name(tokens, position)
            after = written.end
            if after == position or text_at(tokens, after) == "(":
                break  # a function, also one of a column
            first = tokens[position].text.strip('[]"`').casefold()
            after += word(tokens, after) == "AS"
            has_alias = _is_alias(tokens, after)
            alias = tokens[after].text.casefold() if has_alias else ""
            yield _Source(first if written.parts > 1 else "", written.parts, alias)
            position = after + has_alias + 1
            if text_at(tokens, position - 1) != "," or word(tokens, at) == "JOIN":
                break


def _is_alias(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].kind == WORD and word(tokens, at) not in RESERVED
