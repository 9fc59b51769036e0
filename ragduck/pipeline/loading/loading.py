"""Load a pipeline with all it inherits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ragduck.pipeline.checking.findings import Finding, InvalidPipelineError, error_at, kind_of, shown
from ragduck.pipeline.definition import Pipeline, Place, Step
from ragduck.pipeline.loading.catalog import PipelineFile, find_pipeline
from ragduck.pipeline.loading.inheritance import levels_of
from ragduck.pipeline.loading.level import Level
from ragduck.pipeline.loading.merging import in_order, merge_steps
from ragduck.pipeline.loading.yaml_document import Value, places_in, plain, value_of
from ragduck.pipeline.settings import RENAMED

OVERRIDES = Place("overrides", 1, 1)


def load_pipeline(
    reference: str | Path | PipelineFile, *, overrides: Mapping[str, Any] | None = None
) -> Pipeline:
    """Return a pipeline after inheritance; ``overrides`` are settings that win over those of the files.

    ``reference`` is a path, `path#name` or the name of a shipped pipeline. Raises PipelineError, with file, line and
    column, for what keeps it from being read; `check_pipeline` finds what keeps it from being run.
    """
    file = reference if isinstance(reference, PipelineFile) else find_pipeline(reference)
    return merged(levels_of(file), overrides=overrides or {})


def merged(levels: Sequence[Level], *, overrides: Mapping[str, Any] = MappingProxyType({})) -> Pipeline:
    """Merge a pipeline into its parents, from the root parent to the child."""
    named = {RENAMED.get(name, name): value for name, value in overrides.items()}
    own = value_of(named, OVERRIDES)
    steps: dict[str, Value] = {}
    for number, level in enumerate(levels, start=1):
        settings = in_order([*(each.settings for each in levels[:number]), own])
        steps = merge_steps(steps, level.steps, is_deep=_is_deep(settings))
    child = levels[-1]
    settings = in_order([*(level.settings for level in levels), own])
    return Pipeline(
        name=child.name,
        settings=plain(settings),
        steps=_steps(steps),
        place=child.place,
        description=next((level.description for level in reversed(levels) if level.description), ""),
        origins=tuple(str(level.file.path) for level in levels),
        setting_places=dict(places_in(settings)),
    )


def _is_deep(settings: Value) -> bool:
    written = settings.content.get("merge_steps")
    return written is not None and written.content == "deep"


def _steps(values: Mapping[str, Value]) -> dict[str, Step]:
    findings: list[Finding] = []
    steps = {step_id: _step(step_id, value, findings) for step_id, value in values.items()}
    if findings:
        raise InvalidPipelineError(findings)
    return steps


def _step(step_id: str, value: Value, findings: list[Finding]) -> Step:
    action = value.content.get("action")
    name = action.content if action is not None else None
    if name is None:
        message = f"step {shown(step_id)} has no action"
        findings.append(error_at(value.place, message, hint="add action: NAME"))
    elif not isinstance(name, str):
        message = f"action: expected a text, found {kind_of(name)}"
        findings.append(error_at(action.place, message, hint="name an action"))
    parameters = {key: plain(inner) for key, inner in value.content.items() if key not in {"id", "action"}}
    return Step(step_id, str(name), parameters, value.place, dict(places_in(value)))
