"""What the statements of files call and use, file by file, so that what one file uses can be exchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, Protocol, TypeAlias

from ragduck.edge_table import EdgeTable, together
from ragduck.facts import FileFacts
from ragduck.graph.code.open_calls import OpenCall


class PostponedCall(NamedTuple):
    """A call that can only be judged when all names of foreign methods are known."""

    opened: OpenCall
    path: str
    source: str
    line: int


class FileUses(NamedTuple):
    """What the statements of some files call and use, in no particular order.

    Each edge is of one file, its ``source_file``: what several files say alike has not become one yet. ``foreign``
    has the names of the foreign methods that a file calls, by its path. ``asked`` has the keys of what a file asked
    for of all that is told, whether anything was told of it or not.
    """

    edges: EdgeTable
    postponed: tuple[PostponedCall, ...]
    foreign: Mapping[str, frozenset[str]]
    asked: Mapping[str, frozenset[str]]

    def without(self, paths: AbstractSet[str]) -> FileUses:
        """Return what other files use."""
        return FileUses(
            self.edges.without(paths),
            tuple(one for one in self.postponed if one.path not in paths),
            {path: names for path, names in self.foreign.items() if path not in paths},
            {path: keys for path, keys in self.asked.items() if path not in paths},
        )

    def asking(self, keys: AbstractSet[str]) -> frozenset[str]:
        """Return the paths of the files that asked for something of what is told."""
        return frozenset(path for path, asked in self.asked.items() if not keys.isdisjoint(asked))

    def renamed(self, names: Mapping[str, str]) -> FileUses:
        """Return what files use, with other keys in the graph in the place of some."""
        return self._replace(edges=self.edges.renamed(names)) if names else self


def uses_together(parts: Sequence[FileUses]) -> FileUses:
    """Return what different files use as one."""
    return FileUses(
        together([part.edges for part in parts]),
        tuple(one for part in parts for one in part.postponed),
        {path: names for part in parts for path, names in part.foreign.items()},
        {path: keys for part in parts for path, keys in part.asked.items()},
    )


class StatementReader(Protocol):
    """Read the statements of files of a snapshot in this process.

    What is read off a file depends on its own facts, on the declarations of all files, and on what is ``told`` of
    all files together: the implementations that a container is told of, the files that make
    objects of others, the services that containers find implementations of, hand out in lists or singly, the
    references between projects, the methods that handle messages and topics, those that send what they are given,
    the properties that act, and the keys that declarations have in the graph. Each of that has a key, so that a file
    depends on that of which it has the key, on what is told `EVERYWHERE`, and by the names that it calls.
    """

    files: Mapping[str, FileFacts]

    @property
    def told(self) -> Mapping[str, str]:
        """All that is told, each in a word, by what can be asked for."""

    def calling(self, names: AbstractSet[str]) -> frozenset[str]:
        """Return the paths of the files that call something of one of these names."""

    def read(self, files: Iterable[FileFacts]) -> FileUses:
        """Return what the statements of files call and use."""


class ReadUses(NamedTuple):
    """What the statements of some files use, and the paths of these files."""

    paths: frozenset[str]
    uses: FileUses


def read_uses(reader: StatementReader, paths: Iterable[str]) -> ReadUses:
    """Read files one after the other, each as soon as it is named; those that are gone have no statements."""
    read: list[str] = []

    def files() -> Iterator[FileFacts]:
        for path in paths:
            read.append(path)
            if path in reader.files:
                yield reader.files[path]

    uses = reader.read(files())
    return ReadUses(frozenset(read), uses)


UsesOfFiles: TypeAlias = Callable[[StatementReader], FileUses]


def read_here(reader: StatementReader) -> FileUses:
    """Return what the statements of all files use, read by this process."""
    return reader.read(tuple(reader.files.values()))
