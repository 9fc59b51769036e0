"""What holds a text that a question repeats: the method that throws a message, the constant that is called so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ragduck.pipeline.question.literals import literals_of
from ragduck.resources import sql_text

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

MOST_HOLDING = 4  # nodes of one text; what more have says nothing


def nodes_with_literals(
    rows: Rows, question: str, *, repo: str | None = None, branch: str | None = None
) -> Mapping[str, tuple[str, ...]]:
    """Return by text of a question the innermost nodes whose lines hold it, without those of tests."""
    found: dict[str, tuple[str, ...]] = {}
    for literal, is_whole in literals_of(question):
        asked: dict[str, object] = {
            "phrase": literal,
            "is_whole": is_whole,
            "most": MOST_HOLDING + 1,
            "repo": repo,
            "branch": branch,
        }
        keys = tuple(str(row["node_key"]) for row in rows(sql_text("pipeline/nodes_with_text.sql"), asked))
        if 0 < len(keys) <= MOST_HOLDING:
            found[literal] = keys
    return found
