"""What the keywords of data changes and of calls mean to a walk over a statement."""

from __future__ import annotations

from collections.abc import Callable

from ragduck.facts import ObjectName
from ragduck.sqlreader.definitions import word, words
from ragduck.sqlreader.names import read_object_name
from ragduck.sqlreader.runners import run_at, text_given_to
from ragduck.sqlreader.scopes import EXPRESSION, PLAIN, STATEMENT, TARGET
from ragduck.sqlreader.tokens import STRING, VARIABLE, WORD
from ragduck.sqlreader.walk import Walk

_NO_VERB_AFTER = words(
    ", - = + / \\ < > : @ THEN FOR OF ON OR KEY DO AFTER BEFORE INSTEAD INNER LEFT RIGHT FULL OUTER"
)
_NO_VERB_BEFORE = frozenset({"(", "JOIN", "UNION"})  # a function, a hint


def take_verb(walk: Walk) -> None:
    """Begin INSERT, UPDATE, DELETE, MERGE or TRUNCATE, unless the word is part of another statement."""
    keyword, following = word(walk.tokens, walk.at), walk.text_at(walk.at + 1)
    is_part = walk.at > walk.begin and walk.text_at(walk.at - 1) in _NO_VERB_AFTER and not _is_labelled(walk)
    if following == "STATISTICS" and walk.text_at(walk.at + 2) != "SET":
        walk.at = walk.no_call = read_object_name(walk.tokens, walk.at + 2).end
        return
    if walk.scope.kind == PLAIN or is_part or following in _NO_VERB_BEFORE:
        walk.at += 1
        return
    if walk.scope.kind == STATEMENT:
        walk.restart()
    scope = walk.scope
    scope.verb, scope.state, scope.in_target = keyword, TARGET, True
    scope.takes_from = keyword in ("UPDATE", "DELETE")
    walk.at += 1


def _is_labelled(walk: Walk) -> bool:
    """Tell whether a label stands before a statement: a word that begins a line or a statement, with a colon."""
    at = walk.at - 2
    if at < walk.begin or walk.text_at(walk.at - 1) != ":" or walk.tokens[at].kind != WORD:
        return False
    is_first = at == walk.begin or walk.text_at(at - 1) == ";"
    return is_first or walk.tokens[at - 1].end_line < walk.tokens[at].line


def take_replace(walk: Walk) -> None:
    """Read `REPLACE INTO` as an insert; other REPLACEs are functions."""
    if walk.text_at(walk.at + 1) == "INTO" and walk.scope.state != TARGET:
        walk.restart()
        walk.scope.verb, walk.scope.state = "INSERT", TARGET
    walk.at += 1


def take_declare(walk: Walk) -> None:
    """Let variables with their types come next."""
    walk.declares = len(walk.stack) == 1
    walk.at += 1


def take_procedure_call(walk: Walk) -> None:
    """Read `CALL name(…)`, also in the braces of ODBC."""
    walk.at += 1
    if walk.at - 1 == walk.begin or walk.text_at(walk.at - 2) in ("{", "="):
        _call(walk, rule="call")


def take_execute(walk: Walk) -> None:
    """Read what EXEC calls or runs; `EXECUTE AS` changes the user."""
    following = walk.text_at(walk.at + 1)
    walk.at += 1
    if len(walk.stack) > 1 or following in ("AS", "ON") or walk.scope.state == TARGET:
        return
    if walk.scope.verb != "INSERT":
        walk.restart()
    walk.scope.verb, walk.scope.state, walk.scope.in_sources = "EXEC", EXPRESSION, False
    if walk.text_at(walk.at + 1) == "=" and walk.tokens[walk.at].kind == VARIABLE:
        walk.at += 2  # the variable that gets the return value
    walk.at += following == "IMMEDIATE"
    is_text = walk.at < walk.end and walk.tokens[walk.at].kind == STRING
    if is_text or walk.text_at(walk.at) == "(":
        walk.dynamic.append(run_at(walk.tokens, walk.at, walk.end))
    elif walk.is_tsql:
        _call(walk, rule="exec")


def _call(walk: Walk, *, rule: str) -> None:
    begin = walk.at
    written = read_object_name(walk.tokens, begin)
    walk.at = walk.no_call = max(begin, written.end)
    walk.scope.verb = "EXEC"
    if begin < walk.end and walk.tokens[begin].kind == VARIABLE:
        walk.named.append(begin)
    name = written.sought
    if name is None or written.end > walk.end:
        return
    text = text_given_to(written.name or ObjectName(name.name), walk.tokens, walk.at, walk.end)
    if text:
        walk.dynamic.append(text)
    if written.name and walk.is_tsql:
        walk.called.append((name, walk.at))
    if name.name.casefold() != "sp_executesql":
        walk.add(begin, name, "Executes", kind="PROC", rule=rule)


CHANGES: dict[str, Callable[[Walk], None]] = {
    **dict.fromkeys(("INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE"), take_verb),
    **dict.fromkeys(("EXEC", "EXECUTE"), take_execute),
    "REPLACE": take_replace,
    "DECLARE": take_declare,
    "CALL": take_procedure_call,
}
