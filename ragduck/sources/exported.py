"""Know the folders that ragduck itself wrote: mirrors and exports, which may lie in what they were made of."""

from __future__ import annotations

from ragduck.sources.regular_file import read_small_text
from ragduck.untrusted_json import read_json

MANIFEST = "manifest.json"
_FORMATS = ("ragduck_", "unified_index_manifest_")  # how the names of formats begin


def is_export(folder: str) -> bool:
    """Say whether the manifest in a folder names one of ragduck's formats."""
    text = read_small_text(f"{folder}/{MANIFEST}", limit=4_000_000)
    try:
        manifest = read_json(text) if text else None
    except ValueError:
        return False
    format_ = manifest.get("format") if isinstance(manifest, dict) else None
    return isinstance(format_, str) and format_.startswith(_FORMATS)
