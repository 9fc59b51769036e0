"""LlamaIndex's metadata filters select what a plain Python filter selects."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llama_index.core.vector_stores.types import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
)

from ragduck.errors import UsageError
from ragduck.integrations.llamaindex import RagduckVectorStore
from ragduck.integrations.llamaindex.filters import clause_of_metadata

Op = FilterOperator


def one(key: str, operator: FilterOperator, value: Any) -> MetadataFilter:
    return MetadataFilter(key=key, operator=operator, value=value)


def passes(metadata: dict[str, Any], test: MetadataFilter | MetadataFilters) -> bool:
    """Say what a filter means for a chunk of scalar columns."""
    if isinstance(test, MetadataFilters):
        found = [passes(metadata, part) for part in test.filters]
        if not found:
            return True
        if test.condition == FilterCondition.NOT:
            return not any(found)
        return any(found) if test.condition == FilterCondition.OR else all(found)
    value, wanted, operator = metadata.get(test.key), test.value, test.operator
    if operator == Op.EQ:
        return value == wanted
    if operator == Op.NE:
        return value != wanted
    if value is None:
        return operator in (Op.NIN, Op.IS_EMPTY)
    meanings = {
        Op.IN: lambda: value in wanted,
        Op.NIN: lambda: value not in wanted,
        Op.GT: lambda: value > wanted,
        Op.GTE: lambda: value >= wanted,
        Op.LT: lambda: value < wanted,
        Op.LTE: lambda: value <= wanted,
        Op.CONTAINS: lambda: wanted in value,
        Op.TEXT_MATCH: lambda: wanted in value,
        Op.TEXT_MATCH_INSENSITIVE: lambda: wanted.lower() in value.lower(),
        Op.ANY: lambda: any(part in value for part in wanted),
        Op.ALL: lambda: all(part in value for part in wanted),
        Op.IS_EMPTY: lambda: value == "",
    }
    return bool(meanings[operator]())


SINGLE = [
    one("data_type", Op.EQ, "db_code"),
    one("start_line", Op.EQ, 1),
    one("schema", Op.EQ, None),
    one("schema", Op.NE, None),
    one("schema", Op.NE, "dbo"),
    one("kind", Op.IN, ["PROC", "VIEW"]),
    one("kind", Op.IN, []),
    one("kind", Op.NIN, ["PROC", "VIEW"]),
    one("kind", Op.NIN, []),
    one("start_line", Op.IN, [1, 2, 3]),
    one("end_line", Op.GT, 20),
    one("end_line", Op.GTE, 20),
    one("importance_score", Op.LT, 1.0),
    one("importance_score", Op.LTE, 0.5),
    one("source_file", Op.GT, "src"),
    one("class", Op.LT, "M"),
    one("source_file", Op.CONTAINS, "Invoice"),
    one("file_path", Op.TEXT_MATCH, "Invoice"),
    one("source_file", Op.TEXT_MATCH_INSENSITIVE, "INVOICE"),
    one("name", Op.ANY, ["Order", "Invoice"]),
    one("name", Op.ANY, []),
    one("name", Op.ALL, ["In", "voice"]),
    one("name", Op.ALL, []),
    one("schema", Op.IS_EMPTY, None),
    one("project", Op.IS_EMPTY, None),
    one("name", Op.EQ, "Robert'); drop table documents; --"),
]


@pytest.mark.parametrize("test", SINGLE, ids=lambda test: f"{test.key} {test.operator.value} {test.value}")
def test_an_operator_selects_what_a_plain_filter_selects(
    shop_nodes: RagduckVectorStore, test: MetadataFilter
) -> None:
    found = shop_nodes.get_nodes(filters=MetadataFilters(filters=[test]))

    expected = [node.node_id for node in shop_nodes.get_nodes() if passes(node.metadata, test)]
    assert [node.node_id for node in found] == expected


def nested(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[MetadataFilters]:
    return st.builds(
        MetadataFilters,
        filters=st.lists(parts, max_size=3),
        condition=st.sampled_from([FilterCondition.AND, FilterCondition.OR, FilterCondition.NOT]),
    )


GROUPS = nested(st.recursive(st.sampled_from(SINGLE), nested, max_leaves=8))


@settings(max_examples=25, deadline=None)
@given(filters=GROUPS)
def test_nested_conditions_select_what_a_plain_filter_selects(
    shop_nodes: RagduckVectorStore, filters: MetadataFilters
) -> None:
    clause = clause_of_metadata(filters)
    rows = shop_nodes.client.execute(
        f"select * from documents where {clause.sql} order by chunk_no", clause.parameters
    )
    names = [column[0] for column in rows.description]
    found = [row[names.index("node_id")] for row in rows.fetchall()]

    everything = shop_nodes.client.execute("select * from documents order by chunk_no").fetchall()
    chunks = [dict(zip(names, row, strict=True)) for row in everything]
    expected = [
        chunk["node_id"] for chunk in chunks if passes({**chunk, "file_path": chunk["source_file"]}, filters)
    ]
    assert found == expected


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        (one("calls", Op.EQ, "a"), ["both", "first"]),
        (one("calls", Op.CONTAINS, "a"), ["both", "first"]),
        (one("calls", Op.NE, "a"), ["nothing", "null"]),
        (one("calls", Op.IN, ["a", "z"]), ["both", "first"]),
        (one("calls", Op.ANY, ["b", "z"]), ["both"]),
        (one("calls", Op.ALL, ["a", "b"]), ["both"]),
        (one("calls", Op.IS_EMPTY, None), ["nothing", "null"]),
    ],
    ids=lambda value: value.operator.value if isinstance(value, MetadataFilter) else "",
)
def test_a_list_column_matches_by_what_it_holds(test: MetadataFilter, expected: list[str]) -> None:
    clause = clause_of_metadata(MetadataFilters(filters=[test]))
    rows = duckdb.connect().execute(
        "with documents(chunk_no, name, calls) as (values (1, 'both', ['a', 'b']), (2, 'first', ['a']),"
        f" (3, 'nothing', []), (4, 'null', null)) select name from documents where {clause.sql} order by name",
        clause.parameters,
    )

    assert [name for (name,) in rows.fetchall()] == expected


def test_the_text_of_chunks_can_be_looked_into(shop_nodes: RagduckVectorStore) -> None:
    found = shop_nodes.get_nodes(
        filters=MetadataFilters(filters=[one("text", Op.TEXT_MATCH_INSENSITIVE, "foreign key")])
    )

    expected = [
        node.node_id for node in shop_nodes.get_nodes() if "foreign key" in node.get_content().lower()
    ]
    assert [node.node_id for node in found] == expected
    assert expected


def test_other_names_of_a_kind_are_understood(shop_nodes: RagduckVectorStore) -> None:
    by_alias = MetadataFilters(filters=[one("kind", Op.EQ, "procedure")])
    by_name = MetadataFilters(filters=[one("kind", Op.EQ, "PROC")])

    assert shop_nodes.get_nodes(filters=by_alias) == shop_nodes.get_nodes(filters=by_name)


@pytest.mark.parametrize(
    ("test", "said"),
    [
        (one("colour", Op.EQ, "red"), "colour"),
        (one("name_prefix", Op.EQ, "Inv"), "name_prefix"),
        (one("text", Op.EQ, "x"), "text"),
        (one("start_line", Op.EQ, "first"), "number"),
        (one("start_line", Op.TEXT_MATCH, "1"), "no text"),
        (one("kind", Op.IN, "PROC"), "list"),
        (one("kind", Op.EQ, ["PROC"]), "one value"),
        (one("kind", Op.GT, None), "compares nothing"),
        (one("calls", Op.GT, "a"), "compares nothing"),
        (one("name", Op.TEXT_MATCH, 3), "text"),
    ],
)
def test_a_filter_that_makes_no_sense_is_refused(test: MetadataFilter, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        clause_of_metadata(MetadataFilters(filters=[test]))


def test_nesting_without_end_is_refused() -> None:
    filters = MetadataFilters(filters=[])
    for _ in range(60):
        filters = MetadataFilters(filters=[filters, SINGLE[0]])

    with pytest.raises(UsageError, match="deep"):
        clause_of_metadata(filters)
