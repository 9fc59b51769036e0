"""Read the SQL that PowerShell, batch and shell scripts hand to a database, and the SQL files that they name.

The files are scanned for their literals and for the commands that run SQL; nothing is evaluated. A variable in a text
is a piece that nobody knows, so that the rest of the statement is told.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from ragduck.facts import INCLUDES, FileFacts, Import, ObjectName, ReferenceFact
from ragduck.model import Document
from ragduck.parse.facts.command_literals import (
    Literal,
    batch_literals,
    powershell_literals,
    shell_literals,
)
from ragduck.sqlreader.dynamic import Dynamic, Piece
from ragduck.sqlreader.headers import EXTERNAL
from ragduck.sqlreader.names import HOLE
from ragduck.sqlreader.recognition import Certainty, has_unknown_piece, recognize
from ragduck.sqlreader.references import StatementReader

DEFAULT_SCHEMA = "dbo"
SQL_FILE = "sql file"

_TOLD = frozenset({"ReadsFrom", "WritesTo", "Executes", "Calls", "Uses"})
_SYSTEM_DATABASES = frozenset({"master", "tempdb", "model", "msdb"})
_USED = re.compile(
    r"(?:\A|[\n;])\s*+use\s++\[?(?P<name>[^\W\d][\w-]{0,127})\]?\s*+(?:;|\n|\Z)", re.IGNORECASE
)
_MARKS = ("sql", "commandtext", "bcp")  # in lower case: one of them is in every script that runs SQL
_GIVEN = re.compile(
    r"(?:\s-(?:q|query|sqlquery|sql|commandtext)[\s:=]*+|\bcommandtext\s*+=\s*+"
    r"|\bsqlcommand\s*+\(\s*+|\bsqlcommand['\"]?\s++(?:-argumentlist\s++)?+\(?\s*+)\Z",
    re.IGNORECASE,
)  # what stands in front of a text that goes to a database
_PROCEDURE = re.compile(r"(?:\[?[\w#@$]{1,128}\]?\s*+\.\s*+){0,2}\[?[\w#@$]{1,128}\]?")
_STORED = re.compile(r"\bstoredprocedure\b", re.IGNORECASE)
_COPY = re.compile(
    r"""\bbcp(?:\.exe)?['"]?\s++(?P<quote>["'])?+(?P<name>(?(quote)[^"'\n]|[^\s"'])++)(?(quote)["'])"""
    r"\s++[\"']?(?P<way>in|out)\b",
    re.IGNORECASE,
)
_WRITTEN = re.compile(
    r"(?:>|\s-o|(?:out-file|set-content|add-content)(?:\s++-\w++)?+|-outfile|-filepath)\s*+[\"']?\Z",
    re.IGNORECASE,
)
_BEFORE = 60  # characters that are looked at in front of a literal
_PUT_IN = re.compile(r"\$\(\w++\)")  # by sqlcmd
_LONGEST_PATH = 300
_OWN_FOLDER = re.compile(r"(?:%~dp0|\$\{?PSScriptRoot\}?|\$\(PSScriptRoot\))[\\/]?", re.IGNORECASE)
_VARIABLE = re.compile(r"%~?\w++%?+|\$\{[^}\n]{0,200}+\}|\$\w++|\$\((?:[^()]|\([^()]*+\)){0,50}+\)|" + HOLE)
_STAND_IN = "$(folder)"


class _Facts(NamedTuple):
    """What has been found, in the name of a file."""

    source: str
    reader: StatementReader
    references: dict[ReferenceFact, None]
    databases: dict[str, None]

    def note(self, text: Dynamic, *, rule: str = "") -> None:
        """Note what a text refers to; what it changes in tables, only a migration tells."""
        for reference in self.reader.run(text):
            if reference.relation in _TOLD and reference.kind != EXTERNAL:
                self.references[
                    ReferenceFact(self.source, *reference)._replace(rule=rule or reference.rule)
                ] = None


def facts_of_command_file(document: Document) -> FileFacts | None:
    """Return what a script of commands asks of databases, and the SQL files that it names; None without any."""
    read = _READERS.get(document.language)
    if read is None or not any(mark in document.text.lower() for mark in _MARKS):
        return None
    found = _Facts(f"file:{document.path}|FILE", StatementReader([], dialect="tsql"), {}, {})
    is_stored = _STORED.search(document.text) is not None
    for literal in read(document.text):
        before = document.text[max(literal.start - _BEFORE, 0) : literal.start]
        if literal.text.lower().rstrip().endswith(".sql"):
            _note_file(found, literal, is_written=_WRITTEN.search(before) is not None)
        elif literal.is_text:
            _note_sql(found, literal, is_given=_GIVEN.search(before) is not None, is_stored=is_stored)
    _note_copies(found, document.text)
    if not found.references:
        return None
    return FileFacts(
        document.path,
        "sql",
        document.file_class,
        document.project,
        lines=document.last_line,
        imports=tuple(Import(database) for database in found.databases),
        references=tuple(found.references),
        module=DEFAULT_SCHEMA,
    )


def _note_sql(found: _Facts, literal: Literal, *, is_given: bool, is_stored: bool) -> None:
    """Note what a text refers to if it is SQL by itself, or by its grammar and what it is given to."""
    text, pieces = literal.text, literal.pieces
    if is_given and is_stored and _PROCEDURE.fullmatch(text.strip()):
        pieces = (Piece("EXEC ", literal.line), *pieces)
    elif recognize(_PUT_IN.sub(HOLE, text)) < (Certainty.POSSIBLE if is_given else Certainty.SURE):
        return
    for match in _USED.finditer(text):
        if match["name"].casefold() not in _SYSTEM_DATABASES:
            found.databases[match["name"]] = None
    found.note(Dynamic(pieces, is_literal=not has_unknown_piece(text)))


def _note_file(found: _Facts, literal: Literal, *, is_written: bool) -> None:
    """Note the SQL file that a text names, unless it is one that the script makes."""
    path = literal.text.strip()
    if is_written or "\n" in path or len(path) > _LONGEST_PATH or "*" in path:
        return
    path = _VARIABLE.sub(lambda _: _STAND_IN, _OWN_FOLDER.sub("", path))
    name = ObjectName(path.replace("\\", "/"))
    found.references[ReferenceFact(found.source, name, INCLUDES, literal.line, "FILE", SQL_FILE)] = None


def _note_copies(found: _Facts, text: str) -> None:
    """Note the tables that bcp fills and reads."""
    ends: list[int] | None = None
    for match in _COPY.finditer(text):
        if "." not in match["name"]:
            continue  # a word of a sentence
        ends = ends if ends is not None else [end.start() for end in re.finditer("\n", text)]
        line = bisect_right(ends, match.start()) + 1
        name = _VARIABLE.sub(HOLE, match["name"])
        before, after = (
            ("INSERT INTO ", " DEFAULT VALUES") if match["way"].lower() == "in" else ("SELECT * FROM ", "")
        )
        statement = Dynamic((Piece(f"{before}{name}{after}", line),), is_literal=HOLE not in name)
        found.note(statement, rule="bcp")


_READERS: Mapping[str, Callable[[str], Iterator[Literal]]] = {
    "powershell": powershell_literals,
    "batch": batch_literals,
    "shell": shell_literals,
}
