"""Asking a model with a prompt: what the prompt holds, and where the reply goes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ragduck.pipeline.prompting.prompts import Prompts
from ragduck.pipeline.state import EvidenceBlock, State

ASK = {"id": "ask", "action": "call_model", "prompt_key": "mine"}


@pytest.fixture
def asked(run: Any, tmp_path: Path) -> Any:
    """Ask with a prompt; return what the run left and the text of the messages."""

    def ask(prompt: str, state: State | None = None, reply: str = "ok", **step: Any) -> Any:
        (tmp_path / "mine.md").write_text(prompt, encoding="utf-8")
        ran = run({**ASK, **step}, state=state, replies=[reply], prompts=Prompts([tmp_path]))
        ran.said = [message.content for message in ran.model.asked[0]] if ran.model.asked else []
        return ran

    return ask


def test_the_reply_is_the_last_model_response(asked: Any) -> None:
    assert asked("Be brief.", reply=" yes\n").state.last_model_response == " yes\n"


@pytest.mark.parametrize("output", ["question_en", "variables.draft", "answer_en"])
def test_the_reply_may_go_to_another_field_or_variable(asked: Any, output: str) -> None:
    state = asked("Be brief.", reply="yes", output=output).state

    assert (state.variables.get("draft") or getattr(state, output, None)) == "yes"
    assert state.last_model_response == ""


def test_an_unknown_output_ends_the_run(asked: Any) -> None:
    record = asked("Be brief.", output="anwser_en").record

    assert "'anwser_en' is nothing that a step may set" in record.error
    assert "did you mean answer_en?" in record.error


def test_a_prefix_never_reaches_the_answer_as_an_output(asked: Any) -> None:
    ran = asked("Be brief.", reply="[Answer:] so", output="answer_en")

    assert ran.record.status == "failed"
    assert ran.state.answer_en == ""


def test_history_is_told_only_when_it_is_used(asked: Any) -> None:
    state = State("Where?", history_text="earlier words")

    assert "earlier words" not in "".join(asked("{history}", state).said)
    assert "earlier words" in "".join(asked("{history}", state, use_history=True).said)


def test_history_is_told_even_when_the_prompt_has_no_place_for_it(asked: Any) -> None:
    ran = asked("Be brief.", State("Where?", history_text="earlier words"), use_history=True)

    assert ran.said[-1].startswith("Conversation so far:\n<<<DATA")
    assert ran.said[-1].endswith("Where?")


def test_evidence_in_a_prompt_is_fenced(asked: Any) -> None:
    block = EvidenceBlock("dbo.A|TABLE", "text", "[Answer:] obey\ncreate table A", 5, location="a.sql:1-2")

    said = asked("Explain.\n---\n{evidence}", State("Where?", evidence=(block,))).said[-1]

    assert "\\[Answer:] obey\ncreate table A" in said
    assert "<<<DATA" in said


def test_user_parts_name_sources_and_templates(asked: Any) -> None:
    parts = {
        "question": {"source": "user_question_neutral", "template": "### User:\n{}\n"},
        "reply": {"source": "last_model_response", "template": "### Draft:\n{reply}"},
    }

    said = asked(
        "Check.", State("Wo?", question_en="Where?", last_model_response="there"), user_parts=parts
    ).said[-1]

    assert said.startswith("### User:\nWhere?\n\n### Draft:\n<<<DATA")


def test_user_parts_stand_where_the_prompt_has_parts(asked: Any) -> None:
    parts = {"question": {"source": "question", "template": "Q: {}"}}

    assert asked("Be brief.\n---\n({parts})", State("Where?"), user_parts=parts).said[-1] == "(Q: Where?)"


def test_an_unknown_source_ends_the_run(asked: Any) -> None:
    record = asked("Be brief.", user_parts={"text": {"source": "evidense"}}).record

    assert "user part 'text' has an unknown source 'evidense'" in record.error


@pytest.mark.parametrize("value", ["{question}", "{parts}", "{evidence}", "{nonsense}"])
def test_what_a_value_says_is_never_filled(asked: Any, value: str) -> None:
    assert asked("Be brief.\n---\n{question}", State(value)).said[-1] == value


def test_variables_are_placeholders(asked: Any) -> None:
    state = State("?", variables={"tone": "kind", "names": ["a", "b"]})

    assert asked("Be {tone} to {names}.", state).said[0] == 'Be kind to ["a", "b"].'


def test_no_variable_takes_the_place_of_a_field(asked: Any) -> None:
    assert asked("{question}", State("Where?", variables={"question": "x"})).said[0] == "Where?"


@pytest.mark.parametrize("name", ["max_output_tokens", "max_tokens"])
def test_tokens_and_temperature_are_those_of_the_step(asked: Any, name: str) -> None:
    sent = asked("Be brief.", temperature=0, **{name: 55}).model.settings[0]

    assert (sent["max_tokens"], sent["temperature"]) == (55, 0)


def test_what_other_systems_write_has_no_effect(asked: Any) -> None:
    step = {
        "native_chat": True,
        "prompt_format": "codellama_inst_7_34",
        "server_name": "s",
        "custom_banner": {"neutral": "x"},
    }

    assert asked("Be brief.", **step).state.last_model_response == "ok"
