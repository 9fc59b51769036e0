"""Setting fields and variables by rules."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragduck.pipeline.state import EvidenceBlock, RetrievalPlan, State


@pytest.fixture
def set_by(run: Any) -> Any:
    def act(*rules: Any, **fields: Any) -> Any:
        return run(
            {"id": "set", "action": "set_variables", "rules": list(rules)}, state=State("Where?", **fields)
        )

    return act


def test_a_field_is_copied(set_by: Any) -> None:
    ran = set_by({"set": "answer_en", "from": "last_model_response"}, last_model_response="so")

    assert ran.state.answer_en == "so"


@pytest.mark.parametrize("name", ["answer_neutral", "answer_en"])
def test_fields_have_the_names_of_other_systems_too(set_by: Any, name: str) -> None:
    assert set_by({"set": name, "value": "so"}).state.answer_en == "so"


@pytest.mark.parametrize(
    ("transform", "value", "expected"),
    [
        ("copy", "a", "a"),
        ("to_list", "a", ["a"]),
        ("to_list", ["a"], ["a"]),
        ("to_list", None, []),
        ("split_lines", " a \n\n b", ["a", "b"]),
        ("parse_json", '{"a": [1]}', {"a": [1]}),
        ("parse_json", "{nonsense", None),
        ("parse_json", "[" * 100_000, None),
        ("clear", "a", ""),
        ("clear", ["a"], []),
    ],
)
def test_values_are_transformed(set_by: Any, transform: str, value: Any, expected: Any) -> None:
    ran = set_by({"set": "variables.x", "value": value, "transform": transform})

    assert ran.state.variables == {"x": expected}


def test_a_text_becomes_evidence(set_by: Any) -> None:
    rule = {"set": "context_blocks", "from": "last_model_response", "transform": "to_context_blocks"}

    ran = set_by(rule, last_model_response="a summary", evidence=(EvidenceBlock("k", "text", "t", 1),))

    assert ran.state.evidence == (EvidenceBlock("set:1", "summary", "a summary", 3),)


def test_rules_follow_one_another(set_by: Any) -> None:
    ran = set_by({"set": "variables.a", "value": "so"}, {"set": "question_en", "from": "a"})

    assert ran.state.question_en == "so"


def test_the_query_of_the_plan_is_set_in_its_mode(set_by: Any) -> None:
    ran = set_by(
        {"set": "query", "from": "last_model_response"},
        last_model_response="b",
        plan=RetrievalPlan("bm25", "a"),
    )

    assert ran.state.plan == RetrievalPlan("bm25", "b")


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"set": "status", "value": "answered"}, "'status' is nothing that a step may set"),
        ({"set": "counters", "value": {}}, "'counters' is nothing that a step may set"),
        ({"set": "__class__", "value": 1}, "'__class__' is nothing that a step may set"),
        ({"set": "question_en", "from": "conversation"}, "'conversation' is nothing that a step may read"),
        ({"set": "question_em", "value": ""}, "did you mean question_en?"),
        ({"set": "question_en", "value": 3}, "question_en takes text, not int"),
        ({"set": "evidence", "value": "text"}, "add transform: to_context_blocks"),
        ({"set": "answer_en", "value": "[Answer:] so"}, "would show a prefix of the protocol"),
        ({"set": "gaps", "value": 3}, "gaps takes text"),
        ({"set": "x", "value": 1, "transform": "upper"}, "unknown transform 'upper'"),
        ({"value": 1}, "has no set"),
        ({"set": "query"}, "has neither from nor value"),
        ({"set": "query", "from": "question", "value": 1}, "has both from and value"),
        ({"set": "query", "form": "question"}, "has 'form'"),
    ],
)
def test_what_may_not_be_set_ends_the_run_and_says_why(
    set_by: Any, rule: dict[str, Any], message: str
) -> None:
    ran = set_by(rule)

    assert ran.record.status == "failed"
    assert message in ran.record.error
    assert "hint: " in ran.record.error


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3)
)
NAMES = (
    st.sampled_from(
        ["question_en", "answer_en", "gaps", "query", "evidence", "variables.x", "status", "plan"]
    )
    | st.text()
)
TRANSFORMS = (
    st.sampled_from(["copy", "to_list", "split_lines", "parse_json", "to_context_blocks", "clear"])
    | st.text()
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(NAMES, JSON, TRANSFORMS)
def test_no_rule_ends_in_a_bug(set_by: Any, name: str, value: Any, transform: str) -> None:
    record = set_by({"set": name, "value": value, "transform": transform}).record

    assert record.error is None or record.error.startswith("test.yaml:1:1: ")
