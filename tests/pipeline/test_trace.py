"""The trace: what a step changed, short, reproducible and without secrets."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.conversation import Conversation, HistorySummary, Turn
from ragduck.pipeline.running.trace import MAX_TEXT, changes, shown, snapshot, without_times
from ragduck.pipeline.state import EvidenceBlock, RetrievalPlan, State
from ragduck.search.neighbourhood import GraphNode, Neighbourhood

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.frozensets(st.text()),
)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def changed(act: Any, state: State | None = None) -> dict[str, Any]:
    state = state or State("?")
    before = snapshot(state)
    act(state)
    return changes(before, state)


def test_a_step_shows_the_fields_that_it_changed_and_no_others() -> None:
    def act(state: State) -> None:
        state.question_en = "Where?"
        state.answer_en = ""

    assert changed(act) == {"question_en": "Where?"}


def test_what_is_changed_in_place_is_noticed() -> None:
    def act(state: State) -> None:
        state.queries.append(RetrievalPlan("bm25", "orders"))
        state.counters["guard"] = 1
        state.variables["list"].append("b")

    seen = changed(act, State("?", variables={"list": ["a"]}))

    assert seen["counters"] == {"guard": 1}
    assert seen["queries"][0]["query"] == "orders"
    assert seen["variables"] == {"list": ["a", "b"]}


def test_long_texts_say_how_much_of_them_is_not_shown() -> None:
    assert shown("x" * (MAX_TEXT + 1234)) == f"{'x' * MAX_TEXT}… 1,234 characters not shown"
    assert shown("x" * MAX_TEXT) == "x" * MAX_TEXT


def test_long_lists_say_how_many_items_are_not_shown() -> None:
    assert shown(list(range(250)))[-1] == "… 50 more"
    assert shown({str(number): number for number in range(250)})["…"] == "50 more"


def test_hits_are_shown_as_id_score_and_location() -> None:
    hit = {"id": "sql:a:part=0", "score": 0.5, "location": "a.sql:1-9", "text": "create table a"}

    def act(state: State) -> None:
        state.hits = (hit,)

    assert changed(act) == {"hits": [{"id": "sql:a:part=0", "score": 0.5, "location": "a.sql:1-9"}]}


def test_a_neighbourhood_is_shown_as_counts_and_keys() -> None:
    node = GraphNode(1, "dbo.A|TABLE", "TABLE", "A", "r", "b", "db_code", is_external=False)

    seen = shown(Neighbourhood(("dbo.A|TABLE",), (node,), ()))

    assert (seen["nodes"], seen["edges"], seen["keys"]) == (1, 0, ["dbo.A|TABLE"])


def test_evidence_is_shown_by_place_and_with_its_text_where_it_has_none() -> None:
    text = EvidenceBlock("dbo.A|TABLE", "text", "create table a", 3, location="a.sql:1-9")
    summary = EvidenceBlock("summary", "summary", "A is a table.", 4)

    assert "text" not in shown(text)
    assert shown(summary)["text"] == "A is a table."


def test_a_conversation_is_shown_as_counts_without_ids_and_times() -> None:
    turn = Turn("t1", "s1", NOON, "a?", "a?", "b", "b")
    summary = HistorySummary("s1", 3, "t1", "so far", "a?", NOON)

    assert shown(Conversation("s1", (turn,), summary)) == {"turns": 1, "summary_version": 3}


def test_values_under_names_of_secrets_are_hidden() -> None:
    value = {"api_key": "k1", "auth": {"password": "k2", "access_token": "k3"}, "max_output_tokens": 5}

    assert shown(value) == {
        "api_key": "…",
        "auth": {"password": "…", "access_token": "…"},
        "max_output_tokens": 5,
    }


@settings(deadline=None)
@given(JSON)
def test_whatever_is_shown_is_json(value: object) -> None:
    json.dumps(shown(value), allow_nan=False, ensure_ascii=False).encode("utf-8")


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        ("half \ud800", "half ?"),
        (float("nan"), "nan"),
        (Fraction(1, 2), 0.5),
        (datetime(2026, 1, 1), "2026-01-01T00:00:00"),
    ],
)
def test_values_that_json_does_not_have_are_shown_as_text_or_number(value: object, seen: object) -> None:
    assert shown(value) == seen


def test_foreign_objects_are_named_not_printed() -> None:
    assert shown({"key": object()}) == {"key": "… object not shown"}


def test_what_contains_itself_is_shown_to_a_depth() -> None:
    endless: list[Any] = []
    endless.append(endless)

    assert "not shown" in json.dumps(shown(endless))


def test_the_same_replies_give_the_same_trace_apart_from_ids_and_times(run: Any) -> None:
    steps = (
        {"id": "ask", "action": "call_model", "prompt_key": "router", "next": "read"},
        {"id": "read", "action": "prefix_router", "on_hybrid": "guard", "on_other": "guard"},
        {"id": "guard", "action": "loop_guard", "on_allow": "ask", "on_deny": "out"},
        {"id": "out", "action": "translate_out_if_needed"},
    )
    replies = ["[HYBRID:] one", "nonsense", "[HYBRID:] two", "[HYBRID:] three", "[HYBRID:] four"]

    one, other = run(*steps, replies=replies).record, run(*steps, replies=replies).record

    assert without_times(one) == without_times(other)
    assert one.run_id != other.run_id
    assert len(one.steps) == 16


def test_runs_of_different_sessions_differ_in_ids_only(run: Any, own_action: Any) -> None:
    def look(context: Any) -> None:
        context.reads("session", context.state.session_id)
        context.note(f"run {context.run_id} of {context.state.session_id}")

    own_action("look", look)

    one = run({"id": "a", "action": "look"}, state=State("?", session_id="session-1")).record
    other = run({"id": "a", "action": "look"}, state=State("?", session_id="session-2")).record

    assert one.steps[0].inputs == {"session": "session-1"}
    assert without_times(one) == without_times(other)


def test_a_run_without_times_is_json(run: Any) -> None:
    record = run({"id": "out", "action": "translate_out_if_needed"}).record

    assert json.loads(json.dumps(without_times(record)))["status"] == "insufficient"


def test_a_model_call_shows_prompt_reply_and_tokens(run: Any) -> None:
    step = run(
        {"id": "ask", "action": "call_model", "prompt_key": "router"}, replies=["[DIRECT:]"]
    ).record.steps[0]

    assert step.inputs["model"] == "saying"
    assert [message["role"] for message in step.inputs["messages"]] == ["system", "user"]
    assert step.inputs["messages"][1]["content"].endswith("Question: How are orders placed?")
    assert step.outputs == {"last_model_response": "[DIRECT:]"}
    assert (step.prompt_tokens > 100, step.completion_tokens) == (True, 1)


def test_the_trace_of_a_run_holds_its_settings(run: Any) -> None:
    record = run({"id": "out", "action": "translate_out_if_needed"}, settings={"top_k": 7}).record

    assert record.settings["top_k"] == 7
    assert record.settings["max_turn_loops"] == 4
