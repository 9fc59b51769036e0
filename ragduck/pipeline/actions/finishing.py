"""The end of a run: the answer in its final form, and the turn saved."""

from __future__ import annotations

from dataclasses import asdict

from ragduck.conversation import Turn
from ragduck.errors import StoreError
from ragduck.pipeline.actions.translation import translate_out_if_needed
from ragduck.pipeline.answering.evidence import cited_answer, sources_of
from ragduck.pipeline.answering.presenting import found_gaps
from ragduck.pipeline.context import StepContext
from ragduck.pipeline.parameters import Parameter
from ragduck.pipeline.registry import action
from ragduck.pipeline.state import State

NO_ANSWER = "No answer was found."
NOT_SAVED = "This turn was not saved"  # how the gap begins that says so


@action(
    "persist_turn_and_finalize",
    aliases=("finalize",),
    parameters=(Parameter("persist_turn", "boolean", "Whether the turn is saved.", default=True),),
)
def persist_turn_and_finalize(context: StepContext) -> None:
    """Complete the answer with status and citations, in the language of the question, and save the turn."""
    state = context.state
    if not state.answer.strip():
        translate_out_if_needed(context)
    _complete(state)
    if context.parameters.get("persist_turn", True):
        _save(context)


def _complete(state: State) -> None:
    if not state.answer_en.strip() and not state.answer.strip():
        state.answer_en = NO_ANSWER
        state.status = "insufficient"
    state.answer = state.answer or state.answer_en
    state.answer_en = state.answer_en or state.answer
    if state.status == "running":
        state.status = "answered"
        missing = found_gaps(state, has_model=True) if state.evidence else ()
        state.gaps = tuple(dict.fromkeys((*state.gaps, *missing)))
    if not state.citations and state.evidence:
        _cite(state)


def _cite(state: State) -> None:
    """Keep the places of the evidence that the answer cites by number; numbers of nothing are removed from it."""
    sources = sources_of(state)
    cited = cited_answer(state.answer_en, sources)
    state.citations = cited.citations
    if cited.unknown:
        state.answer_en = cited.text
        state.answer = cited_answer(state.answer, sources).text


def _save(context: StepContext) -> None:
    """Save the turn; where it cannot be saved, the answer is given all the same, and says so."""
    try:
        context.history.save_turn(_turn(context))
    except (StoreError, OSError) as error:
        context.note(f"the turn could not be saved: {error}")
        state = context.state
        state.gaps = (*state.gaps, f"{NOT_SAVED}: {error}")


def _turn(context: StepContext) -> Turn:
    state = context.state
    return Turn(
        turn_id=state.turn_id or context.run_id,
        session_id=state.session_id,
        created_at=context.now(),
        question=state.question,
        question_en=state.question_en or state.question,
        answer_en=state.answer_en,
        answer=state.answer,
        language=state.language,
        status=state.status,
        run_id=context.run_id or None,
        pipeline=context.pipeline or None,
        metadata={
            "citations": [asdict(citation) for citation in state.citations],
            "gaps": list(state.gaps),
            "left_out": list(state.skipped),
        },
    )
