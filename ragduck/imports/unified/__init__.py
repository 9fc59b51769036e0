"""Historic unified indexes as sources: chunks with their vectors, and the graph that their rows tell."""

from ragduck.imports.unified.source import UnifiedSource, unified_sources

__all__ = ["UnifiedSource", "unified_sources"]
