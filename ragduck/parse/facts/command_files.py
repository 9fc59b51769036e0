"""Read the SQL that PowerShell, batch and shell scripts hand to a database, and the SQL files that they name.

The files are scanned for their literals and for the commands that run SQL; nothing is evaluated. A variable in a text
is a piece that nobody knows, so that the rest of the statement is told.
"""

from __future__ import annotations

import re

from ragduck.facts import INCLUDES, FileFacts, Import, ObjectName, ReferenceFact
from ragduck.model import Document
from ragduck.sqlreader.command_lines import LITERALS, VARIABLE, CommandText
from ragduck.sqlreader.command_literals import Literal
from ragduck.sqlreader.dynamic import Dynamic
from ragduck.sqlreader.headers import EXTERNAL
from ragduck.sqlreader.references import StatementReader

DEFAULT_SCHEMA = "dbo"
SQL_FILE = "sql file"

_TOLD = frozenset({"ReadsFrom", "WritesTo", "Executes", "Calls", "Uses"})
_SYSTEM_DATABASES = frozenset({"master", "tempdb", "model", "msdb"})
_USED = re.compile(
    r"(?:\A|[\n;])[ \t\r]*+use[ \t]++\[?(?P<name>[^\W\d][\w-]{0,127})\]?\s*+(?:;|\n|\Z)", re.IGNORECASE
)
_WRITTEN = re.compile(
    r"(?:>|\s-o|(?:out-file|set-content|add-content)(?:\s++-\w++)?+|-outfile|-filepath)\s*+[\"']?\Z",
    re.IGNORECASE,
)
_LONGEST_PATH = 300
_OWN_FOLDER = re.compile(r"(?:%~dp0|\$\{?PSScriptRoot\}?|\$\(PSScriptRoot\))[\\/]?", re.IGNORECASE)
_STAND_IN = "$(folder)"


def facts_of_command_file(document: Document) -> FileFacts | None:
    """Return what a script of commands asks of databases, and the SQL files that it names; None without any."""
    if document.language not in LITERALS:
        return None
    script = CommandText(document.text, language=document.language)
    source, reader = f"file:{document.path}|FILE", StatementReader([], dialect="tsql")
    found: dict[ReferenceFact, None] = {}
    databases: dict[str, None] = {}
    for literal in script.literals:
        if literal.is_sql_file and not _WRITTEN.search(script.before(literal)):
            found.update(dict.fromkeys(_named_file(literal, source=source)))
    for command in script.commands():
        databases.update((match["name"], None) for match in _USED.finditer(command.text))
        for reference in reader.run(Dynamic(command.pieces, is_literal=command.is_known)):
            if reference.relation in _TOLD and reference.kind != EXTERNAL:
                found[ReferenceFact(source, *reference)._replace(rule=command.rule or reference.rule)] = None
    if not found:
        return None
    return FileFacts(
        document.path,
        "sql",
        document.file_class,
        document.project,
        lines=document.last_line,
        imports=tuple(Import(name) for name in databases if name.casefold() not in _SYSTEM_DATABASES),
        references=tuple(found),
        module=DEFAULT_SCHEMA,
    )


def _named_file(literal: Literal, *, source: str) -> list[ReferenceFact]:
    """Return the note of the SQL file that a text names."""
    path = literal.text.strip()
    if len(path) > _LONGEST_PATH or "*" in path:
        return []
    path = VARIABLE.sub(lambda _: _STAND_IN, _OWN_FOLDER.sub("", path)).replace("\\", "/")
    return [ReferenceFact(source, ObjectName(path), INCLUDES, literal.line, "FILE", SQL_FILE)]
