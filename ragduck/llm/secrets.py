"""Blot keys out of texts that others wrote."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from urllib.parse import quote

KEY_VARIABLES = ("RAGDUCK_LLM_API_KEY", "OPENAI_API_KEY", "OLLAMA_API_KEY")
SHORTEST_SECRET = 4  # shorter values are words of a message sooner than keys
BLOT = "***"
SHAPES = re.compile(r"(?i)(\bbearer\s+)[^\s'\",}]+|(\bsk-)[\w-]{6,}|(://)[^\s/@]*(?=@)")


def known_keys(more: Iterable[str | None] = ()) -> tuple[str, ...]:
    """Return the keys of the environment and ``more``, the longest first."""
    values = {*more, *(os.environ.get(name, "").strip() for name in KEY_VARIABLES)}
    keys = (value for value in values if value and len(value) >= SHORTEST_SECRET)
    return tuple(sorted(keys, key=lambda key: (-len(key), key)))


def hide_keys(text: str, keys: Iterable[str]) -> str:
    """Replace keys as they are, in JSON and in an address, and whatever looks like a key."""
    for key in keys:
        for written in (key, json.dumps(key)[1:-1], quote(key, safe="")):
            text = text.replace(written, BLOT)
    return SHAPES.sub(lambda match: f"{match[1] or match[2] or match[3]}{BLOT}", text)
