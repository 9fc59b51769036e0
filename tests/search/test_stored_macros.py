"""The stored macros answer in plain SQL what Store.search answers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ragduck
from ragduck.embed.hashing import HashingEmbedder
from ragduck.library import Store

WORDS = [
    "invoice", "order", "place", "payment", "match", "customer", "stock", "dunning", "PlaceOrder", "total",
    "InvoiceService", "dbo.Invoice", "zamówienie", "Währung", "create", "table", "repository", "where", "price",
]  # fmt: skip
QUESTIONS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
TOP_K = st.sampled_from([1, 3, 10, 60])


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


def searched(store: Store, question: str, **settings: Any) -> list[tuple[str, float]]:
    answer = store.search(question, **settings)
    return [(result["node_id"], result["score"]) for result in answer.results]


def selected(store: Store, call: str, **values: object) -> list[tuple[str, float]]:
    return [(row["node_id"], row["score"]) for row in store.sql(f"from {call}", values)]


def test_bm25_gives_what_search_gives(store: Store) -> None:
    @settings(deadline=None, max_examples=20)
    @given(QUESTIONS, TOP_K)
    def check(question: str, top_k: int) -> None:
        rows = selected(store, "bm25($question, top_k := $k)", question=question, k=top_k)

        assert rows == searched(store, question, mode="bm25", top_k=top_k, signals=False)

    check()


def test_nearest_gives_what_semantic_search_gives(store: Store) -> None:
    @settings(deadline=None, max_examples=20)
    @given(QUESTIONS, TOP_K)
    def check(question: str, top_k: int) -> None:
        vector = HashingEmbedder().embed_query(question).tolist()

        rows = selected(store, "nearest($vector, top_k := $k)", vector=vector, k=top_k)

        assert rows == searched(store, question, mode="semantic", top_k=top_k)

    check()


def test_hybrid_gives_what_hybrid_search_gives(store: Store) -> None:
    @settings(deadline=None, max_examples=20)
    @given(QUESTIONS, st.sampled_from([1, 3, 10, 50]))
    def check(question: str, top_k: int) -> None:
        vector = HashingEmbedder().embed_query(question).tolist()

        rows = selected(
            store, "hybrid($question, $vector, top_k := $k)", question=question, vector=vector, k=top_k
        )

        assert rows == searched(store, question, top_k=top_k)

    check()


def test_macros_work_in_a_plain_client_and_join_with_other_tables(shop_store: Path, tmp_path: Path) -> None:
    copy = shutil.copy(shop_store, tmp_path / "copy.duckdb")

    with duckdb.connect(str(copy), read_only=True) as client:
        rows = client.execute(
            "select hit.id, hit.location, source.file_name from bm25('place order', top_k := 3) as hit "
            "join documents using (node_id) join source_documents as source using (doc_id) "
            "where documents.data_type <> 'docs'"
        ).fetchall()

    assert rows


def test_macros_take_a_list_of_plain_numbers_as_vector(store: Store) -> None:
    rows = store.sql("from nearest(list_transform(range(64), lambda n: n / 64), top_k := 5)")

    assert len(rows) == 5


def test_bm25_of_a_question_without_words_gives_no_rows(store: Store) -> None:
    assert store.sql("from bm25('  ?! ')") == []


def test_every_table_macro_and_column_has_a_comment(store: Store) -> None:
    without = store.sql(
        "select 'table' as kind, table_name as name from duckdb_tables() where comment is null "
        "union all select 'column', table_name || '.' || column_name from duckdb_columns() "
        "where comment is null and not internal "
        "union all select 'macro', function_name from duckdb_functions() "
        "where not internal and function_type in ('macro', 'table_macro') and comment is null"
    )

    assert without == []
