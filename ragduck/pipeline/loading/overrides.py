"""Read `name=value` as settings of a pipeline, typed as each setting is."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

from ragduck.errors import UsageError
from ragduck.pipeline.parameters import Parameter
from ragduck.pipeline.settings import RENAMED, SETTINGS

TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
OF_THE_FILE = ("entry_step_id", "merge_steps", "prompts_dir")


def overrides_of(pairs: Iterable[str]) -> dict[str, Any]:
    """Return settings by name; texts are separated by commas, `filters.kind=PROC` sets one entry of a mapping.

    Raises UsageError for an unknown name, or a value that the setting cannot hold.
    """
    known = {parameter.name: parameter for parameter in SETTINGS if parameter.name not in OF_THE_FILE}
    settings: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        first, dot, inner = name.strip().partition(".")
        first = RENAMED.get(first, first)
        if not equals:
            raise UsageError(f"setting {pair!r} is not name=value", hint="write --set top_k=20")
        if first not in known:
            close = difflib.get_close_matches(first, known, n=1)
            hint = f"did you mean {close[0]}?" if close else f"settings: {', '.join(known)}"
            raise UsageError(f"a pipeline has no setting {first!r}", hint=hint)
        parameter = known[first]
        if parameter.kind == "mapping":
            if not dot:
                raise UsageError(f"{first} has entries", hint=f"write --set {first}.NAME=VALUE")
            settings.setdefault(first, {})[inner] = _entry(text)
        else:
            settings[first] = _value(parameter, text.strip())
    return settings


def _entry(text: str) -> Any:
    return [part.strip() for part in text.split(",")] if "," in text else text.strip()


def _value(parameter: Parameter, text: str) -> Any:
    if parameter.kind == "texts":
        return [part.strip() for part in text.split(",") if part.strip()]
    if parameter.kind == "boolean":
        if text.lower() not in TRUTHS:
            raise _refused(parameter, text)
        return TRUTHS[text.lower()]
    if parameter.kind in ("integer", "number"):
        try:
            return int(text) if parameter.kind == "integer" else float(text)
        except ValueError:
            raise _refused(parameter, text) from None
    return text


def _refused(parameter: Parameter, text: str) -> UsageError:
    kind = {"boolean": "true or false", "integer": "a whole number", "number": "a number"}[parameter.kind]
    return UsageError(f"{parameter.name} is {text!r}", hint=f"give {kind}: --set {parameter.name}=…")
