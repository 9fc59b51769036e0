"""A line copied from the code, a quoted phrase and a qualified name find where they stand."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.library import Store
from ragduck.resources import sql_text
from ragduck.search.explain import explain
from ragduck.search.filters import Clause
from ragduck.search.quoted import Quoted, chunks_with_phrases, phrases_of

LINES = (
    (
        "AddCustomerForeignKeys.sql",
        "Run once after the first deployment. Customer and CustomerContact reference each",
    ),
    (
        "fn_CurrentPrice.sql",
        "The customer's own price, else the list price of the day, else the price of the product.",
    ),
    ("Customer_Merge.sql", "Folds a customer who was entered twice into the other one."),
    ("Dunning_Run.sql", "Reminds customers of invoices that are late: 7, 21 and 35 days after the due date."),
    ("Invoice_Cancel.sql", "What was paid already is open again and waits for a new match."),
    ("Payment_Match.sql", "The number has to stand in the reference as it is printed: RE-2024-001234."),
    (
        "LegacyCustomerMap.sql",
        "Left from the move off the AS/400 in 2019. Kept because the auditors asked for it once.",
    ),
    ("PaymentMatcher.cs", "Two invoices that fit equally well are a question for a human being."),
    ("fn_LineAmount.sql", "Rounded per line, not per invoice: that is how Invoice.Totals.cs does it, too."),
    ("CustomerRepository.cs", "SELECT CustomerId FROM dbo.Customer WHERE CustomerNumber = @customerNumber"),
)


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


def files(store: Store, question: str, **settings: Any) -> list[str]:
    return [result["source_file"] for result in store.search(question, **settings).results]


@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
@pytest.mark.parametrize(("file", "line"), LINES, ids=[file for file, _ in LINES])
def test_a_copied_line_finds_its_file_first(store: Store, file: str, line: str, mode: Any) -> None:
    assert files(store, line, mode=mode)[0].endswith(file)


def test_without_coverage_most_of_the_lines_are_not_first(store: Store) -> None:
    first = [files(store, line, ranking={"coverage": 0.0})[0].endswith(file) for file, line in LINES]

    assert sum(first) < len(first) / 2


def parts(store: Store, question: str, **settings: Any) -> list[float]:
    return [result["score_parts"]["coverage"] for result in store.search(question, **settings).results]


def test_coverage_is_what_is_left_of_the_place_by_keyword(store: Store) -> None:
    answer = store.search(LINES[3][1], mode="bm25", top_k=3)

    best = answer.results[0]
    assert best["bm25_rank"] == 1
    assert best["score_parts"]["coverage"] == 2.0
    told = {part.side: part.formula for part in explain(best, answer.request).parts}
    assert told["coverage"] == "has nearly all terms of the question, or what it quotes or points at"


@pytest.mark.parametrize(
    "question",
    [
        "InvoiceService",
        "dbo.Invoice",
        "invoice",
        "invoice order",
        "who cancels invoices of unknown suppliers",
    ],
)
def test_names_few_words_and_other_words_have_no_coverage(store: Store, question: str) -> None:
    assert set(parts(store, question, top_k=100)) == {0.0}


def test_more_terms_count_more(store: Store) -> None:
    counted = [
        max(parts(store, text)) for text in ("payment matched invoice", "payment matched invoice null")
    ]

    assert 0 < counted[0] < counted[1] < 2.0


@pytest.mark.parametrize(
    ("settings", "most"),
    [({}, 2.0), ({"coverage": 0.0}, 0.0), ({"min_coverage": 1.1}, 0.0), ({"coverage_terms": 1000.0}, 0.02)],
    ids=str,
)
def test_parameters_of_coverage(store: Store, settings: Mapping[str, float], most: float) -> None:
    assert max(parts(store, LINES[3][1], ranking=settings)) == pytest.approx(most, abs=0.01)


def test_coverage_counts_terms_with_other_weights_of_fields_too(store: Store) -> None:
    assert max(parts(store, LINES[3][1], mode="bm25", bm25={"k1": 0.9})) == 2.0


@pytest.mark.parametrize(
    ("question", "phrases"),
    [
        ("where is it", ()),
        ('where is "not found" thrown', ("not found",)),
        ('"one" and “two words” and "one"', ("one", "two words")),
        ('an inch is 1" long', ()),
        ('"" and " "', ()),
        ('"1" "2" "3" "4" "5" "6"', ("1", "2", "3", "4", "5")),
    ],
)
def test_phrases_stand_in_double_quotes(question: str, phrases: tuple[str, ...]) -> None:
    assert phrases_of(question) == phrases


QUOTING = 'where do customers pay an invoice of "the buyer decides"'
HOLDING = "database/Shop.Database/dbo/Stored Procedures/Stock_Reserve.sql"


@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
def test_what_holds_the_phrase_comes_before_all_that_does_not(store: Store, mode: Any) -> None:
    assert files(store, QUOTING, mode=mode)[0] == HOLDING
    assert files(store, QUOTING.replace('"', ""), mode=mode)[0] != HOLDING
    assert files(store, QUOTING, mode=mode, ranking={"quoted": 0.0})[0] != HOLDING


def test_what_holds_the_phrase_is_found_beyond_the_best_hits(store: Store) -> None:
    assert files(store, QUOTING, fts_top_k=3, vector_top_k=3)[0] == HOLDING


def test_what_holds_the_phrase_has_to_pass_the_filters(store: Store) -> None:
    found = store.search(QUOTING, filters={"data_type": "regular_code"}).results

    assert found
    assert {result["score_parts"]["coverage"] for result in found} == {0.0}


def test_a_phrase_is_literal_but_for_the_case_of_letters(store: Store) -> None:
    def found(phrase: str) -> list[int]:
        return chunks_with_phrases(store._rows, f'where is "{phrase}"', clause=Clause()).chunks

    assert len(found("the buyer decides")) == 1
    assert found("The Buyer DECIDES") == found("the buyer decides")
    assert found("buyer the decides") == []
    assert found("buyer, decides") == []
    assert found("no such words anywhere") == []
    assert found("=>") == []


def cut_anywhere(texts: Sequence[str], count: int) -> Iterator[str]:
    """Yield pieces of texts, which begin and end within words as well, in letters of either case."""
    chance = random.Random(0)
    for text in chance.choices(texts, k=count):
        first = chance.randrange(len(text))
        piece = text[first : first + chance.randint(1, 40)].replace('"', "").strip()
        yield chance.choice([piece, piece.upper(), piece.lower()])


def test_chunks_with_a_phrase_are_those_that_have_its_words_and_hold_it(store: Store) -> None:
    texts = [row["text"] for row in store.sql("select text from documents order by chunk_no")]
    words = "select fold(word) as term from (select unnest(words($phrase)) as word) where term <> ''"
    having = f"""
        select chunk_no from documents where contains(lower(text), lower($phrase)) and not exists (
            from ({words}) where term_key(term) not in (
                select term_key from fts_postings where fts_postings.chunk_no = documents.chunk_no
            )
        ) and exists (from ({words})) order by chunk_no
    """
    looked_for = list(filter(None, cut_anywhere(texts, 150)))
    expected = [[row["chunk_no"] for row in store.sql(having, {"phrase": each})] for each in looked_for]

    found = [chunks_with_phrases(store._rows, f'"{each}"', clause=Clause()).chunks for each in looked_for]

    assert found == expected
    assert 10 < sum(map(bool, found)) < len(found) - 10


def test_texts_are_read_of_chunks_alone_that_have_all_words_of_a_phrase(store: Store) -> None:
    """A condition that DuckDB can ask while it scans a table is asked of each row, however few are wanted."""
    sql = f"explain (format json) {sql_text('search/quoted_chunks.sql')}"

    plan = json.loads(store.sql(sql, {"phrase": "the buyer decides", "most": 10})[0]["explain_value"])

    scans = [step for step in steps_of(plan) if step["extra_info"].get("Table", "").endswith("documents")]
    assert len(scans) == 1
    assert "contains" not in str(scans[0]["extra_info"])


def steps_of(plan: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for step in plan:
        yield step
        yield from steps_of(step["children"])


def test_of_two_phrases_that_with_both_counts(store: Store) -> None:
    def found(question: str) -> list[int]:
        return chunks_with_phrases(store._rows, question, clause=Clause()).chunks

    both = found('"the buyer decides" "below zero"')

    assert both == found('"the buyer decides"')
    assert found('"the buyer decides" "no such words"') == both


def test_what_holds_most_phrases_counts_only_where_the_filters_leave_it(store: Store) -> None:
    question = 'who knows "the buyer decides" and "OrderId"'

    found = store.search(question, filters={"data_type": "regular_code"}).results

    assert "orderid" in found[0]["text"].lower()
    assert found[0]["score_parts"]["coverage"] > 0


def test_a_phrase_that_is_common_elsewhere_is_found_within_the_filters(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragduck.search.quoted.MOST_CHUNKS", 1)

    found = store.search('who knows "invoice"', filters={"data_type": "docs"}).results

    assert "invoice" in found[0]["text"].lower()
    assert found[0]["score_parts"]["coverage"] > 0


def test_phrases_are_looked_for_anew_when_a_filter_is_given_up(store: Store) -> None:
    answer = store.search(QUOTING, filters={"name": "nothing"}, relax=["name"])

    assert answer.status.relaxed == ("name",)
    assert answer.results[0]["source_file"] == HOLDING


def test_a_phrase_that_nothing_holds_changes_nothing(store: Store) -> None:
    quoted, bare = 'orders "invoices of nobody"', "orders invoices of nobody"

    assert store.search(quoted, mode="bm25").results == store.search(bare, mode="bm25").results


NOT_HELD = 'no chunk holds "{}" as it is written, in whole words'


@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ('"invoices of nobody"', ["invoices of nobody"]),
        ('"the buyer decides" or "invoices of nobody" and “buyer the”', ["invoices of nobody", "buyer the"]),
        ('"the buyer decides"', []),
        ('where is "=>" written', []),
        ("invoices of nobody", []),
    ],
)
def test_a_phrase_that_nothing_holds_is_told(
    store: Store, question: str, missing: Sequence[str], mode: Any
) -> None:
    notes = store.search(question, mode=mode).status.notes

    assert list(notes) == [NOT_HELD.format(phrase) for phrase in missing]


def test_a_phrase_that_nothing_of_the_filters_holds_is_told() -> None:
    told = Quoted([], ("x" * 100,)).notes(where=" that the filters leave")

    assert told == (f'no chunk that the filters leave holds "{"x" * 80}…" as it is written, in whole words',)


def test_filters_that_leave_no_chunk_holding_a_phrase_are_told(store: Store) -> None:
    elsewhere = store.search(QUOTING, filters={"data_type": "regular_code"})
    nowhere = store.search(QUOTING, filters={"name": "nothing"})

    assert [note.partition(" holds")[0] for note in elsewhere.status.notes] == [
        "no chunk that the filters leave"
    ]
    assert nowhere.status.notes == ()


@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
@pytest.mark.parametrize(
    ("question", "element"), [("sales.Customer", "Customer"), ("sales.Invoice", "Invoice")]
)
def test_what_a_qualified_name_names_is_a_hit_whatever_is_better(
    store: Store, question: str, element: str, mode: Any
) -> None:
    """Tables of this schema do not exist, as where only a mapping knows them."""
    best = store.search(question, mode=mode, fts_top_k=5, vector_top_k=5).results[0]

    assert best["name"] == element
    assert best["score_parts"]["definition"] > 0
