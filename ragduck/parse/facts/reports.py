"""Read the queries of reports: of the data sets in .rdl and .rdlc files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragduck.parse.facts.handed_sql import HandedSql, bracketed

_REPORT = re.compile(
    r"<CommandType>(?P<type>[^<]*)</CommandType>|<CommandText>(?P<text>[^<]*)</CommandText>|(?P<end></Query>)"
)
_NO_SQL = re.compile(
    r"^\s*=|\[Measures\]|\bon\s+(?:columns|rows)\s*(?:,|from\b)", re.IGNORECASE
)  # put together, or MDX


def sql_of_report(text: str) -> Iterator[HandedSql]:
    """Yield the queries of data sets; one that begins with `=` is put together when the report runs."""
    command: HandedSql | None = None
    is_procedure = False
    for match in _REPORT.finditer(text):
        if match["text"] is not None:
            command = HandedSql.of_group(match, "text")
        elif match["type"] is not None:
            is_procedure = match["type"].strip() == "StoredProcedure"
        else:
            if command is not None and not _NO_SQL.search(command.text):
                yield command._replace(text=f"EXEC {bracketed(command.text)}") if is_procedure else command
            command, is_procedure = None, False
