"""Find the bundles in a zip or folder: at its root, below one top folder, or one per branch."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

CODE_FOLDERS = ("regular_code_bundle/", "code/")
SQL_FOLDERS = ("sql_code_bundle/", "sql_bundle/", "")
META = "repo_meta.json"
PARTS = frozenset({
    "regular_code_bundle", "code", "sql_code_bundle", "sql_bundle", "docs", "graph", "configuration_bundle",
    "ui_graph", "branches", "repositories", "indexes",
})  # fmt: skip
MAX_FOLDERS = 10_000  # that are looked into for bundles
_CODE = re.compile(r"((?:[^/]{1,300}/){0,20}?)(?:regular_code_bundle|code)/chunks\.json")
_SQL = re.compile(
    r"((?:[^/]{1,300}/){0,20}?)(sql_code_bundle/|sql_bundle/|)"
    r"(docs/sql_bodies\.jsonl|graph/(?:nodes\.csv|edges\.csv|graph\.json))"
)


def bundle_prefixes(names: Collection[str]) -> list[str]:
    """Return the folders of a zip that are bundles, each with a slash at its end; "" stands for the root."""
    found = {prefix for name in names if (prefix := _prefix_of(name, names)) is not None}
    return sorted(found)


def _prefix_of(name: str, names: Collection[str]) -> str | None:
    code = _CODE.fullmatch(name)
    if code is not None:
        prefix = code[1]
        sure = "regular_code_bundle/" in name or any(
            f"{prefix}{other}" in names for other in (META, "code/dependencies.json")
        )
        return prefix if sure else None
    sql = _SQL.fullmatch(name)
    if sql is None:
        return None
    sure = bool(sql[2]) or sql[3].startswith("docs/") or sql[1] + META in names
    return sql[1] if sure else None


def is_bundle(folder: Path) -> bool:
    """Tell whether a folder is the root of an unpacked bundle; one that may not be entered is none."""
    try:
        return _has_parts(folder)
    except PermissionError:
        return False


def _has_parts(folder: Path) -> bool:
    has_meta = (folder / META).is_file()
    if (folder / "regular_code_bundle/chunks.json").is_file():
        return True
    if (folder / "code/chunks.json").is_file() and (
        has_meta or (folder / "code/dependencies.json").is_file()
    ):
        return True
    for sql_folder in SQL_FOLDERS:
        if (folder / sql_folder / "docs/sql_bodies.jsonl").is_file():
            return True
        graph = folder / sql_folder / "graph"
        is_graph = any((graph / name).is_file() for name in ("nodes.csv", "edges.csv", "graph.json"))
        if is_graph and (sql_folder or has_meta):
            return True
    return False


def bundles_in(folder: Path) -> list[Path]:
    """Return the bundles of a folder, unpacked or zipped; none for a folder that holds anything else.

    They lie there one by one, or as `repositories/REPO/branches/BRANCH`.
    """
    if _is_source_tree(folder):
        return []
    if is_bundle(folder):
        return [folder]
    branches = [each for place in _branch_folders(folder) for each in _children(place)]
    if branches:
        return [bundle for each in branches for bundle in _bundles_of_branch(each)]
    children = _children(folder)
    found = [child for child in children if is_candidate(child)]
    others = [child for child in children if child not in found and not _is_beside(child)]
    return [] if others else found


def _is_source_tree(folder: Path) -> bool:
    """Tell a checkout, or a folder in which the parts of bundles lie among other folders."""
    if (folder / ".git").exists():
        return True
    has_parts = is_bundle(folder) or (folder / "branches").is_dir() or (folder / "repositories").is_dir()
    return has_parts and any(child.is_dir() and child.name not in PARTS for child in _children(folder))


def is_candidate(path: Path) -> bool:
    """Tell whether a path may be a bundle: a zip, or a folder that is one."""
    return (path.is_file() and path.suffix.lower() == ".zip") or (path.is_dir() and is_bundle(path))


def _is_beside(path: Path) -> bool:
    """Tell what may lie beside bundles: notes, checksums, LocalAI-RAG's own records, but no folder."""
    return path.is_file() and path.suffix.lower() in ("", ".txt", ".md", ".json", ".sha256", ".log")


def _branch_folders(folder: Path) -> Iterator[Path]:
    """Yield `branches` of this repository, or of the repositories in this folder."""
    repositories = folder / "repositories"
    if folder.name == "repositories":
        repositories = folder
    if (folder / "branches").is_dir():
        yield folder / "branches"
    elif folder.name == "branches":
        yield folder
    elif repositories.is_dir():
        for repo in _children(repositories):
            if (repo / "branches").is_dir():
                yield repo / "branches"


def _bundles_of_branch(place: Path) -> list[Path]:
    if is_candidate(place):
        return [place]
    return [child for child in _children(place) if is_candidate(child)] if place.is_dir() else []


def _children(folder: Path) -> list[Path]:
    try:
        entries = sorted(folder.iterdir())[:MAX_FOLDERS]
    except OSError:
        return []
    return [entry for entry in entries if not entry.name.startswith(".") and not entry.is_symlink()]
