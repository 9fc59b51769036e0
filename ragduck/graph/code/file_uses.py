"""What the statements of files call and use, file by file, so that what one file uses can be exchanged."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, Protocol, TypeAlias

from ragduck.edge_table import EdgeTable, together
from ragduck.facts import FileFacts
from ragduck.graph.code.open_calls import OpenCall

DIGEST_BYTES = 20


class PostponedCall(NamedTuple):
    """A call that can only be judged when all names of foreign methods are known."""

    opened: OpenCall
    path: str
    source: str
    line: int


class FileUses(NamedTuple):
    """What the statements of some files call and use, in no particular order.

    Each edge is of one file, its ``source_file``: what several files say alike has not become one yet. ``foreign``
    has the names of the foreign methods that a file calls, by its path.
    """

    edges: EdgeTable
    postponed: tuple[PostponedCall, ...]
    foreign: Mapping[str, frozenset[str]]

    def without(self, paths: AbstractSet[str]) -> FileUses:
        """Return what other files use."""
        return FileUses(
            self.edges.without(paths),
            tuple(one for one in self.postponed if one.path not in paths),
            {path: names for path, names in self.foreign.items() if path not in paths},
        )


def uses_together(parts: Sequence[FileUses]) -> FileUses:
    """Return what different files use as one."""
    return FileUses(
        together([part.edges for part in parts]),
        tuple(one for part in parts for one in part.postponed),
        {path: names for part in parts for path, names in part.foreign.items()},
    )


class StatementReader(Protocol):
    """Read the statements of files of a snapshot in this process.

    What is read off a file depends on its own facts, on the declarations of all files, and on what is ``told`` of
    all files together: the implementations that a container is told of, the files that make
    objects of others, the services that containers find implementations of, hand out in lists or singly, the
    references between projects, the methods that handle messages and topics, those that send what they are given,
    the properties that act, and the keys that declarations have in the graph.
    """

    files: Mapping[str, FileFacts]

    @property
    def told(self) -> str:
        """A digest of all that is told."""

    def read(self, files: Sequence[FileFacts]) -> FileUses:
        """Return what the statements of files call and use."""


UsesOfFiles: TypeAlias = Callable[[StatementReader], FileUses]


def read_here(reader: StatementReader) -> FileUses:
    """Return what the statements of all files use, read by this process."""
    return reader.read(tuple(reader.files.values()))


def told_digest(told: Iterable[Mapping[str, frozenset[str]]]) -> str:
    """Hash what is told, the same in every process."""
    in_order = [sorted((key, sorted(names)) for key, names in each.items()) for each in told]
    content = repr(in_order).encode("utf-8", errors="surrogatepass")
    return hashlib.blake2b(content, digest_size=DIGEST_BYTES).hexdigest()
