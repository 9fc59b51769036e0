"""Turn LlamaIndex's metadata filters into a WHERE clause.

Of a chunk that `prepare` cut, a filter tests the typed columns; of an added node its metadata, and a column where
the metadata has no such key. What is missing or null passes `!=`, `nin` and `is_empty` and nothing else, as in
LlamaIndex's own `build_metadata_filter_fn`; `== None` and `!= None` ask whether it is. A list column equals each
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
from ragduck.integrations.llamaindex.json_filters import NODE, SOURCE, clause_of_json
from ragduck.search.fields import LIST_FIELDS, NUMBER_FIELDS, TEXT_FIELDS, values_of
from ragduck.search.filters import Clause, clause_of

# What LlamaIndex and sqlrooms-rag call these columns.
ALIASES: Mapping[str, str] = MappingProxyType(
    {"file_path": "source_file", "document_id": "doc_id", "ref_doc_id": "doc_id"}
)
FIELDS = TEXT_FIELDS | NUMBER_FIELDS | LIST_FIELDS | {"text"}
TEXT_OPERATORS = frozenset({
    FilterOperator.CONTAINS, FilterOperator.ANY, FilterOperator.ALL,
    FilterOperator.TEXT_MATCH, FilterOperator.TEXT_MATCH_INSENSITIVE,
})  # fmt: skip
Test = Callable[[str, Any, str], Clause]  # of field, value and key of the bound value
SOURCE_KEYS = frozenset({"doc_id", "document_id", "ref_doc_id"})
OWN_KEYS = frozenset({"text", "node_id"})  # of an added node too, whatever its metadata says
MAX_DEPTH = 50  # the engine's parser and Python's stack have limits too


def clause_of_metadata(
    filters: MetadataFilters | None, *, key: str = "m", added_nodes: bool = False
) -> Clause:
    """Return the clause for filters, nested ones too; names of bound values begin with ``key``.

    With ``added_nodes``, any key may be one of their metadata. Raises UsageError for an unknown key without, and for
    a value or operator that does not suit the column.
    """
    if filters is None:
        return Clause()
    return _group(filters, _clause_of_any if added_nodes else _clause_of_filter, key=key, depth=0)


def clause_of_documents(ref_doc_ids: list[str], *, added_nodes: bool = False) -> Clause:
    """Return the clause for chunks of some documents: files of `prepare`, or what added nodes were cut from."""
    if not added_nodes:
        return clause_of({"doc_id": ref_doc_ids}, key="doc")
    tested = f"case when {NODE} is null then doc_id else {SOURCE} end"
    return Clause(f"list_contains($doc::varchar[], {tested})", {"doc": ref_doc_ids})


def _group(filters: MetadataFilters, of_filter: Callable[..., Clause], *, key: str, depth: int) -> Clause:
    if depth > MAX_DEPTH:
        raise UsageError(f"metadata filters are nested more than {MAX_DEPTH} deep", hint="flatten them")
    if not filters.filters:
        return Clause()
    parts = [
        _group(part, of_filter, key=f"{key}_{number}", depth=depth + 1)
        if isinstance(part, MetadataFilters)
        else of_filter(part, key=f"{key}_{number}")
        for number, part in enumerate(filters.filters)
    ]
    return _combined(parts, filters.condition or FilterCondition.AND)


def _combined(parts: list[Clause], condition: FilterCondition) -> Clause:
    joint = " and " if condition is FilterCondition.AND else " or "
    sql = "(" + joint.join(part.sql for part in parts) + ")"
    parameters = {name: value for part in parts for name, value in part.parameters.items()}
    return Clause(f"(not {sql})" if condition is FilterCondition.NOT else sql, parameters)


def _clause_of_any(given: MetadataFilter, *, key: str) -> Clause:
    """Return the clause for a store that may hold added nodes beside what `prepare` cut."""
    if given.key in OWN_KEYS:
        return _clause_of_filter(given, key=key)
    if given.key in SOURCE_KEYS:
        return _clause_of_source(given, key=key)
    by_metadata = clause_of_json(given.key, given.operator, given.value, key=f"{key}_json")
    if ALIASES.get(given.key, given.key) not in FIELDS:
        return by_metadata
    try:
        by_column = _clause_of_filter(given, key=key)
    except UsageError:  # the column has another type than the metadata, and thus no chunk with the value
        return by_metadata
    has_column = f"{NODE} is null or json_type({NODE}, ${key}_json_path) is null"
    return Clause(
        f"if({has_column}, {by_column.sql}, {by_metadata.sql})", by_metadata.parameters | by_column.parameters
    )


def _clause_of_source(given: MetadataFilter, *, key: str) -> Clause:
    by_column = _clause_of_filter(given, key=key)
    by_node = by_column.sql.replace('"doc_id"', SOURCE)
    return Clause(f"if({NODE} is null, {by_column.sql}, {by_node})", by_column.parameters)


def _clause_of_filter(given: MetadataFilter, *, key: str) -> Clause:
    field = _field(given)
    build = _OPERATORS.get(given.operator)
    if build is None:
        raise UsageError(f"filter operator {given.operator.value} is not supported", hint=_known_operators())
    test = build(field, given.value, key)
    return Clause(f"coalesce({test.sql}, false)", test.parameters)


def _field(given: MetadataFilter) -> str:
    field = ALIASES.get(given.key, given.key)
    if field == "text" and given.operator not in TEXT_OPERATORS:
        raise UsageError(
            f"the text of chunks cannot be filtered with {given.operator.value}",
            hint=f"use one of: {', '.join(sorted(operator.value for operator in TEXT_OPERATORS))}",
        )
    if field not in FIELDS:
        raise UsageError(
            f"unknown filter field {given.key!r}", hint=f"known fields: {', '.join(sorted(FIELDS))}"
        )
    return field


def _equal(field: str, value: Any, key: str) -> Clause:
    if isinstance(value, list):
        raise UsageError(f"filter {field} == takes one value, not {value!r}", hint="use the operator in")
    return clause_of({field: [value]}, key=f"{key}_")


def _in(field: str, value: Any, key: str) -> Clause:
    return clause_of({field: _listed(field, value)}, key=f"{key}_")


def _unless(build: Test) -> Test:
    def negated(field: str, value: Any, key: str) -> Clause:
        test = build(field, value, key)
        return Clause(f"not coalesce({test.sql}, false)", test.parameters)

    return negated


def _compared(symbol: str) -> Test:
    def compared(field: str, value: Any, key: str) -> Clause:
        if field in LIST_FIELDS or value is None or isinstance(value, list):
            raise UsageError(f"filter {field} {symbol} {value!r} compares nothing", hint="give one value")
        return Clause(f'"{field}" {symbol} ${key}', {key: values_of({field: [value]})[field][0]})

    return compared


def _contains(field: str, value: Any, key: str) -> Clause:
    return _contains_any(field, [value], key)


def _contains_any(field: str, value: Any, key: str) -> Clause:
    if field in LIST_FIELDS:
        return clause_of({field: _texts(field, value)}, key=f"{key}_")
    return _substrings(field, value, key, joint=" or ", empty="false")


def _contains_all(field: str, value: Any, key: str) -> Clause:
    if field in LIST_FIELDS:
        return Clause(f'list_has_all("{field}", ${key}::varchar[])', {key: _texts(field, value)})
    return _substrings(field, value, key, joint=" and ", empty=f'"{field}" is not null')


def _matches(field: str, value: Any, key: str) -> Clause:
    return _substrings(field, [value], key, joint=" or ", empty="false")


def _matches_in_any_case(field: str, value: Any, key: str) -> Clause:
    _require_text(field)
    return Clause(f'contains(lower("{field}"), lower(${key}))', {key: _texts(field, [value])[0]})


def _substrings(field: str, value: Any, key: str, *, joint: str, empty: str) -> Clause:
    _require_text(field)
    parameters: dict[str, object] = {
        f"{key}_{number}": text for number, text in enumerate(_texts(field, value))
    }
    tests = [f'contains("{field}", ${name})' for name in parameters]
    return Clause(f"({joint.join(tests) or empty})", parameters)


def _is_empty(field: str, value: Any, key: str) -> Clause:  # noqa: ARG001
    if field in NUMBER_FIELDS:
        return Clause(f'"{field}" is null')
    return Clause(f'("{field}" is null or len("{field}") = 0)')


def _listed(field: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise UsageError(f"filter {field} takes a list here, not {value!r}", hint=f"write [{value!r}]")
    return value


def _texts(field: str, value: Any) -> list[str]:
    values = _listed(field, value)
    for text in values:
        if not isinstance(text, str):
            raise UsageError(f"filter {field} looks for text here, not {text!r}", hint=f'write "{text}"')
    return values


def _require_text(field: str) -> None:
    if field in LIST_FIELDS or field in NUMBER_FIELDS:
        raise UsageError(
            f"filter {field} has no text to look into", hint="use any or all for lists, == or > for numbers"
        )


def _known_operators() -> str:
    return f"operators: {', '.join(operator.value for operator in _OPERATORS)}"


_OPERATORS: Mapping[FilterOperator, Test] = MappingProxyType({
    FilterOperator.EQ: _equal,
    FilterOperator.NE: _unless(_equal),
    FilterOperator.IN: _in,
    FilterOperator.NIN: _unless(_in),
    FilterOperator.GT: _compared(">"),
    FilterOperator.GTE: _compared(">="),
    FilterOperator.LT: _compared("<"),
    FilterOperator.LTE: _compared("<="),
    FilterOperator.CONTAINS: _contains,
    FilterOperator.ANY: _contains_any,
    FilterOperator.ALL: _contains_all,
    FilterOperator.TEXT_MATCH: _matches,
    FilterOperator.TEXT_MATCH_INSENSITIVE: _matches_in_any_case,
    FilterOperator.IS_EMPTY: _is_empty,
})  # fmt: skip
