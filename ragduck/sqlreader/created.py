"""Find what a script creates from a text: `EXEC (N'CREATE …')`, or `SET @sql = N'CREATE …'` and `EXEC (@sql)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ragduck.sqlreader.definitions import Definition, read_script, word
from ragduck.sqlreader.dialect import Dialect
from ragduck.sqlreader.names import read_object_name
from ragduck.sqlreader.statements import Start
from ragduck.sqlreader.tokens import STRING, VARIABLE, Token

_ASSIGNING = frozenset({"SET", "SELECT", "DECLARE"})
_MAX_STATEMENTS = 30  # between the text and its execution: more is no part of the object
_MAX_TYPE = 8  # tokens between a variable that is declared and its value
_MAX_CALL = 50  # tokens in which the server is named that executes a text
_WRAPPING = frozenset({"(", "CAST"})


class Created(NamedTuple):
    """An object, and the position of the statement that creates it."""

    definition: Definition
    executed_at: int


class _Text(NamedTuple):
    place: int
    definition: Definition | None


def created_by_variables(
    tokens: Sequence[Token], starts: Sequence[Start], *, dialect: Dialect
) -> dict[int, Created]:
    """Map the positions of statements that give a variable its text to what that text creates when it is executed.

    What procedures and other modules create when they run is left out.
    """
    found: dict[int, Created] = {}
    texts: dict[str, _Text] = {}
    batch, is_script = -1, True
    for place, start in enumerate(starts):
        if start.batch != batch:
            texts, batch, is_script = {}, start.batch, True
        is_script = is_script and not start.is_module
        if is_script and start.keyword in _ASSIGNING:
            for name, value in _assigned(tokens, start):
                if value is None or tokens[value].text.casefold() != name:
                    texts[name] = _Text(place, _definition(tokens, value, start.end, dialect=dialect))
        elif is_script and start.keyword in ("EXEC", "EXECUTE"):
            position, database = _executed(tokens, start.at, start.end)
            is_variable = position < start.end and tokens[position].kind == VARIABLE
            text = texts.pop(tokens[position].text.casefold(), None) if is_variable else None
            if text and text.definition and place - text.place <= _MAX_STATEMENTS and database is not None:
                found[starts[text.place].at] = Created(_in_database(database, text.definition), start.at)
    return found


def read_executed(tokens: Sequence[Token], start: Start, *, dialect: Dialect) -> Definition | None:
    """Read the object that ``EXEC('CREATE …')`` or ``EXEC sp_executesql N'CREATE …'`` defines."""
    position, database = _executed(tokens, start.at, start.end)
    if database is None or position >= start.end or tokens[position].kind != STRING:
        return None
    if position + 1 < start.end and tokens[position + 1].text == "+":
        return None  # the rest of the script is only known when it runs
    definition = read_script(tokens[position].text, is_whole=True, dialect=dialect)
    return _in_database(database, definition) if definition else None


def _assigned(tokens: Sequence[Token], start: Start) -> Iterator[tuple[str, int | None]]:
    """Yield the variables that a statement gives a new value, with the position of that; additions are left out."""
    for at in range(start.at + 1, start.end - 1):
        before = tokens[at - 1].text.upper()
        if tokens[at].kind != VARIABLE or (before not in _ASSIGNING and before != ","):
            continue
        limit = min(start.end - 1, at + 1 + (_MAX_TYPE if start.keyword == "DECLARE" else 1))
        places = (place for place in range(at + 1, limit) if tokens[place].text in ("=", ",", "+"))
        place = next(places, None)
        if place is not None and tokens[place].text == "=":
            yield tokens[at].text.casefold(), place + 1
        elif place is None or tokens[place].text == ",":
            yield tokens[at].text.casefold(), None


def _definition(tokens: Sequence[Token], at: int | None, end: int, *, dialect: Dialect) -> Definition | None:
    """Read what a text creates whose first literal names it as a whole."""
    is_whole = True
    while at is not None and at < end and tokens[at].text.upper() in _WRAPPING:
        at, is_whole = at + 1, False
    if at is None or at >= end or tokens[at].kind != STRING:
        return None
    is_whole = is_whole and (at + 1 >= end or tokens[at + 1].text != "+")
    return read_script(tokens[at].text, is_whole=is_whole, dialect=dialect)


def _in_database(database: str, definition: Definition) -> Definition:
    """Let a name that is written without a database mean one in the database where its text runs."""
    name = definition.name
    return replace(definition, name=replace(name, database=name.database or database or None))


def _executed(tokens: Sequence[Token], at: int, end: int) -> tuple[int, str | None]:
    """Return where the text begins that a statement executes, and the database that is told to run it.

    The database is "" where none is told, and None where another server runs the text. Of another procedure that is
    called the end is returned.
    """
    if at + 1 < end and tokens[at + 1].text == "(":
        places = range(at + 2, min(end, at + _MAX_CALL))
        return at + 2, None if any(word(tokens, place) == "AT" for place in places) else ""
    written = read_object_name(tokens, at + 1)
    if written.name is None or written.name.name.casefold() != "sp_executesql":
        return end, ""
    position = written.end
    if position + 1 < end and tokens[position].kind == VARIABLE and tokens[position + 1].text == "=":
        position += 2
    return position, None if written.name.server else written.name.database
