"""Write results as a language model cites them: seed 002's numbered list with fenced snippets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ragduck.visible_text import visible_line

BACKTICKS = re.compile(r"`+")


def citations(query: str, results: Sequence[Mapping[str, Any]]) -> str:
    """Return `Found N results for "query":` and each result as `N. name (type) - path:start-end` with its lines."""
    noun = "result" if len(results) == 1 else "results"
    return f'Found {len(results)} {noun} for "{query}":\n' + "".join(_entries(results))


def _entries(results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for number, result in enumerate(results, start=1):
        fence = fence_of(result["text"])
        head = f"{number}. {result['element_name']} ({result['element_type']}) - {result['location']}"
        place = f"{result['start_line']}:{result['end_line']}:{result['source_file']}"
        info = visible_line(place).replace("`", "'")  # a line with a backtick would open no fence
        yield (f"\n{visible_line(head)}\n{fence}{info}\n{result['text']}\n{fence}\n")


def fence_of(text: str) -> str:
    """Return a fence longer than any run of backticks in the text, so that no snippet can end its own block."""
    longest = max((len(run) for run in BACKTICKS.findall(text)), default=0)
    return "`" * max(3, longest + 1)
