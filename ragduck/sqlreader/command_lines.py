"""Find the SQL in command lines and scripts of commands: `sqlcmd -Q "EXEC …"`, `Invoke-Sqlcmd -Query`, `bcp T in`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragduck.sqlreader.command_literals import (
    Literal,
    batch_literals,
    powershell_literals,
    shell_literals,
)
from ragduck.sqlreader.concatenation import Piece
from ragduck.sqlreader.names import HOLE
from ragduck.sqlreader.recognition import Certainty, has_unknown_piece, recognize

LITERALS = {"powershell": powershell_literals, "batch": batch_literals, "shell": shell_literals}
VARIABLE = re.compile(
    r"%~?\w++%?+|\$\{[^}\n]{0,200}+\}|\$\w++|\$\((?:[^()]|\([^()]*+\)){0,50}+\)|" + HOLE
)  # that a script puts into a word

_MARKS = ("sql", "commandtext", "bcp")  # in lower case: one of them is in every script that runs SQL
_GIVEN = re.compile(
    r"(?:\s-(?:q|query|sqlquery|sql|commandtext)[\s:=]*+|\bcommandtext\s*+=\s*+"
    r"|\bsqlcommand\s*+\(\s*+|\bsqlcommand['\"]?\s++(?:-argumentlist\s++)?+\(?\s*+)\Z",
    re.IGNORECASE,
)  # what stands in front of a text that goes to a database
_PROCEDURE = re.compile(r"(?:\[?[\w#@$]{1,128}\]?\s*+\.\s*+){0,2}\[?[\w#@$]{1,128}\]?")
_STORED = re.compile(r"\bstoredprocedure\b", re.IGNORECASE)
_PUT_IN = re.compile(r"\$\(\w++\)")  # by sqlcmd
_COPY = re.compile(
    r"""\bbcp(?:\.exe)?['"]?\s++(?P<quote>["'])?+(?P<name>(?(quote)[^"'\n]|[^\s"'])++)(?(quote)["'])"""
    r"\s++[\"']?(?P<way>in|out)\b",
    re.IGNORECASE,
)
_BEFORE = 60  # characters that are looked at in front of a literal


class Command(NamedTuple):
    """A statement that a command runs, with the character that it begins at.

    ``is_known`` holds where no piece of it but values is unknown.
    """

    pieces: tuple[Piece, ...]
    start: int
    is_known: bool
    rule: str = ""

    @property
    def text(self) -> str:
        """Return the whole statement."""
        return "".join(piece.text for piece in self.pieces)


class CommandText:
    """A script or command line; ``language`` is powershell, batch or shell."""

    def __init__(self, text: str, *, language: str) -> None:
        self.text = text
        self._runs_procedures = _STORED.search(text) is not None
        runs = any(mark in text.lower() for mark in _MARKS)
        self.literals: tuple[Literal, ...] = tuple(LITERALS[language](text)) if runs else ()

    def before(self, literal: Literal) -> str:
        """Return what stands in front of a literal."""
        return self.text[max(literal.start - _BEFORE, 0) : literal.start]

    def commands(self) -> Iterator[Command]:
        """Yield the statements that are run: SQL by themselves, or by their grammar and what they are given to."""
        for literal in self.literals:
            pieces = self._statement(literal) if literal.is_text and not literal.is_sql_file else None
            if pieces is not None:
                yield Command(pieces, literal.start, not has_unknown_piece(literal.text))
        if self.literals or "bcp" in self.text.lower():
            yield from self._copies()

    def _statement(self, literal: Literal) -> tuple[Piece, ...] | None:
        is_given = _GIVEN.search(self.before(literal)) is not None
        if is_given and self._runs_procedures and _PROCEDURE.fullmatch(literal.text.strip()):
            return (Piece("EXEC ", literal.line), *literal.pieces)
        needed = Certainty.POSSIBLE if is_given else Certainty.SURE
        return literal.pieces if recognize(_PUT_IN.sub(HOLE, literal.text)) >= needed else None

    def _copies(self) -> Iterator[Command]:
        """Yield what bcp does to tables; a name without a dot may be a word of a sentence."""
        line, at = 1, 0
        for match in _COPY.finditer(self.text):
            if "." in match["name"]:
                line, at = line + self.text.count("\n", at, match.start()), match.start()
                name = VARIABLE.sub(HOLE, match["name"])
                is_in = match["way"].lower() == "in"
                text = f"INSERT INTO {name} DEFAULT VALUES" if is_in else f"SELECT * FROM {name}"
                yield Command((Piece(text, line),), match.start(), HOLE not in name, "bcp")
