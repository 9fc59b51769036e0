"""What to search for: entry queries (seed 001, E.1), filters that are never widened, modes that can be served."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, cast

from ragduck.errors import PipelineError
from ragduck.pipeline.question.joined_verbs import same_verbs, with_joined_verbs
from ragduck.pipeline.question.vocabulary import Vocabulary, parts_in
from ragduck.pipeline.state import SearchMode, Understanding
from ragduck.search.fields import Filters, FilterValue, values_of
from ragduck.search.request import Mode

MAX_QUERY = 2_000  # characters
NEEDS_VECTORS = ("semantic", "semantic_rerank", "hybrid")
FALL_BACKS: tuple[Mode, ...] = ("bm25", "semantic", "hybrid", "semantic_rerank")
CODE, DATABASE, DOCS = "regular_code", "db_code", "docs"
SIDES: Mapping[str, tuple[str, ...]] = {"code": (CODE, DOCS), "db": (DATABASE, DOCS), "mixed": ()}
FROM_SETTINGS = {"repository": "repo", "branch": "branch"}


def entry_query(question: str, understanding: Understanding, vocabulary: Vocabulary) -> str:
    """Return the question, its concepts, and forms that the store has of words that it does not have.

    Whole sentences about what to look for, as seed 001 shows them, halve how many answers are found by keyword.
    """
    stand_ins = (
        form
        for concept in understanding.concepts
        for part in parts_in(concept)
        if not vocabulary.knows(part)
        for form in vocabulary.forms(part)[:1]
    )
    unknown = any(
        not vocabulary.forms(part) for concept in understanding.concepts for part in parts_in(concept)
    )
    same = [verb for verb in same_verbs(understanding.concepts) if verb in understanding.synonyms]
    synonyms = understanding.synonyms if unknown else same
    words = [with_joined_verbs(question), *understanding.concepts, *stand_ins, *synonyms]
    return shortened(" ".join(dict.fromkeys(words)))


def shortened(query: str) -> str:
    """Return a query of at most MAX_QUERY characters, ended at a blank."""
    query = " ".join(query.split())
    return query if len(query) <= MAX_QUERY else query[: MAX_QUERY + 1].rsplit(" ", 1)[0][:MAX_QUERY]


def base_filters(settings: Mapping[str, Any], *, secondary: bool = False) -> dict[str, list[FilterValue]]:
    """Return the filters of the settings, repository and branch among them; the second branch on request."""
    own = dict(settings)
    if secondary:
        if not settings.get("branch_b"):
            raise PipelineError(
                "the step searches the secondary branch, and none is set",
                hint="add branch_b: NAME to settings",
            )
        own["branch"] = settings["branch_b"]
    placed = {field: own[name] for name, field in FROM_SETTINGS.items() if own.get(name)}
    return values_of({**(settings.get("filters") or {}), **placed})


def narrowed(base: Filters, further: Filters) -> tuple[dict[str, list[FilterValue]], tuple[str, ...]]:
    """Return filters that let through what both let through, and the fields in which nothing would be left.

    In those the base stands: what a plan says may narrow a search, but never widen or empty it.
    """
    made, refused = values_of(base), []
    for field, values in values_of(further).items():
        allowed = [value for value in values if field not in made or value in made[field]]
        if allowed:
            made[field] = allowed
        else:
            refused.append(field)
    return made, tuple(refused)


def served_mode(
    wanted: SearchMode, *, allowed: Sequence[str], has_vectors: bool, policy: str
) -> tuple[Mode, str | None]:
    """Return the mode to search in, and why it is not the one that is wanted.

    Raises PipelineError when the policy is `fail`, or when no allowed mode can be served.
    """
    reason = _why_not(wanted, allowed=allowed, has_vectors=has_vectors)
    if reason is None:
        return cast(Mode, wanted), None
    other = next(
        (mode for mode in FALL_BACKS if _why_not(mode, allowed=allowed, has_vectors=has_vectors) is None),
        None,
    )
    if policy == "fail" or other is None:
        raise PipelineError(
            f"mode {wanted} cannot be served: {reason}",
            hint="set on_missing_mode: fall_back, list bm25 in retrieval_modes, "
            "or make vectors: ragduck embed STORE --model static",
        )
    return other, f"mode {wanted} cannot be served ({reason}): searched in mode {other}"


def _why_not(mode: str, *, allowed: Sequence[str], has_vectors: bool) -> str | None:
    if mode not in allowed:
        return "retrieval_modes does not list it"
    if mode in NEEDS_VECTORS and not has_vectors:
        return "the store has no vectors"
    return None


def interleaved(sides: Iterable[Sequence[Mapping[str, Any]]]) -> list[Mapping[str, Any]]:
    """Return hits of several searches by turns, the best of each first, without those that came before."""
    merged = [hit for row in zip_longest(*sides) for hit in row if hit is not None]
    kept: dict[str, Mapping[str, Any]] = {}
    for hit in merged:
        kept.setdefault(str(hit["node_id"]), hit)
    return list(kept.values())


def by_side(hits: Sequence[Mapping[str, Any]]) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    """Return the hits in code and documentation, and those in the database."""
    code = [hit for hit in hits if hit["data_type"] != DATABASE]
    return code, [hit for hit in hits if hit["data_type"] == DATABASE]


def has_all_words(hit: Mapping[str, Any], query: str) -> bool:
    """Whether every word of a query stands somewhere in a hit: what `match_operator: and` asks for."""
    text = f"{hit['text']} {hit['source_file']} {hit['element_name']}".casefold()
    return all(word in text for word in query.casefold().split() if word.isalnum())
