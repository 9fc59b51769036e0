"""Read one pipeline as it is written, before it inherits anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ragduck.pipeline.checking.findings import (
    Finding,
    InvalidPipelineError,
    error_at,
    kind_of,
    refusal,
    shown,
    similar,
)
from ragduck.pipeline.definition import Place
from ragduck.pipeline.loading.catalog import PipelineFile
from ragduck.pipeline.loading.yaml_document import Value, read_document
from ragduck.pipeline.settings import RENAMED

ONE = ("pipeline", "YAMLpipeline")
SEVERAL = ("pipelines", "YAMLpipelines")
KEYS = ("name", "description", "extends", "settings", "steps")


@dataclass(frozen=True, slots=True)
class Level:
    """One pipeline as it is written, before it is merged.

    ``steps`` are by id and all mappings; ``siblings`` are the names of all pipelines in the file.
    """

    file: PipelineFile
    name: str
    description: str
    parent: Value | None
    settings: Value
    steps: dict[str, Value]
    place: Place
    siblings: tuple[str | None, ...]


def pipelines_in(path: Path) -> list[Value]:
    """Return the pipelines that a file holds. Raises InvalidPipelineError when it holds none or something else."""
    document = read_document(path)
    if not isinstance(document.content, dict):
        raise refusal(document.place, "is no mapping", hint="begin with pipeline:")
    known = (*ONE, *SEVERAL)
    findings = [
        error_at(value.place, f"unknown key {shown(key)}", hint=similar(key, known) or "begin with pipeline:")
        for key, value in document.content.items()
        if key not in known
    ]
    found = list(_listed(document, findings))
    findings += _repeated(found)
    if not found and not findings:
        findings.append(error_at(document.place, "holds no pipeline", hint="begin with pipeline:"))
    if findings:
        raise InvalidPipelineError(findings)
    return found


def names_in(path: Path) -> list[str | None]:
    """Return the names of the pipelines that a file holds; None where one has no proper name."""
    return [_name_of(value) for value in pipelines_in(path)]


def read_level(file: PipelineFile) -> Level:
    """Return one pipeline of a file as it is written. Raises InvalidPipelineError for all that is wrong there."""
    found = pipelines_in(file.path)
    names = [_name_of(value) for value in found]
    if file.name is not None and file.name not in names:
        known = [name for name in names if name]
        hint = similar(file.name, known) or f"it holds {', '.join(known)}"
        raise refusal(Place(str(file.path), 1, 1), f"holds no pipeline {shown(file.name)}", hint=hint)
    if file.name is None and len(found) > 1:
        example = next((name for name in names if name), "NAME")
        hint = f"name one: {file.path}#{example}"
        raise refusal(found[0].place, f"holds {len(found)} pipelines", hint=hint)
    written = found[0] if file.name is None else found[names.index(file.name)]
    return _level(file, written, siblings=tuple(names))


def _level(file: PipelineFile, written: Value, *, siblings: tuple[str | None, ...]) -> Level:
    findings: list[Finding] = []
    body = written.content
    findings += [
        error_at(value.place, f"unknown key {shown(key)} of a pipeline", hint=similar(key, KEYS))
        for key, value in body.items()
        if key not in KEYS
    ]
    name = _text(written, "name", findings)
    if not name:
        findings.append(
            error_at(written.place, "the pipeline has no name", hint=f"add name: {file.path.stem}")
        )
    description = _text(written, "description", findings)
    extended = _text(written, "extends", findings)
    settings = _settings(written, findings)
    steps = _steps(written, findings)
    if findings:
        raise InvalidPipelineError(findings)
    parent = body["extends"] if extended else None
    return Level(file, name, description, parent, settings, steps, written.place, siblings)


def _listed(document: Value, findings: list[Finding]) -> Iterator[Value]:
    for key, value in document.content.items():
        if key in ONE and isinstance(value.content, dict):
            yield value
        elif key in SEVERAL and isinstance(value.content, list):
            for item in value.content:
                if isinstance(item.content, dict):
                    yield item
                else:
                    findings.append(
                        error_at(item.place, f"expected a pipeline, found {kind_of(item.content)}")
                    )
        elif key in (*ONE, *SEVERAL):
            wanted = "a mapping" if key in ONE else "a list of pipelines"
            findings.append(
                error_at(value.place, f"{key}: expected {wanted}, found {kind_of(value.content)}")
            )


def _repeated(found: Sequence[Value]) -> Iterator[Finding]:
    first: dict[str, Place] = {}
    for value in found:
        name = _name_of(value)
        if name is None and len(found) > 1:
            yield error_at(value.place, "the pipeline has no name", hint="add name: NAME")
        elif name in first:
            message = f"pipeline {shown(name)} is here a second time, first at line {first[name].line}"
            yield error_at(value.place, message, hint="give one of them another name")
        elif name is not None:
            first[name] = value.place


def _name_of(value: Value) -> str | None:
    name = value.content.get("name")
    return name.content if name is not None and isinstance(name.content, str) else None


def _text(written: Value, key: str, findings: list[Finding]) -> str:
    value = written.content.get(key)
    if value is None or value.content is None:
        return ""
    if not isinstance(value.content, str):
        message = f"{key}: expected a text, found {kind_of(value.content)}"
        findings.append(error_at(value.place, message, hint="put it into quotes"))
        return ""
    return value.content


def _settings(written: Value, findings: list[Finding]) -> Value:
    """Return the settings under their present names, so that a child's new name meets a parent's old one."""
    value = written.content.get("settings")
    if value is None or value.content is None:
        return Value({}, written.place)
    if not isinstance(value.content, dict):
        findings.append(
            error_at(value.place, f"settings: expected a mapping, found {kind_of(value.content)}")
        )
        return Value({}, written.place)
    renamed: dict[str, Value] = {}
    for key, setting in value.content.items():
        present = RENAMED.get(key, key)
        if present in renamed and renamed[present].content != setting.content:
            message = f"{key} and another name of {present} differ"
            findings.append(error_at(setting.place, message, hint=f"write {present} alone"))
        renamed[present] = setting
    return Value(renamed, value.place, value.size)


def _steps(written: Value, findings: list[Finding]) -> dict[str, Value]:
    value = written.content.get("steps")
    if value is None or value.content is None:
        return {}
    if not isinstance(value.content, list):
        findings.append(error_at(value.place, f"steps: expected a list, found {kind_of(value.content)}"))
        return {}
    steps: dict[str, Value] = {}
    for step in value.content:
        problem = _step_problem(step, steps)
        if problem is None:
            steps[step.content["id"].content] = step
        else:
            findings.append(problem)
    return steps


def _step_problem(step: Value, steps: dict[str, Value]) -> Finding | None:
    if not isinstance(step.content, dict):
        return error_at(
            step.place, f"expected a step, found {kind_of(step.content)}", hint="write - id: NAME"
        )
    step_id = step.content.get("id")
    if step_id is None or step_id.content in (None, ""):
        return error_at(step.place, "the step has no id", hint="add id: NAME")
    if not isinstance(step_id.content, str):
        return error_at(
            step_id.place, f"id: expected a text, found {kind_of(step_id.content)}", hint="quote it"
        )
    if step_id.content in steps:
        message = f"step {shown(step_id.content)} is here a second time"
        first = steps[step_id.content].place.line
        return error_at(step_id.place, f"{message}, first at line {first}", hint="give it another id")
    return None
