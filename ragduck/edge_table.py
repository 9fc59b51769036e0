"""Many edges as columns of numbers: a large system has millions, which would take gigabytes as objects."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from ragduck.model import Edge

Rows: TypeAlias = NDArray[np.intp]

WORDS = ("from_key", "to_key", "relation", "rule", "detail", "source_file")
NUMBERS = (*WORDS, "line", "sites")
ENDS = 2  # of WORDS, the first
SAID = slice(0, 5)  # what an edge says, before where
FILE, LINE, SITES = map(NUMBERS.index, ("source_file", "line", "sites"))
LINES = 2**32  # that a file may have, half of them below zero
LARGEST = 2**62


class EdgeTable(Sequence[Edge]):
    """Edges that are made when they are looked at.

    ``numbers``, shape (8, edges), has a row for each of NUMBERS; those of WORDS are places in ``words``, which has
    each word once. ``confidences`` has shape (edges,).
    """

    def __init__(
        self, words: Sequence[str], numbers: NDArray[np.int32], confidences: NDArray[np.float64]
    ) -> None:
        self.words = words
        self.numbers = numbers
        self.confidences = confidences

    @classmethod
    def of(cls, edges: Iterable[Edge]) -> EdgeTable:
        """Return edges as a table."""
        if isinstance(edges, cls):
            return edges
        rows = EdgeRows()
        for edge in edges:
            rows.add(edge)
        return rows.table()

    def __len__(self) -> int:
        return len(self.confidences)

    @overload
    def __getitem__(self, place: int) -> Edge: ...
    @overload
    def __getitem__(self, place: slice) -> EdgeTable: ...
    def __getitem__(self, place: int | slice) -> Edge | EdgeTable:
        if isinstance(place, slice):
            return EdgeTable(self.words, self.numbers[:, place], self.confidences[place])
        return self._edge(self.numbers[:, place].tolist(), self.confidences[place].item())

    def __iter__(self) -> Iterator[Edge]:
        for numbers, confidence in zip(self.numbers.T, self.confidences.tolist(), strict=True):
            yield self._edge(numbers.tolist(), confidence)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def _edge(self, numbers: Sequence[int], confidence: float) -> Edge:
        *places, line, sites = numbers
        from_key, to_key, relation, rule, detail, source_file = (self.words[place] for place in places)
        return Edge(from_key, to_key, relation, source_file, line, rule, confidence, detail, sites)

    def ends(self) -> set[str]:
        """Return the keys of all nodes that edges lead from or to."""
        is_end = self._is_used(self.numbers[:ENDS])
        return {self.words[place] for place in np.flatnonzero(is_end).tolist()}

    def renamed(self, names: Mapping[str, str]) -> EdgeTable:
        """Return the edges with other keys in the place of some at their ends."""
        wanted = {*names, *names.values()}
        place_of = {word: place for place, word in enumerate(self.words) if word in wanted}
        present = [before for before in names if before in place_of]
        words = list(self.words)
        places = np.arange(len(words), dtype=np.int32)
        for before in present:
            after = names[before]
            if after not in place_of:
                place_of[after] = len(words)
                words.append(after)
            places[place_of[before]] = place_of[after]
        numbers = self.numbers.copy()
        numbers[:ENDS] = places[numbers[:ENDS]]
        return EdgeTable(words, numbers, self.confidences)

    def without(self, paths: AbstractSet[str]) -> EdgeTable:
        """Return the edges that other files show."""
        left_out = [place for place, word in enumerate(self.words) if word in paths]
        is_kept = ~np.isin(self.numbers[FILE], left_out)
        return EdgeTable(self.words, self.numbers[:, is_kept], self.confidences[is_kept])

    def alone(self) -> EdgeTable:
        """Return the edges with the words that they need, and no others."""
        is_used = self._is_used(self.numbers[: len(WORDS)])
        words = [self.words[place] for place in np.flatnonzero(is_used).tolist()]
        places = np.cumsum(is_used, dtype=np.int32) - np.int32(1)
        return EdgeTable(words, _renumbered(self.numbers, places), self.confidences)

    def _is_used(self, numbers: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Say of each word whether it is among rows of numbers."""
        is_used = np.zeros(len(self.words), dtype=np.bool_)
        is_used[numbers] = True
        return is_used


class EdgeRows:
    """Take edges one by one."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._numbers = array("i")
        self._confidences = array("d")

    def add(self, edge: Edge) -> None:
        """Take an edge."""
        words = (edge.from_key, edge.to_key, edge.relation, edge.rule, edge.detail, edge.source_file)
        self.add_said(words, line=edge.line, sites=edge.sites, confidence=edge.confidence)

    def add_said(
        self, words: tuple[str, str, str, str, str, str], *, line: int, sites: int, confidence: float
    ) -> None:
        """Take what an edge would hold; ``words`` in the order of WORDS."""
        places = self._places
        self._numbers.extend([places.setdefault(word, len(places)) for word in words])
        self._numbers.append(line)
        self._numbers.append(sites)
        self._confidences.append(confidence)

    def table(self) -> EdgeTable:
        """Return what was taken, in that order."""
        numbers = np.asarray(self._numbers, dtype=np.int32).reshape(-1, len(NUMBERS))
        return EdgeTable(list(self._places), np.ascontiguousarray(numbers.T), np.array(self._confidences))


def together(parts: Sequence[EdgeTable]) -> EdgeTable:
    """Put tables together over one list of words."""
    if len(parts) == 1:
        return parts[0]
    largest = max(parts, key=lambda part: len(part.words), default=None)
    place_of = {word: place for place, word in enumerate(largest.words)} if largest is not None else {}
    numbers = [np.empty((len(NUMBERS), 0), np.int32)]
    for part in parts:
        if part is largest:
            numbers.append(part.numbers)
            continue
        places = np.fromiter(
            (place_of.setdefault(word, len(place_of)) for word in part.words), np.int32, len(part.words)
        )
        numbers.append(_renumbered(part.numbers, places))
    confidences = [np.empty(0), *(part.confidences for part in parts)]
    return EdgeTable(list(place_of), np.concatenate(numbers, axis=1), np.concatenate(confidences))


def merged(parts: Iterable[Iterable[Edge]]) -> EdgeTable:
    """Make one edge of all that say the same in the same way: the surest, then first site counts the others.

    They come out sorted by what they say.
    """
    return _one_of_each(_sorted_words(together([EdgeTable.of(part) for part in parts])), is_of_surest=True)


def gathered(parts: Sequence[EdgeTable]) -> EdgeTable:
    """Make one edge of all that say the same: its site is the first, its confidence the highest of them.

    They come out sorted by what they say.
    """
    return _one_of_each(_sorted_words(together(parts)), is_of_surest=False)


def _one_of_each(table: EdgeTable, *, is_of_surest: bool) -> EdgeTable:
    """Make one edge of all that say the same, its site the first of all, or of those that are the surest.

    The words of the table are sorted.
    """
    said = _said(table)
    order = np.argsort(said)  # in any order among those that say the same
    starts = _starts(said[order])
    confidences, sites = table.confidences[order], _sites(table)[order]
    highest = np.maximum.reduceat(confidences, starts)
    if is_of_surest:
        lengths = np.diff(starts, append=len(order))
        sites[confidences < np.repeat(highest, lengths)] = np.iinfo(np.int64).max
    first = np.minimum.reduceat(sites, starts) + LINES // 2
    numbers = table.numbers[:, order[starts]]
    numbers[FILE], numbers[LINE] = first // LINES, first % LINES - LINES // 2
    numbers[SITES] = np.add.reduceat(table.numbers[SITES, order], starts)
    return EdgeTable(table.words, numbers, highest)


def _said(table: EdgeTable) -> NDArray[np.int64]:
    """Number what edges say in the order of the words: one number sorts several times as fast as five."""
    found = np.zeros(len(table), np.int64)
    size = 1
    for column in table.numbers[SAID]:
        is_used = np.zeros(len(table.words), dtype=np.bool_)
        is_used[column] = True
        count = int(is_used.sum())
        if size * count >= LARGEST:
            used, found = np.unique(found, return_inverse=True)
            size = len(used)
        found = found * count + (np.cumsum(is_used) - 1)[column]
        size *= count
    return found


def _sites(table: EdgeTable) -> NDArray[np.int64]:
    """Number sites in the order of files and lines."""
    sites: NDArray[np.int64] = table.numbers[FILE].astype(np.int64) * LINES + table.numbers[LINE]
    return sites


def _sorted_words(table: EdgeTable) -> EdgeTable:
    """Sort the words, so that their places order like the words."""
    order = sorted(range(len(table.words)), key=table.words.__getitem__)
    places = np.empty(len(order), np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    return EdgeTable(
        [table.words[place] for place in order], _renumbered(table.numbers, places), table.confidences
    )


def _renumbered(numbers: NDArray[np.int32], places: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return rows of an EdgeTable whose words have moved."""
    count = len(WORDS)
    return np.concatenate((places[numbers[:count]], numbers[count:]))


def _starts(ordered: NDArray[np.int64]) -> Rows:
    """Return where in the order something else is said."""
    is_new = np.ones(len(ordered), dtype=np.bool_)
    is_new[1:] = ordered[1:] != ordered[:-1]
    return np.flatnonzero(is_new)
