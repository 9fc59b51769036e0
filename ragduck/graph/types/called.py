"""Tell which files call or make what, by name alone: most rules look for a handful, and statements are packed."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from ragduck.facts import FileFacts
from ragduck.graph.types.chains import function_name


class Called:
    """The names that files call and make; all statements are looked through once, when it is first asked."""

    def __init__(self, files: Iterable[FileFacts]) -> None:
        self._files = tuple(files)

    def files_calling(self, names: Iterable[str]) -> Iterator[FileFacts]:
        """Yield the files that call something of one of these names, in order."""
        return self._files_with(names, self._places[0])

    def files_making(self, name: str) -> Iterator[FileFacts]:
        """Yield the files that make an object of a type of this name, in order."""
        return self._files_with((name,), self._places[1])

    def _files_with(self, names: Iterable[str], places: Mapping[str, Sequence[int]]) -> Iterator[FileFacts]:
        for place in sorted({place for name in names for place in places.get(name, ())}):
            yield self._files[place]

    @cached_property
    def _places(self) -> tuple[Mapping[str, Sequence[int]], Mapping[str, Sequence[int]]]:
        called: defaultdict[str, list[int]] = defaultdict(list)
        made: defaultdict[str, list[int]] = defaultdict(list)
        for place, file in enumerate(self._files):
            statements = file.statements.unpacked()
            for name in {function_name(fact.call) for fact in statements.calls}:
                called[sys.intern(name)].append(place)
            types = {fact.type for fact in statements.uses if fact.how == "new"}
            for name in set(map(_last_name, types)):
                made[sys.intern(name)].append(place)
        return dict(called), dict(made)


def _last_name(written: str) -> str:
    return written.partition("<")[0].rpartition(".")[2]
