"""Check a value against what its parameter may hold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragduck.pipeline.checking.findings import kind_of, shown, similar
from ragduck.pipeline.definition import Place, Step
from ragduck.pipeline.parameters import Parameter

WANTED = {
    "text": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "texts": "a list of texts",
    "mapping": "a mapping",
    "step": "the id of a step",
    "routes": "a mapping from a name to a step",
    "rules": "a list of mappings",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a value; ``path`` leads to it below the parameter, as in `answer.next`."""

    message: str
    hint: str | None = None
    path: str = ""


def find_parameter(parameters: Sequence[Parameter], name: str) -> Parameter | None:
    """Return the parameter that a key sets: the one of its name, else the one whose `on_*` it matches."""
    for parameter in parameters:
        if parameter.name == name:
            return parameter
    for parameter in parameters:
        if parameter.name.endswith("*") and name.startswith(parameter.name[:-1]):
            return parameter
    return None


def place_in(step: Step, key: str) -> Place:
    """Return where a key of a step is written, else where the step is."""
    return step.places.get(key) or step.places.get(key.split(".", 1)[0]) or step.place


def problems_of(parameter: Parameter, value: Any) -> Iterator[Problem]:
    """Yield what is wrong with a value; None stands for a key that is not written."""
    if value is None or parameter.kind == "any":
        return
    if not _is_kind(parameter, value):
        yield _wrong_kind(parameter, value)
    elif parameter.kind == "routes":
        yield from _route_problems(value)
    elif parameter.kind in {"integer", "number"}:
        yield from _range_problems(parameter, value)
    elif parameter.choices:
        yield from _choice_problems(parameter, value)


def range_text(parameter: Parameter) -> str:
    """Tell the range of a number: `from 1 to 10`, `at least 1`; empty when any is allowed."""
    if parameter.low is not None and parameter.high is not None:
        return f"from {parameter.low:g} to {parameter.high:g}"
    if parameter.low is not None:
        return f"at least {parameter.low:g}"
    return "" if parameter.high is None else f"at most {parameter.high:g}"


def _is_kind(parameter: Parameter, value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return {
        "text": isinstance(value, str),
        "step": isinstance(value, str) and value != "",
        "integer": is_number and isinstance(value, int),
        "number": is_number,
        "boolean": isinstance(value, bool),
        "texts": isinstance(value, str) or _is_list_of(value, str),
        "mapping": isinstance(value, Mapping),
        "routes": isinstance(value, Mapping),
        "rules": _is_list_of(value, Mapping),
    }[parameter.kind]


def _is_list_of(value: Any, kind: type[Any]) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, kind) for item in value)


def _wrong_kind(parameter: Parameter, value: Any) -> Problem:
    is_bare = isinstance(value, int | float) and parameter.kind in {"text", "step"}
    hint = "put it into quotes" if is_bare else None
    if isinstance(value, list | tuple) and parameter.kind in {"texts", "rules"}:
        wrong = next(
            item for item in value if not isinstance(item, str if parameter.kind == "texts" else Mapping)
        )
        found = f"a list with {kind_of(wrong)}"
    else:
        found = kind_of(value)
    return Problem(f"expected {WANTED[parameter.kind]}, found {found}", hint)


def _range_problems(parameter: Parameter, value: float) -> Iterator[Problem]:
    is_low = parameter.low is not None and value < parameter.low
    if is_low or (parameter.high is not None and value > parameter.high):
        yield Problem(f"{shown(value)} is out of range", f"write a number {range_text(parameter)}")


def _choice_problems(parameter: Parameter, value: Any) -> Iterator[Problem]:
    for item in [value] if isinstance(value, str) else value:
        if item not in parameter.choices:
            hint = similar(str(item), parameter.choices) or f"choose {' or '.join(parameter.choices)}"
            yield Problem(f"{shown(item)} is none of its values", hint)


def _route_problems(routes: Mapping[str, Any]) -> Iterator[Problem]:
    for name, route in routes.items():
        if isinstance(route, Mapping):
            target = route.get("next")
            if not isinstance(target, str) or not target:
                yield Problem(f"route {shown(name)} leads nowhere", "add next: STEP to it", name)
        elif not isinstance(route, str) or not route:
            message = f"route {shown(name)}: expected the id of a step, found {kind_of(route)}"
            yield Problem(message, f"write {name}: STEP", name)
