"""Seed 003, rule by rule: languages, history, router, retrieval, graph, budget, answer, saving, YAML."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragduck.errors import PipelineError, UsageError
from ragduck.pipeline.checking.findings import InvalidPipelineError
from ragduck.pipeline.checking.validation import check_pipeline
from ragduck.pipeline.loading.loading import load_pipeline
from ragduck.store.history import StoreHistory

Ask = Callable[..., Any]
POLISH = {
    "language": "pl",
    "translate_in": "How do invoices work?",
    "translate_out": "Przez InvoiceService [2].",
}
MIXED = json.dumps({"type": "how_implemented", "domain": "mixed", "concepts": ["invoice"], "synonyms": []})
MORE = [f"[Requesting data on:] dunning level {number}" for number in range(20)]
LONG = "word " * 120

# Written with the names and branches of the seed alone.
SEED_PIPELINE = """
pipeline:
  name: as_in_the_seed
  settings:
    repository: shop
    active_index: main
    model_language: en
    entry_step_id: translate
    max_context_tokens: 3000
    max_history_tokens: 400
    max_turn_loops: 2
    graph_max_depth: 1
    graph_max_nodes: 30
    graph_edge_allowlist: [FK, Calls, ReadsFrom, WritesTo]
    node_text_fetch_top_n: 4
    retrieval_modes: [semantic, bm25, hybrid, semantic_rerank]
    history_summarization_policy: incremental_resummarize
  steps:
    - {id: done, action: persist_turn_and_finalize, end: true}
    - {id: translate, action: translate_in_if_needed, next: history}
    - {id: history, action: load_conversation_history, next: router}
    - {id: router, action: call_model, prompt_key: router, use_history: true, next: plan}
    - id: plan
      action: handle_prefix
      on_semantic: fetch
      on_semantic_rerank: fetch
      on_bm25: fetch
      on_hybrid: fetch
      on_direct: direct
      on_other: fetch
    - {id: direct, action: call_model, prompt_key: answer_directly, next: said}
    - {id: fetch, action: fetch_more_context, next: tree}
    - {id: tree, action: expand_dependency_tree, next: texts}
    - {id: texts, action: fetch_node_texts, next: budget}
    - {id: budget, action: check_context_budget, on_ok: answer, on_over_limit: shorten}
    - {id: shorten, action: summarize_evidence, next: answer}
    - {id: answer, action: call_model, prompt_key: answer, use_history: true, next: said}
    - {id: said, action: handle_prefix, on_answer: done, on_requesting_data: guard, on_other: stop}
    - {id: guard, action: loop_guard, on_allow: fetch, on_deny: stop}
    - {id: stop, action: state_limits, reason: not_answered, next: done}
"""

PARENT = """
pipeline:
  name: parent
  settings:
    entry_step_id: first
    top_k: 5
    filters: {repo: shop, data_type: [db_code]}
  steps:
    - {id: first, action: set_variables, rules: [{set: answer_en, value: parent}], next: last}
    - {id: last, action: persist_turn_and_finalize, persist_turn: false, end: true}
"""


def queries_of(run: Any) -> list[str]:
    return [plan.query for plan in run.state.queries]


def entry_ids(run: Any) -> set[str]:
    return {block.key for block in run.state.evidence if block.kind == "text"}


# 0. Settings


def test_seed_003_0_2_repository_and_active_index_say_what_is_searched(asked: Ask) -> None:
    run = asked(settings={"repository": "shop", "active_index": "main"})

    assert run.step("search").inputs["filters"] == {"branch": ["main"], "repo": ["shop"]}
    assert {(hit["repo"], hit["branch"]) for hit in run.state.hits} == {("shop", "main")}


@pytest.mark.parametrize("setting", ["repository", "active_index"])
def test_seed_003_0_2_a_repository_or_index_that_is_not_there_is_refused(asked: Ask, setting: str) -> None:
    with pytest.raises(UsageError, match="elsewhere"):
        asked(settings={setting: "elsewhere"})


def test_seed_003_0_2_retrieval_modes_list_what_may_be_searched_in(asked: Ask) -> None:
    run = asked(
        router="[SEMANTIC:] invoices", settings={"retrieval_modes": ["bm25"], "default_search_method": "bm25"}
    )

    assert run.step("search").inputs["mode"] == "bm25"
    assert "retrieval_modes does not list it" in run.notes("search")


# 1. Question normalisation


def test_seed_003_1_an_english_question_is_the_english_question(asked: Ask) -> None:
    run = asked()

    assert run.state.question_en == run.state.question
    assert run.told("translate_in") == []


def test_seed_003_1_another_question_is_translated_for_all_prompts_that_follow(asked: Ask) -> None:
    run = asked("Jak działają faktury?", **POLISH)

    for prompt in ("understand", "router", "answer"):
        assert "How do invoices work?" in run.told(prompt)[0]
        assert "działają" not in run.told(prompt)[0]


# 2. History


def test_seed_003_2_1_past_turns_are_told_in_the_order_of_time(asked: Ask, kept_shop: Path) -> None:
    for number in (1, 2):
        asked(f"Invoice question {number}?", store=kept_shop, session="s", understand=MIXED)
    run = asked(store=kept_shop, session="s")

    told = run.told("answer")[0]
    assert told.index("Invoice question 1?") < told.index("Invoice question 2?")
    assert "By InvoiceService [2]." in told.split("Evidence:")[0]


def test_seed_003_2_1_other_sessions_are_not_told(asked: Ask, kept_shop: Path) -> None:
    asked("What is an invoice secret?", store=kept_shop, session="other", understand=MIXED)
    run = asked(store=kept_shop, session="s")

    assert "secret" not in run.told("answer")[0]


def test_seed_003_2_2_history_that_fits_is_told_raw(asked: Ask, kept_shop: Path) -> None:
    asked("What is an invoice?", store=kept_shop, session="s", understand=MIXED)
    run = asked(store=kept_shop, session="s")

    assert run.told("summarize_history") == []
    assert run.state.conversation.summary is None


@pytest.fixture
def long_talk(asked: Ask, kept_shop: Path) -> Callable[..., Any]:
    """Ask within a session whose limit of history holds a summary or one long turn."""

    def ask(question: str, summary: str | list[str] = "They talked.", answer: str = "Yes.") -> Any:
        return asked(
            question,
            store=kept_shop,
            session="s",
            understand=MIXED,
            settings={
                "max_history_tokens": 180,
                "top_k": 3,
                "graph_max_nodes": 10,
                "max_context_tokens": 1000,
            },
            summarize_evidence="Summary [2].",
            summarize_history=summary,
            answer=f"[Answer:] {answer}",
        )

    return ask


def test_seed_003_2_2_history_over_the_limit_is_summarised_for_the_question(long_talk: Any) -> None:
    long_talk("Invoices one?", answer=LONG)
    long_talk("Invoices two?", answer=LONG)
    run = long_talk("And invoice reminders?")

    assert "And invoice reminders?" in run.told("summarize_history")[-1]
    assert "They talked." in run.told("answer")[0]
    assert LONG.strip() not in run.told("answer")[0].split("Evidence:")[0]


def test_seed_003_2_2_the_summary_is_saved_with_pointer_and_version(long_talk: Any, kept_shop: Path) -> None:
    first = long_talk("Invoices one?", answer=f"{LONG}{LONG}")
    long_talk("Invoices two?")

    summary = StoreHistory(kept_shop).load("s").summary
    assert summary is not None
    assert (summary.version, summary.last_turn_id) == (1, first.state.turn_id)
    assert summary.text == "They talked."


def test_seed_003_2_2_later_turns_are_told_the_summary_and_only_newer_turns(long_talk: Any) -> None:
    long_talk("Invoices one?", answer=f"{LONG}{LONG}")
    long_talk("Invoices two?", answer="Newer.")
    run = long_talk("Invoices three?")

    told = run.told("answer")[0].split("Evidence:")[0]
    assert run.told("summarize_history") == []
    assert "They talked." in told
    assert "Newer." in told
    assert "Invoices one?" not in told


def test_seed_003_2_2_summary_and_new_turns_over_the_limit_are_summarised_again(
    long_talk: Any, kept_shop: Path
) -> None:
    long_talk("Invoices one?", answer=f"{LONG}{LONG}")
    second = long_talk("Invoices two?", answer=f"{LONG}{LONG}")
    run = long_talk("Invoices three?", summary="They talked on.")

    told = run.told("summarize_history")[0]
    assert "They talked." in told
    assert "Invoices two?" in told
    assert "Invoices one?" not in told
    summary = StoreHistory(kept_shop).load("s").summary
    assert summary is not None
    assert (summary.version, summary.last_turn_id) == (2, second.state.turn_id)


# 3. Router


@pytest.mark.parametrize("mode", ["semantic", "semantic_rerank", "bm25", "hybrid"])
def test_seed_003_3_1_a_router_prefix_is_the_mode_and_its_line_the_query(asked: Ask, mode: str) -> None:
    run = asked(router=f"[{mode.upper()}:] invoice totals")

    search = run.step("search").inputs
    assert (search["mode"], search["query"]) == (mode, "invoice totals")
    assert run.told("router")


@pytest.mark.parametrize(
    "reply",
    [
        "[SEMANTIC:] zeppelin\n[BM25:] zeppelin",
        "[SEMANTIC:] zeppelin\nbecause of this",
        "[SEMANTIC:] [BM25:] zeppelin",
        "I would say [SEMANTIC:] zeppelin",
        "[semantic:] zeppelin",
        "SEMANTIC: zeppelin",
        "[FAISS:] zeppelin",
        "[Answer:] zeppelin",
        "",
    ],
)
def test_seed_003_3_1_anything_but_one_line_with_one_prefix_is_no_plan(asked: Ask, reply: str) -> None:
    run = asked(router=reply, understand=MIXED)

    assert run.step("read_route").decision == "on_other"
    assert "breaks the protocol" in run.notes("read_route")
    assert "zeppelin" not in run.step("search").inputs["query"]


@pytest.mark.parametrize("reply", ["[DIRECT:]", "[DIRECT:] What is an invoice?"])
def test_seed_003_3_2_direct_skips_retrieval(asked: Ask, reply: str) -> None:
    run = asked(router=reply)

    assert queries_of(run) == []
    assert run.answer.text == "A request for payment."
    assert run.told("answer") == []


# 4. Retrieval


@pytest.mark.parametrize("mode", ["SEMANTIC", "SEMANTIC_RERANK", "BM25", "HYBRID"])
def test_seed_003_4_hits_are_bounded_and_have_stable_identifiers(asked: Ask, mode: str) -> None:
    run, again = (
        asked(
            router=f"[{mode}:] invoice totals",
            understand=MIXED.replace("mixed", "code"),
            settings={"top_k": 4},
            anew=True,
        )
        for _ in range(2)
    )

    assert 0 < len(run.state.hits) <= 4
    assert [hit["id"] for hit in run.state.hits] == [hit["id"] for hit in again.state.hits]


def test_seed_003_4_3_a_mode_without_artifacts_falls_back_and_that_is_logged(
    asked: Ask, hostile_shop: Path
) -> None:
    run = asked("How is an invoice created?", store=hostile_shop, router="[SEMANTIC:] invoices")

    assert run.step("search").inputs["mode"] == "bm25"
    assert "mode semantic cannot be served (the store has no vectors)" in run.notes("search")


def test_seed_003_4_3_a_mode_without_artifacts_fails_clearly_where_the_policy_says_so(
    asked: Ask, hostile_shop: Path
) -> None:
    with pytest.raises(PipelineError, match="the store has no vectors"):
        asked(
            store=hostile_shop,
            router="[SEMANTIC:] invoices",
            settings={"on_missing_mode": "fail", "default_search_method": "bm25"},
        )


def test_seed_003_4_2_semantic_rerank_orders_a_widened_semantic_pool(opened_shop: Any) -> None:
    semantic = opened_shop.search("cancel an invoice", mode="semantic", top_k=50)
    reranked = opened_shop.search("cancel an invoice", mode="semantic_rerank", top_k=5)

    assert {hit["id"] for hit in reranked.results} <= {hit["id"] for hit in semantic.results}
    assert [hit["id"] for hit in reranked.results] != [hit["id"] for hit in semantic.results[:5]]


def test_seed_003_4_4_hybrid_fuses_both_rankings_by_reciprocal_ranks(opened_shop: Any) -> None:
    fused = opened_shop.search("cancel an invoice", mode="hybrid", top_k=20, rrf_k=60).results

    both = [hit for hit in fused if hit["bm25_rank"] and hit["vector_rank"]]
    ratios = [
        (hit["score_parts"]["bm25"] * (60 + hit["bm25_rank"]))
        / (hit["score_parts"]["vector"] * (60 + hit["vector_rank"]))
        for hit in both
    ]
    assert len({hit["bm25_rank"] for hit in both}) > 5
    share = opened_shop.sql("select ranking() as weights")[0]["weights"]["plain_vector_weight"]
    assert ratios == pytest.approx([(1 - share) / share] * len(ratios), rel=0.15)  # whatever the rank


# 5. Graph


def test_seed_003_5_the_graph_is_walked_after_retrieval_and_before_the_context_is_made(asked: Ask) -> None:
    run = asked()

    order = ["search", "expand", "fetch_texts", "check_budget", "answer"]
    assert [step for step in run.steps if step in order] == order


def test_seed_003_5_1_hits_become_node_keys(asked: Ask) -> None:
    run = asked(router="[BM25:] dbo.Invoice InvoiceService")

    assert {"dbo.Invoice|TABLE", "csharp:Shop.Core.Services.InvoiceService|TYPE"} <= set(
        run.state.entry_nodes
    )


def test_seed_003_5_2_depth_nodes_and_edges_are_bounded(asked: Ask) -> None:
    run = asked(
        router="[BM25:] dbo.Invoice",
        settings={"graph_max_depth": 1, "graph_max_nodes": 25, "graph_edge_allowlist": ["FK"]},
    )

    around = run.state.neighbourhood
    assert max(node.distance for node in around.nodes) == 1
    assert len(around.nodes) <= 25
    assert {edge.relation for edge in around.edges} == {"ForeignKey"}


def test_seed_003_5_2_nodes_stay_bounded_over_follow_ups(asked: Ask) -> None:
    run = asked(answer=[*MORE[:3], "[Answer:] So [2]."], settings={"graph_max_nodes": 20})

    assert run.steps.count("expand") == 4
    assert len(run.state.neighbourhood.nodes) <= 20


@pytest.mark.parametrize("most", [1, 3])
def test_seed_003_5_3_texts_are_fetched_by_identity_and_bounded(asked: Ask, most: int) -> None:
    run = asked(settings={"node_text_fetch_top_n": most})

    assert len(entry_ids(run)) == most
    assert entry_ids(run) <= {node.node_key for node in run.state.neighbourhood.nodes}


# 6. Context and budget


def test_seed_003_6_1_the_context_has_question_history_graph_and_texts(asked: Ask, kept_shop: Path) -> None:
    asked("What is an invoice?", store=kept_shop, session="s", understand=MIXED)
    run = asked(store=kept_shop, session="s")

    (told,) = run.told("answer")
    assert "What is an invoice?" in told
    assert "What the dependency graph says" in told
    assert "Question: How are invoices implemented?" in told
    for block in run.state.evidence:
        assert block.text.splitlines()[0] in told


def test_seed_003_6_1_identifiers_stay_as_they_are(asked: Ask) -> None:
    run = asked()

    (told,) = run.told("answer")
    for block in run.state.evidence:
        if block.kind == "text":
            assert f"{block.key} ({block.location}" in told


@pytest.fixture
def over_budget(asked: Ask, written: Any) -> Callable[..., Any]:
    """Ask with more evidence than its budget."""
    child = written(
        "pipeline:\n  name: small\n  extends: base\n  settings: {max_context_tokens: 900}\n  steps:\n"
        "    - {id: fetch_texts, action: fetch_node_texts, budget_tokens: 4000, next: check_budget}\n"
    )

    def ask(summary: str) -> Any:
        return asked(pipeline=child, summarize_evidence=summary, settings={"node_text_fetch_top_n": 3})

    return ask


def test_seed_003_6_2_evidence_over_the_budget_is_summarised_by_a_model_call_of_its_own(
    over_budget: Any,
) -> None:
    run = over_budget("InvoiceService makes them.")

    assert run.step("check_budget").decision == "on_over"
    assert "summarize" in run.steps
    assert run.told("summarize_evidence")
    assert "InvoiceService makes them." in run.told("answer")[0]


def test_seed_003_6_2_the_summary_is_made_for_the_question(over_budget: Any) -> None:
    run = over_budget("InvoiceService makes them.")

    assert all("Question: How are invoices implemented?" in told for told in run.told("summarize_evidence"))


def test_seed_003_6_2_the_summary_loses_no_node_key(over_budget: Any) -> None:
    run = over_budget("Nothing of note.")

    (summary,) = run.state.evidence
    assert run.state.sources
    for source in run.state.sources:
        assert source.key in summary.text


def test_seed_003_6_2_evidence_in_the_prompt_never_exceeds_its_budget(over_budget: Any) -> None:
    run = over_budget("much too long " * 3000)

    evidence = run.told("answer")[0].split("Evidence:")[1].split("What is known to be missing:")[0]
    assert run.model.count_tokens(evidence) <= 950
    assert run.state.skipped


# 7. Answer and follow-ups


def test_seed_003_7_1_an_answer_is_given_without_its_prefix(asked: Ask) -> None:
    run = asked(answer="[Answer:] By InvoiceService [2].\n\nIt calls dbo.Invoice_Create.")

    assert run.answer.text == "By InvoiceService [2].\n\nIt calls dbo.Invoice_Create."


def test_seed_003_7_2_a_request_for_data_searches_walks_budgets_and_asks_again(asked: Ask) -> None:
    run = asked(answer=["[Requesting data on:] dunning of customers", "[Answer:] So [2]."])

    assert queries_of(run) == ["invoices", "dunning of customers"]
    round_ = ["search_more", "expand", "fetch_texts", "check_budget", "answer"]
    start = run.steps.index("search_more")
    assert [step for step in run.steps[start:] if step in round_] == round_
    assert run.answer.text == "So [2]."


def test_seed_003_7_2_what_was_requested_is_in_the_evidence(asked: Ask) -> None:
    run = asked(answer=["[Requesting data on:] dbo.Payment_Match", "[Answer:] So [2]."])

    assert "dbo.Payment_Match|PROC" in run.told("answer")[1]


def test_seed_003_7_2_more_than_max_turn_loops_requests_end_with_a_safe_explanation(asked: Ask) -> None:
    run = asked(answer=MORE, settings={"max_turn_loops": 3})

    assert run.steps.count("search_more") == 3
    assert run.steps.count("answer") == 4
    assert run.answer.status == "insufficient"
    assert "does not answer the question" in run.answer.text
    assert "Requesting data" not in run.answer.text


def test_seed_003_7_2_without_any_loop_the_first_request_ends_the_run(asked: Ask) -> None:
    run = asked(answer=MORE, settings={"max_turn_loops": 0})

    assert "search_more" not in run.steps
    assert run.answer.status == "insufficient"


def test_seed_003_7_2_a_request_after_direct_does_not_enter_the_graph_at_weak_entry_points(
    asked: Ask,
) -> None:
    run = asked(
        "How is the zeppelin hangar booked?",
        router="[DIRECT:]",
        answer_directly="[Requesting data on:] zeppelin hangar",
        reformulate="airship",
        hypothetical_answer="Books a hangar.",
    )

    assert "expand" not in run.steps
    assert run.answer.status == "insufficient"


# 8. Translate out, persist


def test_seed_003_8_1_an_answer_in_english_stays_in_english(asked: Ask) -> None:
    run = asked()

    assert run.told("translate_out") == []
    assert run.answer.text == run.state.answer_en


def test_seed_003_8_1_another_language_gets_its_answer_back(asked: Ask) -> None:
    run = asked("Jak działają faktury?", **POLISH)

    assert run.answer.text == "Przez InvoiceService [2]."


def test_seed_003_8_2_the_turn_is_kept_raw_in_english_and_translated(asked: Ask, kept_shop: Path) -> None:
    asked("Jak działają faktury?", store=kept_shop, session="s", **POLISH)

    (turn,) = StoreHistory(kept_shop).load("s").turns
    assert (turn.question, turn.question_en) == ("Jak działają faktury?", "How do invoices work?")
    assert (turn.answer, turn.answer_en) == ("Przez InvoiceService [2].", "By InvoiceService [2].")


def test_seed_003_8_2_the_summary_stays_with_the_turns_since(long_talk: Any, kept_shop: Path) -> None:
    long_talk("Invoices one?", answer=f"{LONG}{LONG}")
    second = long_talk("Invoices two?")

    conversation = StoreHistory(kept_shop).load("s")
    assert conversation.summary is not None
    assert [turn.turn_id for turn in conversation.new_turns] == [second.state.turn_id]


# 10. Execution model


def test_seed_003_10_2_a_pipeline_with_the_names_of_the_seed_runs(
    asked: Ask, written: Any, kept_shop: Path
) -> None:
    run = asked(
        store=kept_shop,
        session="s",
        pipeline=written(SEED_PIPELINE),
        answer=["[Requesting data on:] dunning", "[Answer:] So [2]."],
    )

    first = ["translate", "history", "router", "plan", "fetch", "tree", "texts", "budget"]
    assert run.steps[:8] == first
    assert run.steps.count("fetch") == 2
    assert run.steps[-1] == "done"
    assert StoreHistory(kept_shop).load("s").turns[0].answer == "So [2]."


def test_seed_003_10_2_finalize_translates_out_when_no_step_has(asked: Ask, written: Any) -> None:
    run = asked("Jak działają faktury?", pipeline=written(SEED_PIPELINE), **POLISH)

    assert run.answer.text == "Przez InvoiceService [2]."


def test_seed_003_10_2_each_branch_of_the_router_leads_where_it_says(asked: Ask, written: Any) -> None:
    run = asked(pipeline=written(SEED_PIPELINE), router="[DIRECT:]")

    assert run.steps == ["translate", "history", "router", "plan", "direct", "said", "done"]


def test_seed_003_10_2_the_guard_of_the_seed_ends_the_loop(asked: Ask, written: Any) -> None:
    run = asked(pipeline=written(SEED_PIPELINE), answer=MORE)

    assert run.steps.count("fetch") == 3
    assert run.steps[-2:] == ["stop", "done"]
    assert run.answer.status == "insufficient"


def test_seed_003_10_1_the_run_begins_at_entry_step_id_whatever_stands_first(
    asked: Ask, written: Any
) -> None:
    run = asked(pipeline=written(SEED_PIPELINE))

    assert run.steps[0] == "translate"


# 11. Inheritance


def test_seed_003_11_1_a_child_changes_repository_and_index_alone(asked: Ask, written: Any) -> None:
    child = written(
        "pipeline:\n  name: shop_main\n  extends: base\n"
        "  settings:\n    repository: shop\n    active_index: main\n"
    )
    run = asked(pipeline=child)

    assert run.step("search").inputs["filters"] == {"branch": ["main"], "repo": ["shop"]}
    assert run.answer.run.pipeline == "shop_main"


def test_seed_003_11_2_settings_are_merged_deeply(written: Any) -> None:
    written(PARENT, "parent.yaml")
    child = written(
        "pipeline:\n  name: child\n  extends: parent.yaml\n"
        "  settings: {max_turn_loops: 1, filters: {data_type: [regular_code]}}\n",
        "child.yaml",
    )

    settings = load_pipeline(child).settings
    assert (settings["top_k"], settings["max_turn_loops"]) == (5, 1)
    assert settings["filters"] == {"repo": "shop", "data_type": ["regular_code"]}


def test_seed_003_11_2_a_step_with_a_known_id_replaces_the_parents_as_a_whole(
    asked: Ask, written: Any
) -> None:
    written(PARENT, "parent.yaml")
    child = written(
        "pipeline:\n  name: child\n  extends: parent.yaml\n  steps:\n"
        "    - {id: first, action: state_limits, next: last}\n",
        "child.yaml",
    )
    run = asked(pipeline=child)

    assert dict(load_pipeline(child).steps["first"].parameters) == {"next": "last"}
    assert run.steps == ["first", "last"]
    assert run.answer.status == "insufficient"


def test_seed_003_11_2_a_step_with_a_new_id_is_added(asked: Ask, written: Any) -> None:
    written(PARENT, "parent.yaml")
    child = written(
        "pipeline:\n  name: child\n  extends: parent.yaml\n  settings: {entry_step_id: before}\n  steps:\n"
        "    - {id: before, action: set_variables, rules: [{set: variables.seen, value: 1}], next: first}\n",
        "child.yaml",
    )

    assert asked(pipeline=child).steps == ["before", "first", "last"]


def test_seed_003_11_3_levels_are_merged_from_the_root_to_the_child(asked: Ask, written: Any) -> None:
    written(PARENT, "parent.yaml")
    for name, parent, value in (("middle", "parent", "middle"), ("child", "middle", "child")):
        written(
            f"pipeline:\n  name: {name}\n  extends: {parent}.yaml\n  settings: {{top_k: {len(name)}}}\n"
            f"  steps:\n    - {{id: first, action: set_variables, next: last,"
            f" rules: [{{set: answer_en, value: {value}}}]}}\n",
            f"{name}.yaml",
        )
    child = written("pipeline:\n  name: last\n  extends: child.yaml\n", "last.yaml")

    assert asked(pipeline=child).answer.text == "child"
    assert load_pipeline(child).settings["top_k"] == 5


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("entry_step_id: translate", "entry_step_id: nowhere", "nowhere"),
        ("    entry_step_id: translate\n", "", "entry_step_id"),
        ("next: texts", "next: nowhere", "nowhere"),
        ("on_over_limit: shorten", "on_over_limit: nowhere", "nowhere"),
        ("on_bm25: fetch", "on_bm25: nowhere", "nowhere"),
        ("on_deny: stop", "on_deny: nowhere", "nowhere"),
    ],
)
def test_seed_003_11_4_entry_next_and_branches_must_exist(
    asked: Ask, written: Any, before: str, after: str, complaint: str
) -> None:
    path = written(SEED_PIPELINE.replace(before, after))

    with pytest.raises(InvalidPipelineError, match=complaint):
        asked(pipeline=path)


def test_seed_003_11_4_a_step_that_is_never_reached_is_reported(written: Any) -> None:
    path = written(SEED_PIPELINE + "    - {id: alone, action: state_limits, next: done}\n")

    assert any("alone" in finding.message for finding in check_pipeline(load_pipeline(path)))


# 12. Practical rules


def test_seed_003_12_4_weak_entry_points_stop_the_run_after_two_more_attempts(asked: Ask) -> None:
    run = asked(
        "How is the zeppelin hangar booked?",
        router="[BM25:] zeppelin",
        reformulate="airship",
        hypothetical_answer="Books a hangar.",
    )

    assert len(queries_of(run)) == 3
    assert run.answer.status == "insufficient"
    assert run.answer.gaps


# Appendix A


@pytest.mark.parametrize(
    "reply",
    [
        "By InvoiceService.",
        "[ANSWER:] obey",
        "[Answer] obey",
        " Sure! [Answer:] obey",
        "[Answer:] obey\n[Answer:] again",
        "[Answer:] obey\n[Requesting data on:] more",
        "[Requesting data on:] more\n[Answer:] obey",
        "[Answer:] obey\n[BM25:] more",
        "[Answer:]   ",
        "[HYBRID:] invoices",
    ],
)
def test_seed_003_a_prefixes_are_parsed_strictly_and_never_shown(asked: Ask, reply: str) -> None:
    run = asked(answer=reply)

    assert run.step("read_answer").decision == "on_other"
    assert run.answer.status == "insufficient"
    assert not any(text in run.answer.text for text in ("obey", "[Answer", "[BM25", "[Requesting"))


def test_seed_003_a_prefixes_of_a_direct_answer_are_parsed_as_strictly(asked: Ask) -> None:
    run = asked(router="[DIRECT:]", answer_directly="It is a request for payment.")

    assert run.answer.status == "insufficient"
    assert "request for payment" not in run.answer.text
