"""Make statements of pieces that say themselves that they are SQL: subqueries, joins, what begins with FROM.

They reach their statement through lists, results, parameters and builders that nobody follows.
"""

from __future__ import annotations

import re

from ragduck.sqlreader.destinations import Destination
from ragduck.sqlreader.recognition import UNKNOWN_PIECE, Certainty, begins_like_sql, readable_text, recognize
from ragduck.sqlreader.sites import Site

_READ_CHARS = 6_000
_SPACE = rf"[\s{UNKNOWN_PIECE}]"
_SUBQUERY = re.compile(r"\b(?:in|exists)\s{0,20}\(\s{0,200}select\b", re.IGNORECASE)
_JOIN = re.compile(
    rf"{_SPACE}*+((?:(?:inner|(?:left|right|full)(?:\s+outer)?)\s+)?join\s+[^\s(][^=]{{1,300}}?\son\s[^=]{{1,200}}=)",
    re.IGNORECASE,
)
_FROM = re.compile(rf"{_SPACE}*+(from\s+[^\s(][^(]{{1,300}}?\s(?:where|join|group|order)\s)", re.IGNORECASE)
_BEFORE_SUBQUERY = f"SELECT 1 FROM {UNKNOWN_PIECE} WHERE 1 "
_BEFORE_JOIN = f"SELECT 1 FROM {UNKNOWN_PIECE} "
_BEFORE_FROM = "SELECT 1 "


def statement_around(text: str, site: Site) -> str | None:
    """Return a statement with what is SQL in a piece of one, on its lines; None for any other text.

    Queries of entities begin with FROM, too, so that is one only where the text is not run as it is.
    """
    if not site.is_own or site.is_constant or begins_like_sql(text):
        return None
    text = readable_text(text[:_READ_CHARS])
    joined = _JOIN.match(text)
    if joined is not None:
        return _completed(_BEFORE_JOIN, text, joined.start(1), least=Certainty.POSSIBLE)
    began = _FROM.match(text) if site.destination is Destination.UNKNOWN else None
    if began is not None:
        return _completed(_BEFORE_FROM, text, began.start(1), least=Certainty.SURE)
    asked = _SUBQUERY.search(text)
    if asked is not None:
        return _completed(_BEFORE_SUBQUERY, text, asked.start(), least=Certainty.POSSIBLE)
    return None


def _completed(before: str, text: str, start: int, *, least: Certainty) -> str | None:
    statement = before + "\n" * text.count("\n", 0, start) + text[start:]
    return statement if recognize(statement) >= least else None
