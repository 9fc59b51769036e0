"""Find the steps of agent jobs that a script keeps in rows: `VALUES (N'Clean', N'TSQL', N'EXEC dbo.Clean')`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ragduck.sqlreader.concatenation import unquoted
from ragduck.sqlreader.definitions import word
from ragduck.sqlreader.tokens import STRING, Token

IN_DATA = "sql in data"
OF_STEP = "job step"
_SQL_STEP = "tsql"  # the subsystem: rows of messages and examples have no such
_CALL = re.compile(r"\s*exec(?:ute)?\s+[\w\[\]\".$@ ]", re.IGNORECASE)


def steps_in_rows(tokens: Sequence[Token], at: int, end: int) -> Iterator[int]:
    """Yield the positions of literals that call a procedure, in the rows of an INSERT that are steps of jobs."""
    places = (place for place in range(at, end) if word(tokens, place) == "VALUES")
    begin = next(places, end)
    depth, row = 0, list[int]()
    for place in range(begin, end):
        text = tokens[place].text
        if text == "(":
            depth += 1
        elif text == ")":
            depth -= 1
            if depth == 0:
                yield from _steps(tokens, row)
                row = []
        elif depth == 1 and tokens[place].kind == STRING and tokens[place - 1].text in ("(", ","):
            row.append(place)


def _steps(tokens: Sequence[Token], row: Sequence[int]) -> Iterator[int]:
    texts = {place: unquoted(tokens[place].text) for place in row}
    if any(text.casefold() == _SQL_STEP for text in texts.values()):
        yield from (place for place, text in texts.items() if _is_whole(tokens, place) and _CALL.match(text))


def _is_whole(tokens: Sequence[Token], at: int) -> bool:
    return at + 1 < len(tokens) and tokens[at + 1].text in (",", ")")
