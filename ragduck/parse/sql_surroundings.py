"""Give the objects of a SQL file what stands around them and is only about them.

These are stubs that they alter, and batches that do nothing but drop them before, or say who may use them after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ragduck.model import Symbol
from ragduck.parse.sql_rights import granted_on, is_right
from ragduck.sqlreader.definitions import MODULES, Definition
from ragduck.sqlreader.dialect import Dialect, default_schema
from ragduck.sqlreader.drops import read_drops
from ragduck.sqlreader.statements import GUARDS, Start
from ragduck.sqlreader.tokens import Token

STUB_LINES = 3  # a module of this size is there to be altered, if it is altered below
Identity = tuple[str, str, str]  # kind, qualified name and database

_AROUND = GUARDS | {"BEGIN", "PRINT"}  # what may stand around a statement without making it another


class Unit(NamedTuple):
    """A top-level statement with all that belongs to it, and the definitions in it."""

    starts: Sequence[Start]
    end: int
    database: str | None
    defined: list[tuple[Start, Definition]]


class Piece(NamedTuple):
    """A symbol of a top-level statement, and what that statement is.

    One that ``replaces`` counts before the definitions of its name above it; one that ``is_stub`` says nothing then.
    ``leads_to`` tells which object alone it makes way for, ``follows`` the names of those that it alone speaks of;
    ``is_option`` tells that it only sets options.
    """

    symbol: Symbol
    replaces: bool = False
    is_stub: bool = False
    leads_to: Identity | None = None
    follows: Identity | None = None
    is_option: bool = False


def identity_of(symbol: Symbol) -> Identity:
    """Return what tells an object of a file from others; one script may fill several databases."""
    return _identity(symbol.kind or "", symbol.qualified_name, symbol.database)


class Surroundings:
    """Reads what the statements of one file are to the objects next to them."""

    def __init__(
        self, tokens: Sequence[Token], *, dialect: Dialect, replaces: Callable[[Start], bool]
    ) -> None:
        """Take the tokens of a file; ``replaces`` tells which definitions count before those above them."""
        self._tokens = tokens
        self._schema = default_schema(dialect)
        self._replaces = replaces

    def pieces(self, unit: Unit, symbols: Sequence[Symbol]) -> Iterator[Piece]:
        """Yield the symbols of a top-level statement with what it is; they belong to its definitions, in order."""
        follows = self._followed(unit)
        if not unit.defined:
            is_option = all(_sets_options(self._tokens, start) for start in unit.starts)
            leads_to = self._dropped(unit)
            for symbol in symbols:
                yield Piece(symbol, leads_to=leads_to, follows=follows, is_option=is_option)
        for (start, _), symbol in zip(unit.defined, symbols, strict=False):
            is_stub = not start.is_module or symbol.end_line - symbol.start_line < STUB_LINES
            yield Piece(symbol, replaces=self._replaces(start), is_stub=is_stub, follows=follows)

    def _dropped(self, unit: Unit) -> Identity | None:
        """Return the one object that a statement drops, if it does nothing else."""
        found: set[Identity] = set()
        for start in unit.starts:
            if start.keyword not in _AROUND and start.keyword != "DROP":
                return None
            drops = list(read_drops(self._tokens, start.at, start.end))
            if start.keyword == "DROP" and len(drops) != 1:
                return None
            for drop in drops:
                home = drop.table or drop.name
                path = [
                    home.schema or self._schema,
                    *([drop.table.name] if drop.table else []),
                    drop.name.name,
                ]
                found.add(_identity(drop.kind, ".".join(path), home.database or unit.database))
        return found.pop() if len(found) == 1 else None

    def _followed(self, unit: Unit) -> Identity | None:
        """Return the one object of which a statement says who may use or owns it, if it does nothing else."""
        found: set[Identity] = set()
        for start in unit.starts:
            if is_right(self._tokens, start):
                name = granted_on(self._tokens, start)
                if name is None:
                    return None
                path = f"{name.schema or self._schema}.{name.name}"
                found.add(_identity("", path, name.database or unit.database))
            elif start.keyword not in _AROUND:
                return None
        return found.pop() if len(found) == 1 else None


def gathered(pieces: Sequence[Piece], *, script: Callable[[Symbol], Symbol]) -> Iterator[Symbol]:
    """Yield the symbols in order, each object with the statements around it that are only about it.

    What a file defines anew below is a script, or leads to the later definition if that comes next.
    """
    held: list[Piece] = []  # what came after the object
    last: Symbol | None = None
    for piece in _without_replaced(pieces, script=script):
        if piece.follows and last and piece.follows == _named(last) and all(one.is_option for one in held):
            last = replace(last, end_line=max(last.end_line, piece.symbol.end_line))
            held.clear()
        elif piece.follows or piece.symbol.kind is None:
            held.append(piece)
        else:
            first = _first_that_leads(held, identity_of(piece.symbol))
            yield from [*([last] if last else []), *(one.symbol for one in held[:first])]
            last = _led(piece.symbol, held[first:])
            held.clear()
    yield from [*([last] if last else []), *(one.symbol for one in held)]


def _led(symbol: Symbol, leading: Sequence[Piece]) -> Symbol:
    """Return an object that begins where what leads to it does."""
    if not leading:
        return symbol
    return replace(symbol, start_line=leading[0].symbol.start_line, body_line=symbol.start_line)


def _identity(kind: str, qualified_name: str, database: str | None) -> Identity:
    return (kind, qualified_name.casefold(), (database or "").casefold())


def _named(symbol: Symbol) -> Identity:
    """Return the identity of an object as statements have it that do not say its kind."""
    return ("", *identity_of(symbol)[1:])


def _without_replaced(pieces: Sequence[Piece], *, script: Callable[[Symbol], Symbol]) -> list[Piece]:
    """Make scripts of modules that are defined again below: the last definition of a file counts, as in the graph."""
    later: set[Identity] = set()
    kept: list[Piece] = []
    for piece in reversed(pieces):
        identity = identity_of(piece.symbol)
        if piece.symbol.kind in MODULES and identity in later:
            kept.append(Piece(script(piece.symbol), leads_to=identity if piece.is_stub else None))
        else:
            kept.append(piece)
        if piece.replaces:
            later.add(identity)
    return kept[::-1]


def _first_that_leads(held: Sequence[Piece], identity: Identity) -> int:
    """Return the place of the first piece from which on all lead to an object, options between them included."""
    first = len(held)
    for place in range(len(held) - 1, -1, -1):
        if held[place].leads_to == identity or held[place].follows == ("", *identity[1:]):
            first = place
        elif not held[place].is_option:
            break
    return first


def _sets_options(tokens: Sequence[Token], start: Start) -> bool:
    """Tell whether a statement is one such as `SET ANSI_NULLS, QUOTED_IDENTIFIER ON`."""
    written = [token.text.upper() for token in tokens[start.at + 1 : start.end]]
    is_list = len(written) % 2 == 0 and all(text == "," for text in written[1:-1:2])
    return start.keyword == "SET" and is_list and written[-1:] in (["ON"], ["OFF"])
