"""Find what stands in double quotes in a question: the chunks that hold it literally."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ragduck.resources import sql_text
from ragduck.search.filters import Clause, filtered

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

QUOTED = re.compile(r'"([^"]*)"|“([^“”]*)”')
WORD = re.compile(r"[^\W_]")  # without one, nothing can be looked for
SHOWN = 80  # characters of a phrase that no chunk holds
MOST_PHRASES = 5  # of a question that are looked for
MOST_CHUNKS = 1_000  # with a phrase that are kept, the best by its words


@dataclass(frozen=True, slots=True)
class Quoted:
    """The chunks that hold what a question quotes, and the phrases that none holds."""

    chunks: list[int]
    missing: tuple[str, ...]

    def notes(self, *, where: str) -> tuple[str, ...]:
        """Say which phrases no chunk holds; ``where`` is none of what."""
        shown = (phrase if len(phrase) <= SHOWN else f"{phrase[:SHOWN]}…" for phrase in self.missing)
        return tuple(f'no chunk{where} holds "{phrase}" as it is written, in whole words' for phrase in shown)


def phrases_of(question: str) -> tuple[str, ...]:
    """Return what stands in double quotes, without space around it; each phrase once."""
    found = (straight or curly for straight, curly in QUOTED.findall(question))
    return tuple(dict.fromkeys(phrase.strip() for phrase in found if phrase.strip()))[:MOST_PHRASES]


def chunks_with_phrases(rows: Rows, question: str, *, clause: Clause) -> Quoted:
    """Return the chunks that a clause leaves and that hold most of the phrases a question quotes.

    There are none where it quotes nothing.
    """
    sql = filtered(sql_text("search/quoted_chunks.sql"), clause.of_chunks)
    found = {
        phrase: rows(sql, {"phrase": phrase, "most": MOST_CHUNKS} | clause.parameters)
        for phrase in phrases_of(question)
    }
    held = Counter(row["chunk_no"] for chunks in found.values() for row in chunks)
    most = max(held.values(), default=0)
    return Quoted(
        chunks=sorted(chunk_no for chunk_no, phrases in held.items() if phrases == most),
        missing=tuple(phrase for phrase, chunks in found.items() if not chunks and WORD.search(phrase)),
    )
