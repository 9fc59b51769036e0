"""Find what stands nearest to a file among things of one name, without comparing each with each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import Generic, TypeVar

Name = TypeVar("Name", bound=Hashable)
One = TypeVar("One")


class Nearness(Generic[Name, One]):
    """Things by their names and by the folders that they stand in or below."""

    def __init__(self) -> None:
        self._below: defaultdict[tuple[Name, str], list[One]] = defaultdict(list)

    def add(self, name: Name, one: One, *, path: str) -> None:
        """Take something that a file has."""
        for folder in _folders(path):
            self._below[name, folder].append(one)

    def nearest(self, name: Name, *, path: str) -> Sequence[One]:
        """Return the things of a name that share most folders with a file, in the order that they were taken in."""
        return next(filter(None, (self._below.get((name, one)) for one in _folders(path))), ())


def _folders(path: str) -> Iterator[str]:
    """Yield the folders of a file, innermost first."""
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        yield folder
