"""Tie the facts of a snapshot together to its graph; those of a large one in processes that end with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ragduck.facts.packing import Room, read_facts
from ragduck.garbage import without_collection
from ragduck.graph.build import Ruled, Stored, build_graph, stored_among, uses_among
from ragduck.graph.code.file_uses import FileUses, StatementReader, UsesOfFiles, read_here, uses_together
from ragduck.model import ParseProblem, Snapshot
from ragduck.preparation.compared_files import ComparedFiles
from ragduck.preparation.known_facts import KnownFacts, Later
from ragduck.preparation.processes import begun, count_of, ended
from ragduck.preparation.remembered_rows import RememberedRows, RowsPlace
from ragduck.preparation.remembered_rules import RememberedRules
from ragduck.preparation.remembered_uses import AskedElsewhereError, RememberedUses
from ragduck.preparation.tying_ahead import Ahead, OtherProcess
from ragduck.preparation.tying_apart import tied_apart
from ragduck.store.arrow import GraphRows, graph_rows

SHARED_BYTES = 1_300_000  # of packed facts: from here on sharing them out is worth a second
OWN_PROCESS_BYTES = 105_000_000  # bitwarden/server has 17 of them, 25,000 files of C# 100
MAX_PARTS = 4
BYTES_OF_PARTS = 210_000_000  # of all processes together, each of which has all declarations in memory


@dataclass(frozen=True, slots=True)
class TiedGraph:
    """The graph of a snapshot as rows, and what no rule could make sense of."""

    rows: GraphRows
    problems: tuple[ParseProblem, ...]


def tie(
    snapshot: Snapshot,
    facts: list[bytes],
    *,
    folder: Path,
    processes: int | None = None,
    cache: Path | None = None,
    ahead: Ahead | None = None,
    later: Later | None = None,
) -> TiedGraph:
    """Return the graph that the packed facts of a snapshot's files make; ``folder`` is for large files in passing.

    What statements use is taken from the ``cache`` where it still holds, else looked for by other ``processes``, by
    default one per core, while this one does the rest. The millions of small objects of a large system would leave
    its memory in pieces, of which the engine that writes the store could use none: those are tied together apart,
    and the list of ``facts`` is empty afterwards. ``ahead`` knows what another process has found out by now, and
    ``later`` is given what keeps what was found out for the next run.
    """
    if not is_tied_apart(facts):
        many = _size_of(facts) >= SHARED_BYTES
        known = KnownFacts(cache, snapshot, facts, later=later) if many and cache is not None else None
        ruled = _tied(facts, known, processes, ahead or Ahead(processes)) if many else _tied_here(facts)
        return TiedGraph(graph_rows(snapshot, ruled.graph), ruled.problems)
    rows, problems = tied_apart(snapshot, facts, folder=folder)
    return TiedGraph(rows, problems)


def is_tied_apart(facts: Sequence[bytes]) -> bool:
    """Say whether facts are so many that other processes tie them together, which need the memory."""
    return _size_of(facts) >= OWN_PROCESS_BYTES


def _size_of(facts: Sequence[bytes]) -> int:
    return sum(map(len, facts))


def _tied_here(facts: Sequence[bytes]) -> Ruled:
    return build_graph(read_facts(facts, Room()))


def _tied(facts: Sequence[bytes], known: KnownFacts | None, processes: int | None, ahead: Ahead) -> Ruled:
    """Tie facts together with the help of other processes, and of what an earlier run found out."""
    count = count_of(processes)

    def anew() -> UsesOfFiles:
        return _shared_out(facts, count)

    if known is None:
        return build_graph(read_facts(facts, Room()), uses=anew())
    with without_collection():
        beside = ahead.beside(known)
        compared = ComparedFiles(known)
        uses = RememberedUses(known, anew=anew, beside=beside, compared=compared)
        rules = RememberedRules(known, compared, uses.rows.since)
        is_few = uses.touched is not None
        stored = _stored_elsewhere(known, uses.rows, beside) if is_few and count > 1 else None
        if stored is not None:
            return build_graph(known.taken(), uses=uses, stored=stored, rules=rules)
        rows = RememberedRows(uses.rows)
        ruled = build_graph(known.taken(), uses=uses, rules=rules, rows=rows)
        rows.keep()
        return ruled


def _stored_elsewhere(
    known: KnownFacts, place: RowsPlace, beside: OtherProcess | None
) -> Callable[[], Stored] | None:
    """Ask another process to tie code to databases: the one that read the few files that changed."""
    facts = list(known.packed.values())

    def asked() -> Future[Stored]:
        return begun(1, _stored_among, facts, place)

    try:
        if beside is not None:
            beside.ask()
        future = asked() if beside is None else None
    except ended():
        return None

    def found() -> Stored:
        try:
            if beside is not None:
                with suppress(AskedElsewhereError):
                    return beside.stored()
            return (future or asked()).result()
        except ended():
            return _stored_among(facts, place)

    return found


def _stored_among(facts: Sequence[bytes], place: RowsPlace) -> Stored:
    rows = RememberedRows(place)
    found = stored_among(read_facts(facts, Room()), rows)
    rows.keep()
    return found


def _shared_out(facts: Sequence[bytes], count: int) -> UsesOfFiles:
    """Begin to look for what statements use in other processes, where there are any."""
    if count < 2:
        return read_here
    room = max(2, BYTES_OF_PARTS // max(sum(map(len, facts)), 1))
    stride = min(count, MAX_PARTS, room)  # neighbours are alike, so that each part takes about as long
    parts = [slice(start, None, stride) for start in range(stride)]
    try:
        futures = [begun(count, _uses_among, facts, part) for part in parts]
    except ended():
        return read_here

    def found(_: StatementReader) -> FileUses:
        return uses_together([_result(each, facts, part) for each, part in zip(futures, parts, strict=True)])

    return found


def _result(future: Future[FileUses], facts: Sequence[bytes], part: slice) -> FileUses:
    """Wait for a part; when its process died, do it here."""
    try:
        return future.result()
    except ended():
        return _uses_among(facts, part)


def _uses_among(facts: Sequence[bytes], places: slice) -> FileUses:
    return uses_among(read_facts(facts, Room()), places)
