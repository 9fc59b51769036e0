"""Decide whether the hits are good entry points, and search in other words when they are not (seed 001, E.3)."""

from __future__ import annotations

from ragduck.pipeline.context import StepContext
from ragduck.pipeline.parameters import Parameter
from ragduck.pipeline.prompting.fencing import escaped
from ragduck.pipeline.prompting.model_call import ask_model
from ragduck.pipeline.prompting.prompt_values import NOTHING, prompt_values
from ragduck.pipeline.prompting.prompts import messages_of
from ragduck.pipeline.question.understanding import understood_by_rules
from ragduck.pipeline.question.vocabulary import read_vocabulary
from ragduck.pipeline.registry import action
from ragduck.pipeline.retrieval.entry_points import Verdict, judge, unknown_concepts
from ragduck.pipeline.retrieval.mistyped import told_of_mistyped
from ragduck.pipeline.retrieval.reformulation import one_line, reworded, words_of_reply
from ragduck.pipeline.state import RetrievalPlan, SearchMode

MAX_NAMED = 5  # rejected hits that the trace names
KINDS = ("auto", "synonyms", "variants", "hypothetical")


@action(
    "check_entry_points",
    parameters=(
        Parameter("on_good", "step", "Step when the graph may be entered."),
        Parameter(
            "on_weak", "step", "Step when the hits have too little to do with the question.", required=True
        ),
    ),
)
def check_entry_points(context: StepContext) -> str:
    """Fix the entry points if the hits are clearly related to the question's concepts; once fixed, they stand."""
    if context.state.entry_nodes:
        context.note("the entry points are fixed already")
        return context.branch("on_good")
    verdict = verdict_of(context)
    context.state.entry_nodes = verdict.keys
    if verdict.accepted:
        _tell_mistyped(context)
    _tell(context, verdict)
    return context.branch("on_good" if verdict.accepted else "on_weak")


def _tell_mistyped(context: StepContext) -> None:
    """Say which names of the question nothing bears, though the answer goes on without them."""
    state, rows = context.state, context.store.rows
    concepts = state.understanding.concepts if state.understanding else ()
    vocabulary = read_vocabulary(rows, concepts, known=state.known_terms)
    told = told_of_mistyped(rows, concepts, unknown=unknown_concepts(concepts, vocabulary))
    state.gaps = tuple(dict.fromkeys((*state.gaps, *told)))


def verdict_of(context: StepContext) -> Verdict:
    """Return how the hits of the state are judged."""
    state = context.state
    question = state.question_en or state.question
    understanding = state.understanding or understood_by_rules(question)
    vocabulary = read_vocabulary(context.store.rows, understanding.concepts, known=state.known_terms)
    unknown = unknown_concepts(understanding.concepts, vocabulary)
    if unknown:
        context.note(f"the store has no word for: {', '.join(unknown)}")
    model = context.store.model
    knows_meaning = model is not None and not model.name.startswith("hashing")
    return judge(state.hits, understanding, vocabulary, question=question, knows_meaning=knows_meaning)


def _tell(context: StepContext, verdict: Verdict) -> None:
    if verdict.accepted:
        context.note(f"entry points: {', '.join(verdict.keys)}")
    if verdict.only_aside:
        context.note("the concept was found only in tests, generated code or samples")
    if verdict.rejected:
        named = "; ".join(f"{key}: {reason}" for key, reason in verdict.rejected[:MAX_NAMED])
        more = len(verdict.rejected) - MAX_NAMED
        context.note(f"rejected: {named}{f'; and {more} more' if more > 0 else ''}")


@action(
    "reformulate_query",
    parameters=(
        Parameter("use_model", "boolean", "Whether a model is asked, if there is one.", default=True),
        Parameter(
            "kind",
            "text",
            "How; auto takes synonyms first, then a hypothetical answer.",
            default="auto",
            choices=KINDS,
        ),
        Parameter("prompt_key", "text", "Prompt for synonyms and variants.", default="reformulate"),
        Parameter("hyde_prompt_key", "text", "Prompt for the answer.", default="hypothetical_answer"),
        Parameter("max_output_tokens", "integer", "Tokens of the reply.", default=250, low=1),
    ),
)
def reformulate_query(context: StepContext) -> None:
    """Plan a search in other words: synonyms and variants first, then an answer as it might be written."""
    state = context.state
    counters = state.counters
    attempt = counters[context.step.id] = counters.get(context.step.id, 0) + 1
    kind = str(context.parameters.get("kind") or "auto")
    if kind == "auto":
        kind = "synonyms" if attempt == 1 else "hypothetical"
    asks_model = context.parameters.get("use_model", True) and context.model is not None
    query = _by_model(context, kind) if asks_model else None
    mode = _mode(context, kind if query else "synonyms")
    if query is None:
        query = _by_rules(context, attempt)
    state.plan = RetrievalPlan(mode, query)
    context.note(f"attempt {attempt}, {kind if asks_model else 'by rules'}: {query[:200]}")


def _mode(context: StepContext, kind: str) -> SearchMode:
    if (
        kind == "hypothetical"
        and context.store.model is not None
        and "semantic" in context.settings["retrieval_modes"]
    ):
        return "semantic"
    mode: SearchMode = context.settings["default_search_method"]
    return mode


def _by_model(context: StepContext, kind: str) -> str | None:
    """Return what the model would search for; None when its reply is of no use."""
    name, default = (
        ("hyde_prompt_key", "hypothetical_answer")
        if kind == "hypothetical"
        else ("prompt_key", "reformulate")
    )
    key = str(context.parameters.get(name) or default)
    values = prompt_values(context.state) | {"queries": lambda: escaped(_tried(context))}
    messages = messages_of(context.prompts.get(key), values, name=key)
    completion = ask_model(
        context, messages, max_tokens=context.parameters.get("max_output_tokens"), temperature=0
    )
    query = one_line(completion.text) if kind == "hypothetical" else words_of_reply(completion.text)
    if not query:
        context.note("the model's reply is no query: reworded by rules")
    return query or None


def _tried(context: StepContext) -> str:
    return "\n".join(dict.fromkeys(f"- {query.query}" for query in context.state.queries)) or NOTHING


def _by_rules(context: StepContext, attempt: int) -> str:
    state = context.state
    question = state.question_en or state.question
    understanding = state.understanding or understood_by_rules(question)
    vocabulary = read_vocabulary(
        context.store.rows, (question, *understanding.concepts), known=state.known_terms
    )
    return reworded(context.store.rows, understanding, vocabulary, attempt=attempt)
