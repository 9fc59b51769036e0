"""What a question asks for by name comes first; what it does not ask for is put back."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import ragduck
from ragduck.library import Store


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


def parts(store: Store, question: str, part: str, **filters: Any) -> set[float]:
    """The different values that a part of the score has among all hits."""
    results = store.search(question, top_k=200, filters=filters).results
    assert results
    return {result["score_parts"][part] for result in results}


@pytest.mark.parametrize(
    ("question", "element"),
    [
        ("InvoiceService", "InvoiceService"),
        ("PaymentMatcher", "PaymentMatcher"),
        ("OrderRepository", "OrderRepository"),
        ("RepositoryBase", "RepositoryBase"),
        ("NotFoundException", "NotFoundException"),
        ("ZamówienieImporter", "ZamówienieImporter"),
        ("Währung", "Währung"),
        ("InvoiceClient", "InvoiceClient"),
        ("ExportRow", "ExportRow"),
        ("dbo.Invoice", "dbo.Invoice"),
        ("StockLevel", "dbo.StockLevel"),
        ("LegacyCustomerMap", "dbo.LegacyCustomerMap"),
        ("vInvoiceBalance", "dbo.vInvoiceBalance"),
        ("dbo.Order_Place", "dbo.Order_Place"),
        ("Stock_Reserve", "dbo.Stock_Reserve"),
        ("Payment_Match", "dbo.Payment_Match"),
        ("fn_LineAmount", "dbo.fn_LineAmount"),
        ("trg_Invoice_Audit", "dbo.trg_Invoice_Audit"),
        ("InvoiceServiceTests", "InvoiceServiceTests"),
        ("InvoiceService.CancelAsync", "InvoiceService.CancelAsync"),
        ("OrderService.PlaceAsync", "OrderService.PlaceAsync"),
        ("Shop.Core.Services.InvoiceService", "InvoiceService"),
    ],
)
def test_definition_of_the_name_asked_for_comes_first(store: Store, question: str, element: str) -> None:
    best = store.search(question, top_k=1).results[0]

    assert best["element_name"] == element


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("invoice service", "InvoiceService"),
        ("where is the payment matcher", "PaymentMatcher"),
        ("how does order repository work", "OrderRepository"),
        ("legacy customer map", "LegacyCustomerMap"),
        ("order place", "Order_Place"),
        ("fn line amount", "fn_LineAmount"),
        ("trg invoice audit", "trg_Invoice_Audit"),
        ("zamówienie importer", "ZamówienieImporter"),
        ("not found exception", "NotFoundException"),
    ],
)
@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
def test_definition_of_a_name_spelled_out_in_words_comes_first(
    store: Store, question: str, name: str, mode: Any
) -> None:
    best = store.search(question, top_k=1, mode=mode).results[0]

    assert best["name"] == name
    assert best["score_parts"]["definition"] > 0


@pytest.mark.parametrize(
    ("question", "element"),
    [
        ("InvoiceCancel", "dbo.Invoice_Cancel"),
        ("dbo.InvoiceCancel", "dbo.Invoice_Cancel"),
        ("trgInvoiceAudit", "dbo.trg_Invoice_Audit"),
        ("FnLineAmount", "dbo.fn_LineAmount"),
        ("invoice_service", "InvoiceService"),
        ("Invoice_Service_Tests", "InvoiceServiceTests"),
        ("legacy_customer_map", "dbo.LegacyCustomerMap"),
        ("zamówienie_importer", "ZamówienieImporter"),
    ],
)
@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
def test_definition_of_a_name_in_another_case_comes_first(
    store: Store, question: str, element: str, mode: Any
) -> None:
    best = store.search(question, top_k=1, mode=mode).results[0]

    assert best["element_name"] == element
    assert best["score_parts"]["definition"] == 1.0  # as it is written it would be 2


def test_a_small_member_in_another_case_is_found_in_the_chunk_that_lists_it(store: Store) -> None:
    best = store.search("primary_contact_id", top_k=1).results[0]

    assert "PrimaryContactId" in best["signature"].split(", ")
    assert best["score_parts"]["definition"] == pytest.approx(0.4)


@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
@pytest.mark.parametrize(
    ("question", "element"), [("Payment_Match", "dbo.Payment_Match"), ("PaymentMatch", "PaymentMatch")]
)
def test_a_name_as_it_is_written_comes_before_the_same_in_another_case(
    store: Store, question: str, element: str, mode: Any
) -> None:
    best = store.search(question, top_k=2, mode=mode).results

    assert best[0]["element_name"] == element
    assert [result["score_parts"]["definition"] for result in best] == [2.0, 1.0]


def test_part_of_a_name_asked_for_as_one_word_is_not_what_is_asked_for(store: Store) -> None:
    results = store.search("InvoiceServiceTests", top_k=200).results

    assert {result["name"] for result in results if result["score_parts"]["definition"]} == {
        "InvoiceServiceTests"
    }


@pytest.mark.parametrize("question", ["_", "__", "=>", "", "²"])
def test_what_has_no_letters_is_no_name(store: Store, question: str) -> None:
    keys = store.sql("from question_keys($question)", {"question": question})[0]
    named = "select name from documents join chunk_signals using (chunk_no) where list_contains($keys, spelled_key)"

    assert None not in keys["spelled_keys"]
    assert store.sql(named, {"keys": keys["spelled_keys"] + [0]}) == []


def test_a_longer_question_asks_less_for_the_names_in_it(store: Store) -> None:
    whole, half, less = (
        max(parts(store, question, "definition"))
        for question in ("stock level", "stock level report", "stock level of each product in a warehouse")
    )

    assert (whole, half, less) == (2.0, pytest.approx(2.0 * 2 / 3), 0.0)


def test_a_small_member_spelled_out_is_found_in_the_chunk_that_lists_it(store: Store) -> None:
    best = store.search("primary contact id", top_k=1).results[0]

    assert "PrimaryContactId" in best["signature"].split(", ")
    assert best["score_parts"]["definition"] == pytest.approx(2.0 * 0.4)


@pytest.mark.parametrize(
    ("question", "file"),
    [
        ("VatId", "Customer.cs"),
        ("PrimaryContactId", "Customer.cs"),
        ("NetTotal", "Invoice.Totals.cs"),
    ],
)
@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
def test_declaration_of_a_small_member_comes_first(store: Store, question: str, file: str, mode: Any) -> None:
    best = store.search(question, top_k=1, mode=mode).results[0]

    assert best["source_file"].endswith(f"/{file}")
    assert question in best["signature"].split(", ")
    assert best["score_parts"]["definition"] > 0


def test_a_member_of_its_own_chunk_defines_more_than_one_of_several(store: Store) -> None:
    results = store.search("ForgiveAsync", top_k=200).results
    own = [result for result in results if result["name"] == "ForgiveAsync"]
    listed = [result for result in results if "ForgiveAsync" in result.get("signature", "").split(", ")]

    assert own
    assert listed
    assert {result["score_parts"]["definition"] for result in own} == {1.0}
    assert {result["score_parts"]["definition"] for result in listed} == {0.8}


@pytest.mark.parametrize(
    "question", ["invoiceservice", "INVOICESERVICE", "`InvoiceService`", "InvoiceService?"]
)
def test_definition_is_found_however_the_name_is_written(store: Store, question: str) -> None:
    best = store.search(question, top_k=1).results[0]

    assert best["element_name"] == "InvoiceService"
    assert best["score_parts"]["definition"] > 0


def test_definition_counts_only_for_chunks_of_that_name(store: Store) -> None:
    results = store.search("StockLevel", top_k=400).results

    assert {result["name"] for result in results if result["score_parts"]["definition"]} == {"StockLevel"}


def test_definition_among_many_other_words_counts_less(store: Store) -> None:
    assert max(parts(store, "PaymentMatcher", "definition")) > max(
        parts(store, "how does PaymentMatcher find the invoice that a customer paid", "definition")
    )


def test_definition_of_a_member_counts_less_than_of_a_type(store: Store) -> None:
    assert max(parts(store, "CancelAsync", "definition")) < max(parts(store, "InvoiceService", "definition"))


@pytest.mark.parametrize(
    "question", ["where are invoices created", "invoice order", "payment of an order", "jak powstaje faktura"]
)
def test_plain_words_ask_for_no_definition(store: Store, question: str) -> None:
    assert parts(store, question, "definition") == {0.0}


@pytest.mark.parametrize(
    "question", ["which tests are there for invoices", "testing payments", "InvoiceServiceTests"]
)
def test_tests_are_not_put_back_when_asked_for(store: Store, question: str) -> None:
    assert parts(store, question, "file_class", file_class="test") == {0.0}


@pytest.mark.parametrize("question", ["dunning migration", "migrations of the invoice table"])
def test_migrations_are_not_put_back_when_asked_for(store: Store, question: str) -> None:
    assert parts(store, question, "file_class", file_class="migration") == {0.0}


@pytest.mark.parametrize("question", ["generated procedure names", "who generates invoice names"])
def test_generated_files_are_not_put_back_when_asked_for(store: Store, question: str) -> None:
    assert parts(store, question, "file_class", file_class="generated") == {0.0}


@pytest.mark.parametrize("file_class", ["test", "migration", "generated"])
def test_files_that_are_no_plain_sources_are_put_back(store: Store, file_class: str) -> None:
    weights = store.sql("select ranking() as weights")[0]["weights"]

    put_back = parts(store, "invoice payments", "file_class", file_class=file_class)

    assert put_back == {-weights[f"{file_class}_penalty"]}


@pytest.mark.parametrize("file_class", ["source", "docs", "config"])
def test_sources_and_docs_are_never_put_back(store: Store, file_class: str) -> None:
    assert parts(store, "invoice payments", "file_class", file_class=file_class) == {0.0}


def test_asking_for_tests_does_not_bring_back_migrations(store: Store) -> None:
    assert max(parts(store, "tests of the invoice table", "file_class", file_class="migration")) < 0


@pytest.fixture
def store_of_vendored_files(shop_store: Path, tmp_path: Path) -> Iterator[Store]:
    """The sample shop as if others had written it all."""
    copy = shutil.copy(shop_store, tmp_path / "vendored.duckdb")
    with duckdb.connect(str(copy)) as connection:
        connection.execute(
            "update chunk_signals set file_class = 'vendored', class_key = term_key(stem('vendored'))"
        )
    with ragduck.open(copy) as opened:
        yield opened


def test_vendored_files_are_put_back_unless_asked_for(store_of_vendored_files: Store) -> None:
    penalty = store_of_vendored_files.sql("select ranking() as weights")[0]["weights"]["generated_penalty"]

    assert parts(store_of_vendored_files, "invoice payments", "file_class") == {-penalty}
    assert parts(store_of_vendored_files, "vendored invoice payments", "file_class") == {0.0}


def test_words_of_the_file_name_count_from_half_of_it_on(store: Store) -> None:
    of_file = {"source_file": "src/Shop.Core/Services/PaymentMatcher.cs"}

    assert parts(store, "which service matches", "file_name", **of_file) != {0.0}
    assert parts(store, "which service", "file_name", **of_file) == {0.0}


def test_words_of_folders_count(store: Store) -> None:
    of_file = {"source_file": "src/Shop.Core/Services/PaymentMatcher.cs"}

    assert parts(store, "which service is it", "folder_name", **of_file) != {0.0}
    assert parts(store, "which payment is it", "folder_name", **of_file) == {0.0}


def test_more_central_files_get_more(store: Store) -> None:
    results = store.search("invoice", top_k=400).results

    weight = store.sql("select ranking() as weights")[0]["weights"]["centrality"]
    stored = {
        row["source_file"]: row["centrality"]
        for row in store.sql(
            "select distinct source_file, centrality from documents join chunk_signals using (chunk_no)"
        )
    }
    assert {r["source_file"]: r["score_parts"]["centrality"] for r in results} == pytest.approx(
        {r["source_file"]: weight * stored[r["source_file"]] for r in results}
    )
