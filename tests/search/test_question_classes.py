"""Questions are names, names among words, or plain words; stop words count only when there is nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.search import SearchRequest
from ragduck.search.ranking import StoredRanking
from ragduck.store import Database, open_database


@pytest.fixture(scope="module")
def database(shop_store: Path) -> Iterator[Database]:
    with open_database(shop_store) as opened:
        yield opened


def class_of(database: Database, question: str) -> str:
    rows = database.rows("select question_class($question) as class", {"question": question})
    return str(rows[0]["class"])


def terms_of(database: Database, question: str) -> set[str]:
    return set(database.rows("from question_terms($question)", {"question": question})[0]["terms"])


def wholes_of(database: Database, question: str) -> list[str]:
    wholes: list[str] = database.rows("from question_terms($question)", {"question": question})[0]["wholes"]
    return wholes


@pytest.mark.parametrize(
    "question",
    [
        "invoice",
        "InvoiceService",
        "dbo.Invoice",
        "fn_LineAmount",
        "Größe",
        "注文を作成",
        "  order  ",
        "a.b.C::d()",
    ],
)
def test_one_word_or_name_is_a_symbol(database: Database, question: str) -> None:
    assert class_of(database, question) == "symbol"


@pytest.mark.parametrize(
    "question",
    [
        "who calls PlaceOrder",
        "where is placeOrder used",
        "HTTPClient settings",
        "rows of dbo.Invoice",
        "what does fn_line_amount return",
        "what reads order_line",
        "sha256 of a file",
        "jak działa ZamówienieImporter",
        "wofür ist Währung_Kurs da",
    ],
)
def test_names_among_words_are_mixed(database: Database, question: str) -> None:
    assert class_of(database, question) == "mixed"


@pytest.mark.parametrize(
    "question",
    [
        "where are invoices created",
        "Where Are Invoices Created",
        "an example e.g. foo",
        "e.g. foo",
        "that is, i.e. a bar",
        "the SQL server",
        "one sentence. Another sentence.",
        "top 10 customers",
        "foo - bar",
        "jak powstaje faktura",
        "Wie groß ist die Größe?",
        "注文 を 作成",
    ],
)
def test_words_without_a_name_are_plain(database: Database, question: str) -> None:
    assert class_of(database, question) == "plain"


def test_every_question_has_a_class(database: Database) -> None:
    @settings(deadline=None, max_examples=100)
    @given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
    def check(question: str) -> None:
        assert class_of(database, question) in ("symbol", "mixed", "plain")

    check()


def test_side_weights_follow_the_class(database: Database) -> None:
    shares = {
        question: database.rows("select vector_share, definition_weight from question($question)", {
            "question": question,
        })[0]
        for question in ("PlaceOrder", "who calls PlaceOrder", "who places orders")
    }  # fmt: skip

    weights = database.rows("select ranking() as weights")[0]["weights"]
    assert [row["vector_share"] for row in shares.values()] == [
        weights[f"{kind}_vector_weight"] for kind in ("symbol", "mixed", "plain")
    ]
    assert [row["definition_weight"] for row in shares.values()] == [
        weights["definition"], weights["mixed_definition"], 0,
    ]  # fmt: skip


@pytest.mark.parametrize(("side", "share"), [("bm25", 0), ("vector", 1)])
def test_a_side_alone_has_all_the_weight(database: Database, side: str, share: int) -> None:
    row = database.rows(
        "select vector_share, evidence_share from question('who calls PlaceOrder', side := $side)",
        {"side": side},
    )[0]

    assert (row["vector_share"], row["evidence_share"]) == (share, share)


def test_stop_words_are_dropped(database: Database) -> None:
    assert terms_of(database, "Where IS the order that they should have?") == {"order"}


@pytest.mark.parametrize(
    "question",
    [
        "what happens when an order is placed", "which order may he have placed himself",
        "must her order be placed, or might they", "please, where is an order placed",
    ],
)  # fmt: skip
def test_pronouns_and_words_of_asking_are_stop_words(database: Database, question: str) -> None:
    assert terms_of(database, question) == {"order", "placed"}


def test_stop_words_count_when_there_is_nothing_else(database: Database) -> None:
    assert terms_of(database, "where is it") == {"where", "is", "it"}


def test_stop_words_inside_names_are_dropped_but_not_the_names(database: Database) -> None:
    assert terms_of(database, "ReadById") == {"readbyid", "read", "id"}


def test_words_of_other_languages_are_no_stop_words(database: Database) -> None:
    assert terms_of(database, "Wie wird die Größe an is") == {"wie", "wird", "die", "große"}


def test_a_part_of_a_stop_word_is_none(database: Database) -> None:
    assert terms_of(database, "wher sho ould") == {"wher", "sho", "ould"}


def test_wholes_keep_names_whole(database: Database) -> None:
    assert wholes_of(database, "who calls dbo.Order_Place and PlaceOrder") == [
        "calls", "dbo", "order_place", "placeorder",
    ]  # fmt: skip


def test_a_question_without_words_has_no_terms(database: Database) -> None:
    assert database.rows("from question_terms(' ?! ')") == [{"wholes": [], "terms": [], "parts": []}]


def test_stop_words_do_not_change_what_is_found(database: Database) -> None:
    found = [
        database.rows(
            "select chunk_no, score from bm25_scores($question) order by chunk_no", {"question": each}
        )
        for each in ("invoice order", "where is the invoice of this order")
    ]

    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("service", "services"),
        ("serializer", "serialization"),
        ("import", "importing"),
        ("import", "importer"),
        ("migration", "migrations"),
        ("test", "tests"),
        ("test", "testing"),
        ("entity", "entities"),
        ("generate", "generated"),
    ],
)
def test_words_that_differ_in_their_ending_have_one_stem(database: Database, one: str, other: str) -> None:
    row = database.rows("select stem($one) = stem($other) as same", {"one": one, "other": other})[0]

    assert row["same"]


@pytest.mark.parametrize("word", ["is", "bus", "key", "use", "sql", "größe1", "漢字", ""])
def test_a_stem_keeps_three_letters(database: Database, word: str) -> None:
    assert database.rows("select stem($word) as stem", {"word": word}) == [{"stem": word}]


def test_weights_of_a_setting_are_read_once(database: Database) -> None:
    statements: list[str] = []

    def rows(sql: str, parameters: dict[str, object]) -> list[dict[str, Any]]:
        statements.append(sql)
        return database.rows(sql, parameters)

    stored = StoredRanking()
    usual, changed = SearchRequest("orders"), SearchRequest("orders", ranking={"same_file": 1})

    of = [stored.weights(rows, request, "hybrid") for request in (usual, changed, usual, changed)]
    assert of[0] is of[2]
    assert of[1] is of[3]
    assert (of[0]["plain"]["same_file"], of[1]["plain"]["same_file"]) == (0.4, 1.0)
    assert len(statements) == 2


@pytest.mark.parametrize("side", ["both", "bm25", "vector"])
@pytest.mark.parametrize("question", ["PlaceOrder", "who calls PlaceOrder", "who places orders"])
def test_a_question_is_its_keys_and_the_weights_of_its_class(
    database: Database, question: str, side: str
) -> None:
    asked = {"question": question}

    whole = database.rows(f"from question($question, side := '{side}')", asked)
    keys = database.rows("from question_keys($question)", asked)[0]
    weights = {row["class"]: row for row in database.rows(f"from question_weights(side := '{side}')")}
    assert whole == [keys | weights[keys["class"]]]
