"""Read the SQL that packages of Integration Services (.dtsx) and reports (.rdl) hand to a database.

Only texts that these files name as SQL are read: statements of tasks, commands and tables of data flows, queries of
reports. The files are scanned, not parsed, so that there is nothing that a hostile one could blow up.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from html import unescape
from pathlib import PurePosixPath
from typing import NamedTuple

from ragduck.facts import FileFacts, ReferenceFact
from ragduck.model import Document
from ragduck.sqlreader.names import Reference
from ragduck.sqlreader.references import read_references

DEFAULT_SCHEMA = "dbo"

_PACKAGE = re.compile(
    r'\bSqlStatementSource="(?P<statement>[^"]*)"'
    r'|\bcomponentClassID="(?P<component>[^"]*)"'
    r"|<property\b(?P<attributes>[^<>]*)>(?P<value>[^<]*)</property>"
)
_NAMED = re.compile(r'\bname="(?P<name>SqlCommand|OpenRowset|AccessMode)"')
_BY_COMMAND = "2"
_FILLED = frozenset(("OLEDBDestination", "ODBCDestination", "SQLServerDestination"))
_READ = {  # parts of data flows that name a table of a database, and the modes of access in which they do
    "OLEDBSource": ("0",),
    "ODBCSource": ("0",),
    "Lookup": ("0",),
    "OLEDBDestination": ("0", "3"),
    "ODBCDestination": ("0", "3"),
    "SQLServerDestination": ("0", "3"),
}
_REPORT = re.compile(
    r"<CommandType>(?P<type>[^<]*)</CommandType>|<CommandText>(?P<text>[^<]*)</CommandText>|(?P<end></Query>)"
)
_NO_SQL = re.compile(
    r"^\s*=|\[Measures\]|\bon\s+(?:columns|rows)\s*(?:,|from\b)", re.IGNORECASE
)  # put together, or MDX
_RESULT = re.compile(r"\b(exec|execute)\s*\?\s*=", re.IGNORECASE)  # a parameter takes the return value


class _Sql(NamedTuple):
    """A text that goes to a database, as the file has it, and the character that it begins at."""

    text: str
    start: int


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


def _references(sql: _Sql, line: int) -> Iterator[Reference]:
    """Yield what a text refers to, with lines of the file; what it changes in tables, only a migration tells."""
    last = sql.text.count("\n") + 1  # line ends may be entities
    for reference in read_references(_RESULT.sub(r"\1 @result =", unescape(sql.text))):
        if reference.relation != "SchemaChange":
            yield reference._replace(line=line + min(reference.line, last) - 1)


def _of_package(text: str) -> Iterator[_Sql]:
    """Yield statements of tasks, and commands and tables of the sources and destinations of data flows."""
    component, properties = "", dict[str, _Sql]()
    for match in _PACKAGE.finditer(text):
        if match["statement"] is not None:
            yield _Sql(match["statement"], match.start("statement"))
        elif match["component"] is not None:
            yield from _of_component(component, properties)
            component, properties = match["component"].rpartition(".")[2], {}
        elif (named := _NAMED.search(match["attributes"])) and match["value"].strip():
            properties[named["name"]] = _Sql(match["value"], match.start("value"))
    yield from _of_component(component, properties)


def _of_component(component: str, properties: Mapping[str, _Sql]) -> Iterator[_Sql]:
    """Yield what a part of a data flow asks for; what its mode of access leaves unused may be long gone."""
    if component not in _READ:
        return
    mode = properties["AccessMode"].text.strip() if "AccessMode" in properties else ""
    command, table = properties.get("SqlCommand"), properties.get("OpenRowset")
    if command is not None and mode in ("", _BY_COMMAND):
        yield command
    if table is not None and mode in ("", *_READ[component]):
        before, after = (
            ("INSERT INTO ", " DEFAULT VALUES") if component in _FILLED else ("SELECT * FROM ", "")
        )
        yield table._replace(text=f"{before}{table.text}{after}")


def _of_report(text: str) -> Iterator[_Sql]:
    """Yield the queries of data sets; one that begins with `=` is put together when the report runs."""
    command: _Sql | None = None
    is_procedure = False
    for match in _REPORT.finditer(text):
        if match["text"] is not None:
            command = _Sql(match["text"], match.start("text"))
        elif match["type"] is not None:
            is_procedure = match["type"].strip() == "StoredProcedure"
        else:
            if command is not None and not _NO_SQL.search(command.text):
                yield command._replace(text=f"EXEC {_bracketed(command.text)}") if is_procedure else command
            command, is_procedure = None, False


def _bracketed(name: str) -> str:
    """Return the name of a procedure as a statement writes it: `dbo.Open invoices` has a blank."""
    parts = name.strip().split(".")
    return ".".join(part if part.startswith(("[", '"')) else f"[{part}]" for part in parts)


_READERS: Mapping[str, Callable[[str], Iterator[_Sql]]] = {
    ".dtsx": _of_package,
    ".rdl": _of_report,
    ".rdlc": _of_report,
}
