"""Find the SQL in a command that T-SQL runs: of xp_cmdshell, of a job's step in PowerShell or for the shell."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from ragduck.sqlreader.command_lines import CommandText
from ragduck.sqlreader.dynamic import Dynamic

_MAX_COMMAND = 20_000  # characters


def sql_in_command(text: Dynamic, *, language: str) -> Iterator[Dynamic]:
    """Yield the statements that a command runs, with the lines of the file; who gets them is never sure."""
    sizes = [len(piece.text) for piece in text.pieces]
    if sum(sizes) > _MAX_COMMAND:
        return
    begins = [0, *accumulate(sizes)]
    whole = "".join(piece.text for piece in text.pieces)
    for command in CommandText(whole, language=language).commands():
        at = bisect_right(begins, command.start) - 1
        first = text.pieces[at].line + whole.count("\n", begins[at], command.start)
        line = command.pieces[0].line
        pieces = tuple(piece._replace(line=first + piece.line - line) for piece in command.pieces)
        yield Dynamic(pieces, is_literal=False)
