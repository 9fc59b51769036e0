"""Tie who begins a dialog of Service Broker to the procedure that runs for its messages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ragduck.facts import FileFacts, ReferenceFact
from ragduck.graph.database.catalog import DatabaseCatalog
from ragduck.sqlreader.messages import ACTIVATES, BROKER, OF_MESSAGES, SENDS, SERVES


def sent_references(database: DatabaseCatalog) -> Iterator[tuple[FileFacts, ReferenceFact]]:
    """Yield, with the file, the procedure that a message is sent to: the one that its service's queue runs."""
    notes = [(file, one) for file in database.files for one in file.references if one.relation in OF_MESSAGES]
    run: defaultdict[str, set[ReferenceFact]] = defaultdict(set)
    queues: defaultdict[str, set[str]] = defaultdict(set)
    for file, note in notes:
        if note.relation == ACTIVATES:
            run[_key(note.detail, file)].add(note)
        elif note.relation == SERVES:
            queues[note.detail.casefold()].add(_key(f"{note.name.schema}.{note.name.name}", file))
    for file, note in notes:
        served = queues.get(note.name.name.casefold(), ()) if note.relation == SENDS else ()
        names = {one.name for queue in served for one in run.get(queue, ())}
        if len(names) == 1:
            yield file, note._replace(name=names.pop(), relation="Executes", kind="PROC", rule=BROKER)


def _key(queue: str, file: FileFacts) -> str:
    """Return the name of a queue with the schema that it has where none is written."""
    schema, _, name = queue.rpartition(".")
    return f"{schema or file.module}.{name}".casefold()
