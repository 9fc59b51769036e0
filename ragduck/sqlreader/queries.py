"""Read what queries, data changes and calls name."""

from __future__ import annotations

from collections.abc import Sequence

from ragduck.sqlreader.changes import CHANGES
from ragduck.sqlreader.clauses import CLAUSES
from ragduck.sqlreader.definitions import word, words
from ragduck.sqlreader.dialect import Dialect
from ragduck.sqlreader.names import HOLE, Reference, read_object_name
from ragduck.sqlreader.steps import KEYWORDS
from ragduck.sqlreader.tokens import NAME, NUMBER, STRING, VARIABLE, WORD, Token
from ragduck.sqlreader.walk import Walk

_ARGUMENTS = frozenset({STRING, NUMBER, VARIABLE})
_NO_CALL = KEYWORDS | words(
    "BACKUP BREAK CHECKPOINT CLOSE CONTINUE DBCC DEALLOCATE DENY DISABLE ENABLE FETCH GET GOTO GRANT KILL LINENO MOVE"
    " OPEN PRINT RAISERROR READTEXT RECEIVE RECONFIGURE RESTORE REVERT REVOKE SAVE SEND SETUSER SHUTDOWN THROW"
    " UPDATETEXT WRITETEXT"
)  # what statements begin with that may end there, or go on with a value
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


def procedure_in_front(tokens: Sequence[Token]) -> Reference | None:
    """Return the call of a procedure without EXEC, which may stand at the beginning of a T-SQL batch."""
    is_name = bool(tokens) and (tokens[0].kind in (WORD, NAME) or tokens[0].text == HOLE)
    if not is_name or word(tokens, 0) in _NO_CALL:
        return None
    written = read_object_name(tokens, 0)
    if written.sought is None:
        return None
    after = tokens[written.end] if written.end < len(tokens) else None
    is_call = after is None or after.kind in _ARGUMENTS or after.text in (";", HOLE)
    return Reference(written.sought, "Executes", tokens[0].line, "PROC", "exec") if is_call else None
