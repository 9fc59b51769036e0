"""Run the files of `sql/build` that fill a store, whole or for a slice at a time, which bounds their memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import duckdb

from ragduck.store.schema import run_build_step, run_in_slices


@dataclass(frozen=True, slots=True)
class Step:
    """A file of `sql/build`, run once, or for slices of a table, which bound its memory.

    A slice is ``rows`` of ``table``, which are numbered from 1, or about as many by a key that has ``keys`` values.
    """

    name: str
    table: str | None = None
    rows: int = 0
    keys: int | None = None

    def run(self, connection: duckdb.DuckDBPyConnection, *, dimension: int) -> None:
        """Run the file, once or for each slice."""
        if self.table is None:
            run_build_step(connection, self.name, dimension=dimension)
            return
        last = int(connection.execute(f"select count(*) from {self.table}").fetchall()[0][0])
        size = self.rows
        if self.keys is not None:
            slices = max(1, -(-last // size))
            last, size = self.keys - 1, -(-self.keys // slices)
        run_in_slices(connection, self.name, last=last, size=size, dimension=dimension)


def run_steps(steps: Iterable[Step], connection: duckdb.DuckDBPyConnection, *, dimension: int) -> None:
    """Run steps one after the other."""
    for step in steps:
        step.run(connection, dimension=dimension)
