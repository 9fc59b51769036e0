"""Read the SQL that packages of Integration Services (.dtsx) and reports (.rdl) hand to a database.

Only texts that these files name as SQL are read: statements of tasks, commands and tables of data flows, queries of
reports. The files are scanned, not parsed, so that there is nothing that a hostile one could blow up.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

from ragduck.facts import FileFacts, ReferenceFact
from ragduck.model import Document
from ragduck.parse.facts.handed_sql import HandedSql, bracketed
from ragduck.parse.facts.package_parts import PROPERTIES, as_statement, sql_of_part
from ragduck.parse.facts.reports import sql_of_report
from ragduck.sqlreader.names import Reference
from ragduck.sqlreader.references import read_references

DEFAULT_SCHEMA = "dbo"

_ATTRIBUTES = r'(?:[^<>"]++|"[^"<]*+")*+'
_PACKAGE = re.compile(
    rf"<(?:\w+:)?SqlTaskData\b(?P<task>{_ATTRIBUTES})"
    r'|\bDestinationTableName="(?P<bulk>[^"<]*)"'
    r'|\bcomponentClassID="(?P<component>[^"]*)"'
    rf"|<property\b(?P<attributes>{_ATTRIBUTES})>(?P<value>[^<]*)</property>"
)
_STATEMENT = re.compile(r'\bSqlStatementSource="(?P<statement>[^"]*)"')
_IS_PROCEDURE = re.compile(r'\bIsStoredProc="True"')
_NAMED = re.compile(rf'\bname="(?P<name>{"|".join(PROPERTIES)})"')
_RESULT = re.compile(r"\b(exec|execute)\s*\?\s*=", re.IGNORECASE)  # a parameter takes the return value


def facts_of_package(document: Document) -> FileFacts | None:
    """Return what a package or report asks of databases; None for other files, and where it asks nothing."""
    read = _READERS.get(PurePosixPath(document.path).suffix.lower())
    if read is None:
        return None
    source = f"file:{document.path}|FILE"
    starts = [0, *(at + 1 for at, letter in enumerate(document.text) if letter == "\n")]
    found = (one for sql in read(document.text) for one in _references(sql, bisect_right(starts, sql.start)))
    references = tuple(dict.fromkeys(ReferenceFact(source, *one) for one in found))
    if not references:
        return None
    return FileFacts(
        document.path,
        "sql",
        document.file_class,
        document.project,
        lines=document.last_line,
        references=references,
        module=DEFAULT_SCHEMA,
    )


def _references(sql: HandedSql, line: int) -> Iterator[Reference]:
    """Yield what a text refers to, with lines of the file; what it changes in tables, only a migration tells."""
    for reference in read_references(_RESULT.sub(r"\1 @result =", sql.text)):
        if reference.relation != "SchemaChange":
            yield reference._replace(line=line + min(reference.line, sql.lines) - 1)


def _sql_of_package(text: str) -> Iterator[HandedSql]:
    """Yield statements of tasks, and commands and tables of the sources and destinations of data flows."""
    class_, properties = "", dict[str, HandedSql]()
    for match in _PACKAGE.finditer(text):
        if match["task"] is not None:
            yield from _sql_of_task(text, match)
        elif match["bulk"] is not None:
            yield as_statement(HandedSql.of_group(match, "bulk"), is_filled=True)
        elif match["component"] is not None:
            yield from sql_of_part(class_, properties)
            class_, properties = match["component"], {}
        elif (named := _NAMED.search(match["attributes"])) and match["value"].strip():
            properties[named["name"]] = HandedSql.of_group(match, "value")
    yield from sql_of_part(class_, properties)


def _sql_of_task(text: str, task: re.Match[str]) -> Iterator[HandedSql]:
    """Yield the statement of a task, which may be the name of a procedure."""
    statement = _STATEMENT.search(text, task.start("task"), task.end("task"))
    if statement is None:
        return
    sql = HandedSql.of_group(statement, "statement")
    is_procedure = _IS_PROCEDURE.search(text, task.start("task"), task.end("task"))
    yield sql._replace(text=f"EXEC {bracketed(sql.text)}") if is_procedure else sql


_READERS: Mapping[str, Callable[[str], Iterator[HandedSql]]] = {
    ".dtsx": _sql_of_package,
    ".rdl": sql_of_report,
    ".rdlc": sql_of_report,
}
