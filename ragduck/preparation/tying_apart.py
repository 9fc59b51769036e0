"""Tie a large system together in processes that end one after the other, and so give back all their memory.

Its millions of small objects leave memory in pieces, of which little can be used for anything else: what databases
hold, what code does, and the graph that both make are found out by a process each. What one finds another reads from
files: handed over through this one it would be in memory four times.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa

from ragduck.facts.packing import Room, read_facts
from ragduck.graph.build import Parts, Stored, parts_among, put_together, stored_among
from ragduck.model import ParseProblem, Snapshot
from ragduck.preparation.processes import in_own_process
from ragduck.store.arrow import GraphRows, graph_rows

FACTS, STORED, PARTS = "facts", "stored", "parts"
TABLES = ("nodes", "edges")
FILES_AT_ONCE = 1_000


def tied_apart(
    snapshot: Snapshot, facts: list[bytes], *, folder: Path
) -> tuple[GraphRows, tuple[ParseProblem, ...]]:
    """Return the graph that packed facts make as rows, and what no rule could make sense of.

    The list is empty afterwards: facts wait in a file, not in memory. Raises RagduckError when a process is ended
    from outside.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as name:
        place = Path(name)
        _write_facts(place / FACTS, facts)
        facts.clear()
        in_own_process(_find_stored, place)
        in_own_process(_find_parts, place)
        problems = in_own_process(_put_together, place, snapshot)
        return GraphRows(*(_table_in(place / name) for name in TABLES)), problems


def _find_stored(place: Path) -> None:
    stored = stored_among(read_facts(_facts_in(place / FACTS), Room(0), is_shared=True))
    with (place / STORED).open("wb") as file:
        pickle.dump(stored, file, protocol=pickle.HIGHEST_PROTOCOL)


def _find_parts(place: Path) -> None:
    with (place / STORED).open("rb") as file:
        stored: Stored = pickle.load(file)  # noqa: S301 - our own file in a folder of our own
    parts = parts_among(read_facts(_facts_in(place / FACTS), Room(0), is_shared=True), stored)
    with (place / PARTS).open("wb") as file:
        pickle.dump(parts, file, protocol=pickle.HIGHEST_PROTOCOL)


def _put_together(place: Path, snapshot: Snapshot) -> tuple[ParseProblem, ...]:
    with (place / PARTS).open("rb") as file:
        parts: Parts = pickle.load(file)  # noqa: S301 - as above
    graph, problems = put_together(parts)
    del parts
    rows = graph_rows(snapshot, graph)
    for name in TABLES:
        table = getattr(rows, name)
        with pa.ipc.new_file(str(place / name), table.schema) as writer:
            writer.write_table(table)
    return problems


def _write_facts(path: Path, facts: Sequence[bytes]) -> None:
    rest = iter(facts)
    schema = pa.schema({"facts": pa.large_binary()})
    with pa.ipc.new_file(str(path), schema) as writer:
        while some := list(islice(rest, FILES_AT_ONCE)):
            writer.write_batch(pa.record_batch([pa.array(some, pa.large_binary())], schema=schema))


def _facts_in(path: Path) -> Iterator[memoryview]:
    """Yield packed facts that stay in the file, and in memory only as long as there is room."""
    reader = pa.ipc.open_file(pa.memory_map(str(path)))
    for number in range(reader.num_record_batches):
        for one in reader.get_batch(number).column(0):
            yield memoryview(one.as_buffer())


def _table_in(path: Path) -> pa.Table:
    with pa.OSFile(str(path)) as source:
        return pa.ipc.open_file(source).read_all()
