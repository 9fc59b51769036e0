"""Seed 001, rule by rule: from the question over entry points and graph to an answer or an honest stop."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

Ask = Callable[..., Any]
NOWHERE = "How is the zeppelin hangar booked?"
ANSWER_STEPS = ["expand", "fetch_texts", "check_budget", "answer"]


def understood(**fields: Any) -> str:
    return json.dumps(
        {"type": "how_implemented", "domain": "mixed", "concepts": ["invoice"], "synonyms": [], **fields}
    )


def sides_of(asked: Any) -> set[str]:
    """Return on which sides of the system the entry points are."""
    sides = {hit["node_key"]: hit["data_type"] for hit in asked.state.hits}
    return {sides[key] for key in asked.state.entry_nodes}


def test_seed_001_1_an_english_question_is_taken_as_it_is(asked: Ask) -> None:
    run = asked("How are invoices implemented?")

    assert run.state.question_en == "How are invoices implemented?"
    assert run.told("translate_in") == []


def test_seed_001_1_a_question_in_another_language_is_translated_and_the_original_kept(asked: Ask) -> None:
    run = asked(
        "Jak działają faktury?",
        language="pl",
        translate_in="How do invoices work?",
        translate_out="Przez InvoiceService [2].",
    )

    assert run.state.question_en == "How do invoices work?"
    assert run.state.question == "Jak działają faktury?"


def test_seed_001_1_no_language_is_detected(asked: Ask) -> None:
    run = asked("Jak działają faktury?", language="en", understand=understood())

    assert run.state.question_en == "Jak działają faktury?"
    assert run.told("translate_in") == run.told("translate_out") == []


def test_seed_001_2_the_english_question_is_what_is_understood(asked: Ask) -> None:
    run = asked(
        "Jak działają faktury?",
        language="pl",
        translate_in="How do invoices work?",
        translate_out="Przez InvoiceService [2].",
    )

    (told,) = run.told("understand")
    assert "How do invoices work?" in told
    assert "faktury" not in told


@pytest.mark.parametrize("type_", ["how_implemented", "where_is", "impact", "bug"])
def test_seed_001_2_b1_the_model_tells_the_type_of_the_question(asked: Ask, type_: str) -> None:
    run = asked(understand=understood(type=type_))

    assert run.state.understanding.type == type_


@pytest.mark.parametrize("domain", ["code", "db", "mixed"])
def test_seed_001_2_b2_the_model_tells_the_domain_of_the_question(asked: Ask, domain: str) -> None:
    run = asked(understand=understood(domain=domain))

    assert run.state.understanding.domain == domain


def test_seed_001_2_b3_the_model_tells_concepts_and_synonyms(asked: Ask) -> None:
    run = asked(understand=understood(synonyms=["faktura", "billing document"]))

    assert run.state.understanding.concepts == ("invoice",)
    assert run.state.understanding.synonyms == ("faktura", "billing document")


def test_seed_001_2_the_question_is_understood_before_anything_is_searched_for(asked: Ask) -> None:
    run = asked()

    before = run.answer.run.steps[: run.steps.index("understand") + 1]
    assert not any({"hits", "queries", "neighbourhood"} & step.outputs.keys() for step in before)


def test_seed_001_3_the_decision_knows_question_understanding_and_conversation(
    asked: Ask, kept_shop: Any
) -> None:
    asked("What is dunning?", store=kept_shop, session="s", answer="[Answer:] Reminding of debts.")
    run = asked(store=kept_shop, session="s", understand=understood(type="impact", concepts=["invoice"]))

    (told,) = run.told("router")
    assert "How are invoices implemented?" in told
    assert '"impact"' in told
    assert '"invoice"' in told
    assert "Reminding of debts." in told


def test_seed_001_3_a_generic_question_is_answered_from_general_knowledge(asked: Ask) -> None:
    run = asked("What is an invoice in accounting?", router="[DIRECT:]")

    assert run.answer.text == "A request for payment."
    assert run.answer.status == "answered"
    assert run.state.hits == ()
    assert run.state.neighbourhood is None


def test_seed_001_3_a_question_about_the_system_consults_the_repository(asked: Ask) -> None:
    run = asked("How are invoices implemented in the system?")

    assert run.state.hits
    assert run.state.neighbourhood.nodes
    assert run.state.evidence


def test_seed_001_4_the_plan_is_made_before_the_first_search(asked: Ask) -> None:
    run = asked(router="[BM25:] Invoice_Create")

    assert run.step("read_route").outputs["plan"]["query"] == "Invoice_Create"
    assert run.steps.index("read_route") < run.steps.index("search")


def test_seed_001_4_a_question_about_code_has_entry_points_in_code_only(asked: Ask) -> None:
    run = asked(understand=understood(domain="code"), router="[BM25:] cancel the invoice table procedure")

    assert sides_of(run) == {"regular_code"}


def test_seed_001_4_a_question_about_the_database_has_entry_points_in_the_database_only(asked: Ask) -> None:
    run = asked(understand=understood(domain="db"), router="[BM25:] cancel the invoice service controller")

    assert sides_of(run) == {"db_code"}


def test_seed_001_4_a_mixed_question_has_entry_points_in_code_and_database(asked: Ask) -> None:
    run = asked(
        understand=understood(),
        router="[BM25:] invoice controller",
        settings={"top_k": 3},
    )

    assert sides_of(run) == {"regular_code", "db_code"}


def test_seed_001_4_what_the_domain_does_not_have_is_searched_for_everywhere(asked: Ask) -> None:
    run = asked(
        "Where is InvoiceController?",
        understand=understood(domain="db", concepts=["InvoiceController"]),
        router="[BM25:] InvoiceController",
        reformulate="InvoiceController",
    )

    assert "csharp:Shop.Web.Controllers.InvoiceController|TYPE" in run.state.entry_nodes


def test_seed_001_5_e1_the_entry_query_is_made_of_question_concepts_and_synonyms(asked: Ask) -> None:
    run = asked(
        "How is the zorkmid made?",
        understand=understood(concepts=["zorkmid"], synonyms=["invoice"]),
        router="no prefix",
    )

    query = run.step("search").inputs["query"]
    assert "How is the zorkmid made?" in query
    assert "invoice" in query


def test_seed_001_5_e2_graph_nodes_are_taken_from_the_chunks_that_were_found(asked: Ask) -> None:
    run = asked()

    assert set(run.state.entry_nodes) <= {hit["node_key"] for hit in run.state.hits}


def test_seed_001_5_e3_good_entry_points_lead_to_the_graph_without_another_search(asked: Ask) -> None:
    run = asked()

    assert run.step("judge_entry_points").decision == "on_good"
    assert run.steps.count("search") == 1
    assert run.steps[run.steps.index("judge_entry_points") + 1] == "expand"


def test_seed_001_5_e3_good_entry_points_are_named_like_the_concept(asked: Ask) -> None:
    run = asked(understand=understood(concepts=["dunning"]), router="[HYBRID:] dunning invoice payment")

    assert run.state.entry_nodes
    assert all("dunning" in key.casefold() for key in run.state.entry_nodes[:3])


def test_seed_001_5_e3_test_code_is_no_entry_point(asked: Ask) -> None:
    run = asked(router="[BM25:] InvoiceServiceTests invoice")

    assert any(hit["file_class"] == "test" for hit in run.state.hits)
    assert not any("Tests" in key for key in run.state.entry_nodes)


def test_seed_001_5_e3_weak_entry_points_are_searched_for_in_other_words(asked: Ask) -> None:
    run = asked(router="[BM25:] zeppelin", reformulate="invoice InvoiceService")

    assert run.step("judge_entry_points").decision == "on_weak"
    assert [plan.query for plan in run.state.queries] == ["zeppelin", "invoice InvoiceService"]
    assert run.answer.status == "answered"


def test_seed_001_5_e3_the_model_that_reformulates_knows_what_was_tried(asked: Ask) -> None:
    run = asked(router="[BM25:] zeppelin", reformulate="invoice InvoiceService")

    assert "- zeppelin" in run.told("reformulate")[0]


def test_seed_001_5_e3_a_search_is_reformulated_at_most_twice(asked: Ask) -> None:
    run = asked(
        NOWHERE, router="[BM25:] zeppelin", reformulate="airship", hypothetical_answer="Books a hangar."
    )

    assert [plan.query for plan in run.state.queries] == ["zeppelin", "airship", "Books a hangar."]
    assert run.steps.count("reformulate") == 2


def test_seed_001_5_e3_without_good_entry_points_the_graph_is_not_entered(asked: Ask) -> None:
    run = asked(NOWHERE, router="[BM25:] zeppelin", reformulate="airship", hypothetical_answer="A hangar.")

    assert not {"expand", "fetch_texts", "answer"} & set(run.steps)
    assert run.state.neighbourhood is None
    assert run.state.entry_nodes == ()


def test_seed_001_5_e3_without_good_entry_points_the_user_is_told_so(asked: Ask) -> None:
    run = asked(NOWHERE, router="[BM25:] zeppelin", reformulate="airship", hypothetical_answer="A hangar.")

    assert run.answer.status == "insufficient"
    assert "cannot find a clear trace" in run.answer.text
    assert run.answer.citations == ()
    assert run.told("answer") == []


def test_seed_001_6_f1_the_accepted_entry_points_are_where_the_walk_begins(asked: Ask) -> None:
    run = asked()

    assert list(run.state.neighbourhood.starts) == list(run.state.entry_nodes)


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_seed_001_6_f2_the_walk_is_bounded_in_depth(asked: Ask, depth: int) -> None:
    run = asked(settings={"graph_max_depth": depth, "graph_max_nodes": 500})

    assert max(node.distance for node in run.state.neighbourhood.nodes) == depth


@pytest.mark.parametrize("most", [3, 20])
def test_seed_001_6_f2_the_walk_is_bounded_in_nodes(asked: Ask, most: int) -> None:
    run = asked(settings={"graph_max_nodes": most})

    assert len(run.state.neighbourhood.nodes) == most


def test_seed_001_6_f2_a_table_leads_to_its_foreign_keys_and_procedures(asked: Ask) -> None:
    run = asked(
        understand=understood(domain="db"), router="[BM25:] dbo.Invoice", settings={"graph_max_nodes": 500}
    )

    nodes = {node.node_key for node in run.state.neighbourhood.nodes}
    assert {"dbo.Invoice|TABLE", "dbo.InvoiceLine|TABLE", "dbo.Invoice_Create|PROC"} <= nodes


def test_seed_001_6_f2_code_and_database_are_one_graph(asked: Ask) -> None:
    run = asked(
        understand=understood(domain="code"),
        router="[BM25:] InvoiceService InvoiceRepository",
        settings={"graph_max_nodes": 500},
    )

    nodes = {node.node_key for node in run.state.neighbourhood.nodes}
    assert {"csharp:Shop.Core.Services.InvoiceService|TYPE", "dbo.Invoice|TABLE"} <= nodes


def test_seed_001_6_f3_texts_are_fetched_by_identity_of_known_nodes(asked: Ask) -> None:
    run = asked()

    known = {node.node_key for node in run.state.neighbourhood.nodes} | set(run.state.entry_nodes)
    assert {block.key for block in run.state.evidence if block.kind == "text"} <= known


def test_seed_001_6_f3_fetching_texts_searches_for_nothing(asked: Ask) -> None:
    run = asked()

    assert "queries" not in run.step("fetch_texts").outputs
    assert len(run.state.queries) == 1


def test_seed_001_7_the_model_is_given_question_graph_and_texts(asked: Ask) -> None:
    run = asked()

    (told,) = run.told("answer")
    assert "Question: How are invoices implemented?" in told
    assert re.search(r"^\S+\|\w+ .*(—\w+→|←\w+—) \S+\|\w+", told, re.MULTILINE)
    assert all(block.text in told for block in run.state.evidence)


def test_seed_001_7_the_model_is_asked_for_database_code_and_flow_in_that_order(asked: Ask) -> None:
    run = asked()

    (told,) = run.told("answer")
    order = ["in the database:", "in the code:", "the flow:"]
    assert sorted(order, key=told.index) == order


def test_seed_001_7_the_answer_is_translated_back(asked: Ask) -> None:
    run = asked(
        "Jak działają faktury?",
        language="pl",
        translate_in="How do invoices work?",
        translate_out="Przez InvoiceService [2].",
    )

    assert run.answer.text == "Przez InvoiceService [2]."
    assert run.state.answer_en == "By InvoiceService [2]."


def test_seed_001_7_an_honest_stop_is_translated_back_too(asked: Ask) -> None:
    run = asked(
        "Gdzie jest sterowiec?",
        language="pl",
        translate_in="Where is the zeppelin?",
        translate_out="Nie ma `ragduck search`.",
        router="[BM25:] zeppelin",
        reformulate="airship",
        hypothetical_answer="A hangar.",
    )

    assert run.answer.text.startswith("Nie ma")


def test_seed_001_8_1_the_repository_is_searched_once_initially_and_twice_reformulated_at_most(
    asked: Ask,
) -> None:
    run = asked(
        NOWHERE,
        router="[BM25:] zeppelin",
        reformulate=["airship", "balloon", "blimp"],
        hypothetical_answer=["A hangar.", "A mast."],
    )

    assert run.steps.count("search") == 3


def test_seed_001_8_2_no_search_begins_once_entry_points_are_accepted(asked: Ask) -> None:
    run = asked()

    after = run.answer.run.steps[run.steps.index("expand") :]
    assert not any("queries" in step.outputs for step in after)


def test_seed_001_8_4_the_answer_is_asked_for_once_graph_and_texts_are_there(asked: Ask) -> None:
    run = asked()

    assert [step for step in run.steps if step in ANSWER_STEPS] == ANSWER_STEPS


def test_seed_001_8_a_missing_database_side_is_told_to_the_model_and_to_the_user(asked: Ask) -> None:
    run = asked(
        "How does the Index page show invoices?",
        understand=understood(),
        router="[BM25:] InvoiceService",
        settings={"filters": {"data_type": ["regular_code"]}, "graph_max_depth": 0},
    )

    gap = "No database object was found that belongs to it."
    assert gap in run.told("answer")[0]
    assert gap in run.answer.gaps


def test_seed_001_8_a_missing_code_side_is_told_to_the_model_and_to_the_user(asked: Ask) -> None:
    run = asked(
        understand=understood(),
        router="[BM25:] dbo.Invoice",
        settings={"filters": {"data_type": ["db_code"]}, "graph_max_depth": 0},
    )

    gap = "No code was found that belongs to it."
    assert gap in run.told("answer")[0]
    assert gap in run.answer.gaps


def test_seed_001_8_what_occurs_in_tests_only_is_said_to_do_so(asked: Ask) -> None:
    run = asked(
        understand=understood(concepts=["A_paid_invoice_cannot_be_cancelled"]),
        router="[BM25:] A_paid_invoice_cannot_be_cancelled",
        reformulate="A_paid_invoice_cannot_be_cancelled",
        hypothetical_answer="A_paid_invoice_cannot_be_cancelled",
        settings={"filters": {"file_class": ["test"]}},
    )

    assert run.answer.status == "insufficient"
    assert "It was found only in tests, generated code or samples." in run.answer.gaps


def test_seed_001_8_what_there_was_no_room_for_is_told_to_the_model_and_to_the_user(asked: Ask) -> None:
    run = asked(settings={"max_context_tokens": 2000})

    left_out = run.state.skipped[0]
    assert left_out in run.told("answer")[0]
    assert any(left_out in gap for gap in run.answer.gaps)


def test_seed_001_9_the_phases_come_in_order(asked: Ask) -> None:
    run = asked()

    phases = ["translate_in", "understand", "route", "search", "judge_entry_points", *ANSWER_STEPS]
    assert [step for step in run.steps if step in phases] == phases


def test_seed_001_9_without_a_model_the_phases_are_the_same(asked: Ask) -> None:
    run = asked(pipeline="extractive")

    phases = ["translate_in", "understand", "search", "judge_entry_points", "expand", "fetch_texts"]
    assert [step for step in run.steps if step in phases] == phases
    assert run.model.calls == []
