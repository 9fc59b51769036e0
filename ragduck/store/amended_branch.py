"""Know what of a branch stays where the live file has it, while the rest is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from datetime import datetime

import duckdb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ragduck.model import Snapshot


@dataclass(slots=True)
class AmendedBranch:
    """A branch that is to be amended: files that are left, and sizes and times that these have since."""

    snapshot: Snapshot
    left: set[str] = field(default_factory=set)
    retimed: dict[str, tuple[int, datetime]] = field(default_factory=dict)
    _edges: pa.Table | None = None
    _edge_files: set[str] = field(default_factory=set)
    _are_known: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, dtype=np.bool_))

    def leave(self, paths: Iterable[str], *, retimed: Mapping[str, tuple[int, datetime]]) -> None:
        """Leave files where they are; some have other sizes and times."""
        self.left.update(paths)
        self.retimed.update(retimed)

    def edges_to_add(self, edges: pa.Table, *, known: Set[str]) -> pa.Table:
        """Return those that were not found in ``known`` files, which are left."""
        self._edge_files = {path for path in known if path in self.left}
        files = edges["source_file"].combine_chunks()
        is_known = np.array(
            [path in self._edge_files for path in files.dictionary.to_pylist()], dtype=np.bool_
        )
        self._edges, self._are_known = edges, is_known[files.indices.to_numpy()]
        return edges.filter(pa.array(~self._are_known))

    def other_edges(self) -> Iterator[pa.Table]:
        """Yield those that were left out."""
        if self._edges is not None:
            yield self._edges.filter(pa.array(self._are_known))

    def touched(self, connection: duckdb.DuckDBPyConnection) -> pa.Table:
        """Name the files that changed or are gone, and those whose edges are not known.

        The live file is attached as `store`. Columns: source_file, is_changed.
        """
        of_branch = "where repo = $repo and branch = $branch"

        def paths_in(sql: str) -> set[str]:
            named = {"repo": self.snapshot.repo, "branch": self.snapshot.branch}
            given = named if of_branch in sql else None
            return {path for (path,) in connection.execute(sql, given).fetchall()}

        held = paths_in(f"select file_path from store.source_documents {of_branch}")
        changed = (held | paths_in("select file_path from stage.sources")) - self.left
        edges = paths_in(f"select distinct source_file from store.edges {of_branch}")
        edges |= paths_in("select distinct source_file from stage.edges")
        paths = sorted(changed | edges - self._edge_files)
        return pa.table(
            {
                "source_file": pa.array(paths, type=pa.string()),
                "is_changed": pa.array([path in changed for path in paths], type=pa.bool_()),
            }
        )
