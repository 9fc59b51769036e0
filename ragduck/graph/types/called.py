"""Tell which files call or make what, by name alone: most rules look for a handful, and statements are packed.

The same walk tells which properties do something.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from ragduck.facts import MADE, FileFacts, Member, Name, StatementFacts
from ragduck.graph.types.chains import function_name

PROPERTY = "|PROPERTY"  # how the keys of properties end
_DECLARING = frozenset(("holds", "parameter", "returns"))
_WORD = re.compile(r"\w+")


class _Places(NamedTuple):
    """By name in which files something is called, made, or perhaps made; the keys of properties that act."""

    called: Mapping[str, Sequence[int]]
    made: Mapping[str, Sequence[int]]
    perhaps: Mapping[str, Sequence[int]]
    acting: Set[str]


class Called:
    """The names that files call and make; all statements are looked through once, when it is first asked."""

    def __init__(self, files: Iterable[FileFacts]) -> None:
        self._files = tuple(files)

    def files_calling(self, names: Iterable[str]) -> Iterator[FileFacts]:
        """Yield the files that call something of one of these names, in order."""
        return self._files_with(names, self._places.called)

    def files_making(self, name: str) -> Iterator[FileFacts]:
        """Yield the files that make an object of a type of this name, in order."""
        return self._files_with((name,), self._places.made)

    def files_perhaps_making(self, name: str) -> Iterator[FileFacts]:
        """Yield the files that name a type of this name, and make by `new(…)` something whose type is open."""
        return self._files_with((name,), self._places.perhaps)

    @property
    def acting_properties(self) -> Set[str]:
        """The keys of the properties that call something, or read a member of something."""
        return self._places.acting

    def _files_with(self, names: Iterable[str], places: Mapping[str, Sequence[int]]) -> Iterator[FileFacts]:
        for place in sorted({place for name in names for place in places.get(name, ())}):
            yield self._files[place]

    @cached_property
    def _places(self) -> _Places:
        called: defaultdict[str, list[int]] = defaultdict(list)
        made: defaultdict[str, list[int]] = defaultdict(list)
        perhaps: defaultdict[str, list[int]] = defaultdict(list)
        acting: set[str] = set()
        for place, file in enumerate(self._files):
            statements = file.statements.unpacked()
            for name in {function_name(fact.call) for fact in statements.calls}:
                called[sys.intern(name)].append(place)
            types = {fact.type for fact in statements.uses if fact.how in ("new", MADE)}
            for name in set(map(_last_name, types)):
                made[sys.intern(name)].append(place)
            named = {fact.type for fact in statements.uses if fact.how in _DECLARING} if "" in types else ()
            for name in {word for one in named for word in _WORD.findall(one)}:
                perhaps[sys.intern(name)].append(place)
            acting.update(_acting(statements))
        return _Places(dict(called), dict(made), dict(perhaps), acting)


def _acting(statements: StatementFacts) -> Iterator[str]:
    yield from (fact.source for fact in statements.calls if fact.source.endswith(PROPERTY))
    for fact in statements.accesses:
        if isinstance(fact.expression, Member) and fact.source.endswith(PROPERTY):
            receiver = fact.expression.receiver
            if not (isinstance(receiver, Name) and receiver.name == "this"):
                yield fact.source


def _last_name(written: str) -> str:
    return written.partition("<")[0].rstrip("?").rpartition(".")[2]
