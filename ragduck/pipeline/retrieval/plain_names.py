"""What plain words of a question name in a store: the table Order, the class Order and the table that it maps to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ragduck.pipeline.question.plain_names import asked_kinds_of_name, columns_of, plain_names
from ragduck.pipeline.retrieval.named_nodes import MAX_OF_NAME, named_nodes
from ragduck.resources import sql_text

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

TABLES = ("|TABLE", "|VIEW")


def names_of_words(
    rows: Rows, question: str, *, kind: str, repo: str | None = None, branch: str | None = None
) -> Mapping[str, Sequence[str]]:
    """Return what the store calls so by plain words that a question uses as names: `Order|TABLE` for Order.

    ``kind`` is the type of the question. Of what many nodes are called nothing is meant.
    """
    words = plain_names(question, kind=kind)
    if not words:
        return {}
    parameters: dict[str, object] = {"words": list(words), "repo": repo, "branch": branch}
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows(sql_text("pipeline/named_by_words.sql"), parameters):
        found.setdefault(str(row["word"]), []).append(row)
    named = {word: tuple(_meant(word, told, question, kind=kind)) for word, told in found.items()}
    return {word: names for word, names in named.items() if names}


def _meant(word: str, found: Sequence[Mapping[str, Any]], question: str, *, kind: str) -> Iterator[str]:
    may_be_table, may_be_type = asked_kinds_of_name(question, kind=kind)
    own = dict.fromkeys(str(row["node_key"]) for row in found if str(row["node_key"]).endswith(TABLES))
    mapped = dict.fromkeys(str(row["table_key"]) for row in found if row["table_key"])
    types = dict.fromkeys(str(row["node_key"]) for row in found if str(row["node_key"]).endswith("|TYPE"))
    if may_be_table and len(own) <= MAX_OF_NAME:
        yield from dict.fromkeys(f"{word}|{key.rpartition('|')[2]}" for key in own)
    if may_be_table and not own and len(mapped) == 1:
        yield from mapped
    if may_be_type and 0 < len(types) <= MAX_OF_NAME:
        yield f"{word}|TYPE"


def named_columns(
    rows: Rows, question: str, *, repo: str | None = None, branch: str | None = None
) -> Mapping[tuple[str, str], str]:
    """Return the columns that a question names with their tables, `Customers.Status`, by the words that say so."""
    found: dict[tuple[str, str], str] = {}
    for table, column in columns_of(question):
        keys = named_nodes(rows, [f"{table}|TABLE"], repo=repo, branch=branch)
        if any(key.endswith(TABLES) for key in keys):
            found[table, column] = f"{table}.{column}"
    return found
