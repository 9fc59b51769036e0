"""Seed 001, phases B to E and H, and seed 003, §4: from the question to entry points, on the sample shop."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.registry import find_action
from ragduck.pipeline.state import RetrievalPlan, State, Understanding

DATA = Path(__file__).parents[2] / "data"
UNDERSTAND = {"id": "understand", "action": "understand_question"}
SEARCH = {"id": "search", "action": "search_nodes"}
JUDGE = {"id": "judge", "action": "check_entry_points", "on_good": "good", "on_weak": "weak"}
GOOD = {"id": "good", "action": "state_limits", "end": True}
WEAK = {"id": "weak", "action": "state_limits", "end": True}
REWORD = {"id": "reword", "action": "reformulate_query"}
QUESTIONS = [
    line.split("\t")
    for line in (DATA / "shop_entry_questions.tsv").read_text(encoding="utf-8").splitlines()[2:]
]


@pytest.fixture(scope="module")
def plain_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    """The sample shop without vectors."""
    path = tmp_path_factory.mktemp("plain") / "shop.duckdb"
    ragduck.prepare(DATA / "shop", path, repo="shop", branch="main", embed_model="none")
    with ragduck.open(path) as store:
        yield store


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[ragduck.Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


def asked(question: str, **fields: Any) -> State:
    return State(question, question_en=question, **fields)


def notes(ran: Any, step: int = 0) -> str:
    return "\n".join(ran.record.steps[step].notes)


@pytest.mark.parametrize("value", ["3f2504e0-4f89-11d3-9a0c-0305e82c3301", "INV20931x"])
def test_a_value_of_a_run_that_the_store_does_not_have_is_no_concept(
    run: Any, plain_store: Any, value: str
) -> None:
    ran = run(UNDERSTAND, state=asked(f"Invoice {value} cannot be cancelled"), store=plain_store)

    assert ran.state.understanding.concepts == ("invoice", "cancelled")


def test_what_looks_like_a_value_is_a_concept_where_the_store_has_it(run: Any, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n\nThe warehouse is called B20931.\n", encoding="utf-8")
    ragduck.prepare(tmp_path, tmp_path / "s.duckdb", embed_model="none")

    with ragduck.open(tmp_path / "s.duckdb") as noted:
        ran = run(UNDERSTAND, state=asked("what is in warehouse B20931"), store=noted)

    assert "b20931" in ran.state.understanding.concepts


def test_seed_001_b_a_question_is_understood_without_a_model(run: Any, plain_store: Any) -> None:
    ran = run(UNDERSTAND, state=asked("How are invoices implemented?"), store=plain_store)

    understood = ran.state.understanding
    assert (understood.type, understood.domain, understood.concepts) == (
        "how_implemented",
        "mixed",
        ("invoice",),
    )
    assert "invoices" in understood.synonyms
    assert "invoicing" in understood.synonyms


def test_seed_001_b_a_model_understands_the_question(run: Any, plain_store: Any) -> None:
    reply = json.dumps({"type": "impact", "domain": "db", "concepts": ["bill"], "synonyms": ["invoice"]})

    ran = run(UNDERSTAND, state=asked("And bills?"), store=plain_store, replies=[f"Sure!\n{reply}"])

    assert ran.state.understanding == Understanding("impact", "db", ("bill",), ("invoice",))


def test_what_is_no_json_is_understood_by_rules_and_noted(run: Any, plain_store: Any) -> None:
    ran = run(
        UNDERSTAND, state=asked("How are invoices made?"), store=plain_store, replies=["I do not know."]
    )

    assert ran.state.understanding.concepts == ("invoice",)
    assert "understood by rules" in notes(ran)


def test_use_model_false_asks_no_model(run: Any, plain_store: Any) -> None:
    ran = run({**UNDERSTAND, "use_model": False}, state=asked("Invoices?"), store=plain_store, replies=[])

    assert ran.model.asked == []


def test_fetch_more_context_is_the_name_of_seed_003() -> None:
    assert find_action("fetch_more_context") is find_action("search_nodes")


def test_seed_001_e2_a_mixed_question_finds_code_and_database_by_turns(run: Any, plain_store: Any) -> None:
    ran = run(SEARCH, state=asked("How are invoices implemented?"), store=plain_store)

    sides = [hit["data_type"] == "db_code" for hit in ran.state.hits[:4]]
    assert sides == [False, True, False, True]


def test_seed_001_e2_a_question_about_the_database_finds_no_code(run: Any, plain_store: Any) -> None:
    ran = run(SEARCH, state=asked("Which columns does the invoice table have?"), store=plain_store)

    assert {hit["data_type"] for hit in ran.state.hits} <= {"db_code", "docs"}


def test_seed_003_4_the_plan_says_what_to_search_for_and_in_which_mode(run: Any, store: Any) -> None:
    plan = RetrievalPlan("semantic", "stock reservation")

    ran = run(SEARCH, state=asked("x", plan=plan), store=store)

    assert ran.record.steps[0].inputs["mode"] == "semantic"
    assert ran.record.steps[0].inputs["query"] == "stock reservation"
    assert (ran.state.queries[0].mode, ran.state.queries[0].query) == ("semantic", "stock reservation")


@pytest.mark.parametrize("mode", ["semantic", "semantic_rerank", "bm25", "hybrid"])
def test_seed_003_4_each_mode_finds_something(run: Any, store: Any, mode: str) -> None:
    ran = run({**SEARCH, "search_type": mode}, state=asked("invoice cancelled"), store=store)

    assert ran.state.hits
    assert ran.record.steps[0].inputs["mode"] == mode


def test_seed_003_4_a_mode_that_is_missing_falls_back_and_is_logged(run: Any, plain_store: Any) -> None:
    ran = run({**SEARCH, "search_type": "semantic"}, state=asked("invoice"), store=plain_store)

    assert ran.record.steps[0].inputs["mode"] == "bm25"
    assert "no vectors" in notes(ran)


def test_seed_003_4_a_mode_that_is_missing_fails_when_the_policy_says_so(run: Any, plain_store: Any) -> None:
    step = {**SEARCH, "search_type": "semantic", "on_missing_mode": "fail"}

    ran = run(step, state=asked("invoice"), store=plain_store)

    assert ran.record.status == "failed"
    assert "no vectors" in ran.record.error


def test_a_plan_cannot_widen_the_filters_of_the_settings(run: Any, plain_store: Any) -> None:
    plan = RetrievalPlan("bm25", "invoice", {"file_class": ["source", "test"]})

    ran = run(
        SEARCH, state=asked("x", plan=plan), store=plain_store, settings={"filters": {"file_class": "test"}}
    )

    assert {hit["file_class"] for hit in ran.state.hits} == {"test"}


def test_another_repository_has_no_hits(run: Any, plain_store: Any) -> None:
    ran = run(SEARCH, state=asked("invoice"), store=plain_store, settings={"repository": "elsewhere"})

    assert ran.state.hits == ()


def test_all_words_must_occur_when_the_operator_says_so(run: Any, plain_store: Any) -> None:
    step = {**SEARCH, "search_type": "bm25", "match_operator": "and", "query": "stock reserve"}

    ran = run(step, state=asked("x"), store=plain_store)

    texts = [f"{hit['text']} {hit['source_file']} {hit['element_name']}".lower() for hit in ran.state.hits]
    assert texts
    assert all("stock" in text and "reserve" in text for text in texts)


def test_a_follow_up_adds_to_the_hits_and_entry_points(run: Any, plain_store: Any) -> None:
    state = asked("x", plan=RetrievalPlan("bm25", "dunning notice"), entry_nodes=("dbo.Invoice|TABLE",))
    state.hits = tuple(plain_store.search("dbo.Invoice", mode="bm25", top_k=1).results)

    ran = run(SEARCH, state=state, store=plain_store)

    assert ran.state.hits[0]["node_key"] == "dbo.Invoice|TABLE"
    assert len(ran.state.hits) > 1
    assert "dbo.Invoice|TABLE" in ran.state.entry_nodes
    assert len(ran.state.entry_nodes) > 1


def test_access_rules_are_not_silently_ignored(run: Any, plain_store: Any) -> None:
    ran = run({**SEARCH, "acl_tags_any": ["staff"]}, state=asked("invoice"), store=plain_store)

    assert "acl_tags_any has no effect" in notes(ran)


@pytest.mark.parametrize("question", ["?!", "…", ""])
def test_a_question_without_words_finds_nothing(run: Any, plain_store: Any, question: str) -> None:
    ran = run(SEARCH, JUDGE, GOOD, WEAK, state=asked(question), store=plain_store)

    assert ran.record.steps[1].decision == "on_weak"


@pytest.mark.parametrize(("question", "expected"), QUESTIONS)
def test_seed_001_e3_entry_points_are_good_or_weak(
    run: Any, plain_store: Any, question: str, expected: str
) -> None:
    ran = run(UNDERSTAND, SEARCH, JUDGE, GOOD, WEAK, state=asked(question), store=plain_store)

    assert ran.record.steps[2].decision == ("on_good" if expected else "on_weak")


def test_seed_001_e3_entry_points_belong_to_the_answer(run: Any, plain_store: Any) -> None:
    found = []
    for question, expected in (pair for pair in QUESTIONS if pair[1]):
        state = run(SEARCH, JUDGE, GOOD, WEAK, state=asked(question), store=plain_store).state
        found.append(any(expected in key for key in state.entry_nodes))

    assert sum(found) / len(found) > 0.9


@pytest.mark.parametrize("question", [question for question, expected in QUESTIONS if not expected])
def test_seed_001_e3_similar_vectors_alone_make_no_entry_point(run: Any, store: Any, question: str) -> None:
    ran = run(SEARCH, JUDGE, GOOD, WEAK, state=asked(question), store=store)

    assert ran.record.steps[1].decision == "on_weak"


def test_seed_001_e3_the_reason_for_a_rejection_is_told(run: Any, plain_store: Any) -> None:
    ran = run(SEARCH, JUDGE, GOOD, WEAK, state=asked("How are invoices implemented?"), store=plain_store)

    assert "test code" in notes(ran, 1)


def test_seed_001_e3_a_concept_that_only_tests_have_is_weak(run: Any, plain_store: Any) -> None:
    state = asked("How do fake orders behave?", plan=RetrievalPlan("bm25", "FakeOrders"))

    ran = run(SEARCH, JUDGE, GOOD, WEAK, state=state, store=plain_store)

    assert ran.record.steps[1].decision == "on_weak"
    assert any("only in tests" in gap for gap in ran.state.gaps)


def test_seed_001_e3_tests_count_when_they_are_asked_for(run: Any, plain_store: Any) -> None:
    ran = run(SEARCH, JUDGE, GOOD, WEAK, state=asked("Which tests use FakeOrders?"), store=plain_store)

    assert ran.record.steps[1].decision == "on_good"


def test_seed_001_h_the_first_attempt_uses_synonyms_of_the_model(run: Any, plain_store: Any) -> None:
    ran = run(
        REWORD, state=asked("How are clients billed?"), store=plain_store, replies=["- customer invoice\n"]
    )

    assert ran.state.plan == RetrievalPlan("hybrid", "customer invoice")


def test_seed_001_h_the_second_attempt_searches_for_a_hypothetical_answer(run: Any, store: Any) -> None:
    state = asked("How are clients billed?", counters={"reword": 1})

    ran = run(
        REWORD, state=state, store=store, replies=["InvoiceService creates\nan invoice for a customer."]
    )

    assert ran.state.plan == RetrievalPlan("semantic", "InvoiceService creates an invoice for a customer.")


@pytest.mark.parametrize("reply", ["", "---", "[Answer:] obey me"])
def test_a_reply_that_is_no_query_is_reworded_by_rules(run: Any, plain_store: Any, reply: str) -> None:
    ran = run(REWORD, state=asked("How are invoices cancelled?"), store=plain_store, replies=[reply])

    assert "invoice" in ran.state.plan.query
    assert "[Answer:]" not in ran.state.plan.query


def test_seed_001_h_by_rules_the_names_of_the_store_are_searched_for(run: Any, plain_store: Any) -> None:
    ran = run(REWORD, state=asked("How are invoices cancelled?"), store=plain_store)

    assert "Invoice_Cancel" in ran.state.plan.query


def test_seed_001_h_by_rules_the_second_attempt_takes_the_most_telling_concept(
    run: Any, plain_store: Any
) -> None:
    state = asked("How are invoices archived?", counters={"reword": 1})

    ran = run(REWORD, state=state, store=plain_store)

    assert ran.state.plan.query.split()[0] == "archived"
