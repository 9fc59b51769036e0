"""Tell what another system wrote from a folder of sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from ragduck.errors import SourceError
from ragduck.imports.contract import ForeignSource

Importer = Callable[..., Sequence[ForeignSource]]

# Loaded only for a path that none before them knows: most sources are folders.
IMPORTERS = (
    ("ragduck.imports.roslyn", "roslyn_sources"),
    ("ragduck.imports.unified", "unified_sources"),
    ("ragduck.imports.sqlrooms", "sqlrooms_sources"),
)


def foreign_sources(
    path: Path, *, repo: str | None = None, branch: str | None = None
) -> Sequence[ForeignSource]:
    """Return what a file or folder of another system holds, one source per repository and branch.

    Empty for a folder of sources. ``repo`` and ``branch`` override what was found.
    Raises SourceError for a file that no importer knows.
    """
    for module, name in IMPORTERS:
        importer: Importer = getattr(import_module(module), name)
        found = importer(path, repo=repo, branch=branch)
        if found:
            return found
    if path.is_dir():
        return ()
    raise SourceError(
        f"{path} is a file, not a folder",
        hint="name the folder that holds it, a RoslynIndexer bundle (.zip) or a sqlrooms-rag file (.duckdb)",
    )
