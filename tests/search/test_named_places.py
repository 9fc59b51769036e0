"""A line of a file that a question names, as in a stack trace, finds the chunk that holds it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.library import Store
from ragduck.search.explain import explain
from ragduck.search.filters import Clause
from ragduck.search.places import MOST_LOOKED_FOR, Place, chunks_at_places, places_of

SERVICE = "src/Shop.Core/Services/InvoiceService.cs"
TESTS = "tests/Shop.Tests/InvoiceServiceTests.cs"
LINE = 80


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


def places(store: Store, question: str) -> list[tuple[str, int, int]]:
    sql = """
        select source_file, start_line, end_line from documents
        where chunk_no in (select unnest($chunks)) order by all
    """
    chunks = chunks_at_places(store._rows, question, clause=Clause())
    return [tuple(row.values()) for row in store.sql(sql, {"chunks": chunks})]


@pytest.mark.parametrize(
    "question",
    [
        "src/a/X.cs:303",
        "what is at src/a/X.cs:303?",
        "src/a/X.cs:303:13",
        "src/a/X.cs:303-310",
        "src/a/X.cs#L303",
        "src/a/X.cs:line 303",
        "src/a/X.cs:Zeile 303",
        "src/a/X.cs:řádek 303",
        "the error in src/a/X.cs line 303.",
        "src/a/X.cs, line 303",
        "src/a/X.cs at line 303",
        'File "src/a/X.cs", line 303, in main',
        "src/a/X.cs(303,13): error CS1061: 'Order' does not contain",
        "src/a/X.cs(303)",
        "src/a/X.cs(303,13,303,20): warning",
        r"   at X.Y.Z(Int32 id) in C:\src\a\X.cs:line 303",
        "(src/a/X.cs:303)",
    ],
)
def test_lines_of_files_as_people_and_programs_write_them(question: str) -> None:
    found = places_of(question)

    assert [(place.name, place.folders[:2], place.line) for place in found] == [("x.cs", ("a", "src"), 303)]


@pytest.mark.parametrize(
    "question",
    [
        "where are invoices created",
        "Invoice.Totals",
        "Shop.Core.Invoice or 2.0",
        'where does "InvoiceService.cs" stand',
        "dbo.Invoice",
        "localhost:8080",
        "at 12:30",
        "version 1.2.3:4",
        "Shop.Core (2024)",
        "X.3s:303",
        "that is how Invoice.Totals.cs does it, as one line of many words says",
        "ratio 3.5:1",
        "",
    ],
)
def test_other_questions_name_no_line(question: str) -> None:
    assert places_of(question) == ()


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("RoleManager.aspx.designer.cs", ["rolemanager.aspx.designer.cs"]),
        ("2.6.1.1.config", ["2.6.1.1.config"]),
        ("what is jquery.calendars.picker-ms.js for?", ["jquery.calendars.picker-ms.js"]),
        ("Open src\\a\\X.CS.", ["x.cs"]),
        ("X.cs and X.cs:7", ["x.cs", "x.cs"]),
        ("01 - Create tables (all).sql", ["01 - create tables (all).sql"]),
    ],
)
def test_names_of_files_with_their_ending_stand_for_their_first_line(
    question: str, names: Sequence[str]
) -> None:
    found = places_of(question)

    assert [place.name for place in found] == names
    assert found[-1].line == 1


def test_long_questions_are_read_in_no_time_and_not_to_their_end() -> None:
    assert places_of("a." * 200_000 + "b" * 200_000 + ":1" * 100_000 + ";") != ()
    assert (
        len(places_of("\n".join(f"at Y.Z() in X{line}.cs:line {line}" for line in range(5_000))))
        == MOST_LOOKED_FOR
    )
    assert places_of("X.cs:1 and x.cs:1") == (Place("x.cs", (), 1),)


@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
@pytest.mark.parametrize(
    "form",
    [
        "{path}:{line}",
        "{name}:line {line}",
        "{name} line {line}",
        "   at X.Y.Z() in C:\\build\\{windows}:line {line}",
        "{name}({line},13): error CS1061",
    ],
)
def test_the_chunk_that_holds_the_line_comes_first(store: Store, form: str, mode: Any) -> None:
    windows = SERVICE.replace("/", "\\").upper()
    question = form.format(path=SERVICE, name="InvoiceService.cs", windows=windows, line=LINE)

    answer = store.search(question, mode=mode, top_k=3)

    best = answer.results[0]
    assert best["source_file"] == SERVICE
    assert best["start_line"] <= LINE <= best["end_line"]
    told = {part.side: part.formula for part in explain(best, answer.request).parts}
    assert told["coverage"] == "has nearly all terms of the question, or what it quotes or points at"


@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
@pytest.mark.parametrize(
    "question",
    ["InvoiceService.cs", "who uses invoiceservice.cs", SERVICE, "20240422143015_AddDunning.Designer.cs"],
)
def test_the_first_chunk_of_a_named_file_comes_first(store: Store, question: str, mode: Any) -> None:
    best = store.search(question, mode=mode, top_k=3).results[0]

    assert best["source_file"].lower().endswith(question.split()[-1].lower())
    first = "select min(start_line) as line from documents where source_file = $path"
    assert store.sql(first, {"path": best["source_file"]})[0]["line"] == best["start_line"]


def test_each_file_of_a_name_comes_first(store: Store) -> None:
    found = store.search("Details.cshtml", top_k=2).results

    assert len({hit["source_file"] for hit in found}) == 2
    assert all(hit["source_file"].endswith("/Details.cshtml") for hit in found)


def test_each_line_of_a_stack_trace_is_among_the_first(store: Store) -> None:
    lines = [(SERVICE, 30), (SERVICE, 55), (SERVICE, LINE), (TESTS, 40)]
    trace = "\n".join(f"   at A.B() in /_/{path}:line {line}" for path, line in lines)

    found = store.search(
        f"System.Exception: no\n   at System.X() in /_/Z.cs:line 3\n{trace}", top_k=4
    ).results

    held = {(hit["source_file"], hit["start_line"], hit["end_line"]) for hit in found}
    assert held == set(places(store, trace))
    assert len(held) == 4


def test_of_many_lines_the_first_in_known_files_count(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragduck.search.places.MOST_PLACES", 2)
    lines = (f"{SERVICE}:30", f"{SERVICE}:55", f"{SERVICE}:{LINE}")

    assert places(store, "\n".join(("Unknown.cs:1", *lines))) == places(store, "\n".join(lines[:2]))
    assert len(places(store, "\n".join(lines))) == 2


def test_a_line_between_chunks_finds_the_nearest(store: Store) -> None:
    ((path, first, last),) = places(store, f"{SERVICE}:999999999")

    rows = store.sql("select max(end_line) as last from documents where source_file = $path", {"path": path})
    assert first <= last == rows[0]["last"]


def test_folders_count_as_far_as_they_fit(store: Store) -> None:
    many = {path for path, _, _ in places(store, "Details.cshtml:1")}
    assert len(many) == 2
    for path in many:
        assert [found for found, _, _ in places(store, f"/elsewhere/{path}:1")] == [path]
    assert {path for path, _, _ in places(store, "Unknown/Details.cshtml:1")} == many
    assert places(store, "Nothing.cshtml:1") == []


def test_a_name_that_many_files_bear_counts_for_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragduck.search.places.MOST_FILES", 1)

    assert places(store, "Details.cshtml:1") == []


def test_a_line_has_to_pass_the_filters(store: Store) -> None:
    question = f"{SERVICE}:{LINE}"

    found = store.search(question, filters={"data_type": "docs"}).results

    assert found
    assert {result["score_parts"]["coverage"] for result in found} == {0.0}


def test_a_question_without_a_line_asks_the_store_nothing() -> None:
    def rows(sql: str, values: dict[str, object]) -> list[dict[str, Any]]:
        raise AssertionError(sql)

    assert chunks_at_places(rows, "where is dbo.Invoice written (Shop.Core)", clause=Clause()) == []
