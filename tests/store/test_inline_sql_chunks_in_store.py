"""Inline SQL is in the store beside the members that hold it, and does not get in their way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import ragduck
from ragduck import Store

MEMBER = "Shop.Data.Repositories.PaymentRepository.RematchAsync"


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


def test_a_member_is_shown_once(store: Store) -> None:
    found = store.text_of(f"csharp:{MEMBER}|METHOD")

    assert [row["file_type"] for row in found] == ["cs"]


def test_the_literals_of_a_member_are_found_by_their_own_id(store: Store) -> None:
    found = store.text_of(f"sql:inline:{MEMBER}")

    assert [row["file_type"] for row in found] == ["inline_sql", "inline_sql"]
    assert all("dbo.Payment" in row["text"] for row in found)


def test_inline_sql_comes_after_the_chunk_that_it_lies_in(store: Store) -> None:
    wrong = store.sql(
        """
        select inner_chunk.id
        from documents as inner_chunk
        where inner_chunk.file_type = 'inline_sql' and not exists (
            from documents as outer_chunk
            where outer_chunk.doc_id = inner_chunk.doc_id and outer_chunk.file_type <> 'inline_sql'
                and outer_chunk.chunk_no < inner_chunk.chunk_no
                and outer_chunk.start_line <= inner_chunk.start_line
                and outer_chunk.end_line >= inner_chunk.start_line
        )
        """
    )

    assert wrong == []


def test_inline_sql_is_searched_by_its_file_type(store: Store) -> None:
    answer = store.search("payments that are matched", mode="bm25", filters={"file_type": "inline_sql"})

    assert answer.results
    assert {hit["file_type"] for hit in answer.results} == {"inline_sql"}
