"""Words of SQL, and steps over tokens that the readers of statements share."""

from __future__ import annotations

from collections.abc import Sequence

from ragduck.sqlreader.definitions import read_name, word, words
from ragduck.sqlreader.tokens import TEMP, VARIABLE, Token

HOLE = "\ua66e"  # a letter that no name has: it stands for a piece of SQL that nobody knows

KEYWORDS = words(
    "ADD ALL ALTER AND ANY AS ASC AT AUTHORIZATION BEGIN BETWEEN BREAK BULK BY CALL CASCADE CASE CAST CHECK"
    " CLUSTERED COLLATE COLUMN COMMIT CONFLICT CONSTRAINT CREATE CROSS DECLARE DEFAULT DELETE DESC DISTINCT DO"
    " DROP DUPLICATE ELSE END ESCAPE EXCEPT EXEC EXECUTE EXISTS FETCH FIRST FOR FOREIGN FROM FULL FUNCTION GO"
    " GROUP HAVING IDENTITY IF IGNORE IN INDEX INNER INSERT INTERSECT INTERVAL INTO IS JOIN JSON KEY LAST"
    " LATERAL LEFT LIKE LIMIT LOCKED MATCHED MERGE NATURAL NEXT NOCOUNT NOT NOTHING NULL NULLS OF OFF OFFSET"
    " ON ONLY OPTION OR ORDER OUTER OUTPUT OVER PARTITION PERCENT PIVOT PRIMARY PROC PROCEDURE RANGE RECURSIVE"
    " REFERENCES REPLACE RETURN RETURNING RIGHT ROLLBACK ROW ROWS SELECT SET SKIP SOME TABLE TABLESAMPLE THEN"
    " TIES TOP TRAN TRANSACTION TRIGGER TRUNCATE UNION UNIQUE UNPIVOT UPDATE USE USING VALUES VIEW WAITFOR"
    " WHEN WHERE WHILE WINDOW WITH WITHIN WITHOUT XML"
)
RESERVED = KEYWORDS - words(
    "FIRST IGNORE JSON KEY LAST LOCKED NEXT NOTHING ROWS ROW RANGE SKIP INTERVAL DO REPLACE OFFSET"
)
STATEMENTS = words(
    "SELECT INSERT UPDATE DELETE MERGE EXEC EXECUTE DECLARE SET IF BEGIN WITH CREATE ALTER DROP TRUNCATE GO"
)


def name_at(tokens: Sequence[Token], at: int) -> tuple[bool, int]:
    """Tell whether a table, variable or procedure is named at a position, and return the position after it."""
    if at < len(tokens) and tokens[at].kind in (VARIABLE, TEMP):
        return True, read_name(tokens, at + 2)[1] if text_at(tokens, at + 1) == "." else at + 1
    if word(tokens, at) in RESERVED:
        return False, at
    name, after = read_name(tokens, at)
    return name is not None, after


def after_parentheses(tokens: Sequence[Token], at: int) -> int:
    """Return the position after the parenthesis that closes the one at a position, else the end."""
    depth = 0
    for place in range(at, len(tokens)):
        text = tokens[place].text
        if text == "(":
            depth += 1
        elif text == ")":
            depth -= 1
        if depth <= 0:
            return place + 1
    return len(tokens)


def position_of(keyword: str, tokens: Sequence[Token], *, start: int, limit: int) -> int | None:
    """Find a keyword among the next ``limit`` tokens."""
    places = range(start, min(start + limit, len(tokens)))
    return next((place for place in places if word(tokens, place) == keyword), None)


def text_at(tokens: Sequence[Token], at: int) -> str:
    """Return the token at a position in capitals, "" outside of the tokens."""
    return tokens[at].text.upper() if 0 <= at < len(tokens) else ""


def is_hole(token: Token) -> bool:
    """Tell whether a token is, or holds, an unknown piece."""
    return HOLE in token.text


def is_hole_at(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether the token at a position is, or holds, an unknown piece."""
    return at < len(tokens) and is_hole(tokens[at])
