"""Tell which files call what, by name alone: most rules look for a handful of names, and statements are packed."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from ragduck.facts import FileFacts
from ragduck.graph.types.chains import function_name


class Called:
    """The names that files call; all statements are looked through once, when it is first asked."""

    def __init__(self, files: Iterable[FileFacts]) -> None:
        self._files = tuple(files)

    def files_calling(self, names: Iterable[str]) -> Iterator[FileFacts]:
        """Yield the files that call something of one of these names, in order."""
        for place in sorted({place for name in names for place in self._places.get(name, ())}):
            yield self._files[place]

    @cached_property
    def _places(self) -> Mapping[str, Sequence[int]]:
        places: defaultdict[str, list[int]] = defaultdict(list)
        for place, file in enumerate(self._files):
            for name in {function_name(fact.call) for fact in file.calls}:
                places[sys.intern(name)].append(place)
        return dict(places)
