"""Give the objects of a SQL file what stands around them and is only about them, such as a stub that is altered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ragduck.model import Symbol
from ragduck.sqlreader.definitions import MODULES, Definition
from ragduck.sqlreader.statements import Start
from ragduck.sqlreader.tokens import Token

STUB_LINES = 3  # a module of this size is there to be altered, if it is altered below
Identity = tuple[str, str, str]  # kind, qualified name and database


class Piece(NamedTuple):
    """A symbol of a top-level statement, and what that statement is.

    One that ``replaces`` counts before the definitions of its name above it; one that ``is_stub`` says nothing then.
    ``leads_to`` tells which object alone it makes way for, ``is_option`` that it only sets options.
    """

    symbol: Symbol
    replaces: bool = False
    is_stub: bool = False
    leads_to: Identity | None = None
    is_option: bool = False


def identity_of(symbol: Symbol) -> Identity:
    """Return what tells an object of a file from others; one script may fill several databases."""
    return (symbol.kind or "", symbol.qualified_name.casefold(), (symbol.database or "").casefold())


def pieces_of(
    unit: Sequence[Start],
    symbols: Sequence[Symbol],
    *,
    defined: Sequence[tuple[Start, Definition]],
    tokens: Sequence[Token],
    replaces: Callable[[Start], bool],
) -> Iterator[Piece]:
    """Yield the symbols of a top-level statement with what it is; ``symbols`` belong to ``defined``, in order.

    ``replaces`` tells which definitions count before all that their file has before them.
    """
    if not defined:
        is_option = all(_sets_options(tokens, start) for start in unit)
        yield from (Piece(symbol, is_option=is_option) for symbol in symbols)
    for (start, _), symbol in zip(defined, symbols, strict=False):
        is_stub = not start.is_module or symbol.end_line - symbol.start_line < STUB_LINES
        yield Piece(symbol, replaces=replaces(start), is_stub=is_stub)


def gathered(pieces: Sequence[Piece], *, script: Callable[[Symbol], Symbol]) -> Iterator[Symbol]:
    """Yield the symbols in order, each object with the statements in front of it that only make way for it.

    What a file defines anew below is a script, or leads to the later definition if that comes next.
    """
    held: list[Piece] = []
    for piece in _without_replaced(pieces, script=script):
        if piece.symbol.kind is None:
            held.append(piece)
            continue
        first = _first_that_leads(held, identity_of(piece.symbol))
        yield from (other.symbol for other in held[:first])
        begin = held[first].symbol.start_line if first < len(held) else piece.symbol.start_line
        yield replace(piece.symbol, start_line=begin)
        held.clear()
    yield from (other.symbol for other in held)


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
        if held[place].leads_to == identity:
            first = place
        elif not held[place].is_option:
            break
    return first


def _sets_options(tokens: Sequence[Token], start: Start) -> bool:
    """Tell whether a statement is one such as `SET ANSI_NULLS, QUOTED_IDENTIFIER ON`."""
    written = [token.text.upper() for token in tokens[start.at + 1 : start.end]]
    is_list = len(written) % 2 == 0 and all(text == "," for text in written[1:-1:2])
    return start.keyword == "SET" and is_list and written[-1:] in (["ON"], ["OFF"])
