"""The engine: transitions, limits, cancellation, and what is left when a run goes wrong."""

from __future__ import annotations

from threading import Event
from typing import Any

import pytest

from ragduck.errors import ModelError, ModelTimeoutError, PipelineError, StoreError
from ragduck.pipeline.prompting.prompts import Prompts
from ragduck.pipeline.state import State

PASS = {"action": "pass_by"}


@pytest.fixture(autouse=True)
def _pass_by(own_action: Any) -> None:
    own_action("pass_by", lambda context: None)


def ids(record: Any) -> list[str]:
    return [step.step_id for step in record.steps]


def failing(error: BaseException) -> Any:
    def fail(context: Any) -> None:
        raise error

    return fail


def test_seed_003_10_1_a_run_begins_with_entry_step_id_whatever_the_order_of_steps(run: Any) -> None:
    ran = run(
        {"id": "last", **PASS, "end": True},
        {"id": "first", **PASS, "next": "last"},
        settings={"entry_step_id": "first"},
    )

    assert ids(ran.record) == ["first", "last"]


def test_seed_003_10_1_a_step_without_a_branch_goes_to_next(run: Any) -> None:
    ran = run({"id": "a", **PASS, "next": "c"}, {"id": "b", **PASS}, {"id": "c", **PASS})

    assert ids(ran.record) == ["a", "c"]


def test_seed_003_10_1_an_action_chooses_among_the_branches(run: Any, own_action: Any) -> None:
    own_action("choose", lambda context: context.branch("on_over"))

    ran = run(
        {"id": "a", "action": "choose", "next": "b", "on_over": "c"}, {"id": "b", **PASS}, {"id": "c", **PASS}
    )

    assert ids(ran.record) == ["a", "c"]
    assert ran.record.steps[0].decision == "on_over"
    assert ran.record.steps[0].next_step_id == "c"


def test_end_true_ends_the_run_whatever_the_action_returns(run: Any, own_action: Any) -> None:
    own_action("choose", lambda context: "b")

    ran = run({"id": "a", "action": "choose", "end": True}, {"id": "b", **PASS})

    assert ids(ran.record) == ["a"]


def test_a_branch_that_is_not_written_goes_to_next(run: Any, own_action: Any) -> None:
    own_action("choose", lambda context: context.branch("on_ok"))

    ran = run({"id": "a", "action": "choose", "next": "b"}, {"id": "b", **PASS})

    assert ids(ran.record) == ["a", "b"]


@pytest.mark.parametrize(
    ("state", "status"),
    [
        ({"answer_en": "so"}, "answered"),
        ({}, "insufficient"),
        ({"answer": "so", "status": "insufficient"}, "insufficient"),
    ],
)
def test_a_run_that_ends_is_answered_only_with_an_answer(
    run: Any, state: dict[str, Any], status: str
) -> None:
    ran = run({"id": "a", **PASS}, state=State("?", **state))

    assert ran.record.status == ran.state.status == status


@pytest.mark.parametrize(
    ("step", "message", "hint"),
    [
        ({"id": "a", **PASS, "next": "finsh"}, "no step 'finsh'", "did you mean finish?"),
        ({"id": "a", "action": "pas_by"}, "unknown action 'pas_by'", "did you mean pass_by?"),
        ({"id": "a", **PASS, "on_ok": "finish"}, "leads nowhere", "add next: STEP"),
    ],
)
def test_a_step_that_leads_nowhere_ends_the_run_with_place_and_hint(
    run: Any, step: dict[str, Any], message: str, hint: str
) -> None:
    ran = run(step, {"id": "finish", **PASS})

    assert ran.record.status == "failed"
    assert ran.record.error.startswith("test.yaml:1:1: ")
    assert message in ran.record.error
    assert f"\nhint: {hint}" in ran.record.error


def test_a_pipeline_that_does_not_say_where_it_begins_is_refused(run: Any) -> None:
    ran = run({"id": "a", **PASS}, settings={"entry_step_id": None})

    assert "does not say where it begins\nhint: add settings: {entry_step_id: STEP}" in ran.record.error


def test_a_run_never_takes_more_than_max_steps(run: Any) -> None:
    ran = run({"id": "a", **PASS, "next": "a"}, settings={"max_steps": 7})

    assert len(ran.record.steps) == 7
    assert ran.record.status == "failed"
    assert "ended after 7 steps, before step 'a'" in ran.record.error


def test_a_run_that_is_out_of_time_is_ended(run: Any, ticking: Any) -> None:
    ran = run({"id": "a", **PASS, "next": "a"}, settings={"timeout_seconds": 60}, clock=ticking())

    assert ran.record.status == "failed"
    assert "the run took longer than 60 s" in ran.record.error
    assert ran.history.runs == [ran.record]


def test_a_step_that_took_too_long_ends_the_run(run: Any, ticking: Any) -> None:
    ran = run({"id": "slow", **PASS, "timeout_seconds": 0.5}, clock=ticking())

    assert ran.record.status == "failed"
    assert "step 'slow' took longer than 0.5 s" in ran.record.error
    assert "hint: raise timeout_seconds of step 'slow'" in ran.record.error


def test_a_long_action_is_stopped_where_it_checks_the_time(run: Any, own_action: Any, ticking: Any) -> None:
    rounds = []

    def work(context: Any) -> None:
        while True:
            rounds.append(context.seconds_left())
            context.check_time()

    own_action("work", work)

    ran = run({"id": "a", "action": "work", "timeout_seconds": 9}, clock=ticking())

    assert ran.record.status == "failed"
    assert 1 < len(rounds) < 10
    assert rounds == sorted(rounds, reverse=True)


def test_seconds_left_is_of_what_ends_first(run: Any, own_action: Any) -> None:
    left: list[float | None] = []
    own_action("look", lambda context: left.append(context.seconds_left()))

    run(
        {"id": "a", "action": "look", "timeout_seconds": 5},
        clock=lambda: 0.0,
        settings={"timeout_seconds": 60},
    )
    run(
        {"id": "a", "action": "look", "timeout_seconds": 5},
        clock=lambda: 0.0,
        settings={"timeout_seconds": 2},
    )
    run({"id": "a", "action": "look"}, clock=lambda: 0.0)

    assert left == [5, 2, None]


def test_a_cancelled_run_ends_before_the_next_step(run: Any, own_action: Any) -> None:
    cancel = Event()
    own_action("cancel", lambda context: cancel.set())

    ran = run({"id": "a", "action": "cancel"}, {"id": "b", **PASS}, cancel=cancel)

    assert ids(ran.record) == ["a"]
    assert ran.record.status == ran.state.status == "cancelled"
    assert ran.history.runs == [ran.record]


def test_a_cancelled_run_ends_within_a_step_that_checks(run: Any, own_action: Any) -> None:
    cancel = Event()

    def work(context: Any) -> None:
        cancel.set()
        context.check_time()
        context.state.answer_en = "too late"

    own_action("work", work)

    ran = run({"id": "a", "action": "work"}, cancel=cancel)

    assert ran.record.status == "cancelled"
    assert ran.record.steps[0].error == "cancelled"
    assert ran.state.answer_en == ""


def test_an_interrupt_saves_the_trace_and_is_raised_again(
    run: Any, own_action: Any, memory_history: Any
) -> None:
    own_action("interrupt", failing(KeyboardInterrupt()))
    history = memory_history()

    with pytest.raises(KeyboardInterrupt):
        run({"id": "a", **PASS}, {"id": "b", "action": "interrupt"}, history=history)

    assert history.runs[0].status == "cancelled"
    assert ids(history.runs[0]) == ["a", "b"]


@pytest.mark.parametrize(
    "error",
    [
        PipelineError("broken", hint="mend it"),
        ModelError("broken", hint="mend it"),
        ModelTimeoutError("broken", hint="mend it"),
        StoreError("broken", hint="mend it"),
    ],
)
def test_a_refusal_ends_the_run_with_its_message_and_hint(
    run: Any, own_action: Any, error: Exception
) -> None:
    own_action("fail", failing(error))

    ran = run({"id": "a", **PASS}, {"id": "b", "action": "fail"}, {"id": "c", **PASS})

    assert ran.record.status == ran.state.status == "failed"
    assert ran.record.error.endswith("broken\nhint: mend it")
    assert ran.record.steps[-1].error == ran.record.error
    assert ids(ran.record) == ["a", "b"]
    assert ran.history.runs == [ran.record]
    assert any("ended early at step 'b'" in gap and "broken" in gap for gap in ran.state.gaps)


def test_a_bug_in_an_action_ends_the_run_and_says_where_it_is(run: Any, own_action: Any) -> None:
    own_action("fail", failing(ZeroDivisionError("division by zero")))

    ran = run({"id": "a", "action": "fail"})

    assert ran.record.status == "failed"
    assert ran.record.error.startswith("ZeroDivisionError: division by zero (test_engine.py:")


def test_what_a_failed_step_found_is_in_the_trace(run: Any, own_action: Any) -> None:
    def fail(context: Any) -> None:
        context.state.question_en = "found"
        context.note("came so far")
        raise PipelineError("broken")

    own_action("fail", fail)

    ran = run({"id": "a", "action": "fail"})

    assert ran.record.steps[0].outputs == {"question_en": "found"}
    assert ran.record.steps[0].notes == ("came so far",)


def test_errors_show_no_key(run: Any, own_action: Any) -> None:
    own_action(
        "fail", failing(RuntimeError("401 for Authorization: Bearer abcdef0123456789, sk-abcdef0123456789"))
    )

    ran = run({"id": "a", "action": "fail"})

    assert "abcdef0123456789" not in f"{ran.record} {ran.state.gaps}"


@pytest.mark.parametrize("error", [StoreError("the disk is full"), OSError("the disk is full")])
def test_an_answer_is_not_lost_when_the_trace_cannot_be_saved(
    run: Any, memory_history: Any, error: Exception
) -> None:
    class FullHistory(memory_history):
        def save_run(self, run: Any) -> None:
            raise error

    ran = run({"id": "a", **PASS}, history=FullHistory(), state=State("?", answer_en="so"))

    assert ran.record.status == "answered"
    assert "the disk is full" in ran.record.error
    assert "could not be saved: the disk is full" in ran.state.gaps[-1]


def test_a_missing_prompt_ends_the_run_and_names_the_prompt(run: Any) -> None:
    ran = run({"id": "a", "action": "call_model", "prompt_key": "ansver"}, replies=["unused"])

    assert ran.record.status == "failed"
    assert "there is no prompt 'ansver'" in ran.record.error
    assert "did you mean answer" in ran.record.error


def test_a_step_that_needs_a_model_ends_the_run_without_one(run: Any) -> None:
    ran = run({"id": "a", "action": "call_model", "prompt_key": "router"})

    assert "asks a language model, and none is configured" in ran.record.error
    assert "--pipeline extractive" in ran.record.error


def test_the_trace_can_always_be_written(run: Any, own_action: Any) -> None:
    def fail(context: Any) -> None:
        context.note("half \ud800")
        raise PipelineError("half \ud800")

    own_action("fail", fail)

    ran = run({"id": "a", "action": "fail"}, state=State("half \ud800"))

    assert "half ?" in ran.record.error
    str(ran.record).encode("utf-8")


def test_steps_are_reported_as_they_end(run: Any) -> None:
    seen: list[str] = []

    run({"id": "a", **PASS}, {"id": "b", **PASS}, on_step=lambda record: seen.append(record.step_id))

    assert seen == ["a", "b"]


def test_variables_of_the_settings_are_there_from_the_start(run: Any) -> None:
    ran = run({"id": "a", **PASS}, settings={"variables": {"tone": "brief"}})

    assert ran.state.variables == {"tone": "brief"}


def test_an_action_is_given_defaults_run_and_times(run: Any, own_action: Any, tmp_path: Any) -> None:
    seen: list[Any] = []
    own_action("look", lambda context: seen.append(context))

    ran = run({"id": "a", "action": "look"}, run_id="r1", prompts=Prompts([tmp_path]))

    assert seen[0].run_id == ran.record.run_id == "r1"
    assert seen[0].now() == ran.record.started_at
    assert seen[0].parameters["end"] is True
    assert seen[0].settings["max_turn_loops"] == 4
    assert seen[0].pipeline == "test"
