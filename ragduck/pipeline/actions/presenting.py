"""Answer without prose of a model: with the evidence itself, or by saying what is missing (seed 001, phase H)."""

from __future__ import annotations

from typing import cast

from ragduck.pipeline.answering.evidence import sources_of
from ragduck.pipeline.answering.limits import Reason, limits_answer, limits_gaps
from ragduck.pipeline.answering.presenting import extractive_answer, found_gaps
from ragduck.pipeline.context import StepContext
from ragduck.pipeline.parameters import Parameter
from ragduck.pipeline.question.understanding import understood_by_rules
from ragduck.pipeline.question.vocabulary import read_vocabulary
from ragduck.pipeline.registry import action
from ragduck.pipeline.retrieval.asked_edges import asked_edges, number_asked_for
from ragduck.pipeline.retrieval.entry_points import judge, unknown_concepts
from ragduck.pipeline.retrieval.mistyped import told_of_mistyped


@action("present_evidence")
def present_evidence(context: StepContext) -> None:
    """Answer with the evidence itself: entry points, relations, texts with numbers, and what is missing.

    It is no prose to be translated.
    """
    state = context.state
    new = found_gaps(state, has_model=context.model is not None)
    state.gaps = tuple(dict.fromkeys((*state.gaps, *new)))
    state.answer_en = state.answer = extractive_answer(state, total=_number_asked_for(context))
    state.citations = sources_of(state)
    state.status = "answered"
    context.note(f"{len(state.citations)} citations")


def _number_asked_for(context: StepContext) -> int | None:
    """Return how many edges the graph has that are asked for of what the question names; None if it asks for none."""
    found, wanted = context.state.neighbourhood, asked_edges(context.state)
    if found is None or not wanted.keys or not wanted.asked.relations:
        return None
    return number_asked_for(context.store.rows, found, wanted)


@action(
    "state_limits",
    parameters=(
        Parameter(
            "reason",
            "text",
            "Why the run ends without an answer.",
            default="nothing_found",
            choices=("nothing_found", "not_answered", "unreadable_reply"),
        ),
    ),
)
def state_limits(context: StepContext) -> None:
    """End honestly: say what was searched for, what came closest and what to try, and claim nothing."""
    state = context.state
    reason = cast(Reason, context.parameters.get("reason") or "nothing_found")
    question = state.question_en or state.question
    understanding = state.understanding or understood_by_rules(question)
    vocabulary = read_vocabulary(context.store.rows, understanding.concepts, known=state.known_terms)
    unknown = unknown_concepts(understanding.concepts, vocabulary)
    verdict = judge(state.hits, understanding, vocabulary, question=question) if state.hits else None
    told = told_of_mistyped(context.store.rows, understanding.concepts, unknown=unknown)
    state.gaps = tuple(dict.fromkeys((*state.gaps, *told)))
    state.answer_en = limits_answer(
        state,
        reason=reason,
        verdict=verdict,
        unknown=unknown,
        has_vectors=context.store.model is not None,
    )
    state.gaps = tuple(
        dict.fromkeys((*state.gaps, *limits_gaps(reason=reason, verdict=verdict, unknown=unknown)))
    )
    state.citations = ()
    state.status = "insufficient"
    context.note(f"{reason}: {len(state.queries)} searches")
