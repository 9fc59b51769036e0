"""Ask the model with a prompt from a file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ragduck.errors import PipelineError
from ragduck.pipeline.context import StepContext
from ragduck.pipeline.parameters import Parameter
from ragduck.pipeline.prompting.model_call import ask_model
from ragduck.pipeline.prompting.prompt_values import Value, prompt_values, source_value
from ragduck.pipeline.prompting.prompts import chat, placeholders, split_prompt
from ragduck.pipeline.registry import action
from ragduck.pipeline.running.assignment import assign

WITHOUT_EFFECT = ("native_chat", "prompt_format", "server_name", "custom_banner", "top_k", "top_p")
HISTORY_PART = "Conversation so far:\n{history}"


@action(
    "call_model",
    parameters=(
        Parameter("prompt_key", "text", "Prompt, by the name of its file without `.md`.", required=True),
        Parameter(
            "user_parts", "mapping", "What the user says: by name, a `source` and a `template` with {}."
        ),
        Parameter("use_history", "boolean", "Whether the model is told the conversation.", default=False),
        Parameter("max_output_tokens", "integer", "Tokens of the reply; the setting when empty.", low=1),
        Parameter("max_tokens", "integer", "Another name of max_output_tokens.", low=1),
        Parameter("temperature", "number", "How freely the model writes.", low=0, high=2),
        Parameter(
            "output", "text", "Field or variable that is given the reply.", default="last_model_response"
        ),
        *(Parameter(name, "any", "Accepted without effect.") for name in WITHOUT_EFFECT),
    ),
    needs_model=True,
)
def call_model(context: StepContext) -> None:
    """Ask the model with a prompt, and keep its reply."""
    parameters, state = context.parameters, context.state
    key, use_history = str(parameters["prompt_key"]), bool(parameters.get("use_history"))
    values = prompt_values(state, with_history=use_history)
    values["parts"] = partial(_parts, parameters.get("user_parts") or {}, dict(values))
    system, own = split_prompt(context.prompts.get(key))
    user = _user_part(own, has_parts=bool(parameters.get("user_parts")))
    if use_history and "history" not in placeholders(f"{system}\n{user}"):
        user = f"{HISTORY_PART}\n\n{user}"
    completion = ask_model(
        context,
        chat(system, user, values=values, name=key),
        max_tokens=parameters.get("max_output_tokens") or parameters.get("max_tokens"),
        temperature=parameters.get("temperature"),
        parts={name: values[name] for name in placeholders(f"{system}\n{user}")},
    )
    if completion.is_cut:
        state.gaps = (*state.gaps, f"The model's reply at step {context.step.id!r} was cut at its limit.")
    assign(state, str(parameters["output"]), completion.text)
    context.outputs.clear()  # the field that was given the reply shows it


def _user_part(own: str, *, has_parts: bool) -> str:
    """Return what the user says: the prompt's own words, then the parts of the step, else the question."""
    said = [own, "{parts}" if has_parts and "parts" not in placeholders(own) else ""]
    return "\n\n".join(text for text in said if text) or "{question}"


def _parts(parts: Mapping[str, Any], values: Mapping[str, Value]) -> str:
    return "\n".join(_part(name, part, values) for name, part in parts.items())


def _part(name: str, part: Any, values: Mapping[str, Value]) -> str:
    source, template = (
        (part.get("source"), part.get("template")) if isinstance(part, Mapping) else (part, None)
    )
    value = source_value(values, str(source or name))
    if value is None:
        raise PipelineError(
            f"user part {name!r} has an unknown source {source!r}", hint=f"known: {', '.join(sorted(values))}"
        )
    text = str(template or "{}")
    hole = next((hole for hole in ("{}", f"{{{name}}}") if hole in text), None)
    return text.replace(hole, value(), 1) if hole else f"{text}\n{value()}"
