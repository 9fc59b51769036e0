"""Many edges as columns of numbers: a large system has millions, which would take gigabytes as objects."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import accumulate, pairwise
from typing import TypeAlias, overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ragduck.model import Edge

Rows: TypeAlias = NDArray[np.intp]
Places: TypeAlias = NDArray[np.int32]  # of words

WORDS = ("from_key", "to_key", "relation", "rule", "detail", "source_file")
NUMBERS = (*WORDS, "line", "sites")
ENDS = 2  # of WORDS, the first
SAID = slice(0, 5)  # what an edge says, before where
FILE, LINE, SITES = map(NUMBERS.index, ("source_file", "line", "sites"))
LINES = 2**32  # that a file may have, half of them below zero
LARGEST = 2**62
NO_WORDS = pa.array((), pa.string())


class EdgeTable(Sequence[Edge]):
    """Edges that are made when they are looked at.

    ``numbers``, shape (8, edges), has a row for each of NUMBERS; those of WORDS are places in ``words``, which has
    each word once. ``confidences`` has shape (edges,).
    """

    def __init__(
        self, words: pa.StringArray, numbers: NDArray[np.int32], confidences: NDArray[np.float64]
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
            return self.chosen(place)
        *places, line, sites = self.numbers[:, place].tolist()
        words = [self.words[at].as_py() for at in places]
        return _edge(words, line=line, sites=sites, confidence=self.confidences[place].item())

    def __iter__(self) -> Iterator[Edge]:
        used = self.used(*WORDS)
        words = dict(zip(used.tolist(), self.words_at(used), strict=True))
        for numbers, confidence in zip(self.numbers.T, self.confidences.tolist(), strict=True):
            *places, line, sites = numbers.tolist()
            yield _edge([words[at] for at in places], line=line, sites=sites, confidence=confidence)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def used(self, *columns: str) -> Rows:
        """Return the places of the words that stand in some columns, in order."""
        is_used = np.zeros(len(self.words), dtype=np.bool_)
        for name in columns:
            is_used[self.numbers[NUMBERS.index(name)]] = True
        return np.flatnonzero(is_used)

    def words_at(self, places: Rows) -> list[str]:
        """Return the words at some places."""
        words: list[str] = self.words.take(pa.array(places)).to_pylist()
        return words

    def ends_beside(self, known: pa.ChunkedArray) -> set[str]:
        """Return the keys of the nodes that edges lead from or to, but for known ones."""
        ends = self.words.take(pa.array(self.used(*WORDS[:ENDS])))
        return set(ends.filter(pc.invert(pc.is_in(ends, value_set=known))).to_pylist())

    def have(self, column: str, wanted: Iterable[str]) -> NDArray[np.bool_]:
        """Say of each edge whether one of some words stands in a column."""
        used = self.used(column)
        is_wanted = np.zeros(len(self.words), dtype=np.bool_)
        is_wanted[used] = _are_among(self.words.take(pa.array(used)), wanted)
        found: NDArray[np.bool_] = is_wanted[self.numbers[NUMBERS.index(column)]]
        return found

    def chosen(self, edges: slice | Rows | NDArray[np.bool_]) -> EdgeTable:
        """Return some of the edges."""
        return EdgeTable(self.words, self.numbers[:, edges], self.confidences[edges])

    def renamed(self, names: Mapping[str, str]) -> EdgeTable:
        """Return the edges with other keys in the place of some at their ends."""
        known = np.flatnonzero(_are_among(self.words, (*names, *names.values())))
        place_of = dict(zip(self.words_at(known), known.tolist(), strict=True))
        present = [before for before in names if before in place_of]
        new = sorted({names[before] for before in present} - place_of.keys())
        place_of.update(zip(new, range(len(self.words), len(self.words) + len(new)), strict=True))
        places = np.arange(len(self.words), dtype=np.int32)
        for before in present:
            places[place_of[before]] = place_of[names[before]]
        numbers = self.numbers.copy()
        numbers[:ENDS] = places[numbers[:ENDS]]
        words = pa.concat_arrays([self.words, pa.array(new, pa.string())])
        return EdgeTable(words, numbers, self.confidences)

    def without(self, paths: AbstractSet[str]) -> EdgeTable:
        """Return the edges that other files show."""
        return self.chosen(~self.have("source_file", paths))

    def alone(self) -> EdgeTable:
        """Return the edges with the words that they need, and no others."""
        used = self.used(*WORDS)
        places = np.empty(len(self.words), dtype=np.int32)
        places[used] = np.arange(len(used), dtype=np.int32)
        numbers = self.numbers.copy()
        _renumber(numbers, places)
        return EdgeTable(self.words.take(pa.array(used)), numbers, self.confidences)


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
        words = pa.array(list(self._places), pa.string())
        return EdgeTable(words, np.ascontiguousarray(numbers.T), np.array(self._confidences))


def together(parts: Sequence[EdgeTable]) -> EdgeTable:
    """Put tables together over one list of words: that of the largest, if it has them all."""
    if len(parts) == 1:
        return parts[0]
    parts = [_trimmed(part) for part in parts]
    lists = _lists_of(parts)
    name = max(lists, key=lambda name: len(lists[name]), default=0)
    largest = lists.pop(name, NO_WORDS)
    few, places = _joined(list(lists.values()))
    place_of = _places_in(largest, few)
    are_new = place_of < 0
    place_of[are_new] = np.arange(are_new.sum(), dtype=np.int32) + np.int32(len(largest))
    words = pa.concat_arrays([largest, few.filter(pa.array(are_new))]) if are_new.any() else largest
    moved = {name: place_of[each] for name, each in zip(lists, places, strict=True)}
    return _over(words, parts, moved)


def merged(parts: Iterable[Iterable[Edge]]) -> EdgeTable:
    """Make one edge of all that say the same in the same way: the surest, then first site counts the others.

    They come out sorted by what they say.
    """
    return _one_of_each(_over_sorted_words([EdgeTable.of(part) for part in parts]), is_of_surest=True)


def gathered(parts: Sequence[EdgeTable]) -> EdgeTable:
    """Make one edge of all that say the same: its site is the first, its confidence the highest of them.

    They come out sorted by what they say.
    """
    return _one_of_each(_over_sorted_words(parts), is_of_surest=False)


def _one_of_each(table: EdgeTable, *, is_of_surest: bool) -> EdgeTable:
    """Make one edge of all that say the same, its site the first of all, or of those that are the surest.

    The words of the table are sorted.
    """
    said = _said(table)
    order = np.argsort(said)  # in any order among those that say the same
    starts = _starts(said[order])
    lengths = np.diff(starts, append=len(order))
    first = order[starts]
    found = EdgeTable(table.words, np.take(table.numbers, first, axis=1), table.confidences[first])
    are_several = lengths > 1  # few: all others are what they are
    if are_several.any():
        same = table.chosen(order[np.repeat(are_several, lengths)])
        where, highest = _as_one(same, lengths[are_several], is_of_surest=is_of_surest)
        found.numbers[FILE:, are_several], found.confidences[are_several] = where, highest
    return found


def _as_one(
    table: EdgeTable, lengths: Rows, *, is_of_surest: bool
) -> tuple[tuple[NDArray[np.int64], ...], NDArray[np.float64]]:
    """Return file, line and number of the sites of edges that stand together, and how sure the surest one is.

    ``lengths`` tells how many say the same.
    """
    starts = np.cumsum(lengths) - lengths
    sites = _sites(table)
    highest = np.maximum.reduceat(table.confidences, starts)
    if is_of_surest:
        sites[table.confidences < np.repeat(highest, lengths)] = np.iinfo(np.int64).max
    first = np.minimum.reduceat(sites, starts) + LINES // 2
    counts = np.add.reduceat(table.numbers[SITES], starts)
    return (first // LINES, first % LINES - LINES // 2, counts), highest


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


def _over_sorted_words(parts: Sequence[EdgeTable]) -> EdgeTable:
    """Put tables together over one list of words, so that their places order like the words."""
    parts = [_trimmed(part) for part in parts]
    lists = _lists_of(parts)
    words, places = _joined(list(lists.values()))
    return _over(words, parts, dict(zip(lists, places, strict=True)))


def _over(words: pa.StringArray, parts: Sequence[EdgeTable], places: Mapping[int, Places]) -> EdgeTable:
    """Put tables together whose words are at other places, told by their list, or where they were."""
    numbers = np.empty((len(NUMBERS), sum(map(len, parts))), np.int32)
    start = 0
    for part in parts:
        end = start + len(part)
        numbers[:, start:end] = part.numbers
        if id(part.words) in places:
            _renumber(numbers[:, start:end], places[id(part.words)])
        start = end
    return EdgeTable(words, numbers, np.concatenate([np.empty(0), *(part.confidences for part in parts)]))


def _trimmed(table: EdgeTable) -> EdgeTable:
    """Return a table without a list of words of which most must be of others."""
    return table.alone() if len(table.words) > len(WORDS) * len(table) else table


def _lists_of(parts: Iterable[EdgeTable]) -> dict[int, pa.StringArray]:
    """Return the lists of words of tables, once each: several may be over one."""
    return {id(part.words): part.words for part in parts}


def _places_in(words: pa.StringArray, few: pa.StringArray) -> Places:
    """Return the places that words have among others, and -1 where they have none."""
    found = pc.index_in(words, value_set=few)
    places = np.full(len(few), -1, np.int32)
    places[found.drop_null().to_numpy()] = np.flatnonzero(found.is_valid())
    return places


def _joined(lists: Sequence[pa.StringArray]) -> tuple[pa.StringArray, list[Places]]:
    """Return the words of all lists, sorted, each once, and by list the places that its words have there."""
    every = pa.concat_arrays([NO_WORDS, *lists])
    order = pc.sort_indices(every)
    ordered = every.take(order)
    is_new = np.ones(len(every), dtype=np.bool_)
    is_new[1:] = pc.not_equal(ordered[1:], ordered[:-1])
    places = np.empty(len(every), np.int32)
    places[order.to_numpy()] = np.cumsum(is_new, dtype=np.int32) - np.int32(1)
    bounds = pairwise(accumulate(map(len, lists), initial=0))
    return ordered.filter(pa.array(is_new)), [places[start:end] for start, end in bounds]


def _renumber(numbers: NDArray[np.int32], places: Places) -> None:
    """Let rows of an EdgeTable have their words at other places."""
    count = len(WORDS)
    numbers[:count] = places[numbers[:count]]


def _are_among(words: pa.StringArray, wanted: Iterable[str]) -> NDArray[np.bool_]:
    found = pc.is_in(words, value_set=pa.array(list(wanted), pa.string()))
    are_among: NDArray[np.bool_] = found.to_numpy(zero_copy_only=False)
    return are_among


def _edge(words: Sequence[str], *, line: int, sites: int, confidence: float) -> Edge:
    """Make an edge; ``words`` in the order of WORDS."""
    from_key, to_key, relation, rule, detail, source_file = words
    return Edge(from_key, to_key, relation, source_file, line, rule, confidence, detail, sites)


def _starts(ordered: NDArray[np.int64]) -> Rows:
    """Return where in the order something else is said."""
    is_new = np.ones(len(ordered), dtype=np.bool_)
    is_new[1:] = ordered[1:] != ordered[:-1]
    return np.flatnonzero(is_new)
