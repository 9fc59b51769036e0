"""Names and words of a question that a store does not have, with those that are most like them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ragduck.pipeline.answering.names import code, plain, short_name
from ragduck.pipeline.question.words import is_identifier
from ragduck.resources import sql_text
from ragduck.search.places import FILE_ENDING
from ragduck.search.snippets import fold

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

MAX_MISTYPED = 3  # names and words of a question that are told
MAX_ALIKE = 3
SHORTEST = 5  # letters of a word that may be mistyped
LONG = 8  # letters of a word with two mistakes
NAME = re.compile(r"@?[^\W\d]\w*(?:\.\w+)*")


def told_of_mistyped(rows: Rows, concepts: Sequence[str], *, unknown: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence for each name that nothing in the store bears, and for unknown words that look mistyped."""
    names = [
        f"Nothing in the store is called {code(name)}{_closest(rows, name)}."
        for name in unborne_names(rows, concepts)[:MAX_MISTYPED]
    ]
    meant = words_meant(rows, unknown)
    words = [
        f"By {code(word)}, which the store does not have, perhaps {code(other)} is meant."
        for word, other in meant.items()
    ]
    return (*names, *words)


def unborne_names(rows: Rows, concepts: Iterable[str]) -> list[str]:
    """Return the concepts that are written as names, and that no node bears, nor any text of the store has.

    Of a type that the store has, members that it does not have count whatever texts say.
    """
    names = [concept.partition("|")[0] for concept in concepts if is_identifier(concept)]
    asked = {name: name.strip("@").rsplit(".", 2) for name in names if _is_name(name)}
    if not asked:
        return []
    parameters: dict[str, object] = {
        "names": list(asked),
        "endings": [".".join(parts[-2:]) for parts in asked.values()],
        "owners": [".".join(parts[:-1]) for parts in asked.values()],
    }
    found = {
        row["name"]: bool(row["has_owner"])
        for row in rows(sql_text("pipeline/unborne_names.sql"), parameters)
    }
    terms = {name: [fold(part) for part in asked[name][-2:]] for name in found}
    looked_up: dict[str, object] = {"terms": [term for made in terms.values() for term in made]}
    known = {row["term"] for row in rows(sql_text("pipeline/known_terms.sql"), looked_up)}
    return [name for name in asked if name in found and (found[name] or not known.issuperset(terms[name]))]


def words_meant(rows: Rows, words: Iterable[str]) -> Mapping[str, str]:
    """Return the word of the store that each unknown plain word may be meant for, where there is one."""
    found: dict[str, str] = {}
    plain_words = [word for word in words if word.isalpha() and word.isascii() and len(word) >= SHORTEST]
    for word in plain_words[:MAX_MISTYPED]:
        most = 2 if len(word) >= LONG else 1
        alike = rows(sql_text("pipeline/like_words.sql"), {"word": word.lower(), "most": most})
        found |= {plain(word): str(row["term"]) for row in alike}
    return found


def _is_name(name: str) -> bool:
    return NAME.fullmatch(name) is not None and not FILE_ENDING.search(name)


def _closest(rows: Rows, name: str) -> str:
    parts = name.strip("@").split(".")
    alike = rows(
        sql_text("pipeline/like_names.sql"),
        {"last_name": parts[-1], "ending": ".".join(parts[-2:]), "top_n": MAX_ALIKE},
    )
    keys = [code(short_name(str(row["node_key"]))) for row in alike]
    return f"; closest: {', '.join(dict.fromkeys(keys))}" if keys else ""
