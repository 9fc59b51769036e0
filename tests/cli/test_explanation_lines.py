"""`search --explain` prints the parts of a score, which add up to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PART = re.compile(r"^   (\w+) +([+-]\d+\.\d{4})  \S")
SCORE = re.compile(r"^   score +(-?\d+\.\d{4})  importance [\d.]+$")
HEADER = re.compile(r"^\d+\. .*\[(-?\d+\.\d{4})\]$")


def explanations(text: str) -> Iterator[tuple[float, float, dict[str, float]]]:
    """Yield the score of each header, the score below its parts, and the parts."""
    header, parts = 0.0, dict[str, float]()
    for line in text.splitlines():
        if head := HEADER.match(line):
            header, parts = float(head[1]), {}
        elif score := SCORE.match(line):
            yield header, float(score[1]), parts
        elif part := PART.match(line):
            parts[part[1]] = float(part[2])


@pytest.mark.parametrize("mode", ["hybrid", "bm25", "semantic", "semantic_rerank"])
def test_printed_parts_add_up_to_the_score(invoke: Any, shop_store: Path, mode: str) -> None:
    result = invoke("search", shop_store, "order test", "-k", "30", "--explain", "--mode", mode)

    shown = list(explanations(result.stdout))
    assert len(shown) == 30
    for header, score, parts in shown:
        assert header == score
        assert sum(parts.values()) == pytest.approx(score, abs=0.0001 * len(parts))


def test_parts_that_add_nothing_are_not_printed(invoke: Any, shop_store: Path) -> None:
    result = invoke("search", shop_store, "where are invoices created", "-k", "20", "--explain")

    for _, _, parts in explanations(result.stdout):
        assert "definition" not in parts
        assert {"bm25", "vector"} & set(parts)
