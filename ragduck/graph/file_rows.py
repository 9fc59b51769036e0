"""What rules read off files one by one, in plain values, so that a run can take over what an earlier one read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from enum import IntEnum
from typing import NamedTuple, Protocol, TypeAlias, cast

from ragduck.facts import FileFacts
from ragduck.model import Edge

Value: TypeAlias = str | int | float | bool
Row: TypeAlias = Sequence[Value]
VALUES = "values"  # what rows lean on that were read off what members stand for, here or elsewhere


class Reach(IntEnum):
    """What of other files a rule looks at when it reads one, beside what it is told of all."""

    OWN = 0  # nothing
    NAMES = 1  # types, and members by names that stand in the statements of the file
    # Also members by names that stand in the values of members, and constructors of whatever types. A rule for rows
    # says of each file whether it has done so
    VALUES = 2


class FileRule(NamedTuple):
    """A rule that reads files one by one.

    ``told`` is what it knows of all files together beside their declarations, in words that are the same in every
    process and whatever the order of sets. Which files it takes depends on the same. What it is told ``apart``, by
    names, matters only to files whose rows lean on it.
    """

    name: str
    reach: Reach
    told: object = ()
    apart: Sequence[tuple[str, object]] = ()


class ReadOff(NamedTuple):
    """What was read off a file; it is read each time anew where that is not ``lasting``.

    ``leans`` names what that depends on beside the statements of the file, what these name and what all rows do:
    `VALUES`, and what the rule is told apart.
    """

    rows: Sequence[Row]
    is_lasting: bool = True
    leans: Sequence[str] = ()


class ReadTogether(NamedTuple):
    """What was read off several files together, and the paths of those that had a part in it."""

    rows: Sequence[Row]
    paths: AbstractSet[str]


Reading: TypeAlias = Callable[[FileFacts], ReadOff]


class FileRows(Protocol):
    """Apply rules to files, or know what that gives."""

    def read(
        self, rule: FileRule, files: Iterable[FileFacts], reading: Reading, /
    ) -> Iterator[tuple[FileFacts, Sequence[Row]]]:
        """Yield what a rule reads off each file, in order; files without any may be left out.

        Each rule is applied once.
        """

    def read_together(
        self,
        rule: FileRule,
        reading: Callable[[], ReadTogether],
        may_have_part: Callable[[Sequence[Row], str], bool],
        /,
    ) -> Sequence[Row]:
        """Return what a rule reads off several files at once.

        ``may_have_part`` says of a file that had no part in known rows, by its path, whether it may have one now.
        """


class ReadAnew:
    """Apply rules to all files."""

    def read(
        self, _: FileRule, files: Iterable[FileFacts], reading: Reading, /
    ) -> Iterator[tuple[FileFacts, Sequence[Row]]]:
        """Yield what a rule reads off each file, in order."""
        return ((file, reading(file).rows) for file in files)

    def read_together(
        self,
        _: FileRule,
        reading: Callable[[], ReadTogether],
        may_have_part: Callable[[Sequence[Row], str], bool],  # noqa: ARG002
        /,
    ) -> Sequence[Row]:
        """Return what a rule reads off several files at once."""
        return reading().rows


def rows_of(edges: Iterable[Edge]) -> Sequence[Row]:
    """Return the edges that one file shows as rows, each of one site."""
    return [
        (one.from_key, one.to_key, one.relation, one.line, one.rule, one.confidence, one.detail)
        for one in edges
    ]


def edges_of(file: FileFacts, rows: Iterable[Row]) -> Iterator[Edge]:
    """Yield the edges that rows of one file stand for."""
    for row in rows:
        from_key, to_key, relation, line, rule, confidence, detail = cast(
            tuple[str, str, str, int, str, float, str], row
        )
        yield Edge(from_key, to_key, relation, file.path, line, rule, confidence, detail)
