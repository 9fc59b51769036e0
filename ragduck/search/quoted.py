"""Find what stands in double quotes in a question: the chunks that hold it literally."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from ragduck.resources import sql_text
from ragduck.search.filters import Clause, filtered

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

QUOTED = re.compile(r'"([^"]*)"|“([^“”]*)”')
MOST_PHRASES = 5  # of a question that are looked for
MOST_CHUNKS = 1_000  # with a phrase that are kept, the best by its words


def phrases_of(question: str) -> tuple[str, ...]:
    """Return what stands in double quotes, without space around it; each phrase once."""
    found = (straight or curly for straight, curly in QUOTED.findall(question))
    return tuple(dict.fromkeys(phrase.strip() for phrase in found if phrase.strip()))[:MOST_PHRASES]


def chunks_with_phrases(rows: Rows, question: str, *, clause: Clause) -> list[int]:
    """Return the chunks that a clause leaves and that hold most of the phrases a question quotes.

    There are none where it quotes nothing.
    """
    sql = filtered(sql_text("search/quoted_chunks.sql"), clause.of_chunks)
    held = Counter(
        row["chunk_no"]
        for phrase in phrases_of(question)
        for row in rows(sql, {"phrase": phrase, "most": MOST_CHUNKS} | clause.parameters)
    )
    most = max(held.values(), default=0)
    return sorted(chunk_no for chunk_no, phrases in held.items() if phrases == most)
