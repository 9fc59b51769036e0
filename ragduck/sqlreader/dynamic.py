"""Put together the text that EXEC runs, from literals and from variables that are given literals."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ragduck.sqlreader.concatenation import (
    Piece,
    read_concatenation,
    says_something,
    size_of,
    spelled_out,
    unquoted,
)
from ragduck.sqlreader.definitions import word
from ragduck.sqlreader.dialect import Dialect
from ragduck.sqlreader.given import NAME, Ran, Receiver, ran_in
from ragduck.sqlreader.names import HOLE
from ragduck.sqlreader.statements import GUARDS, Start
from ragduck.sqlreader.tokens import COMMENT, STRING, VARIABLE, Token, tokenize

__all__ = ["Budget", "Dynamic", "Piece", "Variables", "tokens_of", "unquoted"]

MAX_DYNAMIC = 1_000_000  # characters and pieces of such text that are read per file
_MAX_OPERANDS = 200  # tokens of a concatenation that are looked through for its end
_MAX_VERSIONS = 24  # of one variable: branches that each give it a value
_MAX_KNOWN = 1_000  # pieces of a variable that are put into another text


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


class Blocks:
    """The blocks that a statement stands in, as statements are read one after the other."""

    def __init__(self) -> None:
        self.path: tuple[int, ...] = ()
        self.is_guarded = False  # by an IF, ELSE or WHILE of its own
        self._count = 0
        self._is_guard = False

    def enter(self, start: Start) -> None:
        """Go on to the next statement."""
        if start.depth <= len(self.path):
            self.path = self.path[: start.depth]
        else:
            self._count += 1
            self.path += (self._count,) * (start.depth - len(self.path))
        self.is_guarded, self._is_guard = self._is_guard, start.keyword in GUARDS


@dataclass(slots=True)
class _Given:
    """A text that a variable was given, and the blocks that this was done in."""

    text: list[Piece]
    path: tuple[int, ...]


@dataclass(slots=True)
class _Variable:
    """What a variable holds, and all that it may have been given since it was executed last."""

    value: list[Piece] = field(default_factory=list)
    fresh: list[_Given] = field(default_factory=list)

    def take(self, value: list[Piece], path: tuple[int, ...]) -> None:
        """Hold another value beside those that it may have been given before."""
        if not self.fresh or self.fresh[-1].text is not value:
            self.fresh = [*self.fresh[1 - _MAX_VERSIONS :], _Given(value, path)]

    def overwrite(self, path: tuple[int, ...]) -> None:
        """Let go of what it was given in a block or in those within it."""
        self.fresh = [given for given in self.fresh if given.path[: len(path)] != path]


class Variables:
    """What the variables of a body have been given so far.

    ``parameters`` are those of the procedure that the body is of, with their places; ``ran`` are those that are run.
    ``told`` are the texts that procedures were given, by identity, which they keep as they are held, and length then.
    """

    def __init__(self, tokens: Sequence[Token], *, budget: Budget) -> None:
        self.tokens = tokens
        self.budget = budget
        self.variables: dict[str, _Variable] = defaultdict(_Variable)
        self.parameters: dict[str, int] = {}
        self.ran: list[Ran] = []
        self.told: dict[tuple[int, int, Receiver], list[Piece]] = {}

    def declare(self, parameters: dict[str, int], *, line: int) -> None:
        """Let parameters hold what callers give."""
        self.parameters = parameters
        for name in parameters:
            value = [Piece(HOLE, line, parameter=name)]
            self.variables[name].value = value
            self.variables[name].take(value, ())

    def note(self, at: int, end: int, *, path: tuple[int, ...] = (), is_certain: bool = False) -> None:
        """Take in what the variable at a position is given before ``end``, within the blocks of a path.

        Where it is certainly given that, what it was given before in these blocks will not be executed.
        """
        name = self.tokens[at].text.casefold()
        variable, begin = self.variables[name], self.value_at(at, end)
        if begin is None:
            variable.value = []
            return
        repeats = begin + 1 < end and (
            self.tokens[begin].text.casefold() == name and self.tokens[begin + 1].text == "+"
        )
        added = self.pieces(begin + 2 if repeats else begin, end)
        if repeats or self.tokens[at + 1].text == "+":
            variable.value += added
        else:
            is_used = self.is_used(name, begin, end)
            if is_used and variable.fresh and variable.fresh[-1].text is variable.value:
                variable.fresh.pop()
            elif is_certain and not is_used:
                variable.overwrite(path)
            variable.value = added
        variable.take(variable.value, path)

    def forget(self, at: int, end: int) -> None:
        """Let go of what variables hold that a FETCH or a call fills."""
        is_into = False
        for position in range(at, end):
            token = self.tokens[position]
            is_into = is_into or word(self.tokens, position) == "INTO"
            if token.kind == VARIABLE and (is_into or word(self.tokens, position + 1) in ("OUTPUT", "OUT")):
                self.variables[token.text.casefold()].value = []

    def pieces(self, at: int, end: int) -> list[Piece]:
        """Return the pieces of the expression at a position, with what its variables hold."""
        return read_concatenation(self.tokens, at, end, known=self.held)

    def held(self, token: Token) -> Sequence[Piece]:
        """Return what a variable holds, if that is known and not too much."""
        variable = self.variables.get(token.text.casefold())
        size = size_of(variable.value) if variable and len(variable.value) <= _MAX_KNOWN else 0
        if variable is None or not 0 < size <= _MAX_KNOWN or self.budget.left <= 0:
            return ()
        self.budget.left -= size
        if says_something(variable.value):
            return tuple(variable.value)
        return [piece._replace(line=token.line) for piece in variable.value if piece.parameter]

    def given(self, at: int) -> list[list[Piece]]:
        """Return the texts that a literal or a variable at a position may be, which goes on holding them."""
        token = self.tokens[at]
        if token.kind == STRING:
            return [[Piece(unquoted(token.text), token.line)]]
        variable = self.variables.get(token.text.casefold())
        return [given.text for given in variable.fresh] or [variable.value] if variable else []

    def is_used(self, name: str, at: int, end: int) -> bool:
        """Tell whether a variable is part of its own new value."""
        return any(token.text.casefold() == name for token in self.tokens[at : min(end, at + _MAX_OPERANDS)])

    def executed(self, at: int, end: int) -> Iterator[Dynamic]:
        """Yield the texts that the expression at a position may be."""
        position = at + 1 if at < end and self.tokens[at].text == "(" else at
        if (
            position + 1 < end
            and self.tokens[position].kind == VARIABLE
            and self.tokens[position + 1].text == "="
        ):
            position += 2  # a named argument
        if position >= end:
            return
        after = position + 1
        is_alone = after >= end or self.tokens[after].text != "+"
        if self.tokens[position].kind == VARIABLE and is_alone:
            yield from self.versions(self.tokens[position].text.casefold())
            return
        pieces = self.pieces(position, end)
        self.ran += ran_in(pieces)
        if says_something(pieces):
            is_literal = len(pieces) == 1 and self.tokens[position].kind == STRING
            for text in spelled_out(pieces):
                yield Dynamic(text, is_literal)

    def versions(self, name: str, *, is_kept: bool = False) -> Iterator[Dynamic]:
        """Yield the values that a variable got since it was executed last; branches may each give it one.

        ``is_kept`` asks for the value also if it was executed before.
        """
        variable = self.variables[name]
        values, variable.fresh = [given.text for given in variable.fresh] or [variable.value] * is_kept, []
        for value in values:
            ran = ran_in(value)
            self.ran += (one._replace(kind=NAME) for one in ran if one.is_whole) if is_kept else ran
            if says_something(value):
                for text in spelled_out(value):
                    yield Dynamic(text, is_literal=False)

    def value_at(self, at: int, end: int) -> int | None:
        """Find the value that follows a variable, behind its type where it is declared."""
        for position in range(at + 1, min(at + 12, end)):
            if self.tokens[position].text == "=":
                return position + 1
            if self.tokens[position].text == ",":
                return None
        return None


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
