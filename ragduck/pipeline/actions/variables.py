"""Set fields of the state and variables by rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ragduck.errors import PipelineError
from ragduck.pipeline.context import StepContext
from ragduck.pipeline.parameters import Parameter
from ragduck.pipeline.prompting.tokens import counter_of
from ragduck.pipeline.registry import action
from ragduck.pipeline.running.assignment import assign, read
from ragduck.pipeline.state import EvidenceBlock
from ragduck.untrusted_json import read_json

MAX_JSON = 200_000  # characters
RULE_KEYS = frozenset({"set", "from", "value", "transform"})


@action(
    "set_variables",
    parameters=(
        Parameter(
            "rules",
            "rules",
            "Each has `set`, then `from` or `value`, and may have `transform`.",
            required=True,
        ),
    ),
)
def set_variables(context: StepContext) -> None:
    """Set fields of the state, or variables, from other fields or from values, in order of the rules."""
    for rule in context.parameters["rules"]:
        _require_rule(rule)
        transform = str(rule.get("transform") or "copy")
        value = read(context.state, str(rule["from"])) if "from" in rule else rule.get("value")
        assign(context.state, str(rule["set"]), _transformed(context, transform, value))


def _require_rule(rule: Any) -> None:
    if not isinstance(rule, Mapping) or "set" not in rule:
        raise PipelineError("a rule of set_variables has no set", hint="write {set: NAME, from: FIELD}")
    unknown = sorted(str(key) for key in rule if key not in RULE_KEYS)
    if unknown:
        raise PipelineError(
            f"a rule of set_variables has {unknown[0]!r}", hint="keys: set, from, value, transform"
        )
    if "from" in rule and "value" in rule:
        raise PipelineError(
            f"the rule for {rule['set']!r} has both from and value", hint="leave one of them out"
        )
    if not {"from", "value"} & rule.keys() and rule.get("transform") != "clear":
        raise PipelineError(
            f"the rule for {rule['set']!r} has neither from nor value", hint="add one, or transform: clear"
        )


def _transformed(context: StepContext, transform: str, value: Any) -> Any:
    if transform == "to_context_blocks":
        return _blocks(context, value)
    if transform == "clear":
        return _empty(value)
    if transform not in _TRANSFORMS:
        known = ", ".join((*_TRANSFORMS, "clear", "to_context_blocks"))
        raise PipelineError(f"unknown transform {transform!r}", hint=f"transforms: {known}")
    return _TRANSFORMS[transform](value)


def _blocks(context: StepContext, value: Any) -> tuple[EvidenceBlock, ...]:
    texts = [str(text) for text in (value if isinstance(value, (list, tuple)) else [value]) if text]
    count = counter_of(context.model)
    return tuple(
        EvidenceBlock(f"{context.step.id}:{number}", "summary", text, count(text))
        for number, text in enumerate(texts, start=1)
    )


def _empty(value: Any) -> Any:
    return [] if isinstance(value, (list, tuple)) else ""


def _to_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _split_lines(value: Any) -> list[str]:
    return [line.strip() for line in str(value or "").splitlines() if line.strip()]


def _parse_json(value: Any) -> Any:
    """Return what a text says as JSON; None when it says nothing that can be read."""
    text = str(value or "")
    try:
        return read_json(text) if len(text) <= MAX_JSON else None
    except ValueError:
        return None


_TRANSFORMS: Mapping[str, Callable[[Any], Any]] = {
    "copy": lambda value: value,
    "to_list": _to_list,
    "split_lines": _split_lines,
    "parse_json": _parse_json,
}
