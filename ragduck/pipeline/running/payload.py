"""Make a search of what a model wrote as JSON, within what the pipeline allows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

from ragduck.errors import UsageError
from ragduck.pipeline.state import RetrievalPlan, SearchMode
from ragduck.search.fields import KNOWN_FIELDS, values_of

MODES = ("semantic", "semantic_rerank", "bm25", "hybrid", "direct")
OPERATORS = ("and", "or")
MAX_QUERY = 2_000  # characters; what is longer is no query
MAX_FILTERS = 20
MAX_VALUES = 50
FROM_SETTINGS = {"repository": "repo", "branch": "branch"}


def plan_of(
    payload: Mapping[str, Any], settings: Mapping[str, Any], *, question: str
) -> tuple[RetrievalPlan | None, list[str]]:
    """Return the search that a payload asks for, and notes on what of it was not taken; None when it asks for none.

    What the settings filter by stays as it is: values of the payload may only narrow it.
    """
    if not any(key in payload for key in ("query", "filters", "search_type")):
        return None, []
    notes: list[str] = []
    query = _query(payload, notes) or question
    mode = _choice(payload, "search_type", (*MODES, "auto"), notes) or "auto"
    chosen = settings["default_search_method"] if mode == "auto" else mode
    filters = _filters(payload.get("filters"), settings, notes)
    operator = _choice(payload, "match_operator", OPERATORS, notes)
    plan = RetrievalPlan(
        cast(SearchMode, chosen),
        query,
        filters,
        top_k=_top_k(payload, settings, notes),
        match_operator=cast(Literal["and", "or"] | None, operator),
    )
    return plan, notes


def _query(payload: Mapping[str, Any], notes: list[str]) -> str:
    query = payload.get("query")
    if not isinstance(query, str) or not query.strip():
        notes.append("the reply has no query: the question itself is searched for")
        return ""
    if len(query) > MAX_QUERY:
        notes.append(f"the query of {len(query):,} characters is left out: the question is searched for")
        return ""
    return " ".join(query.split())


def _choice(payload: Mapping[str, Any], key: str, known: tuple[str, ...], notes: list[str]) -> str | None:
    value = payload.get(key)
    if value is None:
        return None
    found = value.strip().casefold() if isinstance(value, str) else ""
    if found in known:
        return found
    notes.append(f"{key} is none of {', '.join(known)}, and left out")
    return None


def _top_k(payload: Mapping[str, Any], settings: Mapping[str, Any], notes: list[str]) -> int | None:
    value = payload.get("top_k")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= int(settings["top_k"]):
        notes.append("top_k is left out: it may only lower that of the pipeline")
        return None
    return value


def _filters(given: Any, settings: Mapping[str, Any], notes: list[str]) -> dict[str, list[Any]]:
    if given is None:
        return {}
    if not isinstance(given, Mapping) or len(given) > MAX_FILTERS:
        notes.append("the filters of the reply are no short mapping, and left out")
        return {}
    fixed = _fixed(settings)
    made: dict[str, list[Any]] = {}
    for field, value in sorted(given.items()):
        values = _values(field, value)
        if field in fixed:
            values = [item for item in values if item in fixed[field]]
        if values:
            made[field] = values
        else:
            notes.append(f"the filter {field[:60]!r} of the reply is left out")
    return made


def _fixed(settings: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return what the settings filter by already."""
    own = {field: settings[name] for name, field in FROM_SETTINGS.items() if settings.get(name)}
    return dict(values_of({**(settings.get("filters") or {}), **own}))


def _values(field: str, value: Any) -> list[Any]:
    """Return the values of a filter as a search takes them; none when it would refuse them."""
    values = value if isinstance(value, list) else [value]
    plain = all(isinstance(item, (str, int, float)) and not isinstance(item, bool) for item in values)
    if field not in KNOWN_FIELDS or not plain or not 0 < len(values) <= MAX_VALUES:
        return []
    try:
        return values_of({field: values})[field]
    except UsageError:
        return []
