"""Seed 001, F and H, and seed 003, §5, §6 and §12: graph, texts, budget and honest ends, on the sample shop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.answering.evidence import evidence_text
from ragduck.pipeline.registry import find_action
from ragduck.pipeline.state import EvidenceBlock, RetrievalPlan, State, Understanding

INVOICE = "dbo.Invoice|TABLE"
SERVICE = "csharp:Shop.Core.Services.InvoiceService|TYPE"
EXPAND = {"id": "expand", "action": "expand_dependency_tree"}
TEXTS = {"id": "texts", "action": "fetch_node_texts"}
CHECK = {"id": "check", "action": "check_context_budget", "on_ok": "ok", "on_over": "over"}
OK = {"id": "ok", "action": "present_evidence", "end": True}
OVER = {"id": "over", "action": "summarize_evidence", "end": True}
SUMMARIZE = {"id": "sum", "action": "summarize_evidence"}
PRESENT = {"id": "present", "action": "present_evidence"}
LIMITS = {"id": "limits", "action": "state_limits"}


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[ragduck.Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


def entered(*keys: str, **fields: Any) -> State:
    return State("How are invoices made?", question_en="How are invoices made?", entry_nodes=keys, **fields)


def block(key: str, text: str = "word " * 50, tokens: int = 60) -> EvidenceBlock:
    return EvidenceBlock(key, "text", text, tokens, f"src/{key}.cs:1-9", "shop", "main")


def notes(ran: Any, step: int = 0) -> str:
    return "\n".join(ran.record.steps[step].notes)


def keys_of(ran: Any) -> list[str]:
    return [node.node_key for node in ran.state.neighbourhood.nodes]


def test_seed_001_f1_the_walk_begins_at_the_entry_points(run: Any, store: Any) -> None:
    ran = run(EXPAND, state=entered(INVOICE, SERVICE), store=store)

    assert ran.state.neighbourhood.starts == (INVOICE, SERVICE)


def test_seed_001_f2_foreign_keys_are_followed_in_both_directions(run: Any, store: Any) -> None:
    ran = run({**EXPAND, "edge_allowlist": ["FK"], "max_depth": 1}, state=entered(INVOICE), store=store)

    assert {"dbo.Customer|TABLE", "dbo.InvoiceLine|TABLE"} <= set(keys_of(ran))


def test_seed_003_5_2_depth_is_bounded(run: Any, store: Any) -> None:
    ran = run(EXPAND, state=entered(INVOICE), store=store, settings={"graph_max_depth": 1})

    assert max(node.distance for node in ran.state.neighbourhood.nodes) == 1


def test_seed_003_5_2_nodes_are_bounded(run: Any, store: Any) -> None:
    ran = run({**EXPAND, "max_nodes": 5}, state=entered(INVOICE), store=store)

    assert len(keys_of(ran)) == 5
    assert "cut at the limit" in notes(ran)


def test_seed_003_5_2_only_allowed_relations_are_followed(run: Any, store: Any) -> None:
    settings = {"graph_edge_allowlist": ["ReadsFrom"]}

    ran = run(EXPAND, state=entered(INVOICE), store=store, settings=settings)

    assert {node.relation for node in ran.state.neighbourhood.nodes} == {None, "ReadsFrom"}


def test_a_relation_that_the_store_does_not_have_is_noted(run: Any, store: Any) -> None:
    ran = run({**EXPAND, "edge_allowlist": ["FK", "Dreams"]}, state=entered(INVOICE), store=store)

    assert "Dreams" in notes(ran)
    assert len(keys_of(ran)) > 1


def test_with_no_relation_of_the_store_the_entry_points_stand_alone(run: Any, store: Any) -> None:
    ran = run({**EXPAND, "edge_allowlist": ["Dreams"]}, state=entered(INVOICE), store=store)

    assert keys_of(ran) == [INVOICE]


def test_an_entry_point_that_the_graph_does_not_know_is_noted(run: Any, store: Any) -> None:
    ran = run(EXPAND, state=entered("dbo.Nowhere|TABLE", INVOICE), store=store)

    assert "dbo.Nowhere|TABLE" in notes(ran)
    assert ran.state.neighbourhood.starts == (INVOICE,)


def test_with_unknown_entry_points_only_there_is_no_walk_and_no_error(run: Any, store: Any) -> None:
    ran = run(EXPAND, state=entered("dbo.Nowhere|TABLE"), store=store)

    assert ran.state.neighbourhood is None


def test_the_walk_stays_in_the_branch_of_the_settings(run: Any, store: Any) -> None:
    ran = run(EXPAND, state=entered(INVOICE), store=store, settings={"branch": "elsewhere"})

    assert ran.state.neighbourhood is None


def test_a_follow_up_extends_the_neighbourhood(run: Any, store: Any) -> None:
    state = entered(INVOICE)
    run({**EXPAND, "max_depth": 0}, state=state, store=store)
    state.entry_nodes = ("dbo.Payment|TABLE",)

    ran = run({**EXPAND, "max_depth": 0}, state=state, store=store)

    assert keys_of(ran) == [INVOICE, "dbo.Payment|TABLE"]


def test_settings_may_be_named_as_the_other_system_does(run: Any, store: Any) -> None:
    step = {
        **EXPAND,
        "max_depth_from_settings": "graph_max_depth",
        "max_nodes_from_settings": "graph_max_nodes",
    }

    ran = run(
        step, state=entered(INVOICE), store=store, settings={"graph_max_depth": 0, "graph_max_nodes": 9}
    )

    assert keys_of(ran) == [INVOICE]


def test_seed_003_5_3_texts_are_fetched_by_identity(run: Any, store: Any) -> None:
    ran = run(TEXTS, state=entered(INVOICE), store=store)

    [found] = ran.state.evidence
    assert found.key == INVOICE
    assert found.text.startswith("CREATE TABLE [dbo].[Invoice]")
    assert found.location == "database/Shop.Database/dbo/Tables/Invoice.sql:1-25"


def test_seed_001_f3_no_text_needs_a_search(run: Any, store: Any) -> None:
    ran = run(EXPAND, TEXTS, state=entered(INVOICE), store=store)

    assert ran.state.queries == []


def test_a_short_type_is_shown_with_its_members(run: Any, store: Any) -> None:
    key = "csharp:Shop.Core.Services.InvoiceService|TYPE"

    ran = run({**EXPAND, "max_depth": 0}, TEXTS, state=entered(key), store=store)

    assert any("CancelAsync" in found.text for found in ran.state.evidence if found.key == key)


def test_seed_003_6_1_the_evidence_begins_with_the_graph(run: Any, store: Any) -> None:
    ran = run(EXPAND, TEXTS, state=entered(INVOICE), store=store)

    graph = ran.state.evidence[0]
    assert graph.kind == "graph"
    assert "dbo.Invoice_Create|PROC —WritesTo→ dbo.Invoice|TABLE (database/" in graph.text


def test_seed_003_6_1_keys_and_paths_stay_as_they_are(run: Any, store: Any) -> None:
    ran = run(EXPAND, TEXTS, state=entered(INVOICE), store=store)

    assert f"] {INVOICE} (database/Shop.Database/dbo/Tables/Invoice.sql:1-25, main)" in evidence_text(
        ran.state
    )


def test_a_text_over_the_budget_is_skipped_and_named(run: Any, store: Any) -> None:
    ran = run({**TEXTS, "budget_tokens": 100}, state=entered(INVOICE), store=store)

    assert ran.state.evidence == ()
    assert ran.state.skipped == (INVOICE,)
    assert INVOICE in notes(ran)


def test_documentation_is_fetched_by_the_id_of_its_chunk(run: Any, store: Any) -> None:
    hits = store.search("how an order becomes an invoice", mode="bm25", filters={"data_type": "docs"}).results
    key = hits[0]["id"]

    ran = run(EXPAND, TEXTS, state=entered(key, hits=hits), store=store)

    assert [(found.key, found.text) for found in ran.state.evidence] == [(key, hits[0]["text"])]


def test_append_keeps_the_evidence_so_far(run: Any, store: Any) -> None:
    state = entered(INVOICE, evidence=(block("earlier"),))

    ran = run({**TEXTS, "append": True}, state=state, store=store)

    assert [found.key for found in ran.state.evidence] == ["earlier", INVOICE]


def test_metadata_is_told_on_request(run: Any, store: Any) -> None:
    step = {**TEXTS, "include_metadata_in_context": True, "metadata_fields": ["kind"]}

    ran = run({**EXPAND, "max_depth": 0}, step, state=entered(INVOICE), store=store)

    assert "kind: TABLE" in evidence_text(ran.state)


def test_manage_context_budget_is_another_name() -> None:
    assert find_action("manage_context_budget") is find_action("check_context_budget")


def test_seed_003_6_2_evidence_within_its_budget_is_ok(run: Any, store: Any) -> None:
    ran = run(CHECK, OK, OVER, state=entered(evidence=(block("a"),)), store=store)

    assert ran.record.steps[0].decision == "on_ok"


def test_seed_003_6_2_evidence_over_its_budget_is_over(run: Any, store: Any) -> None:
    settings = {"max_context_tokens": 200}
    state = entered(evidence=tuple(block(f"k{number}", "word " * 300, 500) for number in range(3)))

    ran = run(CHECK, OK, OVER, state=state, store=store, settings=settings)

    assert ran.record.steps[0].decision == "on_over"


def test_evidence_that_leaves_no_room_in_the_model_s_window_is_over(
    run: Any, store: Any, saying_model: Any
) -> None:
    model = saying_model(["summary"] * 9, context_window=2_200)
    state = entered(evidence=(block("a", "word " * 600, 700),))

    ran = run(CHECK, OK, OVER, state=state, store=store, model=model)

    assert ran.record.steps[0].decision == "on_over"


def test_seed_003_6_2_a_summary_is_made_for_the_question(run: Any, store: Any) -> None:
    state = entered(evidence=(block("a"),))

    ran = run(SUMMARIZE, state=state, store=store, replies=["short"])

    assert "How are invoices made?" in ran.model.asked[0][-1].content
    assert ran.state.evidence[0].kind == "summary"


def test_seed_003_6_2_what_a_summary_drops_is_put_back(run: Any, store: Any) -> None:
    state = entered(evidence=(block("dbo.A|TABLE"), block("dbo.B|TABLE")))

    ran = run(SUMMARIZE, state=state, store=store, replies=["dbo.A|TABLE (src/dbo.A|TABLE.cs) does it [1]."])

    assert "[2] dbo.B|TABLE (src/dbo.B|TABLE.cs:1-9)" in ran.state.evidence[0].text
    assert "put back" in notes(ran)
    assert [source.number for source in ran.state.sources] == [1, 2]


def test_evidence_that_no_prompt_holds_is_summarised_in_parts(
    run: Any, store: Any, saying_model: Any
) -> None:
    model = saying_model(["part"] * 20, context_window=2_500)
    state = entered(evidence=tuple(block(f"k{number}", "word " * 300, 350) for number in range(4)))

    ran = run(SUMMARIZE, state=state, store=store, model=model)

    assert len(ran.model.asked) > 1
    assert [one.kind for one in ran.state.evidence] == ["summary"]


def test_a_summary_that_is_too_long_is_asked_for_once_more(run: Any, store: Any) -> None:
    state = entered(evidence=(block("a"),))

    ran = run(
        SUMMARIZE,
        state=state,
        store=store,
        replies=["long " * 400, "short"],
        settings={"max_context_tokens": 300},
    )

    assert len(ran.model.asked) == 2
    assert ran.state.evidence[0].text.startswith("short")


def test_a_summary_that_stays_too_long_is_never_cut_but_blocks_are_left_out(run: Any, store: Any) -> None:
    state = entered(evidence=(block("a"), block("b", tokens=300)))
    replies = ["long " * 400, "long " * 400]

    ran = run(SUMMARIZE, state=state, store=store, replies=replies, settings={"max_context_tokens": 300})

    assert [one.key for one in ran.state.evidence] == ["a"]
    assert ran.state.skipped == ("b",)


def test_without_a_model_blocks_are_left_out_from_the_end_and_named(run: Any, store: Any) -> None:
    state = entered(evidence=(block("a", tokens=150), block("b", tokens=150)))

    ran = run(SUMMARIZE, state=state, store=store, settings={"max_context_tokens": 200})

    assert [one.key for one in ran.state.evidence] == ["a"]
    assert ran.state.skipped == ("b",)


def test_the_extractive_answer_tells_entry_points_relations_and_texts(run: Any, store: Any) -> None:
    ran = run(EXPAND, TEXTS, PRESENT, state=entered(INVOICE), store=store)

    answer = ran.state.answer_en
    assert "## Entry points\n\n- `dbo.Invoice|TABLE` [2]\n  database/" in answer
    assert "dbo.Invoice_Create —WritesTo→ dbo.Invoice" in answer
    assert "```sql\nCREATE TABLE [dbo].[Invoice]" in answer
    assert ran.state.status == "answered"


def test_each_text_of_the_extractive_answer_is_a_citation(run: Any, store: Any) -> None:
    ran = run(EXPAND, TEXTS, PRESENT, state=entered(INVOICE), store=store)

    for citation in ran.state.citations[1:]:
        assert f"[{citation.number}] `{citation.key}` {citation.location}" in ran.state.answer_en


def test_the_extractive_answer_is_the_same_every_time(run: Any, store: Any) -> None:
    answers = {
        run(EXPAND, TEXTS, PRESENT, state=entered(INVOICE), store=store).state.answer_en for _ in range(3)
    }

    assert len(answers) == 1


def test_seed_001_h_a_missing_side_is_said(run: Any, store: Any) -> None:
    key = "typescript:Shop.Web.wwwroot.js.invoices.InvoiceClient|TYPE"

    ran = run({**EXPAND, "max_depth": 0}, TEXTS, PRESENT, state=entered(key), store=store)

    assert "No database object was found that belongs to it." in ran.state.gaps


def test_seed_001_h_texts_for_which_there_was_no_room_are_said(run: Any, store: Any) -> None:
    ran = run({**TEXTS, "budget_tokens": 100}, PRESENT, state=entered(INVOICE), store=store)

    assert any(INVOICE in gap for gap in ran.state.gaps)


def test_seed_003_12_4_with_weak_entry_points_the_end_is_honest(run: Any, store: Any) -> None:
    state = State("how are unicorns fed", question_en="how are unicorns fed")
    state.understanding = Understanding("how_implemented", "mixed", ("unicorn",))
    state.queries.append(RetrievalPlan("bm25", "unicorn feeding"))

    ran = run(LIMITS, state=state, store=store)

    assert ran.state.status == "insufficient"
    assert "unicorn feeding (bm25)" in ran.state.answer_en
    assert "The store has no word for: unicorn." in ran.state.gaps


def test_seed_003_7_2_an_answer_that_was_not_found_ends_without_invention(run: Any, store: Any) -> None:
    ran = run({**LIMITS, "reason": "not_answered"}, state=entered(INVOICE), store=store)

    assert ran.state.answer_en.startswith("What was found does not answer the question.")
    assert f"`{INVOICE}`" in ran.state.answer_en
    assert ran.state.citations == ()


def test_a_reply_that_cannot_be_read_says_nothing_about_the_evidence(run: Any, store: Any) -> None:
    ran = run({**LIMITS, "reason": "unreadable_reply"}, state=entered(INVOICE), store=store)

    assert "without one: then `ragduck ask` gives the evidence itself" in ran.state.answer_en
    assert f"Found:\n\n- `{INVOICE}`" in ran.state.answer_en
    assert "not clearly about it" not in ran.state.answer_en


def test_a_question_that_was_not_translated_says_so_where_nothing_was_found(run: Any, store: Any) -> None:
    state = State("gdzie jest hasło?", language="pl", is_english=False)

    ran = run({"id": "in", "action": "translate_in_if_needed"}, LIMITS, state=state, store=store)

    assert "The question was not translated" in ran.state.answer_en
