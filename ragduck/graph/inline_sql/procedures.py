"""Tell when a string is the bare name of a stored procedure or of a table to copy rows into."""

from __future__ import annotations

import re

from ragduck.facts import ObjectName
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.sqlreader.destinations import Destination
from ragduck.sqlreader.recognition import UNKNOWN_PIECE

_PART = r"(?:\[[^\]\n]{1,128}\]|\"[^\"\n]{1,128}\"|[^\W\d][\w$#@]{0,127})"
_NAME = re.compile(rf"\s*((?:{_PART}?\s?\.\s?){{0,3}}{_PART})\s*;?\s*")
_PARTS = re.compile(_PART + r"|\.")
_WITH_ARGUMENTS = re.compile(
    rf"\s*((?:{_PART}\s?\.\s?){{0,3}}{_PART})\s+(?:@\w|\{{\d|{UNKNOWN_PIECE}|\?)", re.ASCII
)
_PREFIXES = ("sp_", "usp_", "proc_", "xp_")  # without a schema, only such a name can be told from prose


def bare_name(text: str) -> ObjectName | None:
    """Read a text that is a name of up to four parts and nothing else; None for any other text."""
    match = _NAME.fullmatch(text) if len(text) <= 600 and UNKNOWN_PIECE not in text else None
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


def is_procedure(
    text: str, name: ObjectName, *, destination: Destination, is_flagged: bool, database: DatabaseCatalog
) -> bool:
    """Say whether a bare name is surely a procedure's.

    It is where the call says so, where its member sets `CommandType.StoredProcedure`, or where a procedure of
    that schema and name is known and the name is given to a call that runs SQL.
    """
    if destination is Destination.CALLS_PROCEDURE:
        return True
    if destination not in (Destination.RUNS, Destination.RUNS_WITH_PARAMETERS):
        return False
    if is_flagged:
        return True
    found = database.find(name, kind="PROC") if name.schema else None
    return found is not None and found.endswith("|PROC") and "." in text
