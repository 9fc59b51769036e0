"""One HTML page with nodes, edges and texts in it, that runs no script but its own and loads nothing.

What comes from the store is untrusted: it stands as JSON in a block that is no script, with nothing in it that could
end the block, and the page shows it as text. The policy of the page names its scripts by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ragduck.picture.drawing import short_name

FOLDER = Path(__file__).resolve().parent
# npm package cytoscape 3.34.4, dist/cytoscape.min.js, MIT (cytoscape.LICENSE).
LIBRARY = "cytoscape.min.js"
LIBRARY_SHA256 = "081591ab735b2b6a3b31a3c60f8f3a3e2fee8c92939e0c7820ad1208571b6cd8"
PLACE = re.compile(r"\{\{(\w+)\}\}")
MAX_LABEL = 48  # characters
UNSAFE = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}


def graph_page(
    nodes: Iterable[Mapping[str, Any]],
    edges: Iterable[Mapping[str, Any]],
    *,
    title: str,
    texts: Mapping[str, str] | None = None,
) -> str:
    """Return the page; ``texts`` are the texts of nodes by their key."""
    library, script = _asset(LIBRARY), _asset("page.js")
    data = {
        "nodes": [{**node, "label": _label(str(node["node_key"]))} for node in nodes],
        "edges": [dict(edge) for edge in edges],
        "texts": dict(texts or {}),
    }
    parts = {
        "title": html.escape(title),
        "script_hashes": f"{_hash_source(library)} {_hash_source(script)}",
        "style": _asset("page.css"),
        "data": json_in_html(data),
        "library": library,
        "script": script,
    }
    return PLACE.sub(lambda place: parts[place[1]], _asset("page.html"))


def json_in_html(value: Any) -> str:
    """Return JSON that can stand within a script block, whatever texts it holds."""
    return json.dumps(value, ensure_ascii=False, default=str).translate(UNSAFE)


@cache
def _asset(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _hash_source(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _label(node_key: str) -> str:
    name = short_name(node_key)
    return name if len(name) <= MAX_LABEL else name[: MAX_LABEL - 1] + "…"
