"""Derive the JSON schema of pipeline files, with which editors complete and check them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ragduck.pipeline.checking.validation import STEP_KEYS_WITHOUT_EFFECT
from ragduck.pipeline.parameters import Parameter
from ragduck.pipeline.registry import Action, actions
from ragduck.pipeline.settings import RENAMED, SETTINGS, WITHOUT_EFFECT

DRAFT = "http://json-schema.org/draft-07/schema#"  # the draft that yaml-language-server knows best
Schema = dict[str, Any]

STEP_ID: Schema = {"type": "string", "minLength": 1}
NO_EFFECT = "Has no effect in ragduck; accepted so that older files load."


def pipeline_schema(known: Iterable[Action] | None = None) -> Schema:
    """Return the schema of a pipeline file for the given actions, by default all that are registered."""
    sorted_actions = sorted(actions() if known is None else known, key=lambda action: action.name)
    pipeline = {"$ref": "#/definitions/pipeline"}
    several = {"type": "array", "items": pipeline, "description": "Several pipelines, picked by name."}
    return {
        "$schema": DRAFT,
        "title": "ragduck pipeline",
        "description": "Settings and steps that lead from a question to a grounded answer.",
        "type": "object",
        "properties": {
            "pipeline": pipeline,
            "YAMLpipeline": pipeline,
            "pipelines": several,
            "YAMLpipelines": several,
        },
        "additionalProperties": False,
        "minProperties": 1,
        "definitions": {
            "pipeline": _pipeline(),
            "settings": _settings(),
            "step": _step(sorted_actions),
            **{f"step_{action.name}": _step_of(action) for action in sorted_actions},
        },
    }


def _pipeline() -> Schema:
    step = {"$ref": "#/definitions/step"}
    return {
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1, "description": "Name of the pipeline."},
            "description": {"type": "string", "description": "What the pipeline is for."},
            "extends": {
                "type": "string",
                "description": "Parent: a file, file#name, or the name of a shipped pipeline such as base.",
            },
            "settings": {"$ref": "#/definitions/settings"},
            "steps": {
                "type": "array",
                "items": step,
                "description": "Steps; one with the id of a parent's step takes its place.",
            },
        },
        "required": ["name"],
        "additionalProperties": False,
        "if": {"required": ["extends"]},
        "else": {
            "required": ["settings", "steps"],
            "properties": {
                "settings": {"required": ["entry_step_id"]},
                "steps": {"items": {"required": ["id", "action"]}},
            },
        },
    }


def _settings() -> Schema:
    renamed = {old: {"description": f"An older name of {new}."} for old, new in RENAMED.items()}
    unused = {name: {"description": NO_EFFECT} for name in sorted(WITHOUT_EFFECT)}
    return {
        "type": "object",
        "description": "Settings, merged deeply with those of the parent.",
        "properties": {**unused, **renamed, **_properties(SETTINGS)},
        "additionalProperties": False,
    }


def _step(known: Sequence[Action]) -> Schema:
    """Return the schema that finds the schema of a step by its action."""
    return {
        "type": "object",
        "properties": {"id": {**STEP_ID, "description": "Id of the step."}, "action": _action(known)},
        "required": ["id"],
        "allOf": [
            {
                "if": {"properties": {"action": {"enum": _names(action)}}, "required": ["action"]},
                "then": {"$ref": f"#/definitions/step_{action.name}"},
            }
            for action in known
        ],
    }


def _action(known: Sequence[Action]) -> Schema:
    named = [(name, action) for action in known for name in _names(action)]
    told = [
        action.description if name == action.name else f"{action.description} Another name of {action.name}."
        for name, action in named
    ]
    return {
        "description": "What the step does.",
        "enum": [name for name, _ in named],
        "markdownEnumDescriptions": told,  # what VS Code shows beside each
    }


def _step_of(action: Action) -> Schema:
    unused = {name: {"description": NO_EFFECT} for name in sorted(STEP_KEYS_WITHOUT_EFFECT)}
    fixed = [parameter for parameter in action.all_parameters if not parameter.name.endswith("*")]
    open_ended = [parameter for parameter in action.all_parameters if parameter.name.endswith("*")]
    schema: Schema = {
        "description": action.description,
        "properties": {"id": True, "action": True, **unused, **_properties(fixed)},
        "additionalProperties": False,
    }
    if open_ended:
        schema["patternProperties"] = {
            f"^{parameter.name[:-1]}": _value(parameter) for parameter in open_ended
        }
    return schema


def _names(action: Action) -> list[str]:
    return [action.name, *sorted(action.aliases)]


def _properties(parameters: Iterable[Parameter]) -> dict[str, Schema]:
    return {parameter.name: _value(parameter) for parameter in parameters}


def _value(parameter: Parameter) -> Schema:
    """Return the schema of a parameter; nothing may be written for it, which stands for its default."""
    text = f"{parameter.description} Required." if parameter.required else parameter.description
    schema: Schema = {"description": text, **_kind(parameter)}
    if parameter.default is not None:
        default = parameter.default
        schema["default"] = list(default) if isinstance(default, tuple | list) else default
    return schema


def _kind(parameter: Parameter) -> Schema:
    text: Schema = {"type": "string", **({"enum": list(parameter.choices)} if parameter.choices else {})}
    number = {"minimum": parameter.low, "maximum": parameter.high}
    limits = {name: limit for name, limit in number.items() if limit is not None}
    kinds: Mapping[str, Schema] = {
        "text": {**text, "type": ["string", "null"]},
        "integer": {"type": ["integer", "null"], **limits},
        "number": {"type": ["number", "null"], **limits},
        "boolean": {"type": ["boolean", "null"]},
        "texts": {"anyOf": [{"type": "array", "items": text}, text, {"type": "null"}]},
        "mapping": {"type": ["object", "null"]},
        "any": {},
        "step": {"type": ["string", "null"]},
        "routes": {
            "type": ["object", "null"],
            "additionalProperties": {"anyOf": [STEP_ID, _route()]},
        },
        "rules": {"type": ["array", "null"], "items": {"type": "object"}},
    }
    kind = dict(kinds[parameter.kind])
    if parameter.kind == "text" and parameter.choices:
        kind["enum"] = [*parameter.choices, None]
    return kind


def _route() -> Schema:
    properties = {"next": {**STEP_ID, "description": "Step that follows."}}
    return {"type": "object", "properties": properties, "required": ["next"]}
