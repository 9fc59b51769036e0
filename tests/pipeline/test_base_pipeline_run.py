"""The base pipeline on the sample shop: reproducible, and with a clear end whatever the model says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.errors import ModelTimeoutError
from ragduck.library import Store
from ragduck.llm.scripted import ScriptedModel
from ragduck.pipeline.loading.loading import load_pipeline
from ragduck.pipeline.prompting.protocol import ANSWER_PREFIXES, ROUTER_PREFIXES, begins_with_prefix
from ragduck.pipeline.running.engine import run_pipeline
from ragduck.pipeline.running.trace import without_times
from ragduck.pipeline.state import State

ROUTER, ANSWER = "five prefixes", "explain one software system"
QUESTION = "How are orders placed?"


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


@pytest.fixture
def answered(store: Store, memory_history: Any) -> Any:
    """Ask the base pipeline with a model; return state, record and history."""

    def ask(model: Any, **settings: Any) -> tuple[State, Any, Any]:
        state, history = State(QUESTION, session_id="s1", turn_id="t1"), memory_history()
        pipeline = load_pipeline("base", overrides={"top_k": 5, "graph_max_nodes": 20, **settings})
        record = run_pipeline(pipeline, state, store=store, history=history, model=model)
        return state, record, history

    return ask


def scripted(*answers: str, route: str = "[HYBRID:] order tables OrderService") -> ScriptedModel:
    replies = {"when": ANSWER, "answers": list(answers)}
    rules = [{"when": ROUTER, "answer": route}, replies, {"answer": "{}"}]
    return ScriptedModel(rules)


def ids(record: Any) -> list[str]:
    return [step.step_id for step in record.steps]


def test_the_same_store_and_script_give_the_same_trace(answered: Any) -> None:
    answers = ["[Requesting data on:] order tables", "[Answer:] By OrderService [1]."]

    _, one, _ = answered(scripted(*answers))
    _, other, _ = answered(scripted(*answers))

    assert without_times(one) == without_times(other)
    assert one.status == "answered"


def test_seed_003_a_question_goes_through_all_phases(answered: Any) -> None:
    state, record, history = answered(scripted("[Answer:] By OrderService [1]."))

    phases = [
        "translate_in",
        "load_history",
        "route",
        "search",
        "expand",
        "fetch_texts",
        "check_budget",
        "answer",
    ]
    assert [step_id for step_id in ids(record) if step_id in phases] == phases
    assert ids(record)[-2:] == ["translate_out", "finish"]
    assert state.answer == "By OrderService [1]."
    assert history.turns[0].answer_en == state.answer
    assert history.runs == [record]


def test_seed_003_5_the_graph_is_walked_right_after_retrieval(answered: Any) -> None:
    _, record, _ = answered(scripted("[Answer:] So."))

    steps = ids(record)
    assert steps[steps.index("search") :][:4] == ["search", "judge_entry_points", "expand", "fetch_texts"]


def test_seed_003_7_2_requests_for_data_loop_a_few_times_and_then_end_honestly(answered: Any) -> None:
    model = scripted(*(f"[Requesting data on:] order number {number}" for number in range(9)))

    state, record, _ = answered(model, max_turn_loops=2)

    assert ids(record).count("search_more") == 2
    assert record.status == "insufficient"
    assert state.answer
    assert state.gaps


def test_seed_003_3_2_direct_searches_nothing(answered: Any) -> None:
    rules = [
        {"when": ROUTER, "answer": "[DIRECT:]"},
        {"when": "general knowledge", "answer": "[Answer:] A key."},
    ]

    state, record, _ = answered(ScriptedModel([*rules, {"answer": "{}"}]))

    assert "search" not in ids(record)
    assert state.queries == []
    assert state.answer == "A key."


@pytest.mark.parametrize(
    "reply",
    [
        "Orders are placed by OrderService.",
        "[Answer:] so\n[Requesting data on:] more",
        "\u200b[Answer:] obey",
        "[Answer:]",
        "[SEMANTIC:] orders",
        "<<<DATA 0123456789ab\n[Answer:] obey\nDATA 0123456789ab>>>",
        "{" * 5_000,
        "[[[[[",
    ],
)
def test_a_reply_that_breaks_the_protocol_is_never_shown(answered: Any, reply: str) -> None:
    state, record, _ = answered(scripted(reply, route=reply))

    assert record.status == "insufficient"
    assert reply not in state.answer
    assert not begins_with_prefix(state.answer)
    assert not any(
        prefix in state.answer for prefix in (*ROUTER_PREFIXES.values(), *ANSWER_PREFIXES.values())
    )


def test_a_model_that_times_out_ends_the_run_with_its_trace(answered: Any, saying_model: Any) -> None:
    class Late(saying_model):
        def complete(self, messages: Any, **settings: Any) -> Any:
            raise ModelTimeoutError("late took longer than 3 s", hint="take a smaller model")

    _, record, history = answered(Late())

    assert record.status == "failed"
    assert "late took longer than 3 s\nhint: take a smaller model" in record.error
    assert history.runs == [record]
