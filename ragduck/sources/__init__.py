"""Find a source tree's files, decode and classify them, and name the snapshot they belong to."""

from ragduck.sources.classify import Classification, classify
from ragduck.sources.read import read_document
from ragduck.sources.snapshot import snapshot_of
from ragduck.sources.walk import MAX_FILE_BYTES, walk_files

__all__ = ["MAX_FILE_BYTES", "Classification", "classify", "read_document", "snapshot_of", "walk_files"]
