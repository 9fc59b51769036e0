"""Read the queries of reports, of the data sets in .rdl, .rdlc and .rsd files, and what they lead to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragduck.facts import DRILLTHROUGH
from ragduck.parse.facts.handed_sql import HandedSql, NamedFile, bracketed
from ragduck.parse.facts.report_expressions import pieces_of
from ragduck.sqlreader.names import HOLE

_REPORT = re.compile(
    r"<CommandType>(?P<type>[^<]*)</CommandType>"
    r"|<CommandText>(?:(?P<text>[^<]*)|\s*+<!\[CDATA\[(?P<raw>(?:[^]<]++|\](?!\]>)|<(?!CommandText>))*+)\]\]>\s*+)"
    r"</CommandText>"
    r"|(?P<end></Query>)"
)
_NO_SQL = re.compile(r"\[Measures\]|\bon\s+(?:columns|rows)\s*(?:,|from\b)", re.IGNORECASE)  # MDX
_LINK = re.compile(
    r"<(?P<within>Subreport|Drillthrough)\b|<ReportName>(?P<report>[^<]*)</ReportName>"
    r"|<SharedDataSetReference>(?P<data>[^<]*)</SharedDataSetReference>"
)
_RULES = {"Subreport": "subreport", "Drillthrough": DRILLTHROUGH}


def files_of_report(text: str, ending: str) -> Iterator[NamedFile]:
    """Yield the reports that a report shows or leads to, which end as its own name does, and shared data sets."""
    within = ""
    for match in _LINK.finditer(text):
        if match["within"] is not None:
            within = match["within"]
        elif match["data"] is not None:
            yield from NamedFile.of_group(match, "data", ending=".rsd", rule="shared data set")
        elif within:
            yield from NamedFile.of_group(match, "report", ending=ending, rule=_RULES[within])


def sql_of_report(text: str) -> Iterator[HandedSql]:
    """Yield the queries of data sets; one that begins with `=` is put together when the report runs."""
    command: HandedSql | None = None
    is_procedure = False
    for match in _REPORT.finditer(text):
        if match["text"] is not None:
            command = HandedSql.of_group(match, "text")
        elif match["raw"] is not None:
            command = HandedSql(match["raw"], match.start("raw"), match["raw"].count("\n") + 1)
        elif match["type"] is not None:
            is_procedure = match["type"].strip() == "StoredProcedure"
        else:
            command = _put_together(command) if command else None
            if command is not None and not _NO_SQL.search(command.text):
                yield command._replace(text=f"EXEC {bracketed(command.text)}") if is_procedure else command
            command, is_procedure = None, False


def _put_together(command: HandedSql) -> HandedSql | None:
    """Return the text that a command gives if it is an expression, and else itself."""
    before, sign, expression = command.text.partition("=")
    if not sign or before.strip():
        return command
    pieces = pieces_of(f"{before} {expression}")
    text = "".join(piece.text for piece in pieces)
    return command._replace(text=text, pieces=pieces, is_sure=False) if text.strip(f"{HOLE} \n") else None
