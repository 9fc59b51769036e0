"""Write one branch of a store as a bundle in RoslynIndexer's layout."""

from __future__ import annotations

import json
import shutil
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragduck.errors import ForeignFileError, StoreError
from ragduck.exports.graph_csv import EDGE_COLUMNS, NODE_COLUMNS, write_edges_csv, write_nodes_csv
from ragduck.exports.roslyn_bodies import ALTERATION, BodyPart
from ragduck.exports.roslyn_branch import Branch, read_branch
from ragduck.exports.roslyn_code import CodePart
from ragduck.exports.roslyn_graph import GraphPart, json_rows
from ragduck.exports.selection import select_one
from ragduck.exports.tables import require_graph
from ragduck.progress import NO_PROGRESS, Progress
from ragduck.shell import folder_command
from ragduck.store import open_database
from ragduck.untrusted_json import read_json

META = "repo_meta.json"
MAKER = "ragduck"
CODE, SQL = "regular_code_bundle", "sql_code_bundle"
_BLOCK = 1 << 20
HELD = frozenset(("TYPE", "METHOD", "PROPERTY", "DBSET", "MIGRATION", "FILE"))


@dataclass(frozen=True, slots=True)
class RoslynReport:
    """What an export of a bundle wrote.

    ``counts`` are of members, calls, bodies, nodes and edges; ``left_out`` counts what the format has no place for.
    """

    path: Path
    repo: str
    branch: str
    counts: Mapping[str, int]
    size: int
    left_out: Mapping[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as `export roslyn --json` prints it."""
        return {
            "path": str(self.path),
            "repo": self.repo,
            "branch": self.branch,
            **self.counts,
            "size_bytes": self.size,
            "left_out": dict(self.left_out),
        }


def export_roslyn(
    store: str | Path,
    out: str | Path,
    *,
    repo: str | None = None,
    branch: str | None = None,
    progress: Progress = NO_PROGRESS,
) -> RoslynReport:
    """Write the C# and SQL of one branch as a bundle: a zip where ``out`` ends with .zip, else a folder.

    RoslynIndexer and its readers take the branch from the name, so call it BRANCH.zip. What is there is replaced only
    if it is such a bundle, written by ragduck. Raises UsageError where names leave several branches to choose from.
    """
    target = Path(out)
    with open_database(store) as database:
        require_graph(database)
        repo, branch = select_one(database, (repo,) if repo else (), (branch,) if branch else ())
        with progress.stage("reading the store", total=None):
            content = read_branch(database, repo=repo, branch=branch)
    with _replaced_bundle(target) as folder, progress.stage("writing the bundle", total=None):
        counts, left_out = _write_bundle(folder, content)
    size = sum(path.stat().st_size for path in _files(target)) if target.is_dir() else target.stat().st_size
    return RoslynReport(target, repo, branch, counts, size, left_out)


def _write_bundle(folder: Path, branch: Branch) -> tuple[dict[str, int], dict[str, int]]:
    """Write all files; return how many records each kind has, and how much there is no place for."""
    made = f"{branch.made.isoformat()}Z"
    meta = {
        "GeneratedBy": MAKER,
        "RepoName": branch.repo,
        "Branch": branch.branch,
        "HeadSha": branch.commit,
        "RepositoryRoot": branch.repo,
        "GeneratedAtUtc": made,
    }
    _write_json(folder / META, meta)
    code = CodePart(branch)
    dependencies = code.dependencies()
    (folder / CODE).mkdir()
    _write_json(folder / CODE / "chunks.json", list(code.records()))
    _write_json(folder / CODE / "dependencies.json", dependencies)
    bodies = BodyPart(branch, code)
    written = _write_bodies(folder / SQL, bodies)
    graph = GraphPart(branch, bodies)
    nodes, edges = _write_graph(folder / SQL / "graph", graph)
    manifest = {
        "schema": 1,
        "builtAt": made,
        "sqlRoot": "",
        "codeRoots": [],
        "counts": {"nodes": nodes, "edges": edges, "docs": written},
    }
    _write_json(folder / SQL / "manifest.json", manifest)
    calls = sum(len(targets) for targets in dependencies.values())
    counts = {
        "members": len(code.entries),
        "calls": calls,
        "bodies": written,
        "nodes": nodes,
        "edges": edges,
    }
    return counts, _left_out(branch, graph)


def _write_bodies(folder: Path, bodies: BodyPart) -> int:
    (folder / "docs/bodies").mkdir(parents=True)
    written = 0
    with (folder / "docs/sql_bodies.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        for record in bodies.records():
            written += 1
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
            path = folder / record["bodyPath"]
            path.write_text(record["body"] + "\n", encoding="utf-8", newline="\n")
    return written


def _write_graph(folder: Path, graph: GraphPart) -> tuple[int, int]:
    folder.mkdir()
    nodes, edges = graph.node_rows(), graph.edge_rows()
    write_nodes_csv(folder / "nodes.csv", nodes)
    write_edges_csv(folder / "edges.csv", edges)
    told = {"nodes": list(json_rows(NODE_COLUMNS, nodes)), "edges": list(json_rows(EDGE_COLUMNS, edges))}
    _write_json(folder / "graph.json", told)
    return len(nodes), len(edges)


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8", newline="\n")


def _left_out(branch: Branch, graph: GraphPart) -> dict[str, int]:
    """Count what a bundle cannot say: fields, other languages, statements outside of objects, uses of types."""
    relations = Counter(f"{edge.relation} edges" for edge in graph.untold())
    altering = sum(chunk.element_type == ALTERATION for chunk in branch.chunks)
    told = {"chunks of scripts": branch.script_chunks, "ALTER TABLE statements": altering}
    scripts = {name: count for name, count in told.items() if count}
    kinds = Counter(
        f"{node.kind} nodes"
        for node in branch.nodes.values()
        if node.is_csharp and node.kind not in HELD and not node.is_external
    )
    files = {f"{language} files": count for language, count in branch.other_languages.items()}
    return {**dict(sorted(kinds.items())), **scripts, **files, **dict(sorted(relations.items()))}


@contextmanager
def _replaced_bundle(target: Path) -> Iterator[Path]:
    """Give a folder to write to; it, or a zip of it, takes the place of ``target`` when all went well."""
    _require_own(target)
    if not target.parent.is_dir():
        raise StoreError(
            f"there is no folder {target.parent}", hint=f"make it with: {folder_command(target.parent)}"
        )
    place = Path(tempfile.mkdtemp(prefix=f"{target.name}.new-", dir=target.parent))
    folder = place / "bundle"
    folder.mkdir()
    try:
        yield folder
        _require_own(target)
        if target.suffix.lower() == ".zip":
            zipped = place / "bundle.zip"
            _zip(folder, zipped)
            zipped.replace(target)
        else:
            if target.exists():
                target.rename(place / "old")
            folder.rename(target)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _zip(folder: Path, path: Path) -> None:
    """Pack a folder so that the same files give the same bytes."""
    with zipfile.ZipFile(path, "w") as archive:
        for file in _files(folder):
            entry = zipfile.ZipInfo(file.relative_to(folder).as_posix())
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            entry.file_size = file.stat().st_size
            with file.open("rb") as source, archive.open(entry, "w") as target:
                shutil.copyfileobj(source, target, _BLOCK)


def _files(folder: Path) -> Iterable[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _require_own(target: Path) -> None:
    """Refuse to replace what ragduck did not write."""
    if not target.exists() and not target.is_symlink():
        return
    is_zip = target.suffix.lower() == ".zip"
    if target.is_dir() and not target.is_symlink() and not is_zip and not any(target.iterdir()):
        return
    if target.is_symlink() or target.is_dir() is is_zip or _maker_of(target) != MAKER:
        raise ForeignFileError(
            f"{target} is something else, and it is not replaced",
            hint="name a file or folder that is not there yet, or remove it yourself",
        )


def _maker_of(target: Path) -> object:
    try:
        if target.is_dir():
            data = (target / META).read_bytes()
        else:
            with zipfile.ZipFile(target) as archive, archive.open(META) as file:
                data = file.read(1 << 16)
        found = read_json(data)
    except (OSError, ValueError, KeyError, RuntimeError, zipfile.BadZipFile):
        return None
    return found.get("GeneratedBy") if isinstance(found, dict) else None
