"""What the facts say about the C# of the sample shop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ragduck.facts import (
    UNKNOWN,
    Argument,
    Call,
    CallFact,
    Choice,
    FileFacts,
    Joined,
    Member,
    Name,
    New,
    Text,
    Typed,
    TypeOf,
)
from ragduck.model import Document, SourceFile, Symbol
from ragduck.parse.csharp import outline
from ragduck.sources import read_document, walk_files

SHOP = Path(__file__).parents[2] / "data" / "shop"
REPOSITORIES = "src/Shop.Data/Repositories"


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    files = (file for file in walk_files(SHOP) if isinstance(file, SourceFile) and file.path.endswith(".cs"))
    return {file.path: document for file in files if isinstance(document := read_document(file), Document)}


@pytest.fixture(scope="module")
def facts(documents: dict[str, Document]) -> dict[str, FileFacts]:
    outlined = {path: outline(document).facts for path, document in documents.items()}
    return {path: found for path, found in outlined.items() if found is not None}


def keys_in(symbols: tuple[Symbol, ...]) -> Iterator[str]:
    for symbol in symbols:
        yield f"csharp:{symbol.qualified_name}|{symbol.kind}"
        yield from keys_in(symbol.children)


def test_every_symbol_has_a_fact_and_every_fact_a_declaration(
    documents: dict[str, Document], facts: dict[str, FileFacts]
) -> None:
    assert facts.keys() == documents.keys()
    for path, document in documents.items():
        found = facts[path]
        declared = {fact.key for fact in (*found.types, *found.members)}
        inside = (*found.calls, *found.accesses, *found.uses, *found.strings)
        assert set(keys_in(outline(document).symbols)) <= declared
        assert {fact.source for fact in inside} <= {f"file:{path}|FILE", *declared}


def test_the_strings_of_the_repositories_are_all_that_concern_the_database(
    facts: dict[str, FileFacts],
) -> None:
    rows = []
    for path, found in facts.items():
        if path.startswith(REPOSITORIES):
            for fact in found.strings:
                function = fact.call.function if fact.call is not None else UNKNOWN
                name = function.name if isinstance(function, Member) else fact.assigned_to
                rows.append((fact.source.split(".", 3)[3], fact.line, fact.end_line, name))

    assert sorted(rows) == sorted(
        [
            ("ReportRepository.NetRevenueAsync|METHOD", 29, 29, "ExecuteScalarAsync"),
            ("CustomerRepository.FindByNameAsync|METHOD", 12, 16, "QueryAsync"),
            ("CustomerRepository.FindIdByNumberAsync|METHOD", 27, 27, "ExecuteScalarAsync"),
            ("DunningRepository.RunAsync|METHOD", 16, 16, ""),
            ("DunningRepository.ForgiveAsync|METHOD", 34, 34, "ExecuteSqlRawAsync"),
            ("InvoiceArchiveRepository.FindNumberAsync|METHOD", 13, 13, "QuerySingleOrDefaultAsync"),
            ("InvoiceArchiveRepository.ArchiveAsync|METHOD", 21, 21, "ExecuteAsync"),
            ("InvoiceRepository.SelectLines|FIELD", 15, 24, "SelectLines"),
            ("InvoiceRepository.SearchAsync|METHOD", 63, 72, "QueryAsync"),
            ("InvoiceRepository.ReadOpenItemsAsync|METHOD", 85, 85, "QueryAsync"),
            ("InvoiceRepository.StreamOverdueAsync|METHOD", 96, 102, "QueryUnbufferedAsync"),
            ("OrderRepository.DetailView|FIELD", 12, 12, "DetailView"),
            ("OrderRepository.PlaceAsync|METHOD", 23, 23, ""),
            ("OrderRepository.PlaceAsync|METHOD", 31, 31, "TypeName"),
            ("OrderRepository.ReadPickingListAsync|METHOD", 47, 47, "QueryAsync"),
            ("PaymentRepository.ImportAsync|METHOD", 26, 26, "AsTableValuedParameter"),
            ("PaymentRepository.ImportAsync|METHOD", 25, 25, "QuerySingleAsync"),
            ("PaymentRepository.RematchAsync|METHOD", 33, 33, "ExecuteAsync"),
            ("PaymentRepository.RematchAsync|METHOD", 35, 35, "ExecuteScalarAsync"),
            ("PriceRepository.CurrentPriceAsync|METHOD", 14, 14, "ExecuteScalarAsync"),
            ("PriceRepository.CloseListAsync|METHOD", 23, 25, "ExecuteAsync"),
            ("RepositoryBase.ReadByIdAsync|METHOD", 24, 24, ""),
            ("RepositoryBase.ExistsAsync|METHOD", 33, 33, "ExecuteScalarAsync"),
        ]
    )


def test_the_interpolated_procedure_name_keeps_what_it_is_made_of(facts: dict[str, FileFacts]) -> None:
    found = facts[f"{REPOSITORIES}/RepositoryBase.cs"]

    values = {member.name: member.value for member in found.members}
    assert found.strings[0].value == Joined(
        (Text("["), Name("Schema"), Text("].["), Name("Table"), Text("_ReadById]"))
    )
    assert values["Schema"] == Typed("string", "schema")
    assert values["Table"] == Choice(
        (Typed("string?", "table"), Member(TypeOf("T"), "Name")), is_fallback=True
    )
    assert found.types[0].parameters[1].default == Member(Name("DatabaseSchema"), "Default")


def test_a_repository_hands_its_names_to_the_base(facts: dict[str, FileFacts]) -> None:
    found = facts[f"{REPOSITORIES}/InvoiceRepository.cs"].types[0]

    assert found.bases == ("RepositoryBase<Invoice>", "IInvoiceRepository")
    assert found.base_arguments == (
        Argument(Typed("ISqlConnectionFactory", "connections")),
        Argument(Text("dbo")),
        Argument(Text("Invoice")),
    )


def test_a_procedure_named_by_a_constant_is_told_with_its_command(facts: dict[str, FileFacts]) -> None:
    found = facts[f"{REPOSITORIES}/DunningRepository.cs"].strings[0]

    assert found.value == Member(Name("ProcedureNames"), "DunningRun")
    assert found.call is not None
    assert found.call.function == New("CommandDefinition")
    assert Argument(Member(Name("CommandType"), "StoredProcedure"), "commandType") in found.call.arguments


def test_queries_of_the_context_are_calls_on_its_sets(facts: dict[str, FileFacts]) -> None:
    found = facts["src/Shop.Data/Catalog/CatalogService.cs"]

    sets = Member(Typed("ShopDbContext", "db"), "PriceListItems")
    add = Call(Member(sets, "Add"), (Argument(New("PriceListItem")),))
    source = "csharp:Shop.Data.Catalog.CatalogService.SetCustomerPriceAsync|METHOD"
    assert CallFact(source, add, 52) in found.calls


def test_a_file_in_another_encoding_has_its_facts(facts: dict[str, FileFacts]) -> None:
    found = facts["src/Shop.Data/Legacy/LegacyImport.cs"]

    names = [member.name for member in found.members if member.kind == "FIELD"]
    assert "KürzelLänge" in names
