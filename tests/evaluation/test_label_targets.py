"""Labels stand for chunks: all of a file, those that overlap lines, those of an object."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.evaluation import Query
from ragduck.evaluation.targets import Labels, find_targets

INVOICES = "src/Shop.Core/Services/InvoiceService.cs"


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[ragduck.Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


def found(store: ragduck.Store, *labels: str) -> Labels:
    return find_targets(store.sql, [Query("question", labels, file="q.tsv")])


def chunks(store: ragduck.Store, *labels: str) -> list[dict[str, Any]]:
    node_ids = [node_id for target in found(store, *labels).targets[0] for node_id in target.chunks]
    return store.sql(
        "select id, source_file, start_line, end_line, node_key from documents "
        "where node_id in (select unnest($ids)) order by start_line",
        {"ids": node_ids},
    )


def test_path_stands_for_all_chunks_of_the_file(store: ragduck.Store) -> None:
    expected = store.sql("select count(*) as n from documents where source_file = $file", {"file": INVOICES})

    assert {chunk["source_file"] for chunk in chunks(store, INVOICES)} == {INVOICES}
    assert len(chunks(store, INVOICES)) == expected[0]["n"]


def test_lines_stand_for_the_chunks_that_overlap_them(store: ragduck.Store) -> None:
    whole = chunks(store, INVOICES)
    first, second = whole[0], whole[1]

    assert chunks(store, f"{INVOICES}:{first['end_line']}-{second['start_line']}") == [first, second]
    assert chunks(store, f"{INVOICES}:{second['end_line']}") == [second]


def test_lines_beyond_the_file_are_missing(store: ragduck.Store) -> None:
    assert found(store, f"{INVOICES}:90000-90001").missing == (f"{INVOICES}:90000-90001",)


@pytest.mark.parametrize(
    "key",
    [
        "cs:Shop.Core.Services.InvoiceService.CancelAsync:part=0",
        "cs:Shop.Core.Services.InvoiceService.CancelAsync",
        "csharp:Shop.Core.Services.InvoiceService.CancelAsync|METHOD",
        "Shop.Core.Services.InvoiceService.CancelAsync",
    ],
)
def test_member_is_named_by_chunk_object_node_and_key(store: ragduck.Store, key: str) -> None:
    node_key = "csharp:Shop.Core.Services.InvoiceService.CancelAsync|METHOD"

    assert {chunk["node_key"] for chunk in chunks(store, key)} == {node_key}


@pytest.mark.parametrize(
    "key", ["csharp:Shop.Core.Services.InvoiceService|TYPE", "Shop.Core.Services.InvoiceService"]
)
def test_type_stands_for_its_members_too(store: ragduck.Store, key: str) -> None:
    assert len(chunks(store, key)) > 1


def test_object_of_the_database_is_named_by_its_keys(store: ragduck.Store) -> None:
    by_node = chunks(store, "dbo.Order_Place|PROC")

    assert by_node
    assert chunks(store, "sql:Shop.Database::dbo.Order_Place") == by_node
    assert chunks(store, "Shop.Database::dbo.Order_Place") == by_node


def test_key_of_another_case_is_missing(store: ragduck.Store) -> None:
    assert found(store, "DBO.ORDER_PLACE|PROC").missing == ("DBO.ORDER_PLACE|PROC",)


def test_labels_of_the_same_chunks_count_once(store: ragduck.Store) -> None:
    labels = found(store, "dbo.Order_Place|PROC", "Shop.Database::dbo.Order_Place", "missing.cs", "absent.cs")

    assert [target.label for target in labels.targets[0]] == [
        "dbo.Order_Place|PROC",
        "missing.cs",
        "absent.cs",
    ]


def test_file_of_queries_about_something_else_is_named(store: ragduck.Store) -> None:
    queries = [Query("one", (INVOICES,), file="shop.tsv"), Query("two", ("other/a.cs",), file="other.tsv")]

    assert find_targets(store.sql, queries).how == ("other.tsv: the store holds none of its targets",)


def test_each_file_of_queries_may_leave_off_another_folder(store: ragduck.Store) -> None:
    queries = [Query("one", (INVOICES,), file="a.tsv"), Query("two", (f"shop/{INVOICES}",), file="b.tsv")]

    labels = find_targets(store.sql, queries)

    assert labels.missing == ()
    assert labels.how == ("b.tsv: the leading shop/ of 1 label was left off",)
