"""What names a column: columns are no nodes, so those that touch the table are told apart by their texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ragduck.pipeline.question.asked_relations import asked_relations
from ragduck.pipeline.question.words import MAX_TEXT, is_common, is_identifier
from ragduck.pipeline.retrieval.entry_points import is_meant, is_named
from ragduck.pipeline.state import ColumnUses, State
from ragduck.resources import sql_text
from ragduck.search.neighbourhood import Neighbourhood

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

TOUCHING = ("ReadsFrom", "WritesTo", "On")  # triggers may read the rows that were changed, and not the table
TABLES = ("|TABLE", "|VIEW")
MEMBERS = ("|PROPERTY", "|FIELD")  # which may be called as a column
COLUMN = re.compile(r"\bcolumn [\"'`\[]?(\w+)", re.IGNORECASE)
BEFORE_COLUMN = re.compile(
    r"\bthe (?!(?:new|old|same|other|first|last|extra) )[\"'`\[]?(\w+)[\"'`\]]? column\b", re.IGNORECASE
)


def named_column(state: State) -> tuple[str, str] | None:
    """Return the key of a table and the column of it that a question about uses or a change names; else None."""
    understanding = state.understanding
    question = (state.question_en or state.question)[:MAX_TEXT]
    if understanding is None:
        return None
    if understanding.type not in ("impact", "usage") and not asked_relations(question).relations:
        return None
    names = [concept.partition("|")[0] for concept in understanding.concepts]
    tables = [key for key in state.entry_nodes if key.endswith(TABLES)]
    for name in names:
        for key in tables:
            if "." in name and is_meant({"node_key": key}, name) and not is_named({"node_key": key}, name):
                return key, name.rpartition(".")[2]
    own = [key for key in tables if any(is_named({"node_key": key}, name) for name in names)]
    columns = [
        *_called_columns(question),
        *(name for name in names if is_identifier(name) and "." not in name),
    ]
    found = [name for name in columns if not _is_other_node(state, name)]
    return (own[0], found[0]) if len(own) == 1 and found else None


def _called_columns(question: str) -> Iterator[str]:
    """Yield what a question calls a column: the column Status, the Status column."""
    for name in (*COLUMN.findall(question), *BEFORE_COLUMN.findall(question)):
        if not is_common(name.lower()) or is_identifier(name):
            yield name


def _is_other_node(state: State, name: str) -> bool:
    named = (key for key in state.entry_nodes if is_named({"node_key": key}, name))
    return any(not key.endswith(MEMBERS) for key in named)


def column_uses(rows: Rows, neighbourhood: Neighbourhood, *, table: str, column: str) -> ColumnUses | None:
    """Return what touches a table whose text has the column as a word, and what uses its entity's property.

    None if nothing touches the table.
    """
    ids = [node.node_id for node in neighbourhood.nodes if node.node_key == table]
    found = rows(
        sql_text("pipeline/naming_a_column.sql"), {"ids": ids, "column": column, "relations": TOUCHING}
    )
    touching = [row for row in found if row["property_key"] is None]
    if not found:
        return None
    word = re.compile(rf"(?<!\w){re.escape(column)}(?!\w)", re.IGNORECASE)
    naming = [row["node_key"] for row in touching if row["text"] and word.search(_own_lines(row))]
    using = [row for row in found if row["property_key"] is not None]
    return ColumnUses(
        table=table,
        column=column,
        naming=_each_once(naming),
        touching=len({row["node_key"] for row in touching}),
        properties=_each_once([row["property_key"] for row in using]),
        using=_each_once([row["node_key"] for row in using]),
    )


def _own_lines(row: dict[str, Any]) -> str:
    """Return the text of a node's own chunk; of one that holds others as well, the lines that are the node's."""
    lines = str(row["text"]).split("\n")
    if row["chunk_line"] is None:
        return str(row["text"])
    first, last = row["start_line"] - row["chunk_line"], row["end_line"] - row["chunk_line"]
    return "\n".join(lines[max(first, 0) : last + 1])


def _each_once(keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(keys))
