"""Find the literals in PowerShell, batch and shell scripts, and the words that name SQL files; comments have none.

Pieces that a script puts into a text are ``HOLE``, also where texts are joined by `+`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ragduck.sqlreader.concatenation import Piece
from ragduck.sqlreader.names import HOLE
from ragduck.sqlreader.recognition import readable_text

_POWERSHELL = re.compile(
    r"<\#(?:[^#]|\#(?!>))*+"
    r"|\#[^\n]*+"
    r"|@\"[^\S\n]*+\n(?P<here>(?:[^\n]|\n(?!\"@))*+)(?:\n?\"@|\Z)"
    r"|@'[^\S\n]*+\n(?P<verbatim>(?:[^\n]|\n(?!'@))*+)(?:\n?'@|\Z)"
    r"|\"(?P<double>(?:[^\"`$]|`.|\"\"|\$\((?:[^()]|\([^()]*+\)){0,50}+\)|\$)*+)(?:\"|\Z)"
    r"|'(?P<single>(?:[^']|'')*+)(?:'|\Z)"
    r"|(?P<bare>(?:[^\s\"'`;,|<>&(){}=+@#$]|\$\{[\w:.]{1,60}+\}|\$)(?:[^\s\"'`;,|<>&(){}=+@$]|\$\{[\w:.]{1,60}+\}|\$)*+)",
    re.DOTALL,
)
_SHELL = re.compile(
    r"\#[^\n]*+"
    r"|\"(?P<double>(?:[^\"\\]|\\.)*+)(?:\"|\\?\Z)"
    r"|'(?P<single>[^']*+)(?:'|\Z)"
    r"|(?P<bare>(?:[^\s\"';,|<>&(){}=#$]|\$\{[\w:.]{1,60}+\}|\$)(?:[^\s\"';,|<>&(){}=$]|\$\{[\w:.]{1,60}+\}|\$)*+)",
    re.DOTALL,
)
_BATCH = re.compile(
    r"(?m:^)[ \t@]*+(?:rem\b|::)[^\n]*+|\"(?P<double>[^\"\n]*+)\"|(?P<bare>[^\s\"',;|<>&()=]++)",
    re.IGNORECASE,
)
_IN_POWERSHELL = re.compile(
    r"`(?P<escaped>.)|(?P<quote>\"\")|\$\((?:[^()]|\([^()]*+\)){0,50}+\)|\$\{[^}\n]{0,200}+\}|\$(?:\w++:)?+\w++",
    re.DOTALL,
)
_IN_SHELL = re.compile(
    r"\\(?P<escaped>[\"\\$`\n])|\$\((?:[^()]|\([^()]*+\)){0,50}+\)|\$\{[^}\n]{0,200}+\}|\$\w++", re.DOTALL
)
_IN_BATCH = re.compile(r"(?P<escaped>%)%|%~?\w++%?+|!\w++!")
_JOIN = re.compile(r"\s*+\+\s*+(?:(?P<operand>[$\[]?[\w.:\]$\[]++(?:\([^()\n\"']*+\))?+)|(?=[@\"']))")
_MAX_JOINED = 200


class Literal(NamedTuple):
    """A text of a script, with the character that it begins at. ``is_text`` is false for a word without quotes."""

    pieces: tuple[Piece, ...]
    start: int
    is_text: bool = True

    @property
    def text(self) -> str:
        """Return the whole text."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def is_sql_file(self) -> bool:
        """Tell whether the text may be the name of an SQL file."""
        return _is_sql_file(self.text)

    @property
    def line(self) -> int:
        """Return the line that the text begins on."""
        return self.pieces[0].line


class _Lines:
    def __init__(self, text: str) -> None:
        self._ends = [match.start() for match in re.finditer("\n", text)]

    def at(self, offset: int) -> int:
        """Return the line of an offset."""
        return bisect_right(self._ends, offset - 1) + 1


def powershell_literals(text: str) -> Iterator[Literal]:
    """Yield the literals of PowerShell; those that `+` joins are one."""
    lines, position = _Lines(text), 0
    while (match := _POWERSHELL.search(text, position)) is not None:
        position = match.end()
        piece = _powershell_piece(match, lines)
        if piece is None:
            continue
        pieces = [piece]
        is_text = match["bare"] is None
        while is_text and len(pieces) < _MAX_JOINED and (join := _JOIN.match(text, position)) is not None:
            operand = None if join["operand"] else _POWERSHELL.match(text, join.end())
            added = (
                Piece(HOLE, piece.line) if join["operand"] else operand and _powershell_piece(operand, lines)
            )
            if not added:
                break
            pieces.append(added)
            position = operand.end() if operand else join.end()
        yield Literal(tuple(pieces), match.start(), is_text)


def shell_literals(text: str) -> Iterator[Literal]:
    """Yield the literals of a shell script."""
    return _literals(text, _SHELL, _in_shell)


def batch_literals(text: str) -> Iterator[Literal]:
    """Yield the texts in quotes of a batch file."""
    return _literals(text, _BATCH, _in_batch)


def _literals(text: str, pattern: re.Pattern[str], put_in: Callable[[str], str]) -> Iterator[Literal]:
    lines = _Lines(text)
    for match in pattern.finditer(text):
        name = match.lastgroup
        value = match[name] if name else ""
        if not name or not value or (name == "bare" and not _is_sql_file(value)):
            continue
        known = value if name == "single" or _is_sql_file(value) else put_in(value)
        piece = Piece(readable_text(known), lines.at(match.start(name)))
        yield Literal((piece,), match.start(), name != "bare")


def _powershell_piece(match: re.Match[str], lines: _Lines) -> Piece | None:
    """Return a literal as it is when it runs; None for a comment, and for a word that names no SQL file."""
    name = match.lastgroup
    value = match[name] if name else ""
    if not name or (name == "bare" and not _is_sql_file(value)):
        return None
    if name == "single":
        value = value.replace("''", "'")
    elif name in ("double", "here") and not _is_sql_file(value):
        value = _IN_POWERSHELL.sub(_expanded, value)
    return Piece(readable_text(value), lines.at(match.start(name)))


def _is_sql_file(value: str) -> bool:
    return value[-5:].rstrip().lower().endswith(".sql") and "\n" not in value


def _expanded(match: re.Match[str]) -> str:
    """Return what takes the place of a variable or an escape; line ends keep their number."""
    escaped = match["escaped"]
    if escaped is not None:
        return {"n": " ", "r": " ", "t": " "}.get(escaped, escaped)
    return '"' if match["quote"] else HOLE + "\n" * match[0].count("\n")


def _in_shell(value: str) -> str:
    return _IN_SHELL.sub(lambda match: match["escaped"] or HOLE + "\n" * match[0].count("\n"), value)


def _in_batch(value: str) -> str:
    return _IN_BATCH.sub(lambda match: match["escaped"] or HOLE, value)
