"""The JSON schema of pipeline files says what the checks say, as far as a schema can."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from ragduck.pipeline.checking.schema import pipeline_schema
from ragduck.pipeline.checking.validation import check_pipeline
from ragduck.pipeline.loading.catalog import shipped_pipelines
from ragduck.pipeline.loading.loading import load_pipeline
from ragduck.pipeline.loading.yaml_document import plain, read_document

END = {"id": "z", "action": "set_variables", "rules": [], "end": True}


@pytest.fixture(scope="module")
def schema() -> jsonschema.Draft7Validator:
    return jsonschema.Draft7Validator(pipeline_schema())


def pipeline_of(step: dict[str, Any], **settings: Any) -> dict[str, Any]:
    return {
        "pipeline": {"name": "p", "settings": {"entry_step_id": step["id"], **settings}, "steps": [step, END]}
    }


def test_the_schema_is_one_of_draft_7() -> None:
    jsonschema.Draft7Validator.check_schema(pipeline_schema())


@pytest.mark.parametrize("path", shipped_pipelines(), ids=lambda path: path.stem)
def test_shipped_pipelines_follow_the_schema(schema: jsonschema.Draft7Validator, path: Path) -> None:
    errors = [error.message for error in schema.iter_errors(plain(read_document(path)))]

    assert errors == []


@pytest.mark.parametrize(
    "document",
    [
        pipeline_of({"id": "a", "action": "loop_guard", "on_allow": "z", "on_deny": "z", "max_loops": 3}),
        pipeline_of(
            {"id": "a", "action": "handle_prefix", "routes": {"x": "z"}, "on_y": "z", "on_other": "z"}
        ),
        pipeline_of({"id": "a", "action": "set_variables", "rules": [], "next": "z"}, top_k=5, tenant_id=1),
        pipeline_of(
            {"id": "a", "action": "set_variables", "rules": [], "next": "z"}, top_k=None, active_index="b"
        ),
        pipeline_of(
            {"id": "a", "action": "set_variables", "rules": [], "next": "z"}, graph_edge_allowlist="FK"
        ),
    ],
)
def test_what_the_checks_take_the_schema_takes(
    schema: jsonschema.Draft7Validator, tmp_path: Path, document: Any
) -> None:
    assert errors_of(document, tmp_path) == []
    assert [error.message for error in schema.iter_errors(document)] == []


@pytest.mark.parametrize(
    "document",
    [
        pipeline_of({"id": "a", "action": "loop_gard", "next": "z"}),
        pipeline_of({"id": "a", "action": "loop_guard", "on_alow": "z", "on_deny": "z"}),
        pipeline_of({"id": "a", "action": "loop_guard", "on_allow": "z", "on_deny": "z", "max_loops": "3"}),
        pipeline_of({"id": "a", "action": "loop_guard", "on_allow": "z", "on_deny": "z", "max_loops": 1000}),
        pipeline_of({"id": "a", "action": "loop_guard", "on_allow": ["z"], "on_deny": "z"}),
        pipeline_of(
            {"id": "a", "action": "prefix_router", "routes": {"x": {"prefix": "[X:]"}}, "on_other": "z"}
        ),
        pipeline_of({"id": "a", "action": "set_variables", "rules": {}, "next": "z"}),
        pipeline_of({"id": "a", "action": "set_variables", "rules": [], "next": "z"}, top_kk=5),
        pipeline_of({"id": "a", "action": "set_variables", "rules": [], "next": "z"}, top_k=0),
        pipeline_of({"id": "a", "action": "set_variables", "rules": [], "next": "z"}, merge_steps="dep"),
        pipeline_of(
            {"id": "a", "action": "set_variables", "rules": [], "next": "z"}, graph_edge_allowlist=[5]
        ),
    ],
)
def test_what_the_checks_refuse_the_schema_refuses(
    schema: jsonschema.Draft7Validator, tmp_path: Path, document: Any
) -> None:
    assert errors_of(document, tmp_path) != []
    assert not schema.is_valid(document)


def test_a_child_may_leave_out_the_action_of_a_step_that_is_merged(
    schema: jsonschema.Draft7Validator,
) -> None:
    child = {"name": "c", "extends": "base", "steps": [{"id": "search", "top_k": 3}]}

    assert schema.is_valid({"pipeline": child})
    assert not schema.is_valid({"pipeline": {**child, "extends": None}})


def errors_of(document: Any, folder: Path) -> list[str]:
    path = folder / "p.yaml"
    path.write_text(yaml.safe_dump(document))
    return [finding.message for finding in check_pipeline(load_pipeline(path)) if finding.severity == "error"]
