"""Check a pipeline after inheritance (seed 003, §11.4), and complete the parameters of its steps."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from ragduck.pipeline.checking.capability_checks import mode_findings, model_findings, prompt_findings
from ragduck.pipeline.checking.findings import (
    Finding,
    InvalidPipelineError,
    error_at,
    shown,
    similar,
    warning_at,
)
from ragduck.pipeline.checking.parameter_checks import find_parameter, place_in, problems_of
from ragduck.pipeline.checking.search_checks import filter_findings, relation_findings
from ragduck.pipeline.checking.step_graph import branches_of, endless_loops, is_end, unreachable
from ragduck.pipeline.definition import Pipeline, Place, Step
from ragduck.pipeline.parameters import Parameter
from ragduck.pipeline.registry import Action, action_names, find_action
from ragduck.pipeline.settings import RENAMED, SETTINGS, WITHOUT_EFFECT

MAX_LISTED = 20  # steps in one message
STEP_KEYS_WITHOUT_EFFECT = frozenset(
    {
        "stages_visible",
        "callback_caption",
        "callback_caption_translated",
        "custom_banner",
        "native_chat",
        "prompt_format",
        "server_name",
    }
)
SETTING_PARAMETERS = {parameter.name: parameter for parameter in SETTINGS}


def check_pipeline(
    pipeline: Pipeline,
    *,
    store_modes: Collection[str] | None = None,
    store_relations: Collection[str] | None = None,
    has_model: bool | None = None,
) -> list[Finding]:
    """Return all that is wrong with a pipeline, errors and warnings, in the order of files and lines.

    ``store_modes`` are the search modes that the store serves, ``store_relations`` the `relation_names` of its graph;
    ``has_model`` says whether there is a language model. Where they are None, nothing is said of modes and models,
    and the relations are those that ragduck makes.
    """
    findings = [
        *_setting_findings(pipeline),
        *_entry_findings(pipeline),
        *_graph_findings(pipeline),
        *mode_findings(pipeline, store_modes),
        *model_findings(pipeline, has_model=has_model),
        *prompt_findings(pipeline),
        *filter_findings(pipeline),
        *relation_findings(pipeline, store_relations=store_relations, has_store=store_modes is not None),
    ]
    for step in pipeline.steps.values():
        findings += _step_findings(step, pipeline)
    files = {file: number for number, file in enumerate(reversed(pipeline.origins))}
    return sorted(set(findings), key=lambda finding: _order(finding, files))


def require_valid(
    pipeline: Pipeline,
    *,
    store_modes: Collection[str] | None = None,
    store_relations: Collection[str] | None = None,
    has_model: bool | None = None,
) -> list[Finding]:
    """Return the warnings of a pipeline. Raises InvalidPipelineError with all findings when one is an error."""
    findings = check_pipeline(
        pipeline, store_modes=store_modes, store_relations=store_relations, has_model=has_model
    )
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        raise InvalidPipelineError(errors)
    return findings


def parameters_of(step: Step) -> Mapping[str, Any]:
    """Return the parameters of a valid step: with defaults, None where there are none, and texts as lists."""
    action = find_action(step.action)
    declared = action.all_parameters if action is not None else ()
    completed: dict[str, Any] = {
        parameter.name: _completed(parameter, None)
        for parameter in declared
        if not parameter.name.endswith("*")
    }
    for name, value in step.parameters.items():
        parameter = find_parameter(declared, name)
        completed[name] = value if parameter is None else _completed(parameter, value)
    return MappingProxyType(completed)


def _completed(parameter: Parameter, value: Any) -> Any:
    if value is None:
        value = parameter.default
    if parameter.kind == "texts" and value is not None:
        return [value] if isinstance(value, str) else list(value)
    return value


def _setting_findings(pipeline: Pipeline) -> Iterator[Finding]:
    for name, value in pipeline.settings.items():
        place = pipeline.setting_places.get(name, pipeline.place)
        parameter = SETTING_PARAMETERS.get(RENAMED.get(name, name))
        if name in WITHOUT_EFFECT:
            yield warning_at(place, f"setting {name} has no effect in ragduck", hint="leave it out")
        elif parameter is None:
            yield error_at(place, f"unknown setting {shown(name)}", hint=similar(name, SETTING_PARAMETERS))
        else:
            for problem in problems_of(parameter, value):
                yield error_at(place, f"setting {name}: {problem.message}", hint=problem.hint)


def _entry_findings(pipeline: Pipeline) -> Iterator[Finding]:
    entry = pipeline.settings.get("entry_step_id")
    if not pipeline.steps:
        yield error_at(pipeline.place, "the pipeline has no steps", hint="add steps:, or extends: base")
    if entry is None or entry == "":
        first = next(iter(pipeline.steps), "STEP")
        message = "setting entry_step_id is missing"
        yield error_at(pipeline.place, message, hint=f"add settings: {{entry_step_id: {first}}}")
    elif isinstance(entry, str) and entry not in pipeline.steps:
        place = pipeline.setting_places.get("entry_step_id", pipeline.place)
        yield _unknown_step(place, "entry_step_id", entry, pipeline)


def _graph_findings(pipeline: Pipeline) -> Iterator[Finding]:
    yield from _reach_findings(pipeline)
    for loop in endless_loops(pipeline):
        message = f"nothing ends the loop {' → '.join(loop[:MAX_LISTED])}"
        yield error_at(
            pipeline.steps[loop[0]].place, message, hint="put a step with action: loop_guard into it"
        )


def _reach_findings(pipeline: Pipeline) -> Iterator[Finding]:
    """Yield a warning for each step that is never reached; those of parents, which cannot be left out, in one."""
    entry = pipeline.settings.get("entry_step_id")
    if not isinstance(entry, str) or entry not in pipeline.steps:
        return
    inherited: list[str] = []
    for step in unreachable(pipeline, entry=entry):
        if step.place.file != pipeline.place.file:
            inherited.append(step.id)
            continue
        message = f"step {shown(step.id)} is never reached from {shown(entry)}"
        yield warning_at(step.place, message, hint="lead to it with next:, or leave it out")
    if inherited:
        message = f"inherited steps are never reached: {', '.join(inherited[:MAX_LISTED])}"
        more = len(inherited) - MAX_LISTED
        told = f"{message} and {more} more" if more > 0 else message
        yield warning_at(pipeline.place, told, hint="fine when this pipeline has ways of its own")


def _step_findings(step: Step, pipeline: Pipeline) -> Iterator[Finding]:
    yield from _way_findings(step, pipeline)
    action = find_action(step.action)
    if action is None:
        hint = similar(step.action, action_names()) or f"known: {', '.join(action_names())}"
        yield error_at(place_in(step, "action"), f"unknown action {shown(step.action)}", hint=hint)
        return
    for name, value in step.parameters.items():
        yield from _parameter_findings(step, action, name=name, value=value)
    for parameter in action.all_parameters:
        if parameter.required and step.parameters.get(parameter.name) is None:
            message = f"step {shown(step.id)} has no {parameter.name}, which {action.name} needs"
            yield error_at(step.place, message, hint=f"add {parameter.name}: {parameter.description}")


def _parameter_findings(step: Step, action: Action, *, name: str, value: Any) -> Iterator[Finding]:
    parameter = find_parameter(action.all_parameters, name)
    if parameter is not None:
        for problem in problems_of(parameter, value):
            place = place_in(step, f"{name}.{problem.path}" if problem.path else name)
            yield error_at(place, f"{name}: {problem.message}", hint=problem.hint)
        is_reference = name.endswith("_from_settings") and parameter.kind == "text"
        if is_reference and isinstance(value, str) and RENAMED.get(value, value) not in SETTING_PARAMETERS:
            hint = similar(value, SETTING_PARAMETERS)
            yield error_at(place_in(step, name), f"{name}: there is no setting {shown(value)}", hint=hint)
    elif name in STEP_KEYS_WITHOUT_EFFECT:
        yield warning_at(place_in(step, name), f"{name} has no effect in ragduck", hint="leave it out")
    else:
        known = [each.name for each in action.all_parameters]
        message = f"unknown key {shown(name)} of {action.name}"
        hint = similar(name, ["id", "action", *known]) or f"it takes {', '.join(known)}"
        yield error_at(place_in(step, name), message, hint=hint)


def _way_findings(step: Step, pipeline: Pipeline) -> Iterator[Finding]:
    branches = branches_of(step)
    for branch in branches:
        if branch.target not in pipeline.steps:
            yield _unknown_step(place_in(step, branch.key), branch.key, branch.target, pipeline)
    if is_end(step):
        if branches:
            message = f"step {shown(step.id)} ends the run; {branches[0].key} is never taken"
            yield warning_at(place_in(step, "end"), message, hint="leave out one of them")
    elif not branches:
        message = f"step {shown(step.id)} leads nowhere"
        yield error_at(step.place, message, hint="add next: STEP, or end: true")
    elif not step.parameters.get("next"):
        yield from _missing_branches(step)


def _missing_branches(step: Step) -> Iterator[Finding]:
    """Yield the branches that an action may take and the step does not write, where no `next` stands in."""
    action = find_action(step.action)
    written = [name for name, value in step.parameters.items() if value]
    for parameter in action.parameters if action is not None else ():
        is_branch = parameter.kind == "step" and not parameter.required and not parameter.name.endswith("*")
        if is_branch and not any(_is_one_branch(parameter.name, name) for name in written):
            message = f"step {shown(step.id)} has neither {parameter.name} nor next"
            yield warning_at(step.place, message, hint=f"add {parameter.name}: STEP")


def _is_one_branch(one: str, other: str) -> bool:
    """Whether two names mean the same branch, as on_over and the older on_over_limit do."""
    return one.startswith(other) or other.startswith(one)


def _unknown_step(place: Place, key: str, target: str, pipeline: Pipeline) -> Finding:
    hint = similar(target, pipeline.steps) or "add a step of that id"
    return error_at(place, f"{key} leads to {shown(target)}, which is no step", hint=hint)


def _order(finding: Finding, files: Mapping[str, int]) -> tuple[int, str, int, int, str]:
    place = finding.place
    return files.get(place.file, len(files)), place.file, place.line, place.column, finding.message
