"""Tell when a string is the bare name of a stored procedure or of a table to copy rows into."""

from __future__ import annotations

import re

from ragduck.facts import ObjectName
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.sqlreader.destinations import Destination
from ragduck.sqlreader.names import read_object_name
from ragduck.sqlreader.recognition import UNKNOWN_PIECE, without_prefix
from ragduck.sqlreader.sites import CALLING, RUNNING
from ragduck.sqlreader.tokens import tokenize

_PART = r"(?:\[[^\]\n]{1,128}\]|\"[^\"\n]{1,128}\"|[^\W\d][\w$#@]{0,127})"
_NAME = re.compile(rf"\s*((?:{_PART}?\s?\.\s?){{0,3}}{_PART})\s*;?\s*")
_PARTS = re.compile(_PART + r"|\.")
_WITH_ARGUMENTS = re.compile(
    rf"\s*((?:{_PART}\s?\.\s?){{0,3}}{_PART})\s+(?:@\w|\{{\d|{UNKNOWN_PIECE}|\?)", re.ASCII
)
_BEHIND_PREFIX = re.compile(
    rf"[\w.\[\]\"{UNKNOWN_PIECE}]*{UNKNOWN_PIECE}([.\[\"]*)([^\W\d_][\w$#@]{{2,127}})[\]\"]?"
)
_WORDS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
MAX_NAME = 600
_SURE = (
    Destination.EXECUTES,
    Destination.RUNS_WITH_PARAMETERS,
)  # SQL: a batch may begin with a procedure's name
_BY_NAME = (*CALLING, Destination.RUNS_WITH_PARAMETERS)
_PREFIXES = ("sp_", "usp_", "proc_", "xp_")  # without a schema, only such a name can be told from prose


def bare_name(text: str) -> ObjectName | None:
    """Read a text that is a name of up to four parts and nothing else; None for any other text.

    An owner or a prefix of all objects is no part of it: `{databaseOwner}{objectQualifier}Orders_Read`.
    """
    is_short = len(text) <= MAX_NAME and UNKNOWN_PIECE not in text
    match = _NAME.fullmatch(without_prefix(text)) if is_short else None
    if match is None:
        return None
    parts: list[str] = [""]
    for part in _PARTS.findall(match[1]):
        if part == ".":
            parts.append("")
        else:
            parts[-1] = part[1:-1] if part[0] in '["' else part
    name, schema, database, server = [*reversed(parts), "", "", "", ""][:4]
    return ObjectName(name, schema, database, server)


def omits_exec(text: str) -> bool:
    """Say whether a text is a procedure's name followed by arguments, as the first statement of a batch may be."""
    match = _WITH_ARGUMENTS.match(text)
    return match is not None and ("." in match[1] or match[1].lower().startswith(_PREFIXES))


def is_procedure(text: str, name: ObjectName, *, destination: Destination, database: DatabaseCatalog) -> bool:
    """Say whether a bare name is a procedure's.

    It is where the call says so, where its member sets `CommandType.StoredProcedure`, or where a procedure of
    that schema and name is known and the name is given to a call that runs SQL. Without a schema the call has to be
    one that runs procedures as well as texts. What is called like a procedure may be missing where SQL is surely run.
    """
    if destination is Destination.CALLS_PROCEDURE:
        return True
    if destination not in (_BY_NAME if not has_schema(text, name) else RUNNING):
        return False
    if destination in _SURE and name.name.lower().startswith(_PREFIXES):
        return True
    found = database.find(name, kind="PROC")
    return found is not None and found.endswith("|PROC")


def has_schema(text: str, name: ObjectName) -> bool:
    """Say whether the schema of a bare name is written: no other texts look so."""
    return bool(name.schema) and "." in text


def procedure_behind_prefix(text: str, database: DatabaseCatalog) -> str | None:
    """Return the key of the only procedure that a name can mean of which the beginning is unknown.

    What is not known may be an owner and a prefix of all objects, but not where an underscore follows:
    `{Table}_Delete` is of any table. Nor is a single word the end of a longer name, or what a dot or a quote begins.
    """
    if len(text) > MAX_NAME:
        return None
    match = _BEHIND_PREFIX.fullmatch(text)
    if match is None:
        return _behind_schema(text, database)
    may_go_on = not match[1] and len(_WORDS.findall(match[2])) > 1
    return database.procedure_called(match[2], is_end=may_go_on)


def _behind_schema(text: str, database: DatabaseCatalog) -> str | None:
    """Return the key of the only procedure of a name behind an unknown schema or database: `[…].[Orders]`."""
    tokens = tokenize(text).tokens
    written = read_object_name(tokens, 0)
    if written.behind is None or written.end != len(tokens):
        return None
    found = database.find(written.behind, kind="PROC")
    return found if found is not None and found.endswith("|PROC") else None


def calls_by_name(destination: Destination) -> bool:
    """Say whether a call is surely one that may be given nothing but the name of a procedure."""
    return destination in (Destination.CALLS_PROCEDURE, Destination.EXECUTES)
