"""What a question calls by its name is an entry point, whatever a search by words puts before it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.retrieval.named_nodes import named_nodes
from ragduck.pipeline.state import State

SEARCH = {"id": "search", "action": "search_nodes"}
UNDERSTAND = {"id": "understand", "action": "understand_question"}
JUDGE = {"id": "judge", "action": "check_entry_points", "on_good": "good", "on_weak": "weak"}
GOOD = {"id": "good", "action": "state_limits", "end": True}
WEAK = {"id": "weak", "action": "state_limits", "end": True}


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[ragduck.Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("dbo.Invoice", "dbo.Invoice|TABLE"),
        ("[dbo].[Invoice]", "dbo.Invoice|TABLE"),
        ("invoices", "dbo.Invoice|TABLE"),
        ("DBO.INVOICE_CREATE", "dbo.Invoice_Create|PROC"),
        (
            "InvoiceRepository.CancelAsync",
            "csharp:Shop.Data.Repositories.InvoiceRepository.CancelAsync|METHOD",
        ),
        ("dbo.Invoice.Status", "dbo.Invoice|TABLE"),
    ],
)
def test_a_name_finds_its_node(store: ragduck.Store, name: str, key: str) -> None:
    assert key in named_nodes(store.rows, [name])


def test_a_name_that_nothing_bears_finds_none(store: ragduck.Store) -> None:
    assert named_nodes(store.rows, ["dbo.Unicorn", "unicorns"]) == ()


def test_a_name_in_another_branch_does_not_count(store: ragduck.Store) -> None:
    assert named_nodes(store.rows, ["dbo.Invoice"], branch="other") == ()


def test_a_question_that_names_all_it_is_about_has_no_other_entry_points(run: Any, store: Any) -> None:
    question = "which procedures write the table dbo.Invoice"

    ran = run(UNDERSTAND, SEARCH, JUDGE, GOOD, WEAK, state=State(question, question_en=question), store=store)

    assert ran.state.entry_nodes == ("dbo.Invoice|TABLE",)


def test_what_is_named_is_found_even_if_the_search_returns_little(run: Any, store: Any) -> None:
    question = "how does the payment import write dbo.StockReservation and match dbo.Invoice"

    ran = run(UNDERSTAND, {**SEARCH, "top_k": 1}, state=State(question, question_en=question), store=store)

    keys = [hit["node_key"] for hit in ran.state.hits]
    assert "dbo.Invoice|TABLE" in keys


def test_filters_hold_for_what_is_named_too(run: Any, store: Any) -> None:
    question = "what is dbo.Invoice"
    search = {**SEARCH, "filters": {"data_type": ["regular_code"]}}

    ran = run(UNDERSTAND, search, state=State(question, question_en=question), store=store)

    assert {hit["data_type"] for hit in ran.state.hits} == {"regular_code"}


def test_of_a_column_that_is_named_the_table_is_the_entry_point(run: Any, store: Any) -> None:
    question = "what breaks if I rename the column dbo.Invoice.Status"

    ran = run(UNDERSTAND, SEARCH, JUDGE, GOOD, WEAK, state=State(question, question_en=question), store=store)

    assert ran.state.entry_nodes == ("dbo.Invoice|TABLE",)


def test_what_has_all_concepts_in_its_name_is_found(run: Any, tmp_path: Path) -> None:
    question = "How are invoices cancelled?"
    path = tmp_path / "shop.duckdb"
    ragduck.prepare(Path(__file__).parents[1] / "data" / "shop", path, repo="shop", embed_model="none")

    with ragduck.open(path) as plain:
        ran = run(
            UNDERSTAND, SEARCH, JUDGE, GOOD, WEAK, state=State(question, question_en=question), store=plain
        )

    assert "dbo.Invoice_Cancel|PROC" in ran.state.entry_nodes


@pytest.fixture
def meetings(tmp_path: Path) -> Iterator[ragduck.Store]:
    """A store with a schema that is called as its table is, and one that is not."""
    (tmp_path / "schema.sql").write_text(
        "create schema meetings\ngo\ncreate schema archive\n", encoding="utf-8"
    )
    (tmp_path / "table.sql").write_text("create table meetings.Meetings (Id int)\n", encoding="utf-8")
    ragduck.prepare(tmp_path, tmp_path / "s.duckdb", embed_model=None)
    with ragduck.open(tmp_path / "s.duckdb") as store:
        yield store


def test_a_schema_does_not_hide_the_table_that_is_called_as_it_is(meetings: ragduck.Store) -> None:
    found = named_nodes(meetings.rows, ["Meetings"])

    assert found == ("meetings.Meetings|TABLE",)


def test_a_schema_counts_where_nothing_else_is_called_so(meetings: ragduck.Store) -> None:
    found = named_nodes(meetings.rows, ["archive"])

    assert found == ("archive|SCHEMA",)


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        ("Meetings", "meetings.Meetings|TABLE"),
        ("meetings", "meetings.Meetings|TABLE"),
        ("meetings|SCHEMA", "meetings|SCHEMA"),
        ("archive", "archive|SCHEMA"),
    ],
)
def test_a_name_means_the_table_rather_than_its_schema(meetings: ragduck.Store, asked: str, key: str) -> None:
    [found] = meetings.rows("select node_key from node_of($asked)", {"asked": asked})

    assert found["node_key"] == key


@pytest.fixture
def parcels(tmp_path: Path) -> Iterator[ragduck.Store]:
    """A store that calls a table and a procedure by words of the trade."""
    (tmp_path / "table.sql").write_text("create table dbo.Packages (Id int)\n", encoding="utf-8")
    (tmp_path / "procedure.sql").write_text(
        "create procedure dbo.PackStore as insert into dbo.Packages (Id) values (1)\n", encoding="utf-8"
    )
    ragduck.prepare(tmp_path, tmp_path / "s.duckdb", embed_model=None)
    with ragduck.open(tmp_path / "s.duckdb") as store:
        yield store


@pytest.mark.parametrize("question", ["who writes to Packages table", "Which code reads the table Packages?"])
def test_a_word_of_the_trade_with_a_capital_means_the_table_that_is_called_so(
    run: Any, parcels: ragduck.Store, question: str
) -> None:
    ran = run(
        UNDERSTAND, SEARCH, JUDGE, GOOD, WEAK, state=State(question, question_en=question), store=parcels
    )

    assert ran.state.understanding.concepts == ("Packages|TABLE",)
    assert ran.state.entry_nodes == ("dbo.Packages|TABLE",)


def test_a_word_of_the_trade_in_small_letters_means_a_table_that_the_store_has(
    run: Any, parcels: ragduck.Store
) -> None:
    question = "which code reads the packages table"

    ran = run(
        UNDERSTAND, SEARCH, JUDGE, GOOD, WEAK, state=State(question, question_en=question), store=parcels
    )

    assert ran.state.entry_nodes == ("dbo.Packages|TABLE",)


@pytest.mark.parametrize(
    "question",
    ["which table packages stock", "Packages table is read where", "who reads the Files table"],
)
def test_a_word_of_the_trade_that_may_mean_no_table_stays_a_word(
    run: Any, parcels: ragduck.Store, question: str
) -> None:
    ran = run(UNDERSTAND, state=State(question, question_en=question), store=parcels)

    assert not any("|" in concept for concept in ran.state.understanding.concepts)
