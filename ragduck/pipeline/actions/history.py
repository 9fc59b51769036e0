"""What was said before: whole while it fits, else a rolling summary and the turns since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ragduck.conversation import Conversation, HistorySummary, Turn
from ragduck.errors import ModelError, StoreError
from ragduck.pipeline.answering.history_prompt import (
    Count,
    history_text,
    names_in,
    newest_that_fit,
    with_names,
)
from ragduck.pipeline.context import StepContext
from ragduck.pipeline.parameters import Parameter
from ragduck.pipeline.prompting.fencing import fenced
from ragduck.pipeline.prompting.model_call import PER_MESSAGE, ask_model, room_for_prompt
from ragduck.pipeline.prompting.prompt_values import prompt_values
from ragduck.pipeline.prompting.prompts import messages_of
from ragduck.pipeline.registry import action

PROMPT = "summarize_history"
SUMMARY_SHARE = 0.75  # of the limit; the rest is for names that the model leaves out
WORDS_PER_TOKEN = 0.6
ATTEMPTS = (1, 2)  # the second time half as many words are asked for
CHARS_PER_TOKEN = 3  # without a model; fewer than texts have, so that the limit holds


@action(
    "load_conversation_history",
    parameters=(
        Parameter(
            "history_limit", "integer", "Turns that are loaded at most; the setting when empty.", low=1
        ),
        Parameter("prompt_key", "text", "Prompt that summarises the history.", default=PROMPT),
    ),
)
def load_conversation_history(context: StepContext) -> None:
    """Load the conversation, and summarise it when it is longer than max_history_tokens."""
    state = context.state
    conversation = context.history.load(state.session_id)
    state.conversation = conversation
    turns = _loaded(context, conversation)
    summary = conversation.summary if _may_summarise(context) else None
    limit, count = int(context.settings["max_history_tokens"]), _counter(context)
    text = history_text(_text(summary), turns)
    if count(text) <= limit:
        state.history_text = text
        return
    made = _summarised(context, summary, turns) if context.model and _may_summarise(context) else None
    if made is None:
        state.history_text = _newest(context, summary, turns)
        return
    _save(context, made)
    state.conversation = replace(conversation, summary=made)
    state.history_text = history_text(made.text, ())


def _may_summarise(context: StepContext) -> bool:
    return str(context.settings["history_summarization_policy"]) == "incremental_resummarize"


def _loaded(context: StepContext, conversation: Conversation) -> tuple[Turn, ...]:
    """Return the newest turns that count: those since the summary, unless summaries are not wanted."""
    limit = int(context.parameters.get("history_limit") or context.settings["history_limit"])
    turns = conversation.new_turns if _may_summarise(context) else conversation.turns
    context.reads("session", conversation.session_id)
    context.reads("turns", len(conversation.turns))
    if len(turns) > limit:
        context.note(f"{len(turns) - limit} older turns are not loaded: history_limit is {limit}")
    return turns[-limit:]


def _counter(context: StepContext) -> Count:
    if context.model is not None:
        return context.model.count_tokens
    return lambda text: -(-len(text) // CHARS_PER_TOKEN)


def _newest(context: StepContext, summary: HistorySummary | None, turns: Sequence[Turn]) -> str:
    """Return the newest whole turns that fit, and name those that do not."""
    limit, count = int(context.settings["max_history_tokens"]), _counter(context)
    before = _text(summary)
    if summary and count(history_text(before, ())) > limit:
        context.note(f"summary {summary.version} is longer than {limit} tokens and was left out")
        before = ""
    kept = newest_that_fit(turns, limit=limit, count=count, summary=before)
    left_out = turns[: len(turns) - len(kept)]
    if left_out:
        named = ", ".join(turn.turn_id for turn in left_out)
        context.note(
            f"left out of the history, which may have {limit} tokens: {len(left_out)} older turns ({named})"
        )
    return history_text(before, kept)


def _text(summary: HistorySummary | None) -> str:
    return summary.text if summary else ""


def _summarised(
    context: StepContext, summary: HistorySummary | None, turns: Sequence[Turn]
) -> HistorySummary | None:
    """Return the next version of the summary, of the last one and all turns since; None when there is none."""
    known = context.state.conversation.summary
    made, first = summary, 0
    while first < len(turns):
        batch = _batch(context, made, turns[first:])
        if not batch:
            context.note(
                f"turn {turns[first].turn_id} is longer than the model reads at once, and was left out"
            )
            first += 1
            continue
        text = _ask(context, made, batch)
        if text is None:
            return None
        first += len(batch)
        made = HistorySummary(
            session_id=context.state.session_id,
            version=known.version + 1 if known else 1,
            last_turn_id=batch[-1].turn_id,
            text=text,
            question_en=context.state.question_en or context.state.question,
            created_at=context.now(),
            model=context.required_model().name,
        )
    return made if made is not summary else None


def _batch(context: StepContext, summary: HistorySummary | None, turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """Return the oldest turns that the model can read at once beside the summary."""
    count = _counter(context)
    frame = count(context.prompts.get(_prompt_key(context))) + count(context.state.question_en)
    room = room_for_prompt(context, max_tokens=_summary_tokens(context)) - frame - 4 * PER_MESSAGE
    kept = 0
    while kept < len(turns) and count(fenced(history_text(_text(summary), turns[: kept + 1]))) <= room:
        kept += 1
    return tuple(turns[:kept])


def _ask(context: StepContext, summary: HistorySummary | None, turns: Sequence[Turn]) -> str | None:
    """Return a summary that fits, with the names of what it sums up; None when the model makes none."""
    text = history_text(_text(summary), turns)
    names = list(names_in(text))
    limit, count = int(context.settings["max_history_tokens"]), _counter(context)

    def within(body: str) -> int:
        return count(history_text(body, ()))

    for attempt in ATTEMPTS:
        reply = _reply(context, text, words=int(_summary_tokens(context) * WORDS_PER_TOKEN / attempt))
        if reply is None:
            return None
        if reply and within(reply) <= limit:
            complete, left_out = with_names(reply, names, limit=limit, count=within)
            if left_out:
                context.note(f"no room in the summary for {len(left_out)} names: {', '.join(left_out)}")
            return complete
    context.note("the model made no summary that fits")
    return None


def _reply(context: StepContext, text: str, *, words: int) -> str | None:
    """Return what the model writes, empty when that ends in the middle; None when it fails."""
    key = _prompt_key(context)
    values = prompt_values(context.state) | {"history": lambda: fenced(text), "words": lambda: str(words)}
    messages = messages_of(context.prompts.get(key), values, name=key)
    try:
        completion = ask_model(context, messages, max_tokens=_summary_tokens(context), temperature=0)
    except ModelError as error:
        context.note(f"the history was not summarised: {error.message}")
        return None
    return "" if completion.is_cut else completion.text.strip()


def _prompt_key(context: StepContext) -> str:
    return str(context.parameters.get("prompt_key") or PROMPT)


def _summary_tokens(context: StepContext) -> int:
    return max(1, int(int(context.settings["max_history_tokens"]) * SUMMARY_SHARE))


def _save(context: StepContext, summary: HistorySummary) -> None:
    context.note(f"history summarised: version {summary.version}, up to turn {summary.last_turn_id}")
    try:
        context.history.save_summary(summary)
    except (StoreError, OSError) as error:
        context.note(f"the summary could not be saved: {error}")
