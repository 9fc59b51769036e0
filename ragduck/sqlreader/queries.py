"""Read what queries, data changes and calls name."""

from __future__ import annotations

from collections.abc import Sequence

from ragduck.sqlreader.changes import CHANGES
from ragduck.sqlreader.clauses import CLAUSES
from ragduck.sqlreader.definitions import word, words
from ragduck.sqlreader.dialect import Dialect
from ragduck.sqlreader.tokens import Token
from ragduck.sqlreader.walk import Walk

_HANDLERS = CLAUSES | CHANGES
_UNREAD = words("GRANT DENY REVOKE BACKUP RESTORE USE DBCC KILL DROP ENABLE DISABLE COPY COMMENT")
_FRAGMENTS = words("FROM JOIN INNER LEFT RIGHT FULL CROSS")  # a part of a query may stand alone in a string


def walk_over(tokens: Sequence[Token], begin: int, end: int, *, dialect: Dialect) -> Walk:
    """Return a walk that is ready to read ``tokens[begin:end]``; of permissions and the like nothing is read."""
    first = word(tokens, begin)
    is_unread = first in _UNREAD or tokens[begin].text == ":"  # commands of sqlcmd
    until = begin if is_unread else end
    walk = Walk(tokens, begin, until, is_tsql=dialect == "tsql", handlers=_HANDLERS)
    walk.scope.takes_from = walk.scope.in_sources = first in _FRAGMENTS
    return walk
