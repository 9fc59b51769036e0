"""From step to step: which comes next, and what to say when there is none."""

from __future__ import annotations

import difflib

from ragduck.errors import PipelineError
from ragduck.pipeline.definition import Pipeline, Step
from ragduck.pipeline.registry import Action, action_names, find_action


def entry_of(pipeline: Pipeline) -> str:
    """Return the step a run begins with. Raises PipelineError when the settings name none."""
    if not pipeline.settings.get("entry_step_id"):
        raise PipelineError(
            f"{pipeline.place}: pipeline {pipeline.name!r} does not say where it begins",
            hint="add settings: {entry_step_id: STEP}",
        )
    return pipeline.entry_step_id


def step_of(pipeline: Pipeline, step_id: str) -> Step:
    """Return a step by id. Raises PipelineError when there is none, with the closest."""
    if step_id in pipeline.steps:
        return pipeline.steps[step_id]
    close = difflib.get_close_matches(step_id, pipeline.steps, n=1)
    raise PipelineError(
        f"{pipeline.place}: pipeline {pipeline.name!r} has no step {step_id!r}",
        hint=f"did you mean {close[0]}?" if close else f"steps: {', '.join(pipeline.steps)}",
    )


def action_of(step: Step) -> Action:
    """Return the action of a step. Raises PipelineError when there is none, with the closest."""
    found = find_action(step.action)
    if found is not None:
        return found
    close = difflib.get_close_matches(step.action, action_names(), n=1)
    raise PipelineError(
        f"{step.place}: step {step.id!r} names an unknown action {step.action!r}",
        hint=f"did you mean {close[0]}?" if close else f"actions: {', '.join(action_names())}",
    )


def following(step: Step, chosen: str | None) -> str | None:
    """Return the step after this one: what its action chose, else `next`; None when the run ends here."""
    if step.parameters.get("end"):
        return None
    step_id = chosen or step.parameters.get("next")
    if not step_id:
        raise PipelineError(
            f"{step.place}: step {step.id!r} leads nowhere", hint="add next: STEP or end: true to the step"
        )
    return str(step_id)


def is_transition(name: str) -> bool:
    """Tell whether a key of a step says where to go on, or is for readers only."""
    return name in ("next", "end", "description", "routes") or name.startswith("on_")
