"""Read RoslynIndexer bundles: members, SQL objects and the graph between them, from a zip or a folder."""

from ragduck.imports.roslyn.sources import roslyn_sources

__all__ = ["roslyn_sources"]
