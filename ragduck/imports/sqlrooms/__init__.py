"""Files of sqlrooms-rag as sources: Markdown with its chunks, their vectors and the model of these."""

from ragduck.imports.sqlrooms.source import SqlroomsSource, sqlrooms_sources

__all__ = ["SqlroomsSource", "sqlrooms_sources"]
