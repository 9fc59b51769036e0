"""A FAISS index beside the store that finds nearest vectors faster, and the historic layout of such files.

What is in `ragduck.mirror.state` and `ragduck.mirror.manifest` is cheap to import: `faiss` is loaded when a mirror is
written or asked.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragduck.mirror.export import MirrorReport, export_faiss
    from ragduck.mirror.state import MirrorState, mirror_state
    from ragduck.mirror.unified import UnifiedReport, export_unified
    from ragduck.mirror.unified_reading import Unified, read_unified
    from ragduck.mirror.unified_search import search_unified

__all__ = [
    "MirrorReport",
    "MirrorState",
    "Unified",
    "UnifiedReport",
    "export_faiss",
    "export_unified",
    "mirror_state",
    "read_unified",
    "search_unified",
]

_HOMES = {
    "MirrorReport": "export",
    "export_faiss": "export",
    "MirrorState": "state",
    "mirror_state": "state",
    "UnifiedReport": "unified",
    "export_unified": "unified",
    "Unified": "unified_reading",
    "read_unified": "unified_reading",
    "search_unified": "unified_search",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ragduck.mirror' has no attribute {name!r}")
    return getattr(import_module(f"ragduck.mirror.{_HOMES[name]}"), name)
