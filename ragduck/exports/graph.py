"""Write the graph of a store as GraphML or as RoslynIndexer's two CSV files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ragduck.exports import graphml
from ragduck.exports.graph_csv import Row, write_edges_csv, write_nodes_csv
from ragduck.exports.graph_file import replaced_file
from ragduck.exports.graph_rows import graphml_edges, graphml_nodes, roslyn_edges, roslyn_nodes
from ragduck.exports.selection import Names, Selection, select, select_one
from ragduck.exports.tables import require_graph
from ragduck.mirror.folder import replaced_folder
from ragduck.progress import NO_PROGRESS, Progress, Stage
from ragduck.resources import sql_text
from ragduck.store import Database, open_database
from ragduck.version import __version__

CSV_FORMAT = "ragduck_graph_csv_v1"
MANIFEST = "manifest.json"
TOLD_AFTER = 1_000  # rows
NODES_CSV, EDGES_CSV = "nodes.csv", "edges.csv"


@dataclass(frozen=True, slots=True)
class GraphReport:
    """What an export of the graph wrote; ``merged`` edges differed only in what the format does not tell."""

    path: Path
    nodes: int
    edges: int
    size: int
    merged: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the report as `export graphml --json` and `export graph-csv --json` print it."""
        return {
            "path": str(self.path),
            "nodes": self.nodes,
            "edges": self.edges,
            "merged_edges": self.merged,
            "size_bytes": self.size,
        }


def export_graphml(
    store: str | Path,
    out: str | Path,
    *,
    repos: Names = (),
    branches: Names = (),
    progress: Progress = NO_PROGRESS,
) -> GraphReport:
    """Write nodes and edges with their attributes into one GraphML file, in a stable order.

    Raises UsageError for a repository or branch that the store does not hold, ForeignFileError where another file is.
    """
    target = Path(out)
    with open_database(store) as database:
        require_graph(database)
        selection = select(database, repos, branches)
        with replaced_file(target, mark=graphml.MARK) as file:
            graphml.write_head(file)
            with progress.stage("nodes", total=_count(database, "nodes", selection)) as stage:
                nodes = graphml.write_nodes(file, _counted(graphml_nodes(database, selection), stage))
            with progress.stage("edges", total=_count(database, "edges", selection)) as stage:
                edges = graphml.write_edges(file, _counted(graphml_edges(database, selection), stage))
            graphml.write_tail(file)
    return GraphReport(target, nodes, edges, target.stat().st_size)


def export_graph_csv(
    store: str | Path,
    out: str | Path,
    *,
    repos: Names = (),
    branches: Names = (),
    progress: Progress = NO_PROGRESS,
) -> GraphReport:
    """Write nodes.csv and edges.csv as RoslynIndexer does, and manifest.json, into a folder.

    Raises UsageError where names leave more than one repository and branch, which the format cannot tell apart, and
    ForeignFileError for a folder that holds something else.
    """
    target = Path(out)
    with open_database(store) as database:
        require_graph(database)
        repo, branch = select_one(database, repos, branches)
        chosen = Selection((repo,), (branch,))
        with replaced_folder(target, manifest_format=CSV_FORMAT) as folder:
            with progress.stage("nodes", total=_count(database, "nodes", chosen)) as stage:
                rows = _node_rows(_counted(roslyn_nodes(database, repo, branch), stage))
                nodes = write_nodes_csv(folder / NODES_CSV, rows)
            with progress.stage("edges", total=None) as stage:
                rows = _edge_rows(_counted(roslyn_edges(database, repo, branch), stage))
                edges = write_edges_csv(folder / EDGES_CSV, rows)
            size = sum(path.stat().st_size for path in folder.iterdir())
            _write_manifest(folder, repo=repo, branch=branch, nodes=nodes, edges=edges)
        merged = _count(database, "edges", chosen) - edges
    return GraphReport(target, nodes, edges, size, merged)


def _node_rows(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield rows of nodes.csv; batches and bodies of objects are not in a store."""
    for _, key, kind, name, schema, file, domain in rows:
        yield key, kind, name, schema, file, "", domain, ""


def _edge_rows(rows: Iterable[Row]) -> Iterator[Row]:
    for row in rows:
        yield *row, ""


def _count(database: Database, table: str, selection: Selection) -> int:
    sql = sql_text(f"exports/count_{table}.sql")
    found = database.rows(sql, {"repos": list(selection.repos), "branches": list(selection.branches)})
    return int(found[0]["rows"])


def _counted(rows: Iterable[Row], stage: Stage) -> Iterator[Row]:
    number = 0
    for number, row in enumerate(rows, start=1):
        yield row
        if number % TOLD_AFTER == 0:
            stage.advance(TOLD_AFTER)
    stage.advance(number % TOLD_AFTER)


def _write_manifest(folder: Path, *, repo: str, branch: str, nodes: int, edges: int) -> None:
    manifest = {
        "format": CSV_FORMAT,
        "created_at_utc": datetime.now(UTC).isoformat(timespec="seconds"),
        "ragduck_version": __version__,
        "repo": repo,
        "branch": branch,
        "counts": {"nodes": nodes, "edges": edges},
    }
    text = json.dumps(manifest, ensure_ascii=False, indent=2)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")
