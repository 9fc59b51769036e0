"""Find a source tree's files, decode and classify them, and name the snapshot they belong to."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragduck.sources.classification import Classification, classify
    from ragduck.sources.decode import WINDOWS_1252
    from ragduck.sources.numbered_scripts import with_numbered_scripts
    from ragduck.sources.read import read_document
    from ragduck.sources.revision import Revision, Source, source_of
    from ragduck.sources.revision_tree import walk_revision
    from ragduck.sources.snapshot import snapshot_of
    from ragduck.sources.standing import Standing, standing_of
    from ragduck.sources.walk import MAX_FILE_BYTES, walk_files

__all__ = [
    "MAX_FILE_BYTES",
    "WINDOWS_1252",
    "Classification",
    "Revision",
    "Source",
    "Standing",
    "classify",
    "read_document",
    "snapshot_of",
    "source_of",
    "standing_of",
    "walk_files",
    "walk_revision",
    "with_numbered_scripts",
]

# Loaded when first used: a search asks where its branches stand, and must not wait for all that reads files.
_HOMES = {
    "classification": ("Classification", "classify"),
    "decode": ("WINDOWS_1252",),
    "numbered_scripts": ("with_numbered_scripts",),
    "read": ("read_document",),
    "revision": ("Revision", "Source", "source_of"),
    "revision_tree": ("walk_revision",),
    "snapshot": ("snapshot_of",),
    "standing": ("Standing", "standing_of"),
    "walk": ("MAX_FILE_BYTES", "walk_files"),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            value = getattr(import_module(f"ragduck.sources.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'ragduck.sources' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
