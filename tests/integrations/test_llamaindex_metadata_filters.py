"""Filters over the metadata of added nodes select what LlamaIndex's own filter function selects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores.types import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
)
from llama_index.core.vector_stores.utils import build_metadata_filter_fn

from ragduck.errors import UsageError
from ragduck.integrations.llamaindex import RagduckVectorStore

Op = FilterOperator
ODD = 'a/b~c."d"[0]$'
METADATA: dict[str, dict[str, Any]] = {
    "empty": {},
    "null": {"author": None, "year": None, "tags": None, ODD: None},
    "blank": {"author": "", "year": 0, "tags": [], ODD: ""},
    "ann": {
        "author": "Ann",
        "year": 2024,
        "tags": ["a", "b"],
        ODD: "x",
        "kind": "note",
        "start_line": "first",
    },
    "bob": {"author": "bob", "year": 2020.5, "tags": ["b", 'q"ü\\'], "kind": 7, "file_path": "Bob/a.md"},
    "big": {"author": "Ann Bob", "year": 2**60 + 1, "tags": [1, 2.5, "1"], "pages": [[1], {"a": 1}]},
    "text": {"author": "2024", "year": "2024", "tags": "a,b", "name": "invoice"},
    "true": {"author": True, "year": False, "tags": {"a": 1}, "repo": "elsewhere"},
}
KEYS = ["author", "year", "tags", ODD, "kind", "name", "nowhere"]
VALUES: list[Any] = [
    "Ann",
    "ann",
    "",
    "a",
    "b",
    '"',
    'q"ü\\',
    "2024",
    "x",
    "note",
    0,
    1,
    7,
    2024,
    2.5,
    2020.5,
    2**60 + 1,
]
TEXTS = [value for value in VALUES if isinstance(value, str)]
INTEGERS = [value for value in VALUES if isinstance(value, int)]
FLOATS = [value for value in VALUES if isinstance(value, float)]


@pytest.fixture(scope="module")
def varied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RagduckVectorStore]:
    path = tmp_path_factory.mktemp("filters") / "varied.duckdb"
    store = RagduckVectorStore(path, embed_model="hashing:8")
    store.add(
        [
            TextNode(
                id_=name,
                text=f"Text of {name}.",
                metadata=metadata,
                relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=f"doc {name}")}
                if metadata
                else {},
            )
            for name, metadata in METADATA.items()
        ]
    )
    yield store
    store.close()


def passes(name: str, test: MetadataFilter | MetadataFilters) -> bool:
    if isinstance(test, MetadataFilters):
        parts = [passes(name, part) for part in test.filters]
        if not parts:
            return True
        if test.condition == FilterCondition.NOT:
            return not any(parts)
        return any(parts) if test.condition == FilterCondition.OR else all(parts)
    try:
        return bool(build_metadata_filter_fn(METADATA.__getitem__, MetadataFilters(filters=[test]))(name))
    except TypeError:  # LlamaIndex compares a number with a text, or looks for one in the other
        return False


def selected(store: RagduckVectorStore, filters: MetadataFilters) -> list[str]:
    return sorted(node.node_id for node in store.get_nodes(filters=filters))


def all_of(*filters: MetadataFilter) -> MetadataFilters:
    return MetadataFilters(filters=list(filters))


def single() -> st.SearchStrategy[MetadataFilter]:
    key = st.sampled_from(KEYS)
    lists = st.one_of(*(st.lists(st.sampled_from(alike), max_size=3) for alike in (TEXTS, INTEGERS, FLOATS)))
    listed = st.builds(
        MetadataFilter, key=key, operator=st.sampled_from([Op.IN, Op.NIN, Op.ANY, Op.ALL]), value=lists
    )
    matched = st.builds(
        MetadataFilter,
        key=key,
        operator=st.sampled_from([Op.TEXT_MATCH, Op.TEXT_MATCH_INSENSITIVE]),
        value=st.sampled_from(TEXTS),
    )
    plain = [Op.EQ, Op.NE, Op.GT, Op.GTE, Op.LT, Op.LTE, Op.CONTAINS]
    compared = st.builds(
        MetadataFilter, key=key, operator=st.sampled_from(plain), value=st.sampled_from(VALUES)
    )
    empty = st.builds(MetadataFilter, key=key, operator=st.just(Op.IS_EMPTY), value=st.none())
    return st.one_of(listed, matched, compared, empty)


def nested(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[MetadataFilters]:
    return st.builds(
        MetadataFilters,
        filters=st.lists(parts, min_size=1, max_size=3),
        condition=st.sampled_from(list(FilterCondition)),
    )


def is_alike(test: MetadataFilter) -> bool:
    """Leave out what only Python does: looking into the keys of a dictionary, and any value in an empty list."""
    looks_inside = test.operator in (Op.CONTAINS, Op.ANY, Op.ALL)
    return not (looks_inside and test.key == "tags") and not (test.operator == Op.ALL and test.value == [])


@settings(max_examples=60, deadline=None)
@given(test=single().filter(is_alike))
def test_an_operator_selects_what_llamaindex_selects(
    varied: RagduckVectorStore, test: MetadataFilter
) -> None:
    assert selected(varied, all_of(test)) == sorted(name for name in METADATA if passes(name, test))


@settings(max_examples=25, deadline=None)
@given(filters=nested(st.recursive(single().filter(is_alike), nested, max_leaves=6)))
def test_conditions_combine_as_in_llamaindex(varied: RagduckVectorStore, filters: MetadataFilters) -> None:
    assert selected(varied, filters) == sorted(name for name in METADATA if passes(name, filters))


@pytest.mark.parametrize(
    ("operator", "value", "expected"),
    [
        (Op.CONTAINS, "a", ["ann", "text"]),
        (Op.CONTAINS, 'q"ü\\', ["bob"]),
        (Op.CONTAINS, 1, ["big"]),
        (Op.CONTAINS, "1", ["big"]),
        (Op.ANY, ["a", "z"], ["ann", "text"]),
        (Op.ANY, [2.5, 9.0], ["big"]),
        (Op.ANY, [], []),
        (Op.ALL, ["a", "b"], ["ann", "text"]),
        (Op.ALL, [1, 3], []),
        (Op.ALL, [], ["ann", "big", "blank", "bob", "text"]),
        (Op.IS_EMPTY, None, ["blank", "empty", "null"]),
        (Op.EQ, None, ["empty", "null"]),
        (Op.NE, None, ["ann", "big", "blank", "bob", "text", "true"]),
    ],
    ids=str,
)
def test_a_list_is_looked_into(
    varied: RagduckVectorStore, operator: FilterOperator, value: Any, expected: list[str]
) -> None:
    assert selected(varied, all_of(MetadataFilter(key="tags", operator=operator, value=value))) == expected


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        (MetadataFilter(key="repo", value="llamaindex"), sorted(set(METADATA) - {"true"})),
        (MetadataFilter(key="repo", value="elsewhere"), ["true"]),
        (MetadataFilter(key="file_path", value="Bob/a.md"), ["bob"]),
        (MetadataFilter(key="kind", value="NOTE"), []),
        (MetadataFilter(key="node_id", value="ann"), ["ann"]),
        (MetadataFilter(key="ref_doc_id", value="doc ann"), ["ann"]),
        (MetadataFilter(key="doc_id", value=["doc ann", "doc bob"], operator=Op.IN), ["ann", "bob"]),
        (MetadataFilter(key="ref_doc_id", value=None, operator=Op.IS_EMPTY), ["empty"]),
        (MetadataFilter(key="text", value="OF BIG", operator=Op.TEXT_MATCH_INSENSITIVE), ["big"]),
    ],
    ids=lambda value: f"{value.key} {value.value}" if isinstance(value, MetadataFilter) else "",
)
def test_columns_serve_where_the_metadata_has_no_such_key(
    varied: RagduckVectorStore, test: MetadataFilter, expected: list[str]
) -> None:
    assert selected(varied, all_of(test)) == expected


def test_a_question_is_limited_to_documents(varied: RagduckVectorStore) -> None:
    query = VectorStoreQuery(query_embedding=[1.0] * 8, similarity_top_k=9, doc_ids=["doc ann", "nowhere"])

    assert varied.query(query).ids == ["ann"]


def test_a_question_obeys_filters_before_it_counts(varied: RagduckVectorStore) -> None:
    filters = all_of(MetadataFilter(key="year", operator=Op.GT, value=2020))
    query = VectorStoreQuery(query_str="text", mode="hybrid", query_embedding=[1.0] * 8, filters=filters)
    query.similarity_top_k = 3

    assert sorted(varied.query(query).ids or []) == ["ann", "big", "bob"]


@pytest.mark.parametrize(
    ("test", "said"),
    [
        (MetadataFilter(key="a", operator=Op.EQ, value=["x"]), "one value"),
        (MetadataFilter(key="a", operator=Op.IN, value="x"), "list"),
        (MetadataFilter(key="a", operator=Op.GT, value=None), "compares nothing"),
        (MetadataFilter(key="a", operator=Op.TEXT_MATCH, value=3), "text"),
        (MetadataFilter(key="a", operator=Op.CONTAINS, value=["x"]), "one value"),
        (MetadataFilter(key="a", operator=Op.ANY, value="x"), "list"),
        (MetadataFilter(key="text", operator=Op.EQ, value="x"), "text"),
    ],
    ids=lambda value: value.operator.value if isinstance(value, MetadataFilter) else "",
)
def test_a_filter_that_makes_no_sense_is_refused(
    varied: RagduckVectorStore, test: MetadataFilter, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        varied.get_nodes(filters=all_of(test))
