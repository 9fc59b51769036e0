"""Follow what callers give to procedures that run it: texts, and names of other procedures.

Which procedures do so is known only when all files are read. So a file notes which parameters its procedures run or
hand on, and what the texts would name that its calls give to parameters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ragduck.facts import ObjectName
from ragduck.sqlreader.concatenation import Piece
from ragduck.sqlreader.names import Reference
from ragduck.sqlreader.tokens import STRING, VARIABLE, Token

RUNS = "Runs"  # a parameter of the procedure itself; what it is given is a text, or a name
HANDS_ON = "HandsOn"  # a parameter, to that of another procedure
GIVES = "Gives"  # to a parameter of another procedure what names an object
CONDITIONAL = frozenset({RUNS, HANDS_ON, GIVES})

TEXT = "text"
NAME = "name"
EITHER = "either"  # `dbo.Work` is a name, and a text that runs the procedure

_MAX_CALL = 500  # tokens of a call that are looked through for arguments
_TAIL = 200  # characters that are looked at before a parameter
_EXEC = re.compile(r"(?:^|[\s;])exec(?:ute)?\s{1,9}$", re.IGNORECASE)
_USE = re.compile(r"\s*+use\s++[^\s;]++\s*+", re.IGNORECASE)  # of a text that is no longer than that


class Argument(NamedTuple):
    """What a call gives to a parameter: the name that is written, or its place among those without."""

    parameter: str
    at: int


class Ran(NamedTuple):
    """A parameter that is run, as ``TEXT`` or as ``NAME``; ``is_whole`` where nothing stands beside it."""

    parameter: str
    kind: str
    is_whole: bool


class Receiver(NamedTuple):
    """The parameter of a procedure that a call gives something to."""

    procedure: ObjectName
    parameter: str


def place_of(number: int) -> str:
    """Return what stands for the name of a parameter that is given by its place."""
    return f"#{number}"


def parameters_of(tokens: Sequence[Token], at: int, end: int) -> dict[str, int]:
    """Return the parameters of the procedure whose head is at a position, by name with their places."""
    names = (token.text.casefold() for token in tokens[at:end] if token.kind == VARIABLE)
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


def arguments_of(tokens: Sequence[Token], at: int, end: int) -> Iterator[Argument]:
    """Yield the literals and variables that a call gives, whose arguments begin at a position."""
    number = 0
    end = min(end, at + _MAX_CALL)
    while at < end:
        named = at + 2 < end and tokens[at].kind == VARIABLE and tokens[at + 1].text == "="
        value = at + 2 if named else at
        if tokens[value].kind in (STRING, VARIABLE):
            yield Argument(tokens[at].text.casefold() if named else place_of(number), value)
        after = value + 1 + (tokens[value].text in ("+", "-"))
        after += after < end and tokens[after].text.upper() in ("OUT", "OUTPUT")
        if after >= end or tokens[after].text != ",":
            return  # arguments are no expressions
        at, number = after + 1, number + 1


def ran_in(pieces: Sequence[Piece]) -> Iterator[Ran]:
    """Yield the parameters that a text runs: those that it or a statement in it begins with, or EXEC names."""
    tail, quotes, is_first = "", 0, True
    for at, piece in enumerate(pieces):
        if piece.parameter and quotes % 2 == 0:
            after = pieces[at + 1].text if at + 1 < len(pieces) else ""
            if is_first or tail.rstrip().endswith(";") or _USE.fullmatch(tail):
                yield Ran(piece.parameter, TEXT, len(pieces) == 1)
            elif _EXEC.search(tail) and (not after or after[0] in " \t\r\n;"):
                yield Ran(piece.parameter, NAME, is_whole=False)
        tail = (tail + piece.text)[-_TAIL:]
        quotes += piece.text.count("'")
        is_first = is_first and not piece.text.strip()


def runs(ran: Ran, parameters: dict[str, int], *, line: int) -> Reference:
    """Return the note that a procedure runs one of its parameters."""
    place = parameters[ran.parameter]
    return Reference(ObjectName(ran.parameter), RUNS, line, ran.kind, detail=place_of(place))


def hands_on(ran: Ran, parameters: dict[str, int], receiver: Receiver, *, line: int) -> Reference:
    """Return the note that a procedure gives a parameter of its own to another."""
    own = (ran.parameter, place_of(parameters[ran.parameter]))
    kind = EITHER if ran.is_whole else ran.kind
    return Reference(receiver.procedure, HANDS_ON, line, kind, detail=json.dumps((receiver.parameter, *own)))


def gives(reference: Reference, receiver: Receiver, *, kind: str) -> Reference:
    """Return the note that what is given names an object."""
    detail = json.dumps((*receiver.procedure, receiver.parameter, kind))
    return reference._replace(relation=GIVES, rule=reference.relation, detail=detail)


def read_gives(detail: str) -> tuple[Receiver, str]:
    """Return what something is given to, and whether it is a text or a name."""
    name, schema, database, server, parameter, kind = json.loads(detail)
    return Receiver(ObjectName(name, schema, database, server), parameter), kind
