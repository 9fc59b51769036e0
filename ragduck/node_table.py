"""Many nodes as columns: those that an earlier run made need not become objects again."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from operator import attrgetter, itemgetter
from typing import overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ragduck.model import Node

NODE_COLUMNS = {
    **dict.fromkeys(
        ("node_key", "kind", "name", "data_type", "role", "schema", "project", "source_file", "version"),
        pa.string(),
    ),
    "start_line": pa.int32(),
    "end_line": pa.int32(),
    "is_external": pa.bool_(),
}
NODES = pa.schema(NODE_COLUMNS)
FEW_FILES = 50  # whose nodes are found one by one, each in some 2 ms of 50,000 nodes
AT_ONCE = 50_000  # nodes that are objects, of some 400 bytes each


class NodeTable(Sequence[Node]):
    """Nodes that are made when they are looked at; ``columns`` has the schema NODES."""

    def __init__(self, columns: pa.Table) -> None:
        self.columns = columns

    @classmethod
    def of(cls, nodes: Iterable[Node]) -> NodeTable:
        """Return nodes as a table, in which those that are made one by one need not all be objects at once."""
        if isinstance(nodes, cls):
            return nodes
        rest, tables = iter(nodes), [NODES.empty_table()]
        while some := tuple(islice(rest, AT_ONCE)):
            arrays = [
                pa.array(list(map(attrgetter(name), some)), type=kind) for name, kind in NODE_COLUMNS.items()
            ]
            tables.append(pa.Table.from_arrays(arrays, schema=NODES))
        return cls(pa.concat_tables(tables))

    def __len__(self) -> int:
        rows: int = self.columns.num_rows
        return rows

    @overload
    def __getitem__(self, place: int) -> Node: ...
    @overload
    def __getitem__(self, place: slice) -> NodeTable: ...
    def __getitem__(self, place: int | slice) -> Node | NodeTable:
        if isinstance(place, slice):
            return NodeTable(self.columns.take(pa.array(range(len(self))[place], pa.int64())))
        return Node(**self.columns.slice(range(len(self))[place], 1).to_pylist()[0])

    def __iter__(self) -> Iterator[Node]:
        return (Node(**row) for row in self.columns.to_pylist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def in_file(self, path: str) -> dict[str, int]:
        """Return the places of the nodes of a file by their keys."""
        is_there = pc.equal(self.columns["source_file"], path).fill_null(False)  # noqa: FBT003
        places = np.flatnonzero(is_there.to_numpy())
        keys = self.columns["node_key"].take(pa.array(places)).to_pylist()
        return dict(zip(keys, places.tolist(), strict=True))

    def followed_by(self, others: Sequence[Node]) -> NodeTable:
        """Return the nodes with others behind them, none of which has the key of one of these."""
        return NodeTable(pa.concat_tables([self.columns, NodeTable.of(others).columns]))

    def with_lines(self, lines: Mapping[int, tuple[int, int]]) -> NodeTable:
        """Return the nodes with other first and last lines at some places; none of them is without."""
        columns = self.columns
        places = list(lines)
        for number, name in enumerate(("start_line", "end_line")):
            values = columns[name].to_numpy().copy()
            values[places] = [line[number] for line in lines.values()]
            columns = columns.set_column(NODES.get_field_index(name), NODES.field(name), pa.array(values))
        return NodeTable(columns)

    def with_files(self, others: NodeTable, paths: AbstractSet[str], order: Sequence[str]) -> NodeTable:
        """Return the nodes with others in the place of those of some files.

        Those of files come first, then what these declare, each in an order of the files' paths.
        """
        found = self._with_few(others, paths, order) if 0 < len(paths) <= FEW_FILES else None
        return found if found is not None else self._with_many(others, paths, order)

    def _with_few(self, others: NodeTable, paths: AbstractSet[str], order: Sequence[str]) -> NodeTable | None:
        """Put others where those of a few files stand, which are in order; None where some stand elsewhere."""
        files, kinds = self.columns["source_file"], self.columns["kind"]
        number_of = {path: number for number, path in enumerate(order)}

        def rank(place: int) -> tuple[bool, int]:
            return kinds[place].as_py() != "FILE", number_of.get(files[place].as_py(), -1)

        cuts: list[tuple[int, tuple[bool, int], int, pa.Table]] = []
        for path in paths:
            news = others.columns.filter(pc.equal(others.columns["source_file"], path))
            places: list[int] = []
            for is_declared in (False, True):
                own = (is_declared, number_of[path])
                first = bisect_left(range(len(self)), own, key=rank)
                end = bisect_right(range(len(self)), own, lo=first, key=rank)
                places += range(first, end)
                is_own = pc.equal(news["kind"], "FILE")
                cuts.append((first, own, end, news.filter(pc.invert(is_own) if is_declared else is_own)))
            if places != list(self.in_file(path).values()):
                return None
        parts, at = [], 0
        for first, _, end, news in sorted(cuts, key=itemgetter(0, 1)):
            parts += [self.columns.slice(at, first - at), news]
            at = end
        return NodeTable(pa.concat_tables([*parts, self.columns.slice(at)]).combine_chunks())

    def _with_many(self, others: NodeTable, paths: AbstractSet[str], order: Sequence[str]) -> NodeTable:
        files = self.columns["source_file"]
        kept = self.columns.filter(pc.invert(pc.is_in(files, pa.array(paths, pa.string()))))
        columns = pa.concat_tables([kept, others.columns])
        places = pc.index_in(columns["source_file"], pa.array(order, pa.string())).to_numpy()
        is_declared = pc.not_equal(columns["kind"], "FILE").to_numpy()
        return NodeTable(columns.take(pa.array(np.lexsort((places, is_declared)))).combine_chunks())


def first_of_each(parts: Sequence[Sequence[Node]]) -> NodeTable:
    """Return the nodes of all parts; of several with one key the first."""
    found = NodeTable(
        pa.concat_tables([NODES.empty_table(), *(NodeTable.of(part).columns for part in parts)])
    )
    keys = found.columns["node_key"].combine_chunks().dictionary_encode()
    if len(keys.dictionary) == len(keys):
        return found
    _, places = np.unique(keys.indices.to_numpy(), return_index=True)  # keys are numbered as they come
    return NodeTable(found.columns.take(pa.array(places)))
