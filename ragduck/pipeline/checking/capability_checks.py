"""Check that there is what a pipeline asks for: search modes, a language model, prompts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ragduck.errors import PipelineError
from ragduck.pipeline.checking.findings import Finding, error_at, shown, similar, warning_at
from ragduck.pipeline.checking.parameter_checks import place_in
from ragduck.pipeline.checking.step_graph import unreachable
from ragduck.pipeline.definition import Pipeline, Place, Step
from ragduck.pipeline.prompting.prompts import Prompts, prompts_of
from ragduck.pipeline.registry import find_action
from ragduck.pipeline.settings import with_defaults

MODES = ("semantic", "semantic_rerank", "bm25", "hybrid")
MODE_KEYS = ("search_type", "default_search_type")


def modes_of(*, has_vectors: bool) -> tuple[str, ...]:
    """Return the search modes that a store serves."""
    return MODES if has_vectors else ("bm25",)


def needs_model(pipeline: Pipeline) -> bool:
    """Whether a run may come to a step that asks a language model."""
    return next(_steps_with_model(pipeline), None) is not None


def mode_findings(pipeline: Pipeline, store_modes: Collection[str] | None) -> Iterator[Finding]:
    """Yield search modes that the settings or the store do not have."""
    settings = with_defaults(pipeline.settings)
    written = settings["retrieval_modes"]
    allowed = [written] if isinstance(written, str) else written
    if not isinstance(allowed, list | tuple):
        return
    place = pipeline.setting_places.get("retrieval_modes", pipeline.place)
    for mode in allowed:
        if isinstance(mode, str) and mode not in MODES:
            message = f"setting retrieval_modes: unknown mode {shown(mode)}"
            yield error_at(place, message, hint=similar(mode, MODES) or f"known: {', '.join(MODES)}")
    for place, mode in _modes_in_use(pipeline, settings):
        if mode not in allowed:
            message = f"mode {mode} is not in the setting retrieval_modes"
            yield error_at(
                place, message, hint=f"add it there, or search with {' or '.join(map(str, allowed))}"
            )
        elif store_modes is not None and mode not in store_modes:
            is_fatal = settings["on_missing_mode"] == "fail"
            served = " or ".join(sorted(store_modes)) or "nothing"
            message = f"the store cannot search with {mode}, only with {served}"
            hint = "prepare it with an embedding model: ragduck prepare FOLDER -o STORE"
            yield (error_at if is_fatal else warning_at)(place, message, hint=hint)


def _modes_in_use(pipeline: Pipeline, settings: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    default = settings["default_search_method"]
    if default in MODES:
        yield pipeline.setting_places.get("default_search_method", pipeline.place), default
    for step in pipeline.steps.values():
        for key in MODE_KEYS:
            if step.parameters.get(key) in MODES:
                yield place_in(step, key), step.parameters[key]


def model_findings(pipeline: Pipeline, *, has_model: bool | None) -> Iterator[Finding]:
    """Yield the steps that ask a language model, when it is known that there is none."""
    for step in _steps_with_model(pipeline) if has_model is False else ():
        message = f"step {shown(step.id)} asks a language model, and none is configured"
        hint = "name one with --model, or use --pipeline extractive, which needs none"
        yield error_at(step.place, message, hint=hint)


def _steps_with_model(pipeline: Pipeline) -> Iterator[Step]:
    """Yield the steps that cannot work without a language model and that a run may come to."""
    entry = pipeline.settings.get("entry_step_id")
    left_out = {step.id for step in unreachable(pipeline, entry=str(entry))}
    for step in pipeline.steps.values():
        action = find_action(step.action)
        if action is not None and action.needs_model and step.id not in left_out:
            yield step


def prompt_findings(pipeline: Pipeline) -> Iterator[Finding]:
    """Yield the prompts that steps name, or use by default, and that no folder has."""
    try:
        prompts = prompts_of(pipeline)
    except PipelineError as error:
        place = pipeline.setting_places.get("prompts_dir", pipeline.place)
        yield error_at(place, error.message.removeprefix(f"{place}: "), hint=error.hint)
        return
    known = prompts.keys()
    for step in pipeline.steps.values():
        action = find_action(step.action)
        defaults = {each.name: each.default for each in action.all_parameters} if action is not None else {}
        for name, value in {**defaults, **step.parameters}.items():
            if (name == "prompt_key" or name.endswith("_prompt_key")) and isinstance(value, str):
                yield from _missing_prompt(prompts, known, key=value, place=place_in(step, name))


def _missing_prompt(prompts: Prompts, known: list[str], *, key: str, place: Place) -> Iterator[Finding]:
    if prompts.path_of(key) is None:
        hint = (
            similar(key, known) or f"write it as {shown(key)[1:-1]}.md in a folder of the setting prompts_dir"
        )
        yield error_at(place, f"there is no prompt {shown(key)}", hint=hint)
