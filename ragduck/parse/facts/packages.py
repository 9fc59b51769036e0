"""Read the SQL that packages of Integration Services (.dtsx) and reports (.rdl) hand to a database,
and the packages and reports that they lead to.

Only texts that these files name as SQL are read: statements of tasks, commands and tables of data flows, queries of
reports. The files are scanned, not parsed, so that there is nothing that a hostile one could blow up.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import unescape
from pathlib import PurePosixPath

from ragduck.facts import INCLUDES, FileFacts, ObjectName, ReferenceFact
from ragduck.model import Document
from ragduck.parse.facts.handed_sql import ATTRIBUTES, HandedSql, bracketed
from ragduck.parse.facts.package_files import ENDING, files_of_package
from ragduck.parse.facts.package_parts import PROPERTIES, as_statement, sql_of_part
from ragduck.parse.facts.package_variables import Variables
from ragduck.parse.facts.reports import files_of_report, sql_of_report
from ragduck.sqlreader.dynamic import Dynamic, Piece
from ragduck.sqlreader.headers import EXTERNAL
from ragduck.sqlreader.names import Reference
from ragduck.sqlreader.references import StatementReader, read_references

DEFAULT_SCHEMA = "dbo"

_PACKAGE = re.compile(
    rf"(?P<executable><DTS:Executable\b)"
    rf"|<(?:\w+:)?SqlTaskData\b(?P<task>{ATTRIBUTES})"
    r'|\bDestinationTableName="(?P<bulk>[^"<]*)"'
    rf"|<component\b(?P<component>{ATTRIBUTES})"
    rf"|<property\b(?P<attributes>{ATTRIBUTES})>(?P<value>[^<]*)</property>"
    rf"|<DTS:PropertyExpression\b(?P<of>{ATTRIBUTES})>(?P<expression>[^<]*)</DTS:PropertyExpression>"
)
_STATEMENT = re.compile(r'\bSqlStatementSource="(?P<statement>[^"]*)"')
_SOURCE_TYPE = re.compile(r'\bSqlStmtSourceType="([^"]*)"')
_IS_PROCEDURE = re.compile(r'\bIsStoredProc="True"')
_CLASS = re.compile(r'\bcomponentClassID="([^"]*)"')
_PART_NAME = re.compile(r'\bname="([^"]*)"')
_OF_PROPERTY = re.compile(r'\bDTS:Name="([^"]*)"')
_NAMED = re.compile(rf'\bname="(?P<name>{"|".join(PROPERTIES)})"')
_RESULT = re.compile(r"\b(exec|execute)\s*\?\s*=", re.IGNORECASE)  # a parameter takes the return value
_TOLD = frozenset({"ReadsFrom", "WritesTo", "Executes", "Calls", "Uses"})


def facts_of_package(document: Document) -> FileFacts | None:
    """Return what a package or report asks of databases and leads to, even if it is nothing; None for other files."""
    ending = PurePosixPath(document.path).suffix.lower()
    if ending not in _READERS:
        return None
    source, text = f"file:{document.path}|FILE", document.text
    starts = [0, *(at + 1 for at, letter in enumerate(text) if letter == "\n")]
    found = (
        one for sql in _READERS[ending](text) for one in _references(sql, bisect_right(starts, sql.start))
    )
    files = files_of_package(text) if ending == ENDING else files_of_report(text, ending)
    named = (
        ReferenceFact(
            source, ObjectName(one.name), INCLUDES, bisect_right(starts, one.start), "FILE", one.rule
        )
        for one in files
    )
    references = tuple(dict.fromkeys((*(ReferenceFact(source, *one) for one in found), *named)))
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
    text = _RESULT.sub(r"\1 @result =", sql.text)
    if sql.is_sure:
        found: Iterable[Reference] = read_references(text)
    else:
        dynamic = Dynamic(sql.pieces or (Piece(text, 1),), is_literal=False)
        found = StatementReader([], dialect="tsql").run(dynamic)
    for reference in found:
        if reference.relation in _TOLD and reference.kind != EXTERNAL:
            yield reference._replace(line=line + min(reference.line, sql.lines) - 1)


class _Package:
    """Reads a package from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.variables = Variables(text)
        self.expressions: dict[str, HandedSql] = {}  # of the task that is read, by property
        self.class_ = self.name = ""  # of the part of a data flow that is read
        self.properties: dict[str, HandedSql] = {}

    def read(self) -> Iterator[HandedSql]:
        """Yield statements of tasks, and commands and tables of the sources and destinations of data flows."""
        for match in _PACKAGE.finditer(self.text):
            if match["executable"] is not None:
                self.expressions = {}
            elif match["task"] is not None:
                yield from self.read_task(match)
            elif match["bulk"] is not None:
                yield as_statement(HandedSql.of_group(match, "bulk"), is_filled=True)
            elif match["component"] is not None:
                yield from self.end_part()
                self.class_ = _value(_CLASS, match["component"])
                self.name = _value(_PART_NAME, match["component"])
            elif match["expression"] is not None:
                property_ = unescape(_value(_OF_PROPERTY, match["of"]))
                self.expressions[property_] = HandedSql.of_group(match, "expression")
            elif (named := _NAMED.search(match["attributes"])) and match["value"].strip():
                value = HandedSql.of_group(match, "value")
                is_escaped = 'state="escaped"' in match["attributes"]
                self.properties[named["name"]] = value.unescaped() if is_escaped else value
        yield from self.end_part()

    def end_part(self) -> Iterator[HandedSql]:
        """Yield what the part asks for that was read last."""
        for property_ in PROPERTIES if self.expressions else ():
            expression = self.expressions.get(f"[{self.name}].[{property_}]")
            if expression is not None and property_ not in self.properties:
                self.properties.update(self.given(property_, expression))
        yield from sql_of_part(self.class_, self.properties, self.variables)
        self.class_, self.properties = "", {}

    def read_task(self, task: re.Match[str]) -> Iterator[HandedSql]:
        """Yield the statement of a task, which may be the name of a procedure or of a variable."""
        begin, end = task.span("task")
        statement = _STATEMENT.search(self.text, begin, end)
        sql = HandedSql.of_group(statement, "statement") if statement else None
        kind = _SOURCE_TYPE.search(self.text, begin, end)
        is_procedure = _IS_PROCEDURE.search(self.text, begin, end) is not None
        if kind is not None and kind[1] == "Variable":
            held = self.variables.held_name if is_procedure else self.variables.held
            sql = held(sql.text) if sql else None
        elif kind is not None and kind[1] != "DirectInput":
            sql = None  # a file
        elif (sql is None or not sql.text.strip()) and "SqlStatementSource" in self.expressions:
            sql = self.variables.given(self.expressions["SqlStatementSource"])
        if sql is not None:
            yield sql._replace(text=f"EXEC {bracketed(sql.text)}") if is_procedure else sql

    def given(self, property_: str, expression: HandedSql) -> dict[str, HandedSql]:
        """Return a property that an expression gives, where the package keeps nothing."""
        given = self.variables.given(expression)
        return {property_: given} if given else {}


def _value(pattern: re.Pattern[str], attributes: str) -> str:
    found = pattern.search(attributes)
    return found[1] if found else ""


def _sql_of_package(text: str) -> Iterator[HandedSql]:
    """Yield what a package hands to databases; what several parts have from one variable once."""
    seen: set[HandedSql] = set()
    for sql in _Package(text).read():
        if sql.is_sure or sql not in seen:
            yield sql
            seen.add(sql)


_READERS: Mapping[str, Callable[[str], Iterator[HandedSql]]] = {
    ENDING: _sql_of_package,
    ".rdl": sql_of_report,
    ".rdlc": sql_of_report,
    ".rsd": sql_of_report,
}
