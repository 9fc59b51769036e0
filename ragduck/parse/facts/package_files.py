"""Find the packages that a package executes, and the SQL files that its tasks run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from ragduck.parse.facts.handed_sql import ATTRIBUTES, NamedFile

ENDING = ".dtsx"

_EXECUTED = "execute package"
_CONNECTION = re.compile(
    rf"<DTS:ConnectionManager\b(?P<opening>{ATTRIBUTES})>"
    rf"|<DTS:Property\b(?P<attributes>{ATTRIBUTES})>(?P<value>[^<]*)</DTS:Property>"
)
_ATTRIBUTE = re.compile(r'\bDTS:(?P<name>DTSID|ObjectName|ConnectionString)="(?P<value>[^"]*)"')
_NAME = re.compile(r'\bDTS:Name="(DTSID|ObjectName|ConnectionString)"')
_TASK = re.compile(
    r"<(?P<task>/?ExecutePackageTask)>|<PackageName>(?P<package>[^<]*)</PackageName>"
    r"|<Connection>(?P<connection>[^<]*)</Connection>"
    rf"|<(?:\w+:)?SqlTaskData\b(?P<sql>{ATTRIBUTES})"
)
_IS_FILE = re.compile(r'\bSqlStmtSourceType="FileConnection"')
_STATEMENT = re.compile(r'\bSqlStatementSource="(?P<file>[^"]*)"')


def files_of_package(text: str) -> Iterator[NamedFile]:
    """Yield the packages that a package executes and the SQL files that it runs, by name or by connection."""
    connections = _connections(text)
    is_within = is_named = False
    for match in _TASK.finditer(text):
        if match["task"] is not None:
            is_within, is_named = not match["task"].startswith("/"), False
        elif match["sql"] is not None:
            statement = _STATEMENT.search(match["sql"]) if _IS_FILE.search(match["sql"]) else None
            path = connections.get(_key(statement["file"]), "") if statement else ""
            if path.lower().endswith(".sql"):
                yield from NamedFile.of_path(path, match.start(), "sql file")
        elif is_within and match["package"] is not None:
            is_named = match["package"].strip() != ""
            yield from NamedFile.of_group(match, "package", ending=ENDING, rule=_EXECUTED)
        elif is_within and not is_named:
            path = connections.get(_key(match["connection"]), "")
            if path.lower().endswith(ENDING):
                yield from NamedFile.of_path(path, match.start(), _EXECUTED)


def _connections(text: str) -> dict[str, str]:
    """Return the paths of files to which a package has connections, by their identifiers and names."""
    paths: dict[str, str] = {}
    told: dict[str, str] = {}
    for match in _CONNECTION.finditer(text):
        if match["opening"] is not None:
            found = {one["name"]: one["value"] for one in _ATTRIBUTE.finditer(match["opening"])}
        else:
            named = _NAME.search(match["attributes"])
            found = {named[1]: match["value"]} if named else {}
        told |= found
        if path := found.get("ConnectionString"):
            for name in ("DTSID", "ObjectName"):
                if name in told:
                    paths[_key(told.pop(name))] = unescape(path).strip()
    return paths


def _key(name: str) -> str:
    return unescape(name).strip().casefold()
