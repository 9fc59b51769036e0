"""Tell whether tokens open a statement that defines, drops, declares or guards something."""

from __future__ import annotations

from collections.abc import Sequence

from ragduck.sqlreader.definitions import object_kind, word, words
from ragduck.sqlreader.steps import (
    STATEMENTS,
    after_parentheses,
    is_hole_at,
    name_at,
    position_of,
    text_at,
)
from ragduck.sqlreader.tokens import GO, STRING, VARIABLE, WORD, Token

_SESSION = words(
    "NOCOUNT XACT_ABORT IDENTITY_INSERT ANSI_NULLS QUOTED_IDENTIFIER TRANSACTION LANGUAGE DATEFORMAT ARITHABORT"
    " ROWCOUNT DEADLOCK_PRIORITY LOCK_TIMEOUT STATISTICS ANSI_PADDING ANSI_WARNINGS DATEFIRST NAMES CONTEXT_INFO"
)
_DDL_FOLLOWS = {
    "TABLE": words(
        "( AS ADD DROP ALTER WITH CHECK NOCHECK SWITCH ENABLE DISABLE SET RENAME MODIFY ON REBUILD LIKE"
    ),
    "VIEW": words("( AS WITH"),
    "PROC": words("( AS WITH BEGIN"),
    "FUNC": words("("),
    "TRIGGER": words("ON AFTER BEFORE INSTEAD"),
    "INDEX": words("ON"),
    "TYPE": words("AS FROM ("),
    "SEQUENCE": words("AS START INCREMENT MINVALUE MAXVALUE ; RESTART"),
    "SYNONYM": words("FOR"),
    "SCHEMA": words("AUTHORIZATION ;"),
}
_CONTEXTS = words("USER LOGIN CALLER OWNER SELF")
_AFTER_COMMAND = (STATEMENTS - {"WITH"}) | words("PRINT RAISERROR WAITFOR DBCC OPEN")
_MAX_COMMAND = 80  # tokens
_DROPPED = words("TABLE VIEW PROC PROCEDURE FUNCTION TRIGGER INDEX TYPE SEQUENCE SYNONYM SCHEMA DATABASE")


def opens_definition(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether CREATE or ALTER is followed by a kind of object, a name and what that kind needs."""
    kind = object_kind(tokens, at)
    if kind is None:
        return False
    keyword_at = next(place for place in range(at + 1, len(tokens)) if _names_kind(tokens, place, kind))
    at = keyword_at + 1
    while word(tokens, at) in ("IF", "NOT", "EXISTS", "CONCURRENTLY"):
        at += 1
    is_name, after = name_at(tokens, at)
    follower = text_at(tokens, after)
    return is_name and (
        follower in _DDL_FOLLOWS.get(kind, frozenset())
        or is_hole_at(tokens, after)
        or (kind in ("PROC", "FUNC") and after < len(tokens) and tokens[after].kind == VARIABLE)
        or (kind in ("SCHEMA", "SEQUENCE") and follower == "")
    )


def _names_kind(tokens: Sequence[Token], at: int, kind: str) -> bool:
    return object_kind([tokens[0]._replace(kind=WORD, text="CREATE"), tokens[at]], 0) == kind


def opens_drop(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether DROP is followed by a kind of object and by nothing but names."""
    if word(tokens, at + 1) not in _DROPPED:
        return False
    at += 2
    while word(tokens, at) in ("IF", "EXISTS", "CONCURRENTLY"):
        at += 1
    is_name, after = name_at(tokens, at)
    return is_name and (
        text_at(tokens, after) in ("", ";", ",", "ON", "CASCADE", "RESTRICT", ")", "END")
        or word(tokens, after) in STATEMENTS
    )


def opens_truncate(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether TRUNCATE TABLE is followed by a name alone."""
    at += 2 if word(tokens, at + 1) == "TABLE" else 1
    is_name, after = name_at(tokens, at)
    return (
        word(tokens, at - 1) == "TABLE"
        and is_name
        and (
            text_at(tokens, after) in ("", ";", ",", "WITH", "RESTART", "CASCADE")
            or word(tokens, after) in STATEMENTS
        )
    )


def opens_declaration(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether DECLARE is followed by a variable or a cursor."""
    return at + 1 < len(tokens) and (
        tokens[at + 1].kind == VARIABLE or position_of("CURSOR", tokens, start=at + 2, limit=4) is not None
    )


def opens_setting(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether SET is about a variable or an option of the session."""
    if at + 1 < len(tokens) and tokens[at + 1].kind == VARIABLE:
        return text_at(tokens, at + 2) in ("=", "+", "-", ".")
    return word(tokens, at + 1) in _SESSION and at + 2 < len(tokens)


def opens_guard(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether IF or WHILE is followed by a condition that only SQL has."""
    at += 1
    while text_at(tokens, at) in ("(", "NOT"):
        at += 1
    if word(tokens, at) in ("EXISTS", "OBJECT_ID", "COL_LENGTH", "SCHEMA_ID", "TYPE_ID", "DB_ID", "SELECT"):
        return word(tokens, at) == "SELECT" or text_at(tokens, at + 1) == "("
    return at < len(tokens) and tokens[at].kind == VARIABLE


def opens_use(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether USE is followed by a name and the end of the statement."""
    is_name, after = name_at(tokens, at + 1)
    return is_name and (text_at(tokens, after) == ";" or (after < len(tokens) and tokens[after].kind == GO))


def opens_bulk_insert(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether BULK INSERT is followed by a table and a file."""
    is_name, after = name_at(tokens, at + 2)
    return word(tokens, at + 1) == "INSERT" and is_name and word(tokens, after) == "FROM"


def after_command(tokens: Sequence[Token], at: int) -> int | None:
    """Return the position after a command that says nothing of objects; None where none begins.

    Its words are those of prose, too, so that only the statement behind it tells whether a text is SQL.
    """
    keyword, following = word(tokens, at), word(tokens, at + 1)
    is_text = at + 1 < len(tokens) and tokens[at + 1].kind in (STRING, VARIABLE)
    if keyword == "PRINT" and (is_text or text_at(tokens, at + 1) == "("):
        return _end_of_command(tokens, at + 1)
    if keyword == "RAISERROR" and text_at(tokens, at + 1) == "(":
        return _end_of_command(tokens, at + 1)
    if keyword == "WAITFOR" and following in ("DELAY", "TIME"):
        return at + 3
    if keyword == "DBCC" and text_at(tokens, at + 2) == "(":
        return _end_of_command(tokens, at + 2)
    if keyword in ("EXEC", "EXECUTE") and following == "AS" and word(tokens, at + 2) in _CONTEXTS:
        return _end_of_command(tokens, at + 3)
    if keyword == "OPEN" and following in ("SYMMETRIC", "MASTER") and word(tokens, at + 2) == "KEY":
        return _end_of_command(tokens, at + 3)
    return _end_of_command(tokens, at + 2) if keyword == "UPDATE" and following == "STATISTICS" else None


def _end_of_command(tokens: Sequence[Token], at: int) -> int:
    """Return where a command ends: at a `;`, or at a word that begins a statement."""
    end = min(len(tokens), at + _MAX_COMMAND)
    while at < end and text_at(tokens, at) != ";" and tokens[at].kind != GO:
        if word(tokens, at) in _AFTER_COMMAND:
            break
        at = after_parentheses(tokens, at) if text_at(tokens, at) == "(" else at + 1
    return at
