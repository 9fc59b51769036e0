"""Plain words that a question uses as names: who writes Order, the column Status of Customers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragduck.pipeline.question.asked_reaching import asked_reaching
from ragduck.pipeline.question.asked_relations import IMPACT, asked_relations
from ragduck.pipeline.question.words import (
    BEGINNING,
    MAX_TEXT,
    identifiers_of,
    is_common,
    is_identifier,
    perhaps_tables,
)

MAX_PLAIN = 4  # words of a question that are looked up
OF_TABLES = frozenset(("ReadsFrom", "WritesTo", "ForeignKey"))
CAPITALISED = re.compile(r"(?<![\w.'’-])[A-Z][A-Za-z0-9]*(?![\w.('’-])")
MARKS = r"[\"'`\[]?"
COLUMN_OF = re.compile(
    rf"\b(?:column {MARKS}(?P<column>\w+)[\"'`\]]?|the {MARKS}(?P<before>\w+)[\"'`\]]? column)"
    rf" (?:of|in|on|from) (?:the )?(?:table )?{MARKS}(?P<table>\w[\w.]*\w)",
    re.IGNORECASE,
)


def plain_names(question: str, *, kind: str) -> tuple[str, ...]:
    """Return the capitalised words of a question that may be names, where it asks for a relation and names nothing.

    ``kind`` is the type of the question. The first word of a sentence has its capital for that.
    """
    text = question[:MAX_TEXT]
    if not _asked(text, kind) or identifiers_of(text) or perhaps_tables(text):
        return ()
    return tuple(dict.fromkeys(_capitalised(text)))[:MAX_PLAIN]


def _capitalised(text: str) -> Iterator[str]:
    """Yield words with a capital; beside another one it is part of a longer name: Order Item."""
    found = [match for match in CAPITALISED.finditer(text) if not BEGINNING.search(text[: match.start()])]
    for match in found:
        is_part = any(
            other is not match
            and text[min(other.end(), match.end()) : max(other.start(), match.start())] == " "
            for other in found
        )
        if not is_part and len(match[0]) > 1 and not is_common(match[0].lower()):
            yield match[0]


def asked_kinds_of_name(question: str, *, kind: str) -> tuple[bool, bool]:
    """Return whether a plain name of a question may mean a table, and whether it may mean a type beside one."""
    relations = _asked(question, kind)
    return bool(relations & OF_TABLES), not relations <= OF_TABLES


def _asked(question: str, kind: str) -> frozenset[str]:
    """Return the relations that are asked for; what reaches a thing does so by any."""
    relations = frozenset() if kind == "impact" else asked_relations(question).relations
    is_any = kind == "impact" or (not relations and asked_reaching(question) is not None)
    return IMPACT if is_any else relations


def columns_of(question: str) -> tuple[tuple[str, str], ...]:
    """Return the tables and columns that a question names together: (`Customers`, `Status`)."""
    found = (
        (match["table"], match["column"] or match["before"])
        for match in COLUMN_OF.finditer(question[:MAX_TEXT])
    )
    return tuple(
        (table, column) for table, column in found if is_identifier(column) or not is_common(column.lower())
    )
