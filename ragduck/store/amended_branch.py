"""Know what of a branch stays where the live file has it, while the rest is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from datetime import datetime

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from ragduck.model import Snapshot


@dataclass(slots=True)
class AmendedBranch:
    """A branch that is to be amended: files that are left, and times of these that are others than in the live file.

    ``known_edges`` are those that the live file has.
    """

    snapshot: Snapshot
    left: set[str] = field(default_factory=set)
    retimed: dict[str, tuple[int, datetime]] = field(default_factory=dict)
    known_edges: list[pa.Table] = field(default_factory=list)
    _edge_files: set[str] = field(default_factory=set)

    def leave(self, paths: Iterable[str], *, retimed: Mapping[str, tuple[int, datetime]]) -> None:
        """Leave files where they are; some have other sizes and times."""
        self.left.update(paths)
        self.retimed.update(retimed)

    def edges_to_add(self, edges: pa.Table, *, known: Set[str]) -> pa.Table:
        """Return those that were not found in ``known`` files, which are left."""
        self._edge_files = {path for path in known if path in self.left}
        files = pa.array(sorted(self._edge_files), type=pa.string())
        is_known = pc.is_in(edges["source_file"], value_set=files)
        self.known_edges.append(edges.filter(is_known))
        return edges.filter(pc.invert(is_known))

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
