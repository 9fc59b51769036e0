"""Read what ties senders of Service Broker to the procedure that a queue runs for their messages.

The relations name no objects by themselves: a dialog names a service, a service its queue, a queue its procedure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragduck.facts import ObjectName
from ragduck.sqlreader.concatenation import unquoted
from ragduck.sqlreader.definitions import bare, word
from ragduck.sqlreader.names import HOLE, Reference, read_object_name
from ragduck.sqlreader.tokens import NAME, STRING, WORD, Token

ACTIVATES = "Activates"  # of a queue, which is told as detail: the procedure
SERVES = "Serves"  # of a service, which is told as detail: the queue
SENDS = "Sends"  # of who begins a dialog: the service
OF_MESSAGES = frozenset({ACTIVATES, SERVES, SENDS})
BROKER = "service broker"

_MAX_HEAD = 12  # tokens between the name of a service and its queue


def read_broker(tokens: Sequence[Token], at: int, end: int) -> Iterator[Reference]:
    """Yield what `CREATE QUEUE` and `CREATE SERVICE` name; other statements name nothing."""
    kind = word(tokens, at + 1)
    if kind == "QUEUE":
        yield from _queue(tokens, at, end)
    elif kind == "SERVICE":
        yield from _service(tokens, at, end)


def _queue(tokens: Sequence[Token], at: int, end: int) -> Iterator[Reference]:
    """Yield the procedure that the server runs for the messages of a queue."""
    queue = read_object_name(tokens, at + 2).name
    for position in range(at + 2, end - 2):
        if word(tokens, position) == "PROCEDURE_NAME" and tokens[position + 1].text == "=":
            run = read_object_name(tokens, position + 2)
            if run.name and run.end <= end:
                line = tokens[position].line
                yield Reference(run.name, "Executes", line, "PROC", "activation")
                if queue:
                    yield Reference(run.name, ACTIVATES, line, "PROC", BROKER, f"{queue.schema}.{queue.name}")


def _service(tokens: Sequence[Token], at: int, end: int) -> Iterator[Reference]:
    """Yield the queue of `CREATE SERVICE name ON QUEUE queue`."""
    if at + 2 >= end or tokens[at + 2].kind not in (WORD, NAME) or HOLE in tokens[at + 2].text:
        return
    for position in range(at + 3, min(end - 2, at + _MAX_HEAD)):
        if word(tokens, position) == "ON" and word(tokens, position + 1) == "QUEUE":
            queue = read_object_name(tokens, position + 2).name
            if queue:
                yield Reference(queue, SERVES, tokens[at].line, "QUEUE", BROKER, bare(tokens[at + 2]))
            return


def read_dialog(tokens: Sequence[Token], at: int, end: int) -> Iterator[Reference]:
    """Yield the service that `BEGIN DIALOG @handle FROM SERVICE own TO SERVICE 'other'` sends to."""
    if word(tokens, at) != "BEGIN" or word(tokens, at + 1) != "DIALOG":
        return
    for position in range(at + 2, end - 2):
        if word(tokens, position) == "TO" and word(tokens, position + 1) == "SERVICE":
            token = tokens[position + 2]
            if token.kind == STRING and HOLE not in token.text:
                yield Reference(ObjectName(unquoted(token.text)), SENDS, token.line, "SERVICE", BROKER)
            return
