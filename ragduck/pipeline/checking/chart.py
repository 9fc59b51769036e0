"""Draw a pipeline as a Mermaid flowchart: a box for each step, an arrow for each way on."""

from __future__ import annotations

from collections.abc import Iterator

from ragduck.picture.mermaid import escaped
from ragduck.pipeline.checking.step_graph import branches_of, is_end, is_guard
from ragduck.pipeline.definition import Pipeline, Step
from ragduck.pipeline.registry import find_action

BOX = ("[", "]")
GUARD = ("{{", "}}")
MODEL = ("[/", "/]")
END = ("([", "])")


def pipeline_chart(pipeline: Pipeline) -> str:
    """Return a flowchart: guards are hexagons, steps that ask a model slanted, ends round.

    The entry step has a thick border; ways to steps that do not exist lead to a dashed box.
    """
    ids = {step_id: f"s{number}" for number, step_id in enumerate(pipeline.steps, start=1)}
    missing: dict[str, str] = {}
    arrows: list[str] = []
    for step in pipeline.steps.values():
        for target, label in _ways(step):
            to = ids.get(target) or missing.setdefault(target, f"m{len(missing) + 1}")
            arrow = f'-->|"{label}"|' if label else "-->"
            arrows.append(f"{ids[step.id]} {arrow} {to}")
    lines = [f"{ids[step.id]}{_box(step)}" for step in pipeline.steps.values()]
    lines += [f'{number}["{escaped(target)}"]:::missing' for target, number in missing.items()]
    lines += arrows
    lines += _styles(pipeline, ids, has_missing=bool(missing))
    return "\n".join(["flowchart TD", *(f"    {line}" for line in lines)]) + "\n"


def _ways(step: Step) -> Iterator[tuple[str, str]]:
    """Yield each target once with the names of all branches that lead to it."""
    labels: dict[str, list[str]] = {}
    for branch in [] if is_end(step) else branches_of(step):
        labels.setdefault(branch.target, []).append(branch.label)
    for target, names in labels.items():
        is_plain = names == [""]
        yield target, "" if is_plain else escaped(", ".join(name or "else" for name in names))


def _box(step: Step) -> str:
    action = find_action(step.action)
    before, after = BOX
    if is_end(step):
        before, after = END
    elif is_guard(step):
        before, after = GUARD
    elif action is not None and action.needs_model:
        before, after = MODEL
    return f'{before}"{escaped(step.id)}<br/>{escaped(step.action)}"{after}'


def _styles(pipeline: Pipeline, ids: dict[str, str], *, has_missing: bool) -> Iterator[str]:
    entry = pipeline.settings.get("entry_step_id")
    if isinstance(entry, str) and entry in ids:
        yield "classDef entry stroke-width:4px"
        yield f"class {ids[entry]} entry"
    if has_missing:
        yield "classDef missing stroke-dasharray:4 3"
