"""Turn LlamaIndex's metadata filters into a WHERE clause over the typed columns.

A chunk whose column is null passes `!=`, `nin` and `is_empty` and nothing else, as in LlamaIndex's own
`build_metadata_filter_fn`; `== None` and `!= None` ask whether the column is null. A list column equals each
value that it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from llama_index.core.vector_stores.types import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
)

from ragduck.errors import UsageError
from ragduck.search.fields import LIST_FIELDS, NUMBER_FIELDS, TEXT_FIELDS, values_of
from ragduck.search.filters import Clause, clause_of

# What LlamaIndex and sqlrooms-rag call these columns.
ALIASES: Mapping[str, str] = MappingProxyType(
    {"file_path": "source_file", "document_id": "doc_id", "ref_doc_id": "doc_id"}
)
FIELDS = TEXT_FIELDS | NUMBER_FIELDS | LIST_FIELDS
MAX_DEPTH = 50  # the engine's parser and Python's stack have limits too


def clause_of_metadata(filters: MetadataFilters | None, *, key: str = "m") -> Clause:
    """Return the clause for filters, nested ones too; names of bound values begin with ``key``.

    Raises UsageError for an unknown key, and for a value or operator that does not suit the column.
    """
    if filters is None:
        return Clause()
    return _group(filters, key=key, depth=0)


def _group(filters: MetadataFilters, *, key: str, depth: int) -> Clause:
    if depth > MAX_DEPTH:
        raise UsageError(f"metadata filters are nested more than {MAX_DEPTH} deep", hint="flatten them")
    if not filters.filters:
        return Clause()
    parts = [
        _group(part, key=f"{key}_{number}", depth=depth + 1)
        if isinstance(part, MetadataFilters)
        else _clause_of_filter(part, key=f"{key}_{number}")
        for number, part in enumerate(filters.filters)
    ]
    return _combined(parts, filters.condition or FilterCondition.AND)


def _combined(parts: list[Clause], condition: FilterCondition) -> Clause:
    joint = " and " if condition is FilterCondition.AND else " or "
    sql = "(" + joint.join(part.sql for part in parts) + ")"
    parameters = {name: value for part in parts for name, value in part.parameters.items()}
    return Clause(f"(not {sql})" if condition is FilterCondition.NOT else sql, parameters)


def _clause_of_filter(given: MetadataFilter, *, key: str) -> Clause:
    field = ALIASES.get(given.key, given.key)
    if field == "text" and given.operator in _SUBSTRINGS:
        return _SUBSTRINGS[given.operator]("text", given.value, key)
    values_of({given.key: []} if field not in FIELDS else {})  # says which fields there are
    if field not in FIELDS:
        raise UsageError(f"{given.key} is no column", hint="filter by name or source_file with text_match")
    build = _OPERATORS.get(given.operator)
    if build is None:
        raise UsageError(f"unknown filter operator {given.operator!r}", hint=f"known: {_known_operators()}")
    return build(field, given.value, key)
