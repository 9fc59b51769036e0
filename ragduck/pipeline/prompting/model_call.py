"""Ask the model of a run: within its window and the time that is left, told in the trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace

from ragduck.errors import PipelineError
from ragduck.llm.protocol import Completion, LanguageModel, Message
from ragduck.pipeline.context import StepContext
from ragduck.pipeline.running.trace import as_utf8

PER_MESSAGE = 8  # tokens that chat templates put around a message, an upper estimate


def ask_model(
    context: StepContext,
    messages: Sequence[Message],
    *,
    max_tokens: int | None = None,
    temperature: float | None = None,
    parts: Mapping[str, Callable[[], str]] | None = None,
) -> Completion:
    """Return what the model answers; ``parts`` are the texts in the prompt by name, to say which is too long.

    Raises PipelineError without a model or when prompt, answer and margin exceed the window of the model,
    ModelError when the model fails.
    """
    model = context.required_model()
    output = max_tokens or int(context.settings["max_output_tokens"])
    number = sum(name.startswith("messages") for name in context.inputs) + 1
    suffix = f"_{number}" if number > 1 else ""
    context.reads("model", model.name)
    context.reads(f"messages{suffix}", [asdict(message) for message in messages])
    _require_fit(context, model, messages, output=output, parts=parts or {})
    context.check_time()
    timeout = _timeout(context)
    said = model.complete(messages, max_tokens=output, temperature=temperature, timeout=timeout)
    completion = replace(said, text=as_utf8(said.text))
    context.prompt_tokens += completion.prompt_tokens
    context.completion_tokens += completion.completion_tokens
    context.made(f"reply{suffix}", completion.text)
    if completion.is_cut:
        context.note(f"the model's reply ends where it reached its limit of {output:,} tokens")
    context.check_time()
    return completion


def room_for_prompt(context: StepContext, *, max_tokens: int | None = None) -> int:
    """Return how many tokens a prompt may have beside the answer and the margin in the model's window."""
    output = max_tokens or int(context.settings["max_output_tokens"])
    margin = int(context.settings["budget_safety_margin_tokens"])
    return context.required_model().context_window - output - margin


def _timeout(context: StepContext) -> float | None:
    limits = (context.settings.get("model_timeout_seconds"), context.seconds_left())
    return min((float(limit) for limit in limits if limit is not None), default=None)


def _require_fit(
    context: StepContext,
    model: LanguageModel,
    messages: Sequence[Message],
    *,
    output: int,
    parts: Mapping[str, Callable[[], str]],
) -> None:
    needed = sum(model.count_tokens(message.content) + PER_MESSAGE for message in messages)
    room = room_for_prompt(context, max_tokens=output)
    if needed <= room:
        return
    sizes = sorted(((model.count_tokens(made()), name) for name, made in parts.items()), reverse=True)
    longest = ", ".join(f"{name} {size:,}" for size, name in sizes[:4])
    raise PipelineError(
        f"the prompt of step {context.step.id!r} has {needed:,} tokens"
        f"{f' ({longest})' if longest else ''}, and {model.name} takes {room:,} beside an answer of {output:,}",
        hint="lower max_context_tokens, max_history_tokens or max_output_tokens, or take a model with more room",
    )
