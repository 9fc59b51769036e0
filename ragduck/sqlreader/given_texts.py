"""Read the texts that calls give to parameters, as far as something would be named if they were run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ragduck.facts import ObjectName
from ragduck.sqlreader.concatenation import Piece, says_something, spelled_out
from ragduck.sqlreader.dynamic import Dynamic, tokens_of
from ragduck.sqlreader.given import EITHER, TEXT, Receiver, arguments_of, gives, hands_on, ran_in
from ragduck.sqlreader.names import HOLE, Reference, read_object_name
from ragduck.sqlreader.recognition import begins_like_sql
from ragduck.sqlreader.system import is_system_object
from ragduck.sqlreader.tokens import STRING

if TYPE_CHECKING:
    from ragduck.sqlreader.references import StatementReader

_TOLD = frozenset({"ReadsFrom", "WritesTo", "Executes", "Calls"})
_MAX_NAME = 600
_OF_JOBS = "msdb"


def read_given(
    reader: StatementReader, called: Sequence[tuple[ObjectName, int]], end: int
) -> Iterator[Reference]:
    """Yield notes of what calls give to procedures of one's own, each once."""
    for procedure, at in called:
        is_others = procedure.server or procedure.database.casefold() == _OF_JOBS
        if is_others or is_system_object(procedure, kind="PROC"):
            continue
        for argument in arguments_of(reader.tokens, at, end):
            receiver = Receiver(procedure, argument.parameter)
            line = reader.tokens[argument.at].line
            texts = _untold(reader, argument.at, receiver)
            read = (note for text in texts for note in _given(reader, text, receiver, line=line))
            yield from dict.fromkeys(read)


def _untold(reader: StatementReader, at: int, receiver: Receiver) -> Iterator[Sequence[Piece]]:
    """Yield the texts at a position that a receiver was not given before, as long as the file has budget for that.

    A literal is given once, but a variable that grows between calls would be read as a whole at each of them.
    """
    texts = reader.variables.given(at)
    if reader.tokens[at].kind == STRING:
        yield from texts
        return
    budget, told = reader.growth_budget, reader.variables.told
    for text in texts:
        key = (id(text), len(text), receiver)  # a list only grows
        if budget.left <= 0 or key in told:
            continue
        told[key] = text
        for one in spelled_out(text):
            budget.spend(Dynamic(one, is_literal=False))
        if budget.left > 0:
            yield text


def _given(
    reader: StatementReader, pieces: Sequence[Piece], receiver: Receiver, *, line: int
) -> Iterator[Reference]:
    for ran in ran_in(pieces):
        yield hands_on(ran, reader.variables.parameters, receiver, line=line)
    if not says_something(pieces):
        return
    for text in spelled_out(pieces):
        whole = "".join(piece.text for piece in text)
        name = _name(reader, text) if len(whole) <= _MAX_NAME else None
        if name is not None:
            named = Reference(name, "Executes", line, "PROC", is_dynamic=True)
            yield gives(named, receiver, kind=EITHER)
        elif begins_like_sql(whole):
            budget = reader.given_budget
            for reference in reader.run(_repeated(text), budget=budget):
                if reference.relation in _TOLD:
                    yield gives(reference, receiver, kind=TEXT)


def _name(reader: StatementReader, text: Sequence[Piece]) -> ObjectName | None:
    """Return what a text names with its schema, if that is all that it says."""
    tokens = tokens_of(text, dialect=reader.dialect)
    written = read_object_name(tokens, 0)
    is_all = [token.text for token in tokens[written.end :]] in ([], [";"])
    return written.name if is_all and written.name and written.name.schema else None


def _repeated(text: Sequence[Piece]) -> Dynamic:
    """Make holes of `?`, which stands for a database where a text is run in many."""
    return Dynamic(tuple(one._replace(text=one.text.replace("?", HOLE)) for one in text), is_literal=False)
