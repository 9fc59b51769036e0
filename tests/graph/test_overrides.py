"""A call of a virtual method leads to what derived classes override it by, too."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Calls = Callable[..., dict[str, tuple[str, float]]]

STEPS = "class Step { public virtual void Save() {} } class Sub : Step { public override void Save() {} }"
OVERRIDE = {"Sub.Save": ("one of several overrides", 0.5)}


def test_a_virtual_method_leads_to_its_overrides(calls: Calls) -> None:
    found = calls("class Caller { Step step; void Run() { step.Save(); } }", STEPS)

    assert found == {"Step.Save": ("receiver type", 0.95)} | OVERRIDE


def test_a_base_runs_what_its_heirs_override(calls: Calls) -> None:
    found = calls(
        "class Caller { void Run() { Save(); } protected virtual void Save() {} }",
        "class Mid : Caller {} class Sub : Mid { protected override void Save() {} }",
    )

    assert found == {"Caller.Save": ("same type", 0.95)} | OVERRIDE


@pytest.mark.parametrize(
    "body",
    ["new Step().Save();", "var step = new Step(); step.Save();"],
)
def test_an_object_that_is_made_there_runs_its_own(calls: Calls, body: str) -> None:
    found = calls(f"class Caller {{ void Run() {{ {body} }} }}", STEPS)

    assert set(found) - {"Step"} == {"Step.Save"}


@pytest.mark.parametrize(
    "caller",
    [
        "class Caller : Step { void Run() { base.Save(); } }",
        "class Caller : Step { void Run() { Save(); } public sealed override void Save() {} }",
        "class Caller { Leaf leaf; void Run() { leaf.Save(); } } class Leaf : Step {}",
    ],
)
def test_what_cannot_be_meant_is_left_out(calls: Calls, caller: str) -> None:
    assert "Sub.Save" not in calls(caller, STEPS)


def test_too_many_overrides_are_left_out(calls: Calls) -> None:
    many = " ".join(f"class S{n} : Step {{ public override void Save() {{}} }}" for n in range(9))
    found = calls(
        "class Caller { Step step; void Run() { step.Save(); } }",
        "class Step { public virtual void Save() {} } " + many,
    )

    assert set(found) == {"Step.Save"}
