"""`ragduck pipeline`."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from ragduck.cli.pipeline import pipeline
from ragduck.pipeline.checking.schema import pipeline_schema
from ragduck.pipeline.loading.catalog import shipped_pipelines
from ragduck.pipeline.loading.loading import load_pipeline
from ragduck.pipeline.registry import actions
from ragduck.resources import resource_folder

OWN = ("list", "show", "validate", "schema")
GOOD = """\
pipeline:
  name: good
  settings: {entry_step_id: count}
  steps:
  - {id: count, action: loop_guard, on_allow: again, on_deny: last, next: last}
  - {id: again, action: set_variables, rules: [], next: count}
  - {id: last, action: set_variables, rules: [], end: true}
"""
BAD = GOOD.replace("next: count", "next: cuont").replace("good", "bad")


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.yaml"
    path.write_text(BAD)
    return path


def examples() -> list[str]:
    helps = [each.help or "" for each in pipeline.commands.values() if each.name in OWN]
    return [
        line.strip() for text in helps for line in text.splitlines() if line.strip().startswith("ragduck ")
    ]


@pytest.mark.parametrize("line", examples())
def test_examples_of_the_help_work(
    invoke: Any,
    good: Path,
    tmp_path: Path,
    shop_store: Path,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
) -> None:
    good.rename(tmp_path / "mine.yaml")
    shutil.copy(shop_store, tmp_path / "shop.duckdb")
    monkeypatch.chdir(tmp_path)

    result = invoke(*shlex.split(line.split(" > ")[0])[1:])

    assert result.exit_code == 0, result.stderr + result.stdout


def test_every_command_has_an_example() -> None:
    assert all(any(line.startswith(f"ragduck pipeline {name}") for line in examples()) for name in OWN)


def test_list_names_what_ships_and_what_it_needs(invoke: Any) -> None:
    result = invoke("pipeline", "list")

    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines[0] == ["name", "model", "extends", "description"]
    assert [line[0] for line in lines[2:]] == [path.stem for path in shipped_pipelines()]
    assert next(line[1] for line in lines if line[0] == "extractive") == "no"


def test_list_prints_json(invoke: Any) -> None:
    rows = json.loads(invoke("pipeline", "list", "--json").stdout)

    assert {row["name"]: row["needs_model"] for row in rows}.items() >= {
        "base": True,
        "extractive": False,
    }.items()
    assert all(Path(row["path"]).is_file() and row["description"] for row in rows)


@pytest.mark.parametrize("path", shipped_pipelines(), ids=lambda path: path.stem)
def test_show_prints_yaml_that_loads_to_the_same_pipeline(invoke: Any, tmp_path: Path, path: Path) -> None:
    shown = tmp_path / "shown.yaml"

    shown.write_text(invoke("pipeline", "show", path.stem).stdout, encoding="utf-8")

    again, before = load_pipeline(shown), load_pipeline(path)
    assert (again.name, again.description, again.settings) == (
        before.name,
        before.description,
        before.settings,
    )
    assert [(step.id, step.action, step.parameters) for step in again.steps.values()] == [
        (step.id, step.action, step.parameters) for step in before.steps.values()
    ]


def test_show_prints_json_with_the_files_it_came_from(invoke: Any) -> None:
    shown = json.loads(invoke("pipeline", "show", "code", "--format", "json").stdout)

    assert [Path(file).name for file in shown["origins"]] == ["base.yaml", "code.yaml"]
    assert shown["steps"][0]["id"] == "translate_in"


def test_show_draws_a_chart_with_labels_on_branches(invoke: Any, good: Path) -> None:
    result = invoke("pipeline", "show", good, "--format", "mermaid")

    assert result.stdout.splitlines() == [
        "flowchart TD",
        '    s1{{"count<br/>loop_guard"}}',
        '    s2["again<br/>set_variables"]',
        '    s3(["last<br/>set_variables"])',
        '    s1 -->|"allow"| s2',
        '    s1 -->|"deny, else"| s3',
        "    s2 --> s1",
        "    classDef entry stroke-width:4px",
        "    class s1 entry",
    ]


def test_a_chart_shows_hostile_names_as_text(invoke: Any, tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(
        """pipeline: {name: p, steps: [{id: '"]; click <b>\\n', action: 'x"|y', next: '%%{init}'}]}"""
    )

    result = invoke("pipeline", "show", path, "--format", "mermaid")

    assert '#34;#93;#59; click #60;b#62;#92;n<br/>x#34;#124;y"]' in result.stdout
    assert 'm1["#37;#37;#123;init#125;"]:::missing' in result.stdout


def test_validate_passes_a_good_pipeline(invoke: Any, good: Path) -> None:
    result = invoke("pipeline", "validate", good)

    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "0 errors, 0 warnings\n")


def test_validate_prints_findings_as_compilers_do(invoke: Any, good: Path, bad: Path) -> None:
    result = invoke("pipeline", "validate", good, bad)

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f"{bad}:6:51: error: next leads to 'cuont', which is no step",
        "  hint: did you mean 'count'?",
    ]
    assert result.stderr == "1 error, 0 warnings\n"


def test_validate_prints_json(invoke: Any, bad: Path) -> None:
    result = invoke("pipeline", "validate", bad, "--json")

    assert json.loads(result.stdout) == [
        {
            "file": str(bad),
            "line": 6,
            "column": 51,
            "severity": "error",
            "message": "next leads to 'cuont', which is no step",
            "hint": "did you mean 'count'?",
        }
    ]


def test_validate_goes_on_after_a_file_that_cannot_be_read(invoke: Any, tmp_path: Path, bad: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("pipeline: a: b")

    result = invoke("pipeline", "validate", broken, bad, "missing.yaml", "extractve")

    assert result.exit_code == 1
    assert [line.split(": ")[0] for line in result.stdout.splitlines() if "hint" not in line] == [
        f"{broken}:1:12",
        f"{bad}:6:51",
        "missing.yaml:1:1",
        "extractve:1:1",
    ]


def test_validate_checks_every_pipeline_of_a_file(invoke: Any, tmp_path: Path) -> None:
    path = tmp_path / "several.yaml"
    path.write_text("pipelines: [{name: one}, {name: two, extend: one}, {name: three, extends: one}]")

    result = invoke("pipeline", "validate", path)

    messages = [line.split(": ", 2)[2] for line in result.stdout.splitlines() if "error" in line]
    assert "unknown key 'extend' of a pipeline" in messages
    assert messages.count("the pipeline has no steps") == 2


def test_validate_tells_which_modes_a_store_lacks(invoke: Any, notes_store: Path, good: Path) -> None:
    result = invoke("pipeline", "validate", good, "--store", notes_store)

    assert result.exit_code == 0
    assert "warning: the store cannot search with hybrid, only with bm25" in result.stdout
    assert result.stderr == "0 errors, 1 warning\n"


def test_validate_knows_that_a_store_with_vectors_serves_every_mode(
    invoke: Any, shop_store: Path, good: Path
) -> None:
    assert invoke("pipeline", "validate", good, "--store", shop_store).stdout == ""


def test_findings_cannot_take_over_a_terminal(invoke: Any, tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text('pipeline: {"na\\e[31mme\\nfake.yaml:1:1: error": a}')

    result = invoke("pipeline", "validate", path)

    assert "\x1b" not in result.stdout
    assert not any(line.startswith("fake") for line in result.stdout.splitlines())


def test_the_committed_schema_is_the_one_that_is_printed(run_ragduck: Any) -> None:
    committed = resource_folder("pipelines") / "pipeline.schema.json"

    printed = run_ragduck("pipeline", "schema").stdout

    assert committed.read_text(encoding="utf-8") == printed, "write it anew: ragduck pipeline schema > FILE"


def test_the_schema_offers_every_action_and_alias_with_its_meaning() -> None:
    schema = pipeline_schema()

    offered = schema["definitions"]["step"]["properties"]["action"]
    meant = dict(zip(offered["enum"], offered["markdownEnumDescriptions"], strict=True))
    for action in actions():
        assert meant[action.name] == action.description
        assert set(action.aliases) <= meant.keys()


def test_the_schema_knows_the_keys_of_an_action() -> None:
    guard = pipeline_schema()["definitions"]["step_loop_guard"]

    assert guard["properties"]["max_loops"]["maximum"] == 100
    assert guard["additionalProperties"] is False


def test_the_schema_takes_branches_of_any_name_where_the_action_does() -> None:
    assert "^on_" in pipeline_schema()["definitions"]["step_prefix_router"]["patternProperties"]


def test_relations_are_checked_against_the_store(invoke: Any, shop_store: Path, good: Path) -> None:
    good.write_text(
        GOOD.replace("{entry_step_id: count}", "{entry_step_id: count, graph_edge_allowlist: [Calll, FK]}")
    )

    result = invoke("pipeline", "validate", good, "--store", shop_store)

    assert result.exit_code == 1
    assert "unknown relation 'Calll'" in result.stdout
    assert "did you mean" in result.stdout
    assert result.stderr == "1 error, 0 warnings\n"
