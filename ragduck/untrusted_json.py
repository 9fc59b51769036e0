"""Read JSON that may come from anyone."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

MAX_DEPTH = 100  # of lists and objects in each other


def read_json(text: str | bytes) -> Any:
    """Return the value of a JSON text.

    Raises ValueError for text that is none, and for values that lie deeper in each other than anything that means
    something: who walks them would run out of stack. How deep Python's own reader goes depends on its version.
    """
    try:
        value = json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    if is_deep(value):
        raise ValueError("nested too deep")
    return value


def is_deep(value: object) -> bool:
    """Say whether lists and objects lie deeper in each other than MAX_DEPTH."""
    level = _nested([value])
    for _ in range(MAX_DEPTH):
        if not level:
            return False
        level = _nested(
            inner for outer in level for inner in (outer.values() if isinstance(outer, dict) else outer)
        )
    return bool(level)


def _nested(values: Iterable[object]) -> list[dict[str, Any] | list[Any]]:
    return [value for value in values if isinstance(value, dict | list)]
