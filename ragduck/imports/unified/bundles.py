"""Read the bundles that an index was made from, where its own rows hold no text, as those of the historic system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from ragduck.imports.contract import Imported
from ragduck.imports.roslyn.sources import RoslynSource, roslyn_sources
from ragduck.imports.unified.manifest import bundles_of
from ragduck.model import EmbeddingModel, Snapshot

NOTE = (
    "the rows of the unified index hold no text, so that its bundles were read; "
    "their chunks are cut otherwise, and its vectors were left"
)


@dataclass(frozen=True, slots=True)
class IndexedBundle:
    """A bundle that is read in place of the rows of an index."""

    bundle: RoslynSource
    missing: tuple[str, ...]
    kind: str = "unified index's RoslynIndexer bundle"
    model: EmbeddingModel | None = None
    takes_database: bool = True

    @property
    def snapshot(self) -> Snapshot:
        """What the bundle is put under."""
        return self.bundle.snapshot

    @property
    def fingerprint(self) -> str:
        """Hash of the bundle; the index does not matter."""
        return self.bundle.fingerprint

    def read(self, *, max_chars: int, database: str | None = None) -> Imported:
        """Read the bundle, and say that it was, and which others could not be found."""
        imported = self.bundle.read(max_chars=max_chars, database=database)
        lost = (f"bundles that are not beside the index: {', '.join(self.missing)}",) if self.missing else ()
        return replace(imported, notes=(*imported.notes, NOTE, *lost))


def bundles_beside(
    folder: Path, manifest: Mapping[str, Any], *, repo: str | None = None, branch: str | None = None
) -> tuple[IndexedBundle, ...]:
    """Return the bundles that a manifest names and that lie where the historic system kept them; () if none does."""
    found = {name: _found(folder, name) for name in bundles_of(manifest)}
    missing = tuple(name for name, path in found.items() if path is None)
    return tuple(
        IndexedBundle(bundle, missing)
        for path in found.values()
        if path is not None
        for bundle in roslyn_sources(path, repo=repo, branch=branch)
    )


def _found(folder: Path, name: str) -> Path | None:
    """Look beside the index and in the repository's `branches`, by file name alone: a manifest names no folders."""
    file_name = PurePosixPath(name.replace("\\", "/")).name
    return next((place / file_name for place in _places(folder) if (place / file_name).is_file()), None)


def _places(folder: Path) -> Iterator[Path]:
    for above in (folder, folder.parent, folder.parent.parent):
        yield above
        yield above / "branches"
