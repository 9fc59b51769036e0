"""Find what a script creates from the text in a variable: `SET @sql = N'CREATE …'`, and then `EXEC (@sql)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ragduck.sqlreader.definitions import Definition, read_name, read_script, word
from ragduck.sqlreader.dialect import Dialect
from ragduck.sqlreader.statements import Start
from ragduck.sqlreader.tokens import STRING, VARIABLE, Token

_ASSIGNING = frozenset({"SET", "SELECT", "DECLARE"})
_MAX_STATEMENTS = 30  # between the text and its execution: more is no part of the object
_MAX_TYPE = 8  # tokens between a variable that is declared and its value
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
            text = texts.pop(_executed(tokens, start), None)
            if text and text.definition and place - text.place <= _MAX_STATEMENTS:
                found[starts[text.place].at] = Created(text.definition, start.at)
    return found


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


def _executed(tokens: Sequence[Token], start: Start) -> str:
    """Return the variable whose text a statement executes, else ""."""
    at = start.at + 1
    if at < start.end and tokens[at].text == "(":
        at += 1
    else:
        name, at = read_name(tokens, at)
        if name is None or name.name.casefold() != "sp_executesql":
            return ""
        if at + 2 < start.end and tokens[at + 1].text == "=" and word(tokens, at + 2) == "":
            at += 2
    return tokens[at].text.casefold() if at < start.end and tokens[at].kind == VARIABLE else ""
