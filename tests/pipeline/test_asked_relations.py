"""A question says which relations it is about, and which way it asks for them."""

from __future__ import annotations

import pytest

from ragduck.pipeline.question.asked_relations import asked_relations

NAME = "Order.Place"


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("which procedures write dbo.A", "WritesTo"),
        ("who updates dbo.A?", "WritesTo"),
        ("where is dbo.A saved", "WritesTo"),
        ("where are rows of dbo.A deleted?", "WritesTo"),
        ("what reads dbo.A", "ReadsFrom"),
        ("Which methods call Place?", "Calls"),
        ("which classes implement IStock", "Implements"),
        ("where is IStock implemented", "Implements"),
        ("where is Letter.Stamp used", "Uses"),
    ],
)
def test_a_question_says_which_relation_it_is_about(question: str, relation: str) -> None:
    assert relation in asked_relations(question).relations


def test_how_something_is_implemented_asks_for_no_relation() -> None:
    assert asked_relations("How are invoices implemented?").relations == frozenset()


def test_stored_procedures_are_not_stored() -> None:
    assert "WritesTo" not in asked_relations("which stored procedures read dbo.A").relations


def test_a_name_asks_for_no_relation() -> None:
    asked = asked_relations("who calls Letter.Read", ["Letter.Read"])

    assert asked.relations == {"Calls", "Executes"}


@pytest.mark.parametrize(
    "question",
    [
        "who calls Order.Place",
        "which methods call Order.Place?",
        "where is Order.Place called from",
        "is Order.Place used anywhere",
        "can Order.Place be called twice",
        "callers of Order.Place",
        "Order.Place usages",
        "which code writes to Order.Place",
        "where is Order.Place read",
        "what implements Order.Place",
        "which classes are derived from Order.Place",
        "where is Order.Place injected",
        "where is Order.Place saved",
        "where is Order.Place inserted",
        "what is stored in Order.Place",
        "Wer ruft Order.Place auf?",
        "Wo wird Order.Place verwendet?",
        "Welcher Code schreibt in die Tabelle Order.Place?",
        "kto wywołuje Order.Place",
        "gdzie jest używany Order.Place",
    ],
)
def test_who_does_something_to_a_thing_asks_against_the_edges(question: str) -> None:
    assert asked_relations(question, [NAME]).direction == "in"


@pytest.mark.parametrize(
    "question",
    [
        "what does Order.Place call",
        "which tables does Order.Place read",
        "what is called by Order.Place",
        "list the calls from Order.Place",
        "all that Order.Place calls",
        "which tables are written by Order.Place",
        "which rows are deleted by Order.Place",
        "what is injected into Order.Place",
        "which interfaces does Order.Place implement",
        "Welche Methoden werden von Order.Place aufgerufen?",
        "co jest wywoływane przez Order.Place",
    ],
)
def test_what_a_thing_does_asks_along_the_edges(question: str) -> None:
    assert asked_relations(question, [NAME]).direction == "out"


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("who calls the checkout", []),
        ("where does Cart.Pay call Order.Place", ["Cart.Pay", "Order.Place"]),
        ("who calls it", [NAME]),
        ("Welche Tabellen liest Order.Place?", [NAME]),
        ("jakie tabele czyta Order.Place", [NAME]),
    ],
)
def test_without_one_name_both_ways_are_asked_for(question: str, names: list[str]) -> None:
    assert asked_relations(question, names).direction == "both"
