"""Find what stands nearest to a file among things of one name, without comparing each with each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

Name = TypeVar("Name", bound=Hashable)
One = TypeVar("One")


class Nearness(Generic[Name, One]):
    """Things by their names and by the folders that they stand in or below; ``most`` of each, the first ones."""

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._below: defaultdict[tuple[Name, str], list[One]] = defaultdict(list)

    def add(self, name: Name, one: One, *, path: str) -> None:
        """Take something that a file has."""
        for folder in folders_of(path):
            if len(self._below[name, folder]) < self._most:
                self._below[name, folder].append(one)

    def anywhere(self, names: Iterable[Name]) -> Sequence[One]:
        """Return the things of some names."""
        return self._in("", names)

    def nearest(self, names: Sequence[Name], *, path: str) -> Sequence[One]:
        """Return the things of some names that share most folders with a file."""
        return next(filter(None, (self._in(folder, names) for folder in folders_of(path))), ())

    def _in(self, folder: str, names: Iterable[Name]) -> Sequence[One]:
        return [one for name in names for one in self._below.get((name, folder), ())]


def folders_of(path: str) -> Iterator[str]:
    """Yield the folders that a file stands in or below, innermost first."""
    while path:
        path = path.rpartition("/")[0]
        yield path
