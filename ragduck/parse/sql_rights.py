"""Read of which object a statement says who may use it, who owns it, or in which mode it runs."""

from __future__ import annotations

from collections.abc import Sequence

from ragduck.facts import ObjectName
from ragduck.sqlreader.definitions import KINDS, word
from ragduck.sqlreader.dynamic import unquoted
from ragduck.sqlreader.names import read_object_name
from ragduck.sqlreader.statements import Start
from ragduck.sqlreader.tokens import STRING, Token, tokenize

_GRANTING = frozenset({"GRANT", "DENY", "REVOKE"})
_CLASSES = frozenset({*KINDS, "OBJECT"}) - {"SCHEMA"}
_BEFORE_NAME = frozenset({"IF", "EXISTS", "ONLY"})
_MODE = "sp_procxmode"


def is_right(tokens: Sequence[Token], start: Start) -> bool:
    """Tell whether a statement is GRANT, DENY, REVOKE, `sp_procxmode` or `ALTER … OWNER TO`."""
    if start.keyword in ("EXEC", "EXECUTE"):
        called = read_object_name(tokens, start.at + 1).name
        return called is not None and called.name.casefold() == _MODE
    if start.keyword == "ALTER":
        return any(word(tokens, at) == "OWNER" for at in range(start.at + 3, start.end))
    return start.keyword in _GRANTING


def granted_on(tokens: Sequence[Token], start: Start) -> ObjectName | None:
    """Return the one object that a statement of rights speaks of; None where there are several, or none."""
    if start.keyword in ("EXEC", "EXECUTE"):
        return _moded(tokens, start)
    position = start.at + 1
    if start.keyword != "ALTER":
        position = next((at + 1 for at in range(position, start.end) if word(tokens, at) == "ON"), start.end)
    if position + 1 < start.end and word(tokens, position) in _CLASSES and tokens[position + 1].text != ".":
        position += 1
    while position < start.end and (word(tokens, position) in _BEFORE_NAME or tokens[position].text == ":"):
        position += 1
    written = read_object_name(tokens, position)
    after = _after_list(tokens, written.end, start.end)
    ends = ("OWNER",) if start.keyword == "ALTER" else ("TO", "FROM")
    return written.name if after < start.end and word(tokens, after) in ends else None


def _moded(tokens: Sequence[Token], start: Start) -> ObjectName | None:
    strings = [token.text for token in tokens[start.at : start.end] if token.kind == STRING]
    inner = tokenize(unquoted(strings[0])).tokens if strings else []
    return read_object_name(inner, 0).name


def _after_list(tokens: Sequence[Token], at: int, end: int) -> int:
    """Return the position after the list in parentheses that may stand at a position: of columns or arguments."""
    depth = 0
    for position in range(at, end):
        depth += {"(": 1, ")": -1}.get(tokens[position].text, 0)
        if depth == 0:
            return position + (tokens[position].text == ")")
    return end
