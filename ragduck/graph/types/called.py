"""Tell which files call or make what, by name alone: most rules look for a handful, and statements stay packed."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from ragduck.facts import FileFacts, Mentions
from ragduck.graph.types.looks import Watch, beside_tests


class _Places(NamedTuple):
    """By name in which files something is called, made, or perhaps made."""

    called: Mapping[str, Sequence[int]]
    made: Mapping[str, Sequence[int]]
    perhaps: Mapping[str, Sequence[int]]


class Called:
    """The names that files call and make; what they mention is looked through once, when it is first asked.

    The ``watch`` is told of all that is asked.
    """

    def __init__(self, files: Iterable[FileFacts], watch: Watch) -> None:
        self._files = tuple(files)
        self._watch = watch

    def files_calling(self, names: Iterable[str], *, tests: bool = True) -> Iterator[FileFacts]:
        """Yield the files that call something of one of these names, in order, or those that are no ``tests``."""
        names = frozenset(names)
        self._watch.asked_called(names if tests else map(beside_tests, names))
        return self._files_with(names, self._places.called, tests=tests)

    def files_making(self, name: str, *, tests: bool = True) -> Iterator[FileFacts]:
        """Yield the files that make an object of a type of this name, in order, or those that are no ``tests``."""
        self._watch.asked_made(name if tests else beside_tests(name))
        return self._files_with((name,), self._places.made, tests=tests)

    def files_perhaps_making(self, name: str, *, tests: bool = True) -> Iterator[FileFacts]:
        """Yield the files that name a type of this name, and make by `new(…)` something whose type is open."""
        self._watch.asked_perhaps(name if tests else beside_tests(name))
        return self._files_with((name,), self._places.perhaps, tests=tests)

    def makes(self, name: str) -> bool:
        """Say whether any file makes an object of a type of this name."""
        self._watch.asked_made(name)
        return name in self._places.made

    @property
    def acting_properties(self) -> Set[str]:
        """The keys of the properties that call something, or read a member of something."""
        self._watch.asked_acting()
        return self._acting

    def mentions_of(self, file: FileFacts) -> Mentions:
        """Return what the statements of a file name."""
        self._watch.saw_file(file.path)
        return self._mentions[file.path]

    def _files_with(
        self, names: Iterable[str], places: Mapping[str, Sequence[int]], *, tests: bool
    ) -> Iterator[FileFacts]:
        for place in sorted({place for name in names for place in places.get(name, ())}):
            if tests or self._files[place].file_class != "test":
                yield self._files[place]

    @cached_property
    def _acting(self) -> Set[str]:
        return frozenset(key for one in self._mentions.values() for key in one.acting)

    @cached_property
    def _mentions(self) -> Mapping[str, Mentions]:
        return {file.path: _interned(file.statements.mentions()) for file in self._files}

    @cached_property
    def _places(self) -> _Places:
        called: defaultdict[str, list[int]] = defaultdict(list)
        made: defaultdict[str, list[int]] = defaultdict(list)
        perhaps: defaultdict[str, list[int]] = defaultdict(list)
        for place, file in enumerate(self._files):
            one = self._mentions[file.path]
            for found, names in ((called, one.called), (made, one.made), (perhaps, one.perhaps)):
                for name in names:
                    found[name].append(place)
        return _Places(dict(called), dict(made), dict(perhaps))


def _interned(found: Mentions) -> Mentions:
    """Keep each name once: files name the same ones."""
    called, read, typed, given, made, perhaps = (
        tuple(map(sys.intern, names))
        for names in (found.called, found.read, found.typed, found.given, found.made, found.perhaps)
    )
    return found._replace(called=called, read=read, typed=typed, given=given, made=made, perhaps=perhaps)
