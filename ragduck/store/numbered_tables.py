"""Tables of a store whose rows are numbered, and how the rows of one branch in them give way to others.

Each is brought up to date by the files `sql/amend/table_*.sql`, which are written for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

NODES, EDGES, CHUNKS, FILES = "nodes", "edges", "chunks", "files"


@dataclass(frozen=True, slots=True)
class NumberedTable:
    """A table and what its columns are.

    ``numbers`` are those that count ``NODES`` and so on over all branches, ``own`` is the one of them that tells rows
    of a branch. ``keys`` tell rows apart. What is ``free`` is replaced in a row that is kept.
    """

    name: str
    numbers: Mapping[str, str]
    own: str
    keys: tuple[str, ...]
    free: frozenset[str] = frozenset()


TABLES = (
    NumberedTable(
        "nodes", {"node_id": NODES}, own="node_id", keys=("node_key",), free=frozenset({"node_id"})
    ),
    NumberedTable(
        "edges",
        {"edge_no": EDGES, "from_id": NODES, "to_id": NODES},
        own="edge_no",
        keys=("from_key", "to_key", "relation", "rule", "detail", "source_file", "line"),
        free=frozenset({"edge_no", "from_id", "to_id"}),
    ),
    NumberedTable(
        "links",
        {"node_id": NODES, "neighbour_id": NODES, "edge_no": EDGES},
        own="node_id",
        keys=("node_id", "step", "neighbour_id"),
        free=frozenset({"place", "weight", "edge_no"}),
    ),
    NumberedTable("node_names", {"node_id": NODES}, own="node_id", keys=("name_key", "node_id")),
    NumberedTable(
        "chunk_signals", {"chunk_no": CHUNKS, "file_no": FILES}, own="chunk_no", keys=("chunk_no",)
    ),
    NumberedTable("file_terms", {"file_no": FILES}, own="file_no", keys=("stem_key", "file_no")),
)


@dataclass(frozen=True, slots=True)
class Extent:
    """Which rows are those of a branch: behind how many others they begin, how many there were and are."""

    before: int
    were: int
    are: int = 0

    @property
    def last(self) -> int:
        """The last number that the branch had."""
        return self.before + self.were

    @property
    def more(self) -> int:
        """By how much the numbers of later branches grow."""
        return self.are - self.were


def placeholders_of(
    table: NumberedTable, columns: Sequence[str], extents: Mapping[str, Extent], *, snapshot_no: int | None
) -> dict[str, str]:
    """Return what stands in the SQL for a table, by placeholder; that of moves is empty where no number moves.

    ``snapshot_no`` is the number of the branch where all rows are of one, else None.
    """
    numbered = {column: f"own.{column} + {extents[kind].before}" for column, kind in table.numbers.items()}
    if snapshot_no is not None and "snapshot_no" in columns:
        numbered["snapshot_no"] = f"{snapshot_no}::smallint"
    new = {column: numbered.get(column, f"own.{column}") for column in columns}
    free = [column for column in columns if column in table.free]
    told = [column for column in columns if column not in (*table.keys, *free)]
    own = extents[table.numbers[table.own]]
    moves = [(column, extents[kind].more) for column, kind in table.numbers.items() if extents[kind].more]
    return {
        "this_table": table.name,
        "these_numbers": ", ".join(f"{value} as {column}" for column, value in numbered.items()),
        "these_keys": ", ".join(f"own.{key}" for key in table.keys),
        "these_same": " and ".join(
            [f"held.{column} = {new[column]}" for column in table.keys]
            + [f"held.{column} is not distinct from {new[column]}" for column in told]
        ),
        "these_free": "".join(f", {new[column]} as {column}" for column in free),
        "these_new": ", ".join(f"{column} = kept.{column}" for column in free),
        "these_differ": " or ".join(f"held.{column} <> kept.{column}" for column in free),
        "these_moves": ", ".join(f"{column} = {column} + {more}" for column, more in moves),
        "is_own": f"held.{table.own} > {own.before} and held.{table.own} <= {own.last}",
        "is_later": f"held.{table.own} > {own.last}",
    }
