"""Seed 001, phases B and C: understanding a question by rules, and checking what a model says of it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.pipeline.question.understanding import (
    DOMAINS,
    TYPES,
    concepts_of,
    domain_of,
    type_of,
    understood_by_model,
    understood_by_rules,
)
from ragduck.pipeline.question.words import forms_of, is_identifier, plural, singular, stem, values_in
from ragduck.pipeline.state import Understanding

RULES = Understanding("generic", "mixed", ("invoice",), ("invoices",))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How are invoices implemented in the system?", "how_implemented"),
        ("Where is the credit limit checked?", "where_is"),
        ("What breaks if we change dbo.Invoice?", "impact"),
        ("What happens if I rename dbo.Invoice?", "impact"),
        ("What happens when the column Status is dropped?", "impact"),
        ("What happens when an order is placed?", "how_implemented"),
        ("What happens in PlaceOrder?", "how_implemented"),
        ("Who calls InvoiceService.CancelAsync?", "usage"),
        ("Who writes to the table dbo.OrderItem?", "usage"),
        ("Which code writes the table Order?", "usage"),
        ("What reads dbo.Invoice?", "usage"),
        ("Why does Payment_Match fail?", "bug"),
        ("What is the difference between orders and invoices?", "compare"),
        ("List all triggers", "list"),
        ("invoice numbers", "generic"),
        ("Where are errors logged?", "where_is"),
        ("Who can delete a bug?", "generic"),
        ("What happens when a bug is deleted?", "how_implemented"),
        ("How do I add a new column to the bug list?", "how_implemented"),
        ("List the exceptions", "list"),
        ("Why does the list of orders crash?", "bug"),
        ("Why is there an error in the list of orders?", "bug"),
        ("I get an exception when I save an order", "bug"),
        ("Why is the invoice not printed?", "bug"),
    ],
)
def test_seed_001_b1_the_type_comes_from_the_words_of_the_question(question: str, expected: str) -> None:
    assert type_of(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which columns does the invoice table have?", "db"),
        ("Which foreign key leads to the customer?", "db"),
        ("Who writes dbo.Invoice?", "db"),
        ("Which controller creates invoices?", "code"),
        ("Which service and which table keep invoices?", "mixed"),
        ("How are invoices implemented in the system?", "mixed"),
    ],
)
def test_seed_001_b2_the_domain_comes_from_the_side_that_is_named(question: str, expected: str) -> None:
    assert domain_of(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How are invoices implemented in the system?", ("invoice",)),
        ("Where is the tax computed?", ("tax",)),
        ("What does InvoiceService.CancelAsync do?", ("InvoiceService.CancelAsync",)),
        ("Who writes dbo.Invoice?", ("dbo.Invoice",)),
        ("How are bank transactions matched?", ("bank", "transaction", "matched")),
        ('What does "open amount" mean?', ("open amount",)),
        ("Which code writes the table Order?", ("Order|TABLE",)),
        ("Who writes the Order table?", ("Order|TABLE",)),
        ("What does the procedure Archive do?", ("Archive|PROC",)),
        ("Who writes the table dbo.Invoice?", ("dbo.Invoice",)),
        ("Who writes the table OrderItem?", ("OrderItem|TABLE",)),
        ("Which table stores invoices?", ("invoice",)),
        ("Which Stored procedure reads the Database table?", ("stored", "procedure", "database", "table")),
        ("What is a controller?", ("controller",)),
        ("Who executes dbo.Invoice_Create?", ("dbo.Invoice_Create",)),
        ("Wer ruft IOrderService.Create auf?", ("IOrderService.Create",)),
        ("Welcher Code schreibt in die Tabelle dbo.Invoice?", ("dbo.Invoice",)),
        ("What happens when a user logs in?", ("user", "login")),
        ("Where do users sign up?", ("user", "signup")),
        ("Is a customer logged in with a password?", ("customer", "login", "password")),
        ("Which page logs users off, logging out or log-off?", ("log", "user", "logout", "logoff")),
        ("Which events are logged in the database?", ("event", "logged")),
        ("Who is logged in dbo.EventLog?", ("dbo.EventLog", "logged")),
        ('Where is "not logged in" shown?', ("not logged in", "shown")),
        ("Where are errors logged?", ("error", "logged")),
        ("How is the error of an invoice shown?", ("invoice", "shown")),
        ("How are series and news imported?", ("series", "news", "imported")),
        ("kto wywołuje IOrderService.Create", ("IOrderService.Create",)),
        ("który kod zapisuje do tabeli dbo.Invoice", ("dbo.Invoice",)),
    ],
)
def test_seed_001_b3_concepts_are_identifiers_and_telling_words(
    question: str, expected: tuple[str, ...]
) -> None:
    assert concepts_of(question) == expected


def test_a_bug_is_a_concept_where_the_store_has_a_table_of_that_name() -> None:
    question = "How do I add a new column to the bug list?"

    assert "bug" in understood_by_rules(question, things=["bug"]).concepts
    assert "bug" not in understood_by_rules(question).concepts


def test_what_goes_wrong_is_no_concept_of_a_question_about_what_goes_wrong() -> None:
    understood = understood_by_rules("Why do I get an error in the invoice?", things=["error"])

    assert understood.concepts == ("invoice",)


def test_seed_001_b3_synonyms_hold_the_other_number_of_a_concept() -> None:
    assert understood_by_rules("How are invoices implemented?").synonyms == ("invoices",)


def test_seed_001_c_by_rules_the_repository_is_always_needed() -> None:
    assert understood_by_rules("What is an invoice in accounting?").needs_repository


def test_seed_001_c_only_a_model_says_that_the_repository_is_not_needed() -> None:
    understood, wrong = understood_by_model({"needs_repository": False}, RULES)

    assert not understood.needs_repository
    assert "needs_repository" not in wrong


def test_what_a_model_says_is_taken() -> None:
    reply = {"type": "impact", "domain": "db", "concepts": ["order"], "synonyms": "purchase, sale"}

    understood, wrong = understood_by_model(reply, RULES)

    assert understood == Understanding("impact", "db", ("order",), ("purchase", "sale"))
    assert wrong == ()


@pytest.mark.parametrize(
    ("field", "value"),
    [("type", "poem"), ("type", 7), ("domain", None), ("concepts", []), ("concepts", {}), ("synonyms", 3)],
)
def test_where_a_model_talks_nonsense_the_rules_stand(field: str, value: object) -> None:
    reply = {"type": "impact", "domain": "db", "concepts": ["order"], "synonyms": [], field: value}

    understood, wrong = understood_by_model(reply, RULES)

    assert wrong == (field,)
    assert getattr(understood, field) == getattr(RULES, field)


def test_concepts_of_a_model_are_few_and_short() -> None:
    reply = {"concepts": ["x" * 500, *(f"concept {number}" for number in range(50))]}

    understood, _ = understood_by_model(reply, RULES)

    assert len(understood.concepts) == 8
    assert understood.concepts[0] == "concept 0"


@given(st.text(max_size=300))
def test_any_question_is_understood(question: str) -> None:
    understood = understood_by_rules(question)

    assert understood.type in TYPES
    assert understood.domain in DOMAINS
    assert len(understood.concepts) <= 8


@pytest.mark.parametrize("part", ["select ", "a.", "all ", "[", '"x', "\u0301a", "_A"])
def test_a_hostile_question_takes_no_time(part: str) -> None:
    start = time.process_time()

    understood_by_rules(part * 100_000)

    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("invoices", "invoice"),
        ("statuses", "status"),
        ("companies", "company"),
        ("taxes", "tax"),
        ("status", "status"),
        ("series", "series"),
        ("species", "species"),
        ("news", "news"),
    ],
)
def test_singulars(word: str, expected: str) -> None:
    assert singular(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"), [("tax", "taxes"), ("company", "companies"), ("order", "orders")]
)
def test_plurals(word: str, expected: str) -> None:
    assert plural(word) == expected


def test_forms_of_one_word_have_one_stem() -> None:
    assert stem("invoices") == stem("invoice") == stem("invoicing")
    assert {"match", "matched", "matching", "matcher"} <= set(forms_of("matches"))


@pytest.mark.parametrize(
    "word",
    [
        "PlaceOrder",
        "place_order",
        "dbo.Order",
        "@amount",
        "fn_LineAmount",
        "Order|TABLE",
        "IClock",
        "IOrders",
    ],
)
def test_identifiers_are_recognised_by_how_they_are_written(word: str) -> None:
    assert is_identifier(word)


@pytest.mark.parametrize("word", ["order", "Order", "SQL", "I", "In", "IDs", "IPs", "Item"])
def test_plain_words_are_no_identifiers(word: str) -> None:
    assert not is_identifier(word)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            "Checkout 3f2504e0-4f89-11d3-9a0c-0305e82c3301 not found",
            [("3f2504e0", "4f89", "11d3", "9a0c", "0305e82c3301")],
        ),
        ("order ORD20931 of 12kg at 7ffe0a3b", [("ORD20931",), ("12kg",), ("7ffe0a3b",)]),
        ("2fa with sha256 and base64, a facade of log4net, order_1234", []),
    ],
)
def test_values_of_a_run_are_told_by_how_they_look(text: str, values: list[tuple[str, ...]]) -> None:
    assert values_in(text) == values


def test_values_of_a_run_are_no_concepts() -> None:
    assert concepts_of("Checkout 7ffe0a3b is lost", values=["7ffe0a3b"]) == ("checkout", "lost")


def test_a_question_that_is_but_a_value_is_about_it() -> None:
    assert concepts_of("7ffe0a3b", values=["7ffe0a3b"]) == ("7ffe0a3b",)
