"""Search the store for entry points (seed 001, E.1 and E.2; seed 003, phase D)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from ragduck.errors import EmbeddingError, PipelineError
from ragduck.pipeline.actions.graph import SNAPSHOT_SOURCE, place_of
from ragduck.pipeline.context import StepContext
from ragduck.pipeline.parameters import Parameter
from ragduck.pipeline.prompting.prompts import filled
from ragduck.pipeline.question.understanding import (
    MAX_CONCEPTS,
    nouns_of,
    understood_by_rules,
    verbs_of,
)
from ragduck.pipeline.question.vocabulary import last_name, read_vocabulary
from ragduck.pipeline.question.words import identifiers_of
from ragduck.pipeline.registry import action
from ragduck.pipeline.retrieval.entry_points import ASIDE
from ragduck.pipeline.retrieval.entry_queries import (
    DATABASE,
    SIDES,
    base_filters,
    by_side,
    entry_query,
    has_all_words,
    interleaved,
    narrowed,
    served_mode,
    shortened,
)
from ragduck.pipeline.retrieval.named_nodes import held_nodes, named_nodes, undefined_objects
from ragduck.pipeline.retrieval.reformulation import nodes_with_verbs, nodes_with_words
from ragduck.pipeline.state import RetrievalPlan, SearchMode
from ragduck.search.at_once import at_once
from ragduck.search.request import Mode

MODES = ("semantic", "semantic_rerank", "bm25", "hybrid")
FOLLOW_UP_SEEDS = 5  # nodes of a follow-up search that the graph is entered by, too
OWN_KINDS = ("|TABLE", "|VIEW", "|TYPE")
WIDENED = 5  # times top_k that is searched when all words must occur
Hits = Sequence[Mapping[str, Any]]

WITHOUT_EFFECT = (
    "query_parser",
    "rerank",
    "allow_top_k_from_payload",
    "allow_rrf_k_from_payload",
    "source_system_id",
)
ACCESS_RULES = ("acl_tags_any", "classification_labels_all")


@dataclass(frozen=True, slots=True)
class Search:
    """One search as it is run: in which mode, for what, under which filters."""

    mode: Mode
    query: str
    filters: Mapping[str, Any]
    top_k: int
    rrf_k: int | None = None


@action(
    "search_nodes",
    aliases=("fetch_more_context",),
    parameters=(
        Parameter(
            "search_type",
            "text",
            "Mode; auto takes that of the plan.",
            default="auto",
            choices=(*MODES, "auto"),
        ),
        Parameter(
            "default_search_type", "text", "Mode of auto without a plan; the setting if empty.", choices=MODES
        ),
        Parameter(
            "top_k", "integer", "Chunks that a search returns; the setting if empty.", low=1, high=1000
        ),
        Parameter("query", "text", "What to search for, with {question}, {concepts}, {synonyms} and {plan}."),
        Parameter(
            "filters", "mapping", "Filters beside those of the settings; they narrow, but never widen."
        ),
        Parameter("match_operator", "text", "Whether all words must occur.", choices=("and", "or")),
        SNAPSHOT_SOURCE,
        Parameter("on_missing_mode", "text", "As the setting.", choices=("fall_back", "fail")),
        Parameter("rrf_k", "integer", "Flattens first ranks in a fusion.", low=1, high=1_000_000),
        *(Parameter(name, "any", "Accepted without effect.") for name in WITHOUT_EFFECT),
        *(Parameter(name, "any", "Accepted; a store keeps no access rights.") for name in ACCESS_RULES),
    ),
)
def search_nodes(context: StepContext) -> None:
    """Search for what the plan says, else for the concepts of the question in code and database."""
    state = context.state
    for name in ACCESS_RULES:
        if context.parameters.get(name):
            context.note(f"{name} has no effect: a store keeps no access rights")
    planned, hits = _searched(context)
    state.queries.append(planned)
    if context.parameters.get("snapshot_source") == "secondary":
        state.hits, state.entry_nodes = tuple(hits), ()
    elif state.entry_nodes:
        _add(context, hits)
    else:
        state.hits = tuple(hits)
    context.note(f"{len(hits)} hits")


def _searched(context: StepContext) -> tuple[RetrievalPlan, Hits]:
    plan, parameters, settings = context.state.plan, context.parameters, context.settings
    wanted = _wanted_mode(context)
    policy = str(parameters.get("on_missing_mode") or settings["on_missing_mode"])
    mode, why = served_mode(
        wanted,
        allowed=settings["retrieval_modes"],
        has_vectors=context.store.model is not None,
        policy=policy,
    )
    if why:
        context.note(why)
    query, sides = _query(context)
    search = Search(mode, query, _filters(context, plan), _top_k(context, plan), parameters.get("rrf_k"))
    context.reads("query", query)
    context.reads("mode", mode)
    context.reads("filters", dict(search.filters))
    context.reads("top_k", search.top_k)
    operator = parameters.get("match_operator") or (plan.match_operator if plan else None)
    by_name = not parameters.get("query")
    hits, called = at_once(
        lambda: _in_sides(context, search, sides, policy=policy),
        lambda: _called(context, search) if by_name else _ByName(),
    )
    if operator == "and":
        hits = _with_all_words(context, search, hits, policy=policy)
    hits = _with_names(context, search, hits, called)
    _take_verbs(context, called.verbs)
    return RetrievalPlan(wanted, plan.query if plan else query, search.filters, search.top_k), hits


def _wanted_mode(context: StepContext) -> SearchMode:
    asked = context.parameters.get("search_type") or "auto"
    if asked != "auto":
        return cast(SearchMode, asked)
    plan = context.state.plan
    if plan is not None and plan.mode != "direct":
        return plan.mode
    own = context.parameters.get("default_search_type")
    return cast(SearchMode, own or context.settings["default_search_method"])


def _query(context: StepContext) -> tuple[str, tuple[str, ...]]:
    """Return what to search for, and the sides of the system to search by turns; none for all at once.

    Reformulations and requests for more search all at once: the side may have been misunderstood.
    """
    state = context.state
    question = state.question_en or state.question
    understanding = state.understanding or understood_by_rules(question)
    template = context.parameters.get("query")
    if template:
        values = {
            "question": lambda: question,
            "concepts": lambda: " ".join(understanding.concepts),
            "synonyms": lambda: " ".join(understanding.synonyms),
            "plan": lambda: state.plan.query if state.plan else question,
        }
        return shortened(filled(str(template), values, name=f"query of step {context.step.id}")), ()
    sides = ("code", "db") if understanding.domain == "mixed" else (understanding.domain,)
    if state.plan is not None and state.plan.query.strip():
        is_first = state.understanding is not None and not state.queries
        return shortened(state.plan.query), sides if is_first else ()
    vocabulary = read_vocabulary(context.store.rows, understanding.concepts, known=state.known_terms)
    return entry_query(question, understanding, vocabulary), sides


def _filters(context: StepContext, plan: RetrievalPlan | None) -> Mapping[str, Any]:
    secondary = context.parameters.get("snapshot_source") == "secondary"
    filters = base_filters(context.settings, secondary=secondary)
    for further in (context.parameters.get("filters"), plan.filters if plan else None):
        filters, refused = narrowed(filters, further or {})
        for field in refused:
            context.note(f"the filter {field} would widen the search, so that of the settings stands")
    return filters


def _top_k(context: StepContext, plan: RetrievalPlan | None) -> int:
    own = int(context.parameters.get("top_k") or context.settings["top_k"])
    return min(own, plan.top_k) if plan and plan.top_k else own


def _in_sides(context: StepContext, search: Search, sides: Sequence[str], *, policy: str) -> Hits:
    """Search code and database by turns.

    Both entry queries have the same words, so that one search answers both, unless it finds nothing on a side.
    """
    if "data_type" in search.filters or not sides:
        return _run(context, search, policy=policy)
    if len(sides) == 1:
        within = {**search.filters, "data_type": list(SIDES[sides[0]])}
        found = _run(context, replace(search, filters=within), policy=policy)
        return found or _run(context, search, policy=policy)
    both = by_side(_run(context, replace(search, top_k=2 * search.top_k), policy=policy))
    if not any(both):
        return []
    return interleaved(
        found[: search.top_k]
        or _run(
            context,
            replace(search, filters={**search.filters, "data_type": list(SIDES[side])[:1]}),
            policy=policy,
        )
        for found, side in zip(both, sides, strict=True)
    )


def _run(context: StepContext, search: Search, *, policy: str) -> Hits:
    context.check_time()
    if not any(character.isalnum() for character in search.query):
        context.note("there is no word to search for")
        return []
    try:
        answer = context.store.search(
            search.query,
            mode=search.mode,
            top_k=search.top_k,
            filters=search.filters,
            rrf_k=search.rrf_k,
        )
    except EmbeddingError as error:
        if search.mode == "bm25" or policy == "fail" or "bm25" not in context.settings["retrieval_modes"]:
            raise PipelineError(
                f"mode {search.mode} cannot be served: {error.message}", hint=error.hint
            ) from error
        context.note(f"{error.message}: searched in mode bm25")
        return _run(context, replace(search, mode="bm25"), policy=policy)
    for note in answer.status.notes:
        context.note(note)
    return answer.results


@dataclass(frozen=True, slots=True)
class _ByName:
    """Keys of nodes that a question calls by name, and of those that have all its concepts in their names."""

    named: Sequence[str] = ()
    described: Sequence[str] = ()
    verbs: Sequence[str] = ()  # of the question, which names of the store have


def _called(context: StepContext, search: Search) -> _ByName:
    """Look up what the question, or the query of a plan, calls by its name.

    `Invoice_Cancel` tells how invoices are cancelled; a search by meaning finds such names itself.
    """
    state, rows = context.state, context.store.rows
    repo, branch = place_of(context)
    if state.plan is not None or state.understanding is None:
        return _ByName(named_nodes(rows, identifiers_of(search.query), repo=repo, branch=branch))
    question, concepts = state.question_en or state.question, state.understanding.concepts
    verbs = verbs_of(state.understanding, question)
    nouns = nouns_of(verbs, question)
    named = named_nodes(rows, (*concepts, *nouns), repo=repo, branch=branch)
    vocabulary = read_vocabulary(rows, (*concepts, *verbs), known=state.known_terms)
    by_verb = nodes_with_verbs(rows, concepts, verbs, vocabulary)
    described = [key for keys in by_verb.values() for key in keys]
    if search.mode == "bm25":
        described += nodes_with_words(rows, concepts, vocabulary)
    own = {last_name(key) for key in named if key.endswith(OWN_KINDS)}
    return _ByName(
        named, described, [verb for verb in verbs if verb in by_verb or (verb in nouns and verb in own)]
    )


def _take_verbs(context: StepContext, verbs: Sequence[str]) -> None:
    """Make concepts of the verbs that names of the store have: a validated discount is found in ValidateDiscount."""
    state = context.state
    if verbs and state.understanding is not None:
        concepts = (*state.understanding.concepts, *verbs)[:MAX_CONCEPTS]
        state.understanding = replace(state.understanding, concepts=concepts)
        context.note(f"names have it, so it counts: {', '.join(verbs)}")


def _with_names(context: StepContext, search: Search, hits: Hits, called: _ByName) -> Hits:
    """Put the first chunks of named nodes before what was found, those of described ones after it."""
    keys = list(dict.fromkeys([*called.named, *called.described]))
    if not keys or "node_key" in search.filters:
        return hits
    found = context.store.chunks({**search.filters, "node_key": keys, "chunk_part": [0]})
    found.sort(key=lambda hit: -hit["importance_score"])  # of a node that is defined several times
    best: dict[str, Mapping[str, Any]] = {}
    for hit in found:
        best.setdefault(str(hit["node_key"]), hit)
    best |= _without_own_chunk(context, search, [key for key in called.named if key not in best])
    named, described = (
        [best[key] for key in part if key in best] for part in (called.named, called.described)
    )
    context.note(f"by name: {', '.join(str(hit['node_key']) for hit in [*named, *described]) or 'nothing'}")
    ordered = [*named, *hits, *described]
    return list({str(hit["node_id"]): hit for hit in reversed(ordered)}.values())[::-1]


def _without_own_chunk(
    context: StepContext, search: Search, keys: Sequence[str]
) -> Mapping[str, Mapping[str, Any]]:
    """Return hits for named nodes that have no chunk: what tells of objects of the database, else what holds them."""
    found = dict(_undefined(context, search, keys))
    others = [key for key in keys if key not in found]
    if not others or "id" in search.filters:
        return found
    repo, branch = place_of(context)
    held = held_nodes(
        context.store.rows,
        lambda asked: context.store.chunks({**search.filters, **asked}),
        others,
        repo=repo,
        branch=branch,
    )
    return found | held


def _undefined(context: StepContext, search: Search, keys: Sequence[str]) -> Mapping[str, Mapping[str, Any]]:
    """Return hits for named objects of the database that have no text of their own."""
    objects = [key for key in keys if ":" not in key]
    if not objects or DATABASE not in search.filters.get("data_type", [DATABASE]):
        return {}
    filters = {field: values for field, values in search.filters.items() if field != "data_type"}
    repo, branch = place_of(context)
    return undefined_objects(
        context.store.rows,
        lambda asked: context.store.chunks({**filters, **asked}),
        objects,
        repo=repo,
        branch=branch,
    )


def _with_all_words(context: StepContext, search: Search, hits: Hits, *, policy: str) -> Hits:
    wide = _run(context, replace(search, top_k=WIDENED * search.top_k), policy=policy)
    kept = [hit for hit in wide if has_all_words(hit, search.query)][: search.top_k]
    if not kept:
        context.note("no chunk has all words of the query: those that have some are taken")
    return kept or hits


def _add(context: StepContext, hits: Hits) -> None:
    """Put what a follow-up found before what was found earlier: it was asked for because it was missing."""
    state = context.state
    known = {str(hit["node_id"]) for hit in state.hits}
    new = [hit for hit in hits if str(hit["node_id"]) not in known]
    state.hits = (*state.hits, *new)
    plain = [hit for hit in hits if hit["file_class"] not in ASIDE] or hits
    keys = [str(hit["id"] if hit["data_type"] == "docs" else hit["node_key"]) for hit in plain]
    seeds = list(dict.fromkeys(keys))[:FOLLOW_UP_SEEDS]
    state.entry_nodes = tuple(dict.fromkeys((*seeds, *state.entry_nodes)))
    context.note(f"{len(new)} new; entry points put first: {', '.join(seeds) or 'none'}")
