"""Tables of a store are given as Arrow tables, in memory or as a stream."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import ragduck
from ragduck.errors import UsageError


def test_a_table_is_given_with_types(shop_store: Path) -> None:
    with ragduck.open(shop_store) as store:
        table = store.arrow("documents")

    types = {field.name: field.type for field in table.schema}
    assert types["embedding"] == pa.list_(pa.float32(), 64)
    assert types["sign_0"] == pa.binary(16)
    assert types["reads_from"].value_type == pa.string()
    assert types["start_line"] == pa.int32()


def test_a_table_outlives_the_store(shop_store: Path) -> None:
    with ragduck.open(shop_store) as store:
        stored = store.sql("select node_key, name from nodes order by node_id")
        table = store.arrow("nodes", columns=["node_key", "name"])

    assert table.to_pylist() == stored


def test_what_is_computed_is_given_when_asked_for(shop_store: Path) -> None:
    with ragduck.open(shop_store) as store:
        (stored,) = store.sql("select metadata_ from documents order by chunk_no limit 1")
        table = store.arrow("documents", columns="metadata_")

        assert "metadata_" not in store.arrow("documents").column_names
    assert table["metadata_"][0].as_py() == stored["metadata_"]


def test_a_selection_of_branches_is_given(teams_store: Path) -> None:
    with ragduck.open(teams_store) as store:
        table = store.arrow("edges", repos="shop", branches=["main", "2024"])

    assert set(table["branch"].to_pylist()) == {"main", "2024"}
    assert set(table["repo"].to_pylist()) == {"shop"}


def test_rows_that_belong_to_chunks_are_selected_with_them(teams_store: Path) -> None:
    with ragduck.open(teams_store) as store:
        chunks = store.arrow("documents", columns="chunk_no", branches="2024")
        lengths = store.arrow("fts_lengths", columns="chunk_no", branches="2024")

    assert lengths.equals(chunks)


def test_a_stream_gives_the_same_rows(shop_store: Path) -> None:
    with ragduck.open(shop_store) as store:
        whole = store.arrow("links")
        stream = store.arrow_batches("links")

        assert stream.schema == whole.schema
        assert stream.read_all().equals(whole)


def test_two_streams_do_not_disturb_each_other(teams_store: Path) -> None:
    with ragduck.open(teams_store) as store:
        one = store.arrow_batches("nodes", columns="branch", branches="main")
        two = store.arrow_batches("nodes", columns="branch", branches="2024")

        assert set(two.read_all()["branch"].to_pylist()) == {"2024"}
        assert set(one.read_all()["branch"].to_pylist()) == {"main"}


@pytest.mark.parametrize(
    ("table", "columns", "message"),
    [
        ("invoices", (), "the store has no table 'invoices'"),
        ("nodes", ("node_key", "colour"), "table nodes has no column 'colour'"),
        ('nodes"; drop table nodes; --', (), "the store has no table"),
    ],
)
def test_unknown_names_are_refused(
    shop_store: Path, table: str, columns: tuple[str, ...], message: str
) -> None:
    with ragduck.open(shop_store) as store, pytest.raises(UsageError, match=message) as refused:
        store.arrow(table, columns=columns)

    assert "it has " in (refused.value.hint or "")
