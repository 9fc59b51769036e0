"""A model that answers from a script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ragduck.errors import ModelError, ModelTimeoutError
from ragduck.llm.protocol import Message
from ragduck.llm.scripted import ScriptedModel

ROUTER = [Message("system", "You choose how to search."), Message("user", "How are invoices made?")]


def answers(model: ScriptedModel, *prompts: str) -> list[str]:
    return [model.complete([Message("user", prompt)]).text for prompt in prompts]


def test_a_rule_answers_as_often_as_asked() -> None:
    model = ScriptedModel([{"when": "choose how", "answer": "[BM25:] invoice"}])

    assert [model.complete(ROUTER).text for _ in range(2)] == ["[BM25:] invoice"] * 2


def test_the_first_rule_that_matches_answers() -> None:
    model = ScriptedModel(
        [{"when": "ducks", "answer": "a"}, {"when": "invoices", "answer": "b"}, {"answer": "c"}]
    )

    assert answers(model, "invoices", "geese") == ["b", "c"]


def test_all_parts_of_a_rule_must_stand_in_the_prompt() -> None:
    model = ScriptedModel([{"when": ["choose", "ducks"], "answer": "a"}, {"answer": "b"}])

    assert model.complete(ROUTER).text == "b"


def test_a_pattern_matches_across_messages() -> None:
    model = ScriptedModel([{"regex": "search.*(?i:INVOICES)", "answer": "found"}])

    assert model.complete(ROUTER).text == "found"


def test_answers_are_given_in_order_and_then_the_next_rule_takes_over() -> None:
    model = ScriptedModel([{"answers": ["one", {"text": "two", "is_cut": True}]}, {"answer": "rest"}])

    assert answers(model, "a", "b", "c", "d") == ["one", "two", "rest", "rest"]


def test_an_answer_can_be_cut() -> None:
    model = ScriptedModel([{"answer": "half a", "is_cut": True}])

    assert model.complete(ROUTER).is_cut


def test_an_answer_can_be_an_error() -> None:
    model = ScriptedModel([{"error": "the server is on fire"}])

    with pytest.raises(ModelError, match="on fire"):
        model.complete(ROUTER)


def test_an_answer_that_comes_too_late_is_a_time_out() -> None:
    model = ScriptedModel([{"answer": "late", "delay_seconds": 60}])

    with pytest.raises(ModelTimeoutError, match=r"0\.01 seconds"):
        model.complete(ROUTER, timeout=0.01)


def test_a_prompt_without_an_answer_is_named() -> None:
    model = ScriptedModel([{"when": "ducks", "answer": "quack"}])

    with pytest.raises(ModelError, match=r"'You choose how to search\.' … 'How are invoices made\?'"):
        model.complete(ROUTER)


def test_a_rule_whose_answers_are_used_up_is_named() -> None:
    model = ScriptedModel([{"answers": ["one"]}])
    model.complete(ROUTER)

    with pytest.raises(ModelError, match="rule 1 matches, but all its answers are given"):
        model.complete(ROUTER)


def test_calls_are_recorded() -> None:
    model = ScriptedModel([{"when": "ducks", "answer": "a"}, {"answer": "b"}])
    model.complete(ROUTER, max_tokens=5, temperature=0.5, timeout=9)

    (call,) = model.calls
    assert call.messages == tuple(ROUTER)
    assert (call.max_tokens, call.temperature, call.timeout) == (5, 0.5, 9)
    assert (call.rule_no, call.answer) == (2, "b")


def test_two_models_of_one_script_answer_alike() -> None:
    script = [{"answers": ["one", "two"]}, {"answer": "rest"}]

    assert answers(ScriptedModel(script), *"abc") == answers(ScriptedModel(script), *"abc")


def test_a_script_is_read_from_yaml(tmp_path: Path) -> None:
    path = tmp_path / "script.yaml"
    path.write_text("context_window: 999\nrules:\n  - {when: choose, answer: '[DIRECT:]'}\n", "utf-8")

    model = ScriptedModel.from_file(path)

    assert model.complete(ROUTER).text == "[DIRECT:]"
    assert (model.name, model.context_window) == (f"scripted:{path}", 999)


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ([], "no list of rules"),
        ({"rule": []}, "unknown key 'rule'; did you mean 'rules'"),
        ([{"awnser": "a"}], "unknown key 'awnser'; did you mean 'answer'"),
        ([{"when": "a"}], "needs one of answer, answers and error"),
        ([{"answer": "a", "answers": ["b"]}], "needs one of"),
        ([{"answer": 5}], "no text"),
        ([{"answers": "abc"}], "no list"),
        ([{"answers": [["a"]]}], "is a list, not a mapping"),
        ([{"when": 5, "answer": "a"}], "when: 5"),
        ([{"regex": "(", "answer": "a"}], "regex"),
        ([{"answer": "a", "delay_seconds": -1}], "delay_seconds"),
        ([{"answer": "a", "is_cut": "yes"}], "is_cut"),
        ({"rules": [{"answer": "a"}], "context_window": "8k"}, "context_window"),
        (["a"], "is a str, not a mapping"),
        ("text", "is a str, not a mapping"),
        (None, "not a mapping"),
    ],
)
def test_a_wrong_script_says_what_is_wrong(script: Any, complaint: str) -> None:
    with pytest.raises(ModelError, match=complaint.replace("(", "[(]")):
        ScriptedModel(script)


@pytest.mark.parametrize("content", ["rules: [", "\x00", "- " * 3000 + "a"])
def test_a_file_that_is_no_yaml_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(content, "utf-8")

    with pytest.raises(ModelError, match=r"broken\.yaml"):
        ScriptedModel.from_file(path)


def test_a_missing_script_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"none\.yaml cannot be read"):
        ScriptedModel.from_file(tmp_path / "none.yaml")
