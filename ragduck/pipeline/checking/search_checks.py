"""Check what a pipeline searches and walks by: fields of filters and relations of the graph."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any

from ragduck.errors import UsageError
from ragduck.pipeline.checking.findings import Finding, error_at, kind_of, shown, similar, warning_at
from ragduck.pipeline.checking.parameter_checks import place_in
from ragduck.pipeline.definition import Pipeline, Place, Step
from ragduck.pipeline.registry import find_action
from ragduck.resources import sql_text
from ragduck.search.fields import KNOWN_FIELDS, values_of
from ragduck.search.relations import steps_of

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]
PlaceOf = Callable[[str], Place]

# Where they are written: in a setting, and in a key of the steps of one action.
FILTERS = {"setting": "filters", "action": "search_nodes", "key": "filters"}
ALLOWLISTS = {"setting": "graph_edge_allowlist", "action": "expand_dependency_tree", "key": "edge_allowlist"}
NO_LETTER = re.compile(r"[^0-9A-Za-z]")

# The relations that ragduck makes, and what others call them: as relation_aliases of every store has them.
RELATIONS = (
    "Calls", "Executes", "WritesTo", "Handles", "MapsTo", "ReadsFrom", "ForeignKey", "Implements", "Inherits",
    "Injects", "SynonymFor", "On", "SchemaChange", "Uses", "Contains", "LeadsTo",
)  # fmt: skip
ALIASES = frozenset({
    "call", "csdep", "invokes", "invocation", "exec", "execute", "writes", "write", "handle", "maps", "orm", "reads",
    "read", "fk", "references", "implement", "implementation", "inherit", "inheritance", "extends", "inject",
    "injection", "synonym", "datachange", "migration", "migrates", "use", "contain", "has", "leads",
    "redirect", "redirects", "referencedbyc",
})  # fmt: skip


def relation_names(rows: Rows) -> frozenset[str]:
    """Return the names of the relations that a store can be walked by, aliases among them, as `folded` has them."""
    return frozenset(
        alias for step in steps_of(rows(sql_text("graph/steps.sql"), {})) for alias in step.aliases
    )


def folded(relation: str) -> str:
    """Return the name of a relation as relation_aliases has it: small letters and digits."""
    return NO_LETTER.sub("", relation.removeprefix("sql_")).lower()


def filter_findings(pipeline: Pipeline) -> Iterator[Finding]:
    """Yield the filters of the settings and of steps that name an unknown field or hold a wrong value."""
    for name, value, place_of in _written(pipeline, FILTERS):
        for field, values in value.items() if isinstance(value, Mapping) else ():
            yield from _filter_problems(str(field), values, place_of(f"{name}.{field}"))


def relation_findings(
    pipeline: Pipeline, *, store_relations: Collection[str] | None, has_store: bool
) -> Iterator[Finding]:
    """Yield the relations that no walk can follow.

    ``store_relations`` are those of the store, as `relation_names` returns them. Without them ragduck's own are
    known; as an imported graph may have others, an unknown one is only doubtful when there is a store.
    """
    known = {folded(name) for name in RELATIONS} | ALIASES | set(store_relations or ())
    finding = warning_at if has_store and store_relations is None else error_at
    for name, value, place_of in _written(pipeline, ALLOWLISTS):
        listed = [value] if isinstance(value, str) else value
        for number, relation in enumerate(listed if isinstance(listed, list | tuple) else ()):
            if isinstance(relation, str) and folded(relation) not in known:
                hint = similar(relation, RELATIONS) or f"known: {', '.join(RELATIONS)}"
                message = f"{name}: unknown relation {shown(relation)}"
                yield finding(place_of(f"{name}.{number}"), message, hint=hint)


def _written(pipeline: Pipeline, keys: Mapping[str, str]) -> Iterator[tuple[str, Any, PlaceOf]]:
    """Yield what the setting and the steps of an action write: key, value, and what tells the place of a path."""
    setting, action_name, key = keys["setting"], keys["action"], keys["key"]
    if setting in pipeline.settings:
        yield setting, pipeline.settings[setting], partial(_place_of_setting, pipeline)
    for step in pipeline.steps.values():
        action = find_action(step.action)
        if action is not None and action.name == action_name and key in step.parameters:
            yield key, step.parameters[key], partial(_place_in_step, step)


def _place_of_setting(pipeline: Pipeline, path: str) -> Place:
    places = pipeline.setting_places
    return places.get(path) or places.get(path.split(".", 1)[0]) or pipeline.place


def _place_in_step(step: Step, path: str) -> Place:
    return step.places.get(path) or place_in(step, path)


def _filter_problems(field: str, values: Any, place: Place) -> Iterator[Finding]:
    if field not in KNOWN_FIELDS:
        hint = similar(field, KNOWN_FIELDS) or f"known: {', '.join(sorted(KNOWN_FIELDS))}"
        yield error_at(place, f"unknown filter field {shown(field)}", hint=hint)
        return
    wrong = [
        item
        for item in (values if isinstance(values, list | tuple) else [values])
        if item is not None and not isinstance(item, str | int | float)
    ]
    if wrong:
        message = f"filter {field}: expected a text, a number or a list of them, found {kind_of(wrong[0])}"
        yield error_at(place, message, hint=f"write {field}: [VALUE]")
        return
    try:
        values_of({field: values})
    except UsageError as error:
        yield error_at(place, error.message, hint=error.hint)
