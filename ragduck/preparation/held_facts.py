"""Let the process that will tie code to databases read facts that are known, while others are looked for."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from ragduck.facts import FileFacts
from ragduck.facts.packing import Room, read_facts
from ragduck.preparation.workers import begun, count_of, ended

MANY_BYTES = 1_300_000  # of packed facts, from which on others take part in tying them


class HeldFacts:
    """Packed facts that were handed over before all were known.

    They are read by the one process that reads files that changed, after these, and are given up by it when they are
    asked for, or it ends.
    """

    def __init__(self) -> None:
        self._name = os.urandom(8)
        self._given: Mapping[str, bytes] = {}

    def give(self, facts: Mapping[str, bytes], *, processes: int | None) -> None:
        """Hand facts over, by path, if there are many and there may be another of so many ``processes``."""
        if count_of(processes) < 2 or sum(map(len, facts.values())) < MANY_BYTES:
            return
        with suppress(*ended()):
            begun(1, _hold, self._name, tuple(facts.values()))
            self._given = dict(facts)

    def called(self, facts: Mapping[str, bytes]) -> tuple[bytes, list[str | bytes]]:
        """Return what `held` takes for all facts: the path of what was handed over, the rest as it is."""
        return self._name, [
            path if self._given.get(path) is packed else packed for path, packed in facts.items()
        ]


_held: dict[bytes, dict[str, FileFacts]] = {}


def _hold(name: bytes, facts: Sequence[bytes]) -> None:
    _held.clear()
    was_enabled = gc.isenabled()
    gc.disable()  # a million objects that live on
    try:
        _held[name] = {file.path: file for file in read_facts(facts, Room())}
        gc.freeze()
    finally:
        if was_enabled:
            gc.enable()


def held(name: bytes, facts: Sequence[str | bytes]) -> Iterator[FileFacts]:
    """Yield facts in a process that was given some before. Raises KeyError where it was another one."""
    files = _held.pop(name) if any(isinstance(each, str) for each in facts) else {}
    gc.unfreeze()
    room = Room()
    for each in facts:
        yield files[each] if isinstance(each, str) else next(read_facts((each,), room))
