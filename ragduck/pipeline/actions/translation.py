"""Between the language of the user and the English of the prompts."""

from __future__ import annotations

import re

from ragduck.errors import ModelError
from ragduck.pipeline.context import StepContext
from ragduck.pipeline.parameters import Parameter
from ragduck.pipeline.prompting.fencing import unfenced
from ragduck.pipeline.prompting.model_call import ask_model
from ragduck.pipeline.prompting.prompt_values import prompt_values
from ragduck.pipeline.prompting.prompts import messages_of
from ragduck.pipeline.prompting.protocol import begins_with_prefix
from ragduck.pipeline.registry import action

NOT_ASKED_IN_ENGLISH = "The question was not translated: it is searched for as it was asked."
NOT_TRANSLATED = "The answer is in English: it could not be translated."

# What a translation must leave as it is: citations, code in backticks, node keys, paths.
_kept = re.compile(
    r"\[\d{1,4}\]|`[^`\n]{1,200}`|[\w.:\-]{1,200}\|[A-Z_]{2,20}|(?:[\w.\-]{1,80}[/\\]){1,20}[\w.\-]{1,80}(?::\d+(?:-\d+)?)?"
)


@action(
    "translate_in_if_needed", parameters=(Parameter("prompt_key", "text", "Prompt.", default="translate_in"),)
)
def translate_in_if_needed(context: StepContext) -> None:
    """Put the question into English, once, for all that follows."""
    state = context.state
    state.question_en = state.question
    if state.is_english:
        return
    if context.model is None:
        context.note("no model is configured to translate the question")
        state.gaps = (*state.gaps, NOT_ASKED_IN_ENGLISH)
        return
    translated = _asked(context, str(context.parameters["prompt_key"]))
    if translated is None:
        state.gaps = (*state.gaps, NOT_ASKED_IN_ENGLISH)
    else:
        state.question_en = " ".join(translated.split())


@action(
    "translate_out_if_needed",
    parameters=(
        Parameter("prompt_key", "text", "Prompt; translate_out if empty."),
        Parameter("translate_prompt_key", "text", "Another name of prompt_key."),
        Parameter("use_main_model", "boolean", "Accepted without effect: there is one model."),
    ),
)
def translate_out_if_needed(context: StepContext) -> None:
    """Put the answer into the language of the question; keys, paths and citations survive."""
    state = context.state
    state.answer = state.answer_en
    if state.is_english or not state.answer_en.strip():
        return
    translated = _translated(context)
    if translated is None:
        state.gaps = (*state.gaps, NOT_TRANSLATED)
        return
    lost = lost_identifiers(state.answer_en, translated)
    if lost:
        context.note(f"appended what the translation left out: {', '.join(lost)}")
    state.answer = f"{translated}\n\n({', '.join(lost)})" if lost else translated


def lost_identifiers(text: str, translated: str) -> list[str]:
    """Return the citations, keys, paths and quoted names of a text that its translation lacks, in order."""
    found = dict.fromkeys(match[0] for match in _kept.finditer(text))
    return [identifier for identifier in found if identifier.strip("`") not in translated]


def _translated(context: StepContext) -> str | None:
    """Return the answer in the user's language; None when it has to stay in English, which is noted."""
    if context.model is None:
        context.note("no model is configured to translate the answer")
        return None
    parameters = context.parameters
    try:
        return _asked(
            context,
            str(parameters.get("prompt_key") or parameters.get("translate_prompt_key") or "translate_out"),
        )
    except ModelError as error:
        context.note(f"the answer was not translated: {error}")
        return None


def _asked(context: StepContext, key: str) -> str | None:
    messages = messages_of(context.prompts.get(key), prompt_values(context.state), name=key)
    completion = ask_model(context, messages, temperature=0)
    text = unfenced(completion.text).strip()
    if not text or completion.is_cut or begins_with_prefix(text):
        context.note("the translation is empty, cut or no translation, and not used")
        return None
    return text
