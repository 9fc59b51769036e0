"""Guards: seed 003 §7.2, and searches that would only repeat another one."""

from __future__ import annotations

from typing import Any

import pytest

from ragduck.pipeline.state import RetrievalPlan, State

PASS = {"action": "set_variables", "rules": []}


def looping(**guard: Any) -> tuple[dict[str, Any], ...]:
    return (
        {"id": "guard", "action": "loop_guard", "on_allow": "again", "on_deny": "stop", **guard},
        {"id": "again", **PASS, "next": "guard"},
        {"id": "stop", **PASS, "end": True},
    )


def rounds(ran: Any) -> int:
    return [step.step_id for step in ran.record.steps].count("again")


def test_seed_003_7_2_a_run_loops_at_most_max_turn_loops_times(run: Any) -> None:
    ran = run(*looping(), settings={"max_turn_loops": 3})

    assert rounds(ran) == 3
    assert ran.state.counters == {"guard": 4}
    assert ran.record.steps[-1].step_id == "stop"


@pytest.mark.parametrize(
    ("guard", "settings", "expected"),
    [
        ({}, {}, 4),
        ({"max_loops": 2}, {"max_turn_loops": 9}, 2),
        ({"max_loops": 0}, {}, 0),
        ({"max_loops_from_settings": "max_reformulations"}, {"max_reformulations": 1}, 1),
        ({"max_turn_loops_from_settings": True}, {"max_turn_loops": 5}, 5),
    ],
)
def test_the_limit_is_that_of_the_step_then_of_the_settings(
    run: Any, guard: dict[str, Any], settings: dict[str, Any], expected: int
) -> None:
    assert rounds(run(*looping(**guard), settings=settings)) == expected


def test_each_guard_counts_on_its_own(run: Any) -> None:
    inner = {"id": "inner", "action": "loop_guard", "max_loops": 1, "on_allow": "guard", "on_deny": "guard"}
    guard = {"id": "guard", "action": "loop_guard", "max_loops": 2, "on_allow": "inner", "on_deny": "stop"}

    ran = run(guard, inner, {"id": "stop", **PASS, "end": True})

    assert ran.state.counters == {"guard": 3, "inner": 2}


def test_a_guard_says_how_often_the_run_came_by(run: Any) -> None:
    ran = run(*looping(max_loops=0))

    assert ran.record.steps[0].notes == ("time 1 of at most 0",)
    assert ran.record.steps[0].decision == "on_deny"


def test_a_guard_with_an_unknown_setting_ends_the_run(run: Any) -> None:
    ran = run(*looping(max_loops_from_settings="max_lops"))

    assert "setting 'max_lops' is no whole number" in ran.record.error


def repeating(plan: RetrievalPlan, *earlier: RetrievalPlan) -> dict[str, Any]:
    return {"state": State("?", question_en="orders", plan=plan, queries=list(earlier))}


GUARD = (
    {"id": "guard", "action": "repeat_query_guard", "on_ok": "new", "on_repeat": "old"},
    {"id": "new", **PASS, "end": True},
    {"id": "old", **PASS, "end": True},
)


@pytest.mark.parametrize("query", ["Order tables", "order  TABLES", " order, tables? "])
def test_a_query_is_a_repetition_whatever_its_capitals_blanks_and_marks(run: Any, query: str) -> None:
    ran = run(*GUARD, **repeating(RetrievalPlan("bm25", query), RetrievalPlan("bm25", "order tables")))

    assert ran.record.steps[0].decision == "on_repeat"


@pytest.mark.parametrize(
    "plan",
    [
        RetrievalPlan("semantic", "order tables"),
        RetrievalPlan("bm25", "order table"),
        RetrievalPlan("bm25", "?!"),
    ],
)
def test_another_mode_or_other_words_are_no_repetition(run: Any, plan: RetrievalPlan) -> None:
    ran = run(*GUARD, **repeating(plan, RetrievalPlan("bm25", "order tables"), RetrievalPlan("bm25", "!")))

    assert ran.record.steps[0].decision == "on_ok"


def test_without_a_plan_the_question_is_what_would_be_searched_for(run: Any) -> None:
    state = State("?", question_en="Orders?", queries=[RetrievalPlan("hybrid", "orders")])

    assert run(*GUARD, state=state).record.steps[0].decision == "on_repeat"
