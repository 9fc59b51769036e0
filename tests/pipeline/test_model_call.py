"""Asking the model: within its window, within the time, and told in the trace."""

from __future__ import annotations

from typing import Any

import pytest

from ragduck.errors import ModelTimeoutError
from ragduck.llm.protocol import Completion, Message
from ragduck.pipeline.prompting.model_call import ask_model

ASK = {"id": "ask", "action": "call_model", "prompt_key": "router"}


@pytest.mark.parametrize(
    ("settings", "step", "timeout"),
    [
        ({}, {}, 120),
        ({"model_timeout_seconds": 30}, {}, 30),
        ({"timeout_seconds": 10}, {}, 10),
        ({"timeout_seconds": 10}, {"timeout_seconds": 5}, 5),
        ({"model_timeout_seconds": 3, "timeout_seconds": 10}, {}, 3),
    ],
)
def test_the_model_is_given_the_smaller_of_its_own_and_the_time_that_is_left(
    run: Any, settings: dict[str, Any], step: dict[str, Any], timeout: float
) -> None:
    ran = run({**ASK, **step}, replies=["ok"], settings=settings, clock=lambda: 0.0)

    assert ran.model.settings[0]["timeout"] == timeout


def test_a_model_that_takes_too_long_ends_the_run_with_a_saved_trace(run: Any) -> None:
    late = ModelTimeoutError("saying took longer than 3 s", hint="raise model_timeout_seconds")

    ran = run(ASK, replies=[late], settings={"model_timeout_seconds": 3})

    assert ran.record.status == "failed"
    assert "saying took longer than 3 s\nhint: raise model_timeout_seconds" in ran.record.error
    assert ran.record.steps[0].inputs["messages"]
    assert ran.history.runs == [ran.record]


def test_a_prompt_that_does_not_fit_the_window_is_refused_before_the_model_is_asked(
    run: Any, saying_model: Any
) -> None:
    model = saying_model(["unused"], context_window=1500)

    ran = run(ASK, model=model, settings={"max_output_tokens": 1000, "budget_safety_margin_tokens": 400})

    assert model.asked == []
    assert ran.record.status == "failed"
    assert "saying takes 100 beside an answer of 1,000" in ran.record.error
    assert "question 4" in ran.record.error
    assert "hint: lower max_context_tokens" in ran.record.error


def test_prompt_answer_and_margin_together_may_fill_the_window(run: Any, saying_model: Any) -> None:
    wide = run(ASK, replies=["ok"])
    needed = sum(len(message["content"].split()) + 8 for message in wide.record.steps[0].inputs["messages"])

    exact = run(ASK, model=saying_model(["ok"], context_window=needed + 1128))
    short = run(ASK, model=saying_model(["ok"], context_window=needed + 1127))

    assert (exact.record.error, short.record.status) == (None, "failed")


def test_a_reply_that_was_cut_is_noted_and_told(run: Any) -> None:
    ran = run(ASK, replies=[Completion("half an", 10, 2, is_cut=True)])

    assert "ends where it reached its limit" in ran.record.steps[0].notes[0]
    assert ran.state.gaps == ("The model's reply at step 'ask' was cut at its limit.",)


def test_tokens_are_those_that_the_model_tells(run: Any) -> None:
    ran = run(ASK, replies=[Completion("ok", 321, 7)])

    assert (ran.record.steps[0].prompt_tokens, ran.record.steps[0].completion_tokens) == (321, 7)


def test_the_trace_shows_every_prompt_and_reply_of_a_step(run: Any, own_action: Any) -> None:
    def ask_twice(context: Any) -> None:
        ask_model(context, [Message("user", "one?")])
        ask_model(context, [Message("user", "two?")])

    own_action("ask_twice", ask_twice)

    step = run({"id": "a", "action": "ask_twice"}, replies=["1", "2"]).record.steps[0]

    assert step.inputs["messages"] == [{"role": "user", "content": "one?"}]
    assert step.inputs["messages_2"] == [{"role": "user", "content": "two?"}]
    assert step.outputs == {"reply": "1", "reply_2": "2"}
    assert (step.prompt_tokens, step.completion_tokens) == (2, 2)


def test_a_reply_that_comes_too_late_is_still_in_the_trace(run: Any, own_action: Any, ticking: Any) -> None:
    own_action("ask", lambda context: ask_model(context, [Message("user", "one?")]) and None)

    record = run({"id": "a", "action": "ask", "timeout_seconds": 2.5}, replies=["1"], clock=ticking()).record

    assert record.status == "failed"
    assert record.steps[0].outputs == {"reply": "1"}


def test_halves_of_characters_in_a_reply_are_replaced(run: Any) -> None:
    ran = run(ASK, replies=["half \ud83d"])

    assert ran.state.last_model_response == "half ?"
