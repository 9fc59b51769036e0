"""Write a pipeline after inheritance as YAML that loads to the same pipeline again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from ragduck.pipeline.definition import Pipeline
from ragduck.pipeline.loading.yaml_scalars import BOOLEAN, INTEGER, NULL, NUMBER, STANDARD

WIDTH = 110
ODD = re.compile(r"[^\n\x20-\x7e\xa1-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\ud7ff]")
NO_BLOCK = re.compile(r" \n|^\s|\n\s*\n?$")  # blanks that a block would lose or count as indentation


class _Dumper(yaml.SafeDumper):
    """Quotes what either YAML 1.1 or 1.2 would read as something other than a text."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: FBT001, FBT002, ARG002
        super().increase_indent(flow, indentless=False)


def _text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = None
    if ODD.search(text):
        style = '"'  # the only one with escapes
    elif "\n" in text:
        style = '"' if NO_BLOCK.search(text) else "|"
    return dumper.represent_scalar(f"{STANDARD}str", text, style=style)


def _list(dumper: _Dumper, items: list[Any]) -> yaml.SequenceNode:
    is_flat = not any(isinstance(item, list | dict) for item in items)
    return dumper.represent_sequence(f"{STANDARD}seq", items, flow_style=is_flat)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(list, _list)
for tag, pattern in (("null", NULL), ("bool", BOOLEAN), ("int", INTEGER), ("float", NUMBER)):
    _Dumper.add_implicit_resolver(f"{STANDARD}{tag}", re.compile(rf"(?:{pattern.pattern})\Z"), None)


def pipeline_yaml(pipeline: Pipeline) -> str:
    """Return a pipeline that extends nothing and is the same; a comment names the files it came from."""
    files = " → ".join(re.sub(r"[^ -~\xa0-\u1fff]", "?", Path(file).name) for file in pipeline.origins)
    document = {"pipeline": pipeline_data(pipeline)}
    body = yaml.dump(
        document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH, default_flow_style=False
    )
    return f"# {files}\n{body}" if files else body


def pipeline_data(pipeline: Pipeline) -> dict[str, Any]:
    """Return a pipeline as plain data, with the keys that YAML has."""
    steps = [
        {"id": step.id, "action": step.action, **_plain(step.parameters)} for step in pipeline.steps.values()
    ]
    described = {"description": pipeline.description} if pipeline.description else {}
    return {"name": pipeline.name, **described, "settings": _plain(pipeline.settings), "steps": steps}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value
