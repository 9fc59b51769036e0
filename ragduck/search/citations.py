"""Write results as a language model cites them: seed 002's numbered list with fenced snippets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

BACKTICKS = re.compile(r"`+")


def citations(query: str, results: Sequence[Mapping[str, Any]]) -> str:
    """Return `Found N results for "query":` and each result as `N. name (type) - path:start-end` with its lines."""
    noun = "result" if len(results) == 1 else "results"
    return f'Found {len(results)} {noun} for "{query}":\n' + "".join(_entries(results))


def _entries(results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for number, result in enumerate(results, start=1):
        fence = fence_of(result["text"])
        place = f"{result['start_line']}:{result['end_line']}:{result['source_file']}"
        yield (
            f"\n{number}. {result['element_name']} ({result['element_type']}) - {result['location']}\n"
            f"{fence}{place}\n{result['text']}\n{fence}\n"
        )


def fence_of(text: str) -> str:
    """Return a fence longer than any run of backticks in the text, so that no snippet can end its own block."""
    longest = max((len(run) for run in BACKTICKS.findall(text)), default=0)
    return "`" * max(3, longest + 1)
