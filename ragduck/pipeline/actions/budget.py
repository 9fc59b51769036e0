"""Keep the evidence within its budget (seed 003, phase F)."""

from __future__ import annotations

from collections.abc import Sequence

from ragduck.pipeline.answering.evidence import FENCE_TOKENS, evidence_tokens, sources_of
from ragduck.pipeline.answering.summaries import (
    fitting,
    missing_sources,
    numbered_text,
    parts_that_fit,
    with_sources,
)
from ragduck.pipeline.context import StepContext
from ragduck.pipeline.parameters import Parameter
from ragduck.pipeline.prompting.model_call import ask_model, room_for_prompt
from ragduck.pipeline.prompting.prompt_values import prompt_values
from ragduck.pipeline.prompting.prompts import messages_of
from ragduck.pipeline.prompting.tokens import counter_of
from ragduck.pipeline.registry import action
from ragduck.pipeline.state import EvidenceBlock

PROMPT_TOKENS = 700  # of an answer prompt without evidence and history, an upper estimate
MIN_ROOM = 200
AGAIN = (
    "The summary is too long: say the same in at most {limit} tokens, and keep every key, path and number."
)


@action(
    "check_context_budget",
    aliases=("manage_context_budget",),
    parameters=(
        Parameter("on_ok", "step", "Step when the evidence fits."),
        Parameter("on_over", "step", "Step when it does not."),
        Parameter("on_over_limit", "step", "Another name of on_over."),
        Parameter("max_context_tokens", "integer", "Evidence in tokens instead of the setting.", low=1),
        Parameter("compact_code", "any", "Accepted without effect."),
        Parameter("divide_new_content", "any", "Accepted without effect."),
    ),
)
def check_context_budget(context: StepContext) -> str:
    """Tell whether the evidence fits its budget and, with history, prompt and answer, the model's window."""
    count = counter_of(context.model)
    tokens, budget = evidence_tokens(context.state, count=count), evidence_budget(context)
    context.reads("evidence_tokens", tokens)
    context.reads("budget", budget)
    context.note(f"evidence {tokens:,} of {budget:,} tokens")
    if tokens <= budget:
        return context.branch("on_ok")
    other = (
        "on_over_limit"
        if not context.parameters.get("on_over") and context.parameters.get("on_over_limit")
        else "on_over"
    )
    return context.branch(other)


def evidence_budget(context: StepContext) -> int:
    """Return the tokens that evidence may take: by its setting, and by what the model's window leaves."""
    own = int(context.parameters.get("max_context_tokens") or context.settings["max_context_tokens"])
    if context.model is None:
        return own
    history = context.model.count_tokens(context.state.history_text) if context.state.history_text else 0
    question = context.model.count_tokens(context.state.question_en or context.state.question)
    return max(0, min(own, room_for_prompt(context) - history - question - PROMPT_TOKENS))


@action(
    "summarize_evidence",
    parameters=(
        Parameter("use_model", "boolean", "Whether a model is asked, if there is one.", default=True),
        Parameter("prompt_key", "text", "Prompt that the model is asked with.", default="summarize_evidence"),
        Parameter("max_output_tokens", "integer", "Tokens of one summary; the setting if empty.", low=1),
        Parameter("max_context_tokens", "integer", "Evidence in tokens instead of the setting.", low=1),
    ),
)
def summarize_evidence(context: StepContext) -> None:
    """Make the evidence fit: a summary for the question that keeps every key and path, or fewer blocks."""
    state = context.state
    if not state.evidence:
        context.note("there is no evidence to summarise")
        return
    if context.model is None or not context.parameters.get("use_model", True):
        _leave_out(context)
        return
    sources = sources_of(state)
    summary = _summary(context, limit=_summary_limit(context))
    if not summary:
        context.note("the model gave no summary: blocks are left out instead")
        _leave_out(context)
        return
    dropped = missing_sources(summary, sources)
    text = with_sources(summary, sources)
    tokens = counter_of(context.model)(text) + FENCE_TOKENS
    if tokens > evidence_budget(context):
        context.note("the summary is still too long: blocks are left out instead")
        _leave_out(context)
        return
    if dropped:
        context.note(f"put back what the summary dropped: {', '.join(dropped)}")
    state.sources = sources
    state.evidence = (EvidenceBlock("summary", "summary", text, tokens),)
    context.note(f"summarised to {tokens:,} tokens")


def _leave_out(context: StepContext) -> None:
    """Leave out blocks from the end until the rest fits, and name them."""
    state = context.state
    kept, left_out = fitting(state.evidence, budget=evidence_budget(context))
    state.evidence = tuple(kept)
    state.skipped = tuple(dict.fromkeys((*state.skipped, *left_out)))
    context.note(f"left out for want of room: {', '.join(left_out) or 'nothing'}")


def _summary_limit(context: StepContext) -> int:
    """Return the tokens of a summary: so many that its sources fit the budget, too."""
    count = counter_of(context.model)
    listed = sum(count(f"[{s.number}] {s.key} ({s.location})") + 1 for s in sources_of(context.state))
    output = int(context.parameters.get("max_output_tokens") or context.settings["max_output_tokens"])
    return max(min(output, evidence_budget(context) - listed - FENCE_TOKENS), 1)


def _summary(context: StepContext, *, limit: int) -> str:
    """Return a summary of all evidence, in parts where one prompt cannot hold it; asked once more when too long."""
    state = context.state
    room = max(room_for_prompt(context, max_tokens=limit) - PROMPT_TOKENS, MIN_ROOM)
    parts, too_long = parts_that_fit(state.evidence, room=room)
    if too_long:
        state.skipped = tuple(dict.fromkeys((*state.skipped, *(block.key for block in too_long))))
        context.note(f"too long for any prompt: {', '.join(block.key for block in too_long)}")
    each = max(limit // max(len(parts), 1), 1)
    made = [_ask(context, part, limit=each, extra="") for part in parts]
    summary = "\n\n".join(text for text in made if text)
    if summary and counter_of(context.model)(summary) > limit:
        context.note("the summary is too long: asked once more")
        block = EvidenceBlock("summary", "summary", summary, counter_of(context.model)(summary))
        if block.tokens <= room:
            return _ask(context, [block], limit=limit, extra=AGAIN.format(limit=limit))
    return summary


def _ask(context: StepContext, part: Sequence[EvidenceBlock], *, limit: int, extra: str) -> str:
    key = str(context.parameters.get("prompt_key") or "summarize_evidence")
    whole = context.state.evidence if all(block in context.state.evidence for block in part) else part
    values = prompt_values(context.state) | {
        "evidence": lambda: numbered_text(part, whole),
        "limit": lambda: str(limit),
        "extra": lambda: extra,
    }
    messages = messages_of(context.prompts.get(key), values, name=key)
    return ask_model(context, messages, max_tokens=limit, temperature=0).text.strip()
