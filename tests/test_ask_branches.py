"""A store of two branches: no question is answered from both without saying so."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.asking import ask
from ragduck.errors import UsageError
from ragduck.llm.scripted import ScriptedModel

SHOP = Path(__file__).parent / "data" / "shop"
QUESTION = "What does dbo.Invoice_Cancel do?"


@pytest.fixture(scope="module")
def two_branches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shop on main, then on develop, where a cancelled invoice may be overdue."""
    folder = tmp_path_factory.mktemp("branches")
    develop = Path(shutil.copytree(SHOP, folder / "shop"))
    [procedure] = develop.rglob("Invoice_Cancel.sql")
    text = procedure.read_text(encoding="utf-8")
    procedure.write_text(text.replace("NOT IN (1, 2)", "NOT IN (1, 2, 3)"), encoding="utf-8")
    store = folder / "shop.duckdb"
    for root, branch in ((SHOP, "main"), (develop, "develop")):
        ragduck.prepare(root, store, repo="shop", branch=branch, embed_model="none")
    return store


def branches_of(answer: Any) -> set[str]:
    return {block.branch for block in answer.state.evidence}


def test_without_a_branch_the_one_prepared_last_answers_and_says_so(two_branches: Path) -> None:
    answer = ask(two_branches, QUESTION, keep=False)

    assert branches_of(answer) == {"develop"}
    assert "answered from develop" in answer.notes[0]


def test_a_branch_that_is_named_answers_alone(two_branches: Path) -> None:
    answer = ask(two_branches, QUESTION, settings={"branch": "main"}, keep=False)

    assert branches_of(answer) == {"main"}
    assert answer.notes == ()


def test_a_branch_that_the_store_does_not_hold_is_refused(two_branches: Path) -> None:
    with pytest.raises(UsageError, match="no branch 'nope'"):
        ask(two_branches, QUESTION, settings={"branch": "nope"}, keep=False)


def test_a_comparison_shows_the_model_both_branches_labelled(two_branches: Path) -> None:
    model = ScriptedModel({"context_window": 60_000, "rules": [{"answer": "[Answer:] They differ [2]."}]})
    branches = {"branch": "main", "branch_b": "develop"}

    ask(two_branches, QUESTION, pipeline="compare_branches", settings=branches, model=model, keep=False)

    prompt = model.calls[-1].text
    assert "Invoice_Cancel.sql:1-48, main)" in prompt
    assert "Invoice_Cancel.sql:1-48, develop)" in prompt
    assert "NOT IN (1, 2, 3)" in prompt
