"""Walk the graph around the entry points (seed 001, phase F; seed 003, phase E)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ragduck.errors import StoreError, UsageError
from ragduck.pipeline.context import StepContext
from ragduck.pipeline.parameters import Parameter
from ragduck.pipeline.question.asked_way import asked_way
from ragduck.pipeline.registry import action
from ragduck.pipeline.retrieval.asked_edges import (
    AskedEdges,
    asked_edges,
    filled_up,
    of_kinds,
    outgoing,
)
from ragduck.pipeline.retrieval.column_uses import TOUCHING, column_uses, named_column
from ragduck.pipeline.retrieval.entry_queries import base_filters
from ragduck.pipeline.retrieval.graph_lines import merged
from ragduck.pipeline.retrieval.reaching_nodes import endings, reaching_nodes
from ragduck.resources import sql_text
from ragduck.search.neighbourhood import Neighbourhood
from ragduck.search.node_names import UnknownNodeError
from ragduck.search.walk import MAX_DEPTH, MAX_NODES

FROM_SETTINGS = {
    "max_depth": "graph_max_depth",
    "max_nodes": "graph_max_nodes",
    "edge_allowlist": "graph_edge_allowlist",
}
MOST_OF_ALL_KINDS = 2_000  # neighbours among which those of the kind that is asked for are looked for
SNAPSHOT_SOURCE = Parameter(
    "snapshot_source",
    "text",
    "Which branch: `branch` or `branch_b` of the settings.",
    default="primary",
    choices=("primary", "secondary"),
)


@action(
    "expand_dependency_tree",
    parameters=(
        Parameter(
            "max_depth", "integer", "Steps from an entry point; the setting if empty.", low=0, high=MAX_DEPTH
        ),
        Parameter("max_nodes", "integer", "Nodes at most; the setting if empty.", low=1, high=MAX_NODES),
        Parameter("edge_allowlist", "texts", "Relations that are followed; the setting if empty."),
        SNAPSHOT_SOURCE,
        Parameter("with_members", "boolean", "Whether a type is entered by its members, too.", default=False),
        *(
            Parameter(f"{name}_from_settings", "any", f"Setting to take instead of {own}.")
            for name, own in FROM_SETTINGS.items()
        ),
    ),
)
def expand_dependency_tree(context: StepContext) -> None:
    """Walk the graph from the entry points, within depth, number of nodes and allowed relations."""
    state = context.state
    repo, branch = place_of(context)
    found = _from_known(context, _within_limit(context, _seeds(context)), repo=repo, branch=branch)
    if found is None:
        context.note("no entry point is a node of the graph, so there is nothing to walk")
        return
    found = _with_column(context, found)
    state.asked_at = (repo, branch)
    state.reached = reaching_nodes(context.store.rows, state, repo=repo, branch=branch)
    state.endings = endings(context.store.rows, state, repo=repo, branch=branch)
    state.way = _way(context, repo=repo, branch=branch)
    for note in found.notes:
        context.note(note)
    state.neighbourhood = merged(state.neighbourhood, found, limit=_max_nodes(context))
    cut = ", cut at the limit" if found.is_cut else ""
    context.note(f"{len(found.nodes)} nodes and {len(found.edges)} relations{cut}")


def place_of(context: StepContext) -> tuple[str | None, str | None]:
    """Return the one repository and branch that the settings name; None where they name none or several."""
    filters = base_filters(
        context.settings, secondary=context.parameters.get("snapshot_source") == "secondary"
    )
    repo, branch = filters.get("repo", []), filters.get("branch", [])
    return (
        str(repo[0]) if len(repo) == 1 else None,
        str(branch[0]) if len(branch) == 1 else None,
    )


def _seeds(context: StepContext) -> list[str]:
    """Return node keys to begin with: the entry points, without any the nodes of the hits. Documentation has none."""
    state = context.state
    docs = {str(hit["id"]) for hit in state.hits if hit["data_type"] == "docs"}
    keys = state.entry_nodes or tuple(
        str(hit["node_key"]) for hit in state.hits if hit["data_type"] != "docs"
    )
    return list(dict.fromkeys(key for key in keys if key not in docs))


def _within_limit(context: StepContext, seeds: Sequence[str]) -> Sequence[str]:
    """Return the best seeds when there are more than a walk may have nodes."""
    limit = _max_nodes(context)
    if len(seeds) > limit:
        context.note(f"not entered, for the walk may have {limit} nodes: {', '.join(seeds[limit:])}")
    return seeds[:limit]


def _from_known(
    context: StepContext, seeds: Sequence[str], *, repo: str | None, branch: str | None
) -> Neighbourhood | None:
    """Walk from the seeds; when the graph does not know one, from the others, with a note."""
    if not seeds:
        return None
    try:
        return _walk(context, seeds, repo=repo, branch=branch)
    except UnknownNodeError:
        known = _known(context, seeds, repo=repo, branch=branch)
    context.note(f"not in the graph: {', '.join(seed for seed in seeds if seed not in known)}")
    return _walk(context, known, repo=repo, branch=branch) if known else None


def _known(context: StepContext, keys: Sequence[str], *, repo: str | None, branch: str | None) -> list[str]:
    rows = context.store.rows(
        sql_text("graph/exact.sql"), {"keys": list(keys), "repo": repo, "branch": branch}
    )
    found = {str(row["node_key"]) for row in rows}
    return [key for key in keys if key in found]


def _walk(
    context: StepContext, keys: Sequence[str], *, repo: str | None, branch: str | None
) -> Neighbourhood:
    settings: dict[str, Any] = {
        "depth": int(_value(context, "max_depth")),
        "max_nodes": _max_nodes(context),
        "repo": repo,
        "branch": branch,
        "with_members": bool(context.parameters.get("with_members", False))
        or _enters_members(asked_edges(context.state)),
    }
    relations = list(_value(context, "edge_allowlist") or ())
    context.reads("entry_points", list(keys))
    context.reads("relations", relations or "all")
    try:
        found = context.store.neighbourhood(list(keys), relations=relations or None, **settings)
        return _with_asked(context, found, relations=relations)
    except UnknownNodeError:
        raise
    except UsageError as error:
        if not relations:
            raise
        context.note(f"{error.message}: the entry points stand alone")
        return context.store.neighbourhood(list(keys), **(settings | {"depth": 0, "with_members": False}))


def _enters_members(wanted: AskedEdges) -> bool:
    """Whether a walk begins with members, too; what depends on them is walked to apart."""
    return wanted.with_members and not wanted.asked.is_impact


def _with_asked(context: StepContext, found: Neighbourhood, *, relations: Sequence[str]) -> Neighbourhood:
    """Return what the question asks of the nodes that it names, filled up with what a walk found that was cut.

    What depends on them is walked to in any case, as far as the walk goes.
    """
    wanted = asked_edges(context.state)
    if not wanted.asked.is_impact and not found.is_cut:
        return found
    asked = [name for name in sorted(wanted.asked.relations) if not relations or name in relations]
    starts = [node for node in found.nodes if node.relation is None and node.node_key in wanted.keys]
    if not asked or not starts or (_has_all_neighbours(found) and not wanted.asked.is_impact):
        return found
    (repo, branch), limit = place_of(context), _max_nodes(context)
    try:
        first = context.store.neighbourhood(
            list(dict.fromkeys(node.node_key for node in starts)),
            relations=None if wanted.asked.is_impact and set(asked) == wanted.asked.relations else asked,
            direction="impact" if wanted.asked.is_impact else wanted.asked.direction,
            depth=int(_value(context, "max_depth")) if wanted.asked.is_impact else 1,
            max_nodes=max(limit, MOST_OF_ALL_KINDS) if wanted.asked.kinds else limit,
            repo=repo,
            branch=branch,
            with_members=wanted.with_members,
        )
    except UsageError:  # the store knows no such relation
        return found
    context.note(f"asked for: {', '.join(asked)} of {', '.join(wanted.keys)}")
    if wanted.asked.is_impact:
        found = replace(outgoing(found), is_cut=first.is_cut)
    return filled_up(of_kinds(first, wanted.asked.kinds), found, limit=limit)


def _with_column(context: StepContext, found: Neighbourhood) -> Neighbourhood:
    """Return what names the column that the question names, filled up with what else the walk found."""
    state, (repo, branch), limit = context.state, place_of(context), _max_nodes(context)
    named = named_column(state)
    if named is None:
        return found
    table, column = named
    uses = column_uses(context.store.rows, found, table=table, column=column)
    if uses is None:
        return found
    state.column = uses
    context.note(f"{len(uses.naming)} of {uses.touching} that touch {table} name {column}")
    ways = (((table,), TOUCHING, uses.naming), (uses.properties, ("Uses",), uses.using))
    for keys, relations, wanted in reversed([way for way in ways if way[2]]):
        around = context.store.neighbourhood(
            list(keys), relations=relations, direction="in", depth=1,
            max_nodes=MAX_NODES, repo=repo, branch=branch,
        )  # fmt: skip
        nodes = tuple(node for node in around.nodes if node.relation is None or node.node_key in wanted)
        found = filled_up(replace(around, nodes=nodes), found, limit=limit)
    return found


def _way(context: StepContext, *, repo: str | None, branch: str | None) -> Neighbourhood | None:
    """Return the way that the question asks for, if its ends are named and edges lead from one to the other."""
    asked = asked_way(context.state.question_en or context.state.question)
    if asked is None:
        return None
    try:
        way = context.store.path_between(*asked, repo=repo, branch=branch)
    except (UsageError, StoreError) as error:  # no node is called so, several are, or the store is of old
        context.note(f"no way from {asked[0]} to {asked[1]}: {error.message}")
        return None
    directions = {node.direction for node in way.nodes[1:]}
    return way if len(directions) == 1 else None  # a way that turns says little


def _has_all_neighbours(found: Neighbourhood) -> bool:
    """Whether a walk that was cut had gone on to the neighbours of neighbours."""
    return any(node.distance > 1 for node in found.nodes)


def _max_nodes(context: StepContext) -> int:
    return int(_value(context, "max_nodes"))


def _value(context: StepContext, name: str) -> Any:
    own = context.parameters.get(name)
    if own is not None:
        return own
    setting = context.parameters.get(f"{name}_from_settings")
    named = context.settings.get(setting) if isinstance(setting, str) else None
    return context.settings.get(FROM_SETTINGS[name]) if named is None else named
