"""Put together the text that EXEC runs, from literals and from variables that are given literals."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ragduck.sqlreader.definitions import word, words
from ragduck.sqlreader.dialect import Dialect
from ragduck.sqlreader.names import HOLE
from ragduck.sqlreader.tokens import COMMENT, STRING, VARIABLE, Token, tokenize

MAX_DYNAMIC = 1_000_000  # characters and pieces of such text that are read per file
_MAX_OPERANDS = 200  # tokens of a concatenation that are looked through for its end
_MAX_VERSIONS = 24  # of one variable: branches that each give it a value
_ENDS = words(
    "FROM WHERE SELECT SET EXEC EXECUTE DECLARE INSERT UPDATE DELETE IF ELSE BEGIN END PRINT AT RETURN"
)


class Piece(NamedTuple):
    """A stretch of the text; a hole where it is not known."""

    text: str
    line: int


class Dynamic(NamedTuple):
    """A text that is run; ``is_literal`` where it stands as a whole in the statement that runs it."""

    pieces: tuple[Piece, ...]
    is_literal: bool


@dataclass(slots=True)
class Budget:
    """What is left to be read of text that a file executes, so that no file takes for ever."""

    left: int = MAX_DYNAMIC

    def spend(self, text: Dynamic) -> bool:
        """Take a text off; tell whether there was enough."""
        self.left -= sum(len(piece.text) + 1 for piece in text.pieces)
        return self.left > 0


@dataclass(slots=True)
class _Variable:
    """What a variable has been given: places not looked at yet, and the last value of those that have been."""

    places: list[tuple[int, int]] = field(default_factory=list)
    value: list[Piece] = field(default_factory=list)


class Variables:
    """What the variables of a body have been given so far."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.variables: dict[str, _Variable] = defaultdict(_Variable)

    def note(self, at: int, end: int) -> None:
        """Remember that the variable at a position gets a value before ``end``."""
        self.variables[self.tokens[at].text.casefold()].places.append((at, end))

    def executed(self, at: int, end: int) -> Iterator[Dynamic]:
        """Yield the texts that the expression at a position may be."""
        position = at + 1 if at < end and self.tokens[at].text == "(" else at
        if (
            position + 1 < end
            and self.tokens[position].kind == VARIABLE
            and self.tokens[position + 1].text == "="
        ):
            position += 2  # a named argument
        if position >= end or (position > at and self.runs_elsewhere(at, end)):
            return
        after = position + 1
        is_alone = after >= end or self.tokens[after].text != "+"
        if self.tokens[position].kind == VARIABLE and is_alone:
            yield from self.versions(self.tokens[position].text.casefold())
            return
        pieces = tuple(_pieces(self.tokens, position, end))
        if any(piece.text != HOLE for piece in pieces):
            yield Dynamic(pieces, is_literal=len(pieces) == 1)

    def runs_elsewhere(self, at: int, end: int) -> bool:
        """Tell whether the text in a parenthesis is sent to another server: `EXEC ('…') AT server`."""
        limit = min(end, at + _MAX_OPERANDS)
        closing = next(
            (position for position in range(at, limit) if self.tokens[position].text == ")"), limit
        )
        return word(self.tokens, closing + 1) == "AT"

    def versions(self, name: str) -> Iterator[Dynamic]:
        """Yield the values that a variable got since it was executed last; branches may each give it one."""
        variable = self.variables[name]
        values: list[list[Piece]] = []
        for at, end in variable.places:
            begin = self.value_at(at, end)
            repeats = begin is not None and begin + 1 < end and self.tokens[begin].text.casefold() == name
            if not repeats and self.tokens[at + 1].text != "+":
                variable.value = []
            if begin is not None:
                variable.value += _pieces(self.tokens, begin + 2 if repeats else begin, end)
            if not values or values[-1] is not variable.value:
                values.append(variable.value)
        variable.places.clear()
        for value in values[-_MAX_VERSIONS:]:
            if any(piece.text != HOLE for piece in value):
                yield Dynamic(tuple(value), is_literal=False)

    def value_at(self, at: int, end: int) -> int | None:
        """Find the value that follows a variable, behind its type where it is declared."""
        for position in range(at + 1, min(at + 12, end)):
            if self.tokens[position].text == "=":
                return position + 1
            if self.tokens[position].text == ",":
                return None
        return None


def _pieces(tokens: Sequence[Token], at: int, end: int) -> Iterator[Piece]:
    """Yield the operands of a concatenation; calls and all that is no literal are one hole each.

    The arguments of `CONCAT` are operands like those of `+`.
    """
    depth = level = 0  # operands stand at a level: within the parentheses of CONCAT one deeper
    is_hole = False
    for position in range(at, end):
        token = tokens[position]
        joins = depth == level and (token.text == "+" or (token.text == "," and level > 0))
        if token.text == "(":
            joins = depth == level and word(tokens, position - 1) == "CONCAT"
            depth, level = depth + 1, level + joins
        elif token.text == ")":
            joins = 0 < depth == level
            depth, level = depth - 1, level - joins
        elif depth == level and word(tokens, position) == "CONCAT":
            joins = True
        if depth < 0 or (depth == 0 and (token.text in (",", ";") or word(tokens, position) in _ENDS)):
            return
        if token.kind == STRING and depth == level:
            yield Piece(unquoted(token.text), token.line)
            is_hole = False
        elif not joins and not is_hole:
            yield Piece(HOLE, token.line)
            is_hole = True


def unquoted(text: str) -> str:
    """Return what a string literal says."""
    if text.startswith("$"):
        mark = text[: text.index("$", 1) + 1]
        return text[len(mark) :].removesuffix(mark)
    quoted = text[text.index("'") + 1 :].removesuffix("'")
    return quoted.replace("''", "'")


def tokens_of(pieces: Sequence[Piece], *, dialect: Dialect) -> list[Token]:
    """Cut a text into tokens that have the lines of the file, without comments."""
    offsets: list[int] = []
    size = 0
    for piece in pieces:
        offsets.append(size)
        size += len(piece.text)
    text = "".join(piece.text for piece in pieces)
    breaks = _line_counts(text, offsets)
    tokens: list[Token] = []
    for token in tokenize(text, dialect=dialect).tokens:
        if token.kind != COMMENT:
            at = bisect_right(offsets, token.start) - 1
            tokens.append(token._replace(line=pieces[at].line + token.line - 1 - breaks[at]))
    return tokens


def _line_counts(text: str, offsets: Sequence[int]) -> list[int]:
    """Count the line ends before each offset."""
    counts, line, before = [], 0, 0
    for offset in offsets:
        line += text.count("\n", before, offset)
        counts.append(line)
        before = offset
    return counts
