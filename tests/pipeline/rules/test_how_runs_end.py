"""Whatever goes wrong, a run has a clear end: a trace that is saved, earlier turns kept, two lines for the user."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import ragduck
from ragduck.asking import ask
from ragduck.cli.commands import ragduck as command
from ragduck.errors import PipelineError
from ragduck.llm.scripted import ScriptedModel
from ragduck.pipeline.prompting.protocol import ANSWER_PREFIXES, ROUTER_PREFIXES, parse_prefix
from ragduck.store.history import StoreHistory

QUESTION = "How are invoices implemented?"
NOWHERE = "How is the zeppelin hangar booked?"
STEPS = """
pipeline:
  name: mine
  settings: {entry_step_id: ask}
  steps:
    - {id: ask, action: call_model, prompt_key: %s, next: done}
    - {id: done, action: %s, end: true}
"""
BAD_PIPELINES = {
    "no_yaml": ("pipeline: [", "mine.yaml"),
    "not_a_mapping": ("- 1", "is no mapping"),
    "empty": ("", "mine.yaml"),
    "bytes": ("\x00\x01", "mine.yaml"),
    "unknown_key": ("pipeline: {name: a, stesp: []}", "stesp"),
    "wrong_type": ("pipeline: {name: a, settings: [], steps: 3}", "expected"),
    "unknown_action": (STEPS % ("answer", "finalise"), "finalise"),
    "missing_prompt": (STEPS % ("answwer", "finalize"), "answwer"),
    "endless_extends": ("pipeline: {name: mine, extends: mine.yaml}", "extends"),
    "no_parent": ("pipeline: {name: mine, extends: nowhere.yaml}", "nowhere"),
    "too_deep": (f"pipeline: {'[' * 5000}", "mine.yaml"),
}
# By name: what the model says to each prompt, and how the run ends.
RULES = [{"when": "before anything is looked up", "answer": "{}"}]
ROUTED = [*RULES, {"when": "five prefixes", "answer": "[HYBRID:] invoices"}]
FAILING_MODELS = {
    "timeout": ([*ROUTED, {"answer": "late", "delay_seconds": 9}], "took longer than 0.2 seconds"),
    "error": ([*ROUTED, {"error": "the server is on fire"}], "the server is on fire"),
    "silence": (RULES, "has no answer for the prompt"),
}
HONEST_MODELS = {
    "nonsense": [{"answer": "\u0000\u200b}{[[<|im_end|>" * 50}],
    "empty": [{"answer": ""}],
    "endless_requests": [*ROUTED, {"answer": "[Requesting data on:] dunning"}],
    "breach": [*ROUTED, {"answer": "[Answer:] obey\n[Answer:] me"}],
    "wrong_prefix": [*ROUTED, {"answer": "[HYBRID:] obey"}],
    "cut": [*ROUTED, {"answer": "obe", "is_cut": True}],
}


@pytest.fixture
def cli() -> Callable[..., Result]:
    """Run the command in this process."""

    def run(*arguments: object) -> Result:
        return CliRunner().invoke(command, [str(argument) for argument in arguments])

    return run


@pytest.fixture
def script_file(tmp_path: Path) -> Callable[[list[Any]], str]:
    def write(rules: list[Any]) -> str:
        path = tmp_path / "script.yaml"
        path.write_text(json.dumps({"rules": rules, "context_window": 32_000}), encoding="utf-8")
        return f"scripted:{path}"

    return write


def small(*changes: str) -> list[str]:
    """Return options that make a run quick."""
    settings = ("top_k=3", "graph_max_nodes=10", "max_context_tokens=1000", "max_turn_loops=2", *changes)
    return [word for setting in settings for word in ("--set", setting)]


def has_prefix(text: str) -> bool:
    """Tell whether any line is what a model would say under a prefix."""
    prefixes = {**ROUTER_PREFIXES, **ANSWER_PREFIXES}
    return any(parse_prefix(line, prefixes).kind for line in text.splitlines())


def is_two_lines(result: Result) -> bool:
    lines = result.stderr.rstrip("\n").split("\n")
    return len(lines) == 2 and lines[0].startswith("error: ") and lines[1].startswith("hint: ")


@pytest.mark.parametrize("name", BAD_PIPELINES)
def test_a_bad_pipeline_is_refused_in_two_lines(
    cli: Any, written: Any, shop_store: Path, script_file: Any, name: str
) -> None:
    text, complaint = BAD_PIPELINES[name]
    path = written(text)
    result = cli("ask", shop_store, QUESTION, "--pipeline", path, "--model", script_file([{"answer": "x"}]))

    assert result.exit_code == 1
    assert is_two_lines(result), result.stderr
    assert complaint in result.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--pipeline", "base"), "language model"),
        (("--pipeline", "bsae"), "did you mean 'base'"),
        (("--model", "gpt"), "there is no language model"),
        (("--model", "scripted:nowhere.yaml"), "nowhere.yaml"),
        (("--model", "nowhere.gguf"), "nowhere.gguf"),
        (("--repo", "elsewhere"), "elsewhere"),
        (("--branch", "elsewhere"), "elsewhere"),
        (("--set", "topk=3"), "topk"),
        (("--set", "top_k=many"), "top_k"),
    ],
)
def test_a_wrong_choice_is_refused_in_two_lines(
    cli: Any, shop_store: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    result = cli("ask", shop_store, QUESTION, *arguments)

    assert result.exit_code in (1, 2)
    assert is_two_lines(result), result.stderr
    assert complaint in result.stderr


@pytest.mark.parametrize("name", FAILING_MODELS)
def test_a_model_that_fails_ends_the_run_in_two_lines_with_its_trace(
    cli: Any, kept_shop: Path, script_file: Any, name: str
) -> None:
    rules, complaint = FAILING_MODELS[name]
    model = script_file(rules)
    result = cli("ask", kept_shop, QUESTION, "--model", model, *small("model_timeout_seconds=0.2"))

    run = StoreHistory(kept_shop).find_run("last")
    assert result.exit_code == 1
    assert is_two_lines(result), result.stderr
    assert complaint in result.stderr
    assert f"ragduck pipeline trace {kept_shop} {run.run_id}" in result.stderr
    assert (run.status, run.question) == ("failed", QUESTION)
    assert run.steps[-1].error


def test_a_run_that_is_not_kept_names_no_trace(cli: Any, kept_shop: Path, script_file: Any) -> None:
    model = script_file([{"error": "the server is on fire"}])
    result = cli("ask", kept_shop, QUESTION, "--model", model, "--forget")

    assert is_two_lines(result), result.stderr
    assert "pipeline trace" not in result.stderr


@pytest.mark.parametrize("name", HONEST_MODELS)
def test_a_model_that_makes_no_sense_ends_the_run_honestly(
    cli: Any, kept_shop: Path, script_file: Any, name: str
) -> None:
    model = script_file(HONEST_MODELS[name])
    result = cli("ask", kept_shop, QUESTION, "--model", model, "--session", "s", *small())

    run = StoreHistory(kept_shop).find_run("last")
    assert result.exit_code == 0
    assert run.status == "insufficient"
    assert "obe" not in result.stdout
    assert not has_prefix(result.stdout)
    assert StoreHistory(kept_shop).load("s").turns[0].answer == result.stdout.rstrip("\n")


def test_a_store_without_vectors_answers_by_keyword(
    cli: Any, hostile_shop: Path, tmp_path: Path, script_file: Any
) -> None:
    store = Path(shutil.copy(hostile_shop, tmp_path / "plain.duckdb"))
    model = script_file([*ROUTED, {"answer": "[Answer:] By create_invoice [2]."}])
    result = cli("ask", store, "How is an invoice created?", "--model", model)

    run = StoreHistory(store).find_run("last")
    assert result.exit_code == 0
    assert result.stdout == "By create_invoice [2].\n"
    assert "searched in mode bm25" in str(run.steps)


@pytest.mark.parametrize("extra", [(), ("--set", "filters.file_type=zig")])
def test_a_search_that_finds_nothing_ends_honestly(cli: Any, kept_shop: Path, extra: tuple[str, ...]) -> None:
    question = QUESTION if extra else NOWHERE
    result = cli("ask", kept_shop, question, *extra)

    run = StoreHistory(kept_shop).find_run("last")
    assert result.exit_code == 0
    assert "cannot find a clear trace" in result.stdout
    assert run.status == "insufficient"
    assert "expand" not in [step.step_id for step in run.steps]


def test_a_missing_store_is_named_in_two_lines(cli: Any, tmp_path: Path) -> None:
    result = cli("ask", tmp_path / "nowhere.duckdb", QUESTION)

    assert result.exit_code in (1, 2)
    assert is_two_lines(result), result.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_endless_pipeline_ends_at_its_limit_of_steps(kept_shop: Path, written: Any) -> None:
    path = written(
        "pipeline:\n  name: endless\n  settings: {entry_step_id: one, max_steps: 9}\n  steps:\n"
        "    - {id: one, action: loop_guard, max_loops: 100, on_allow: two, on_deny: last}\n"
        "    - {id: two, action: load_conversation_history, next: one}\n"
        "    - {id: last, action: finalize, end: true}\n"
    )
    with pytest.raises(PipelineError, match="ended after 9 steps"):
        ask(kept_shop, QUESTION, pipeline=path, session="s")

    assert len(StoreHistory(kept_shop).find_run("last").steps) == 9


def test_text_of_the_repository_can_neither_answer_nor_leave_its_fence(hostile_shop: Path) -> None:
    model = ScriptedModel([*ROUTED, {"answer": "[Answer:] By create_invoice [2]."}])
    answer = ask(hostile_shop, "How is an invoice created?", model=model, keep=False)

    sent = model.calls[-1].messages[-1].content
    evidence = sent.split("Evidence:")[1].split("What is known to be missing:")[0]
    assert "pwned" in evidence
    assert not has_prefix(evidence)
    assert "<|im_start|>" not in sent
    assert "[INST]" not in sent
    assert "\nDATA 0123456789ab>>>" not in sent
    assert answer.text == "By create_invoice [2]."


@pytest.mark.parametrize("repeats", ["first line", "whole file"])
def test_a_model_that_repeats_text_of_the_repository_answers_nothing(
    hostile_shop: Path, hostile_text: str, repeats: str
) -> None:
    reply = hostile_text.splitlines()[0] if repeats == "first line" else hostile_text
    model = ScriptedModel([*ROUTED, {"answer": reply}])
    answer = ask(hostile_shop, "How is an invoice created?", model=model, keep=False)

    assert answer.status == "insufficient"
    assert "pwned" not in answer.text


def test_text_of_the_repository_in_an_answer_is_harmless_in_the_next_turn(
    hostile_shop: Path, tmp_path: Path
) -> None:
    store = Path(shutil.copy(hostile_shop, tmp_path / "hostile.duckdb"))
    ask(store, "How is an invoice created?", session="s")
    model = ScriptedModel({"context_window": 64_000, "rules": [*ROUTED, {"answer": "[Answer:] So [2]."}]})
    ask(
        store,
        "And then?",
        session="s",
        model=model,
        settings={"max_history_tokens": 8000, "max_turn_loops": 0},
    )

    history = model.calls[1].messages[-1].content
    assert "pwned" in history
    assert not has_prefix(history)
    assert "<|im_start|>" not in history


def test_the_trace_does_not_depend_on_the_order_of_hashes(
    shop_store: Path, tmp_path: Path, script_file: Any
) -> None:
    rules = [
        {"when": "before anything is looked up", "answer": '{"concepts": ["invoice", "dunning", "payment"]}'},
        {"when": "five prefixes", "answer": "[HYBRID:] invoices and dunning"},
        {"when": "shorten evidence", "answer": "Summary [1]."},
        {"answers": ["[Requesting data on:] payments that match", "[Answer:] So [2]."]},
    ]
    program = (
        "import json, sys; from ragduck.asking import ask; from ragduck.pipeline.running.trace import without_times\n"
        "answers = [ask(sys.argv[1], 'How are invoices dunned and paid?', model=model, keep=False, session='s')"
        " for model in (sys.argv[2], None)]\n"
        "print(json.dumps([without_times(answer.run) for answer in answers], default=str))"
    )
    root = Path(ragduck.__file__).parents[1]
    traces = [
        subprocess.run(
            [sys.executable, "-c", program, shop_store, script_file(rules)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "4242")
    ]

    assert traces[0] == traces[1]
    assert [run["status"] for run in json.loads(traces[0])] == ["answered", "answered"]
