"""Walk the graph of a store from nodes that are named in any of the ways people write them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import Any

from ragduck.errors import RagduckError, StoreError, UsageError
from ragduck.resources import sql_text
from ragduck.search.at_once import at_once
from ragduck.search.given import require_whole
from ragduck.search.neighbourhood import GraphEdge, GraphNode, Neighbourhood
from ragduck.search.node_names import resolve, unknown_node
from ragduck.search.overloads import with_places
from ragduck.search.relations import AllowedSteps, Step, WalkDirection, allowed_steps, steps_of
from ragduck.search.walk_notes import against, beyond, mentions, several, types_among

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

MAX_DEPTH = 32
MAX_NODES = 100_000
ENDS = 2  # nodes of a path that are asked for
TABLES = ("TABLE", "VIEW")
ONLY_LEADING = "LeadsTo"  # of what is done there nothing is done by who redirects there
REFERRING = "ForeignKey"  # who reads a table reads nothing of those that it refers to
PATH_DEPTH = 12  # from a page to a table by way of handlers, services and repositories
EITHER_WAY_DEPTH = 6  # longer ways along some edges and against others say nothing
DIRECTIONS_IN_TURN: tuple[WalkDirection, ...] = ("out", "in", "both")


@dataclass(frozen=True, slots=True)
class WalkRequest:
    """Where a walk begins and how far it goes; see `ragduck.Store.neighbourhood`. Of depth 0 are the nodes alone.

    ``with_members`` begins with all that a type or file contains as well.
    """

    keys: Sequence[str]
    depth: int = 2
    max_nodes: int = 120
    relations: str | Sequence[str] | None = None
    direction: WalkDirection | Mapping[str, str] = "both"
    repo: str | None = None
    branch: str | None = None
    with_members: bool = False

    def __post_init__(self) -> None:
        if not self.keys:
            raise UsageError("no node to begin with", hint="name one: dbo.Invoice|TABLE, OrderService.Place")
        require_whole("depth", self.depth, 0, MAX_DEPTH)
        require_whole("max_nodes", self.max_nodes, 1, MAX_NODES)


@dataclass(frozen=True, slots=True)
class PathRequest:
    """Two nodes to tie together; without a direction along the edges first, then against them, then either way."""

    from_key: str
    to_key: str
    max_depth: int | None = None  # PATH_DEPTH one way, EITHER_WAY_DEPTH where edges may be taken either way
    relations: str | Sequence[str] | None = None
    direction: WalkDirection | Mapping[str, str] | None = None
    repo: str | None = None
    branch: str | None = None

    def __post_init__(self) -> None:
        if self.max_depth is not None:
            require_whole("max_depth", self.max_depth, 1, MAX_DEPTH)


class Walker:
    """Walk the graph of one store; what is the same for every walk is read once."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._steps: tuple[Step, ...] = ()
        self._snapshots: dict[tuple[str | None, str | None], list[int]] = {}

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that a walk may take in this store."""
        if not self._steps:
            self._steps = steps_of(self._rows(sql_text("graph/steps.sql"), {}))
        return self._steps

    def walk(self, request: WalkRequest) -> Neighbourhood:
        """Return what lies around the nodes of a request, closest and best tied first, with the edges between."""
        allowed = allowed_steps(self.steps, relations=request.relations, direction=request.direction)
        named = self._named(request.keys, repo=request.repo, branch=request.branch)
        begun = self._with_members(named) if request.with_members else named
        limit = request.max_nodes - len(named)
        if request.depth == 0:
            alone = self._alone(named[: request.max_nodes], is_cut=limit < 0)
            return replace(alone, notes=allowed.notes)
        found, leads_on = self._reached(begun, request, allowed, limit=limit) if limit > 0 else ([], False)
        used = {row["via_id"] for row in found} - {row["node_id"] for row in found} - set(named)
        shown = [_start(node_id) for node_id in (*named, *sorted(used))] + found
        is_cut = len(shown) > request.max_nodes
        shown = shown[: request.max_nodes]
        relations = [*allowed.relations, *(["Contains"] if request.with_members else [])]
        nodes, edges = self._nodes_and_edges(shown, relations, is_path=False)
        starts = tuple(dict.fromkeys(node.node_key for node in nodes if node.node_id in named))
        return Neighbourhood(
            starts=starts,
            nodes=nodes,
            edges=edges,
            is_cut=len(found) >= limit or is_cut,
            notes=(
                *allowed.notes,
                *several(request.keys, starts),
                *(types_among(nodes) if request.relations else ()),
                *beyond(request.depth if leads_on else None),
            ),
        )

    def _alone(self, ids: list[int], *, is_cut: bool) -> Neighbourhood:
        """Return nodes without what they are tied to, be it each other or themselves."""
        nodes, edges = self._nodes_and_edges([_start(node_id) for node_id in ids], (), is_path=False)
        starts = tuple(dict.fromkeys(node.node_key for node in nodes))
        return Neighbourhood(starts=starts, nodes=nodes, edges=edges, is_cut=is_cut)

    def path(self, request: PathRequest) -> Neighbourhood:
        """Return the nodes and edges of a shortest way between two nodes, in order; none when there is no way."""
        ends = [
            self._named([key], repo=request.repo, branch=request.branch)
            for key in (request.from_key, request.to_key)
        ]
        directions = DIRECTIONS_IN_TURN if request.direction is None else (request.direction,)
        turns = chain(
            product(directions, self._relations_in_turn(request.relations, ends), (False,)),
            product(directions, (request.relations,), (True,)),
        )
        for direction, relations, through_mentions in turns:
            allowed = allowed_steps(self.steps, relations=relations, direction=direction)
            depth = request.max_depth or (PATH_DEPTH if direction in ("out", "in") else EITHER_WAY_DEPTH)
            found = self._shortest(ends, request, allowed, depth=depth, through_mentions=through_mentions)
            if found:
                break
        nodes, edges = self._nodes_and_edges(found, allowed.relations, is_path=True)
        taken = {node.edge_no for node in nodes}
        return Neighbourhood(
            starts=tuple(node.node_key for node in nodes[:1]),
            nodes=nodes,
            edges=tuple(edge for edge in edges if edge.edge_no in taken),
            notes=(*allowed.notes, *_against(nodes, request), *mentions(nodes)),
        )

    def _relations_in_turn(
        self, asked: str | Sequence[str] | None, ends: Sequence[list[int]]
    ) -> Iterator[str | Sequence[str] | None]:
        """Yield the relations of a path, those first that do more than refer to something or send browsers there."""
        there = {step.relation for step in self.steps if step.edges} if asked is None else set()
        weaker = there & {ONLY_LEADING}
        if REFERRING in there and not all(map(self._has_table, ends)) and there - weaker - {REFERRING}:
            yield sorted(there - weaker - {REFERRING})
        if weaker and there - weaker:
            yield sorted(there - weaker)
        yield asked

    def _has_table(self, ids: list[int]) -> bool:
        return bool(self._rows(sql_text("graph/tables_among.sql"), {"ids": json.dumps(ids)}))

    def _shortest(
        self,
        ends: Sequence[list[int]],
        request: PathRequest,
        allowed: AllowedSteps,
        *,
        depth: int,
        through_mentions: bool,
    ) -> list[dict[str, Any]]:
        """Return the nodes of a shortest way; what a system does leads through no test of it.

        Only ``through_mentions`` leads one from what mentions a type to any member of it.
        """
        sql = sql_text("graph/path.sql").replace("max_depth := 6", f"max_depth := {depth}")
        asked: dict[str, object] = {
            "ids": ends[0],
            "targets": ends[1],
            "steps": allowed.numbers,
            "snapshots": self._snapshots_of(request.repo, request.branch),
            "through_mentions": through_mentions,
        }
        try:
            found = self._rows(sql, {**asked, "avoided": []})
        except RagduckError as error:
            if "shortest_path" not in str(error):
                raise
            raise StoreError(
                "the store was made by an earlier ragduck, which looked for paths otherwise",
                hint="prepare the store again",
            ) from error
        path: dict[str, object] = {"path": [row["node_id"] for row in found], "ends": [*ends[0], *ends[1]]}
        tests = self._rows(sql_text("graph/tests.sql"), path) if len(found) > ENDS else ()
        return self._rows(sql, {**asked, "avoided": [row["node_id"] for row in tests]}) if tests else found

    def _named(self, keys: Iterable[str], *, repo: str | None, branch: str | None) -> list[int]:
        found: dict[int, None] = {}
        keys = list(keys)
        exact = self._exact(keys, repo=repo, branch=branch) if len(keys) > 1 else {}
        for key in keys:
            matches = exact.get(key) or resolve(self._rows, key, repo=repo, branch=branch)
            if not matches:
                raise unknown_node(self._rows, key, place=", ".join(name for name in (repo, branch) if name))
            found |= dict.fromkeys(int(row["node_id"]) for row in matches)
        return list(found)

    def _exact(
        self, keys: list[str], *, repo: str | None, branch: str | None
    ) -> dict[str, list[dict[str, Any]]]:
        """Return the nodes of keys that are written whole, all with one statement: most of them are."""
        found: dict[str, list[dict[str, Any]]] = {}
        for row in self._rows(sql_text("graph/exact.sql"), {"keys": keys, "repo": repo, "branch": branch}):
            found.setdefault(row["node_key"], []).append(row)
        return found

    def _with_members(self, ids: list[int]) -> list[int]:
        members = self._rows(sql_text("graph/members.sql"), {"ids": ids})
        return list(dict.fromkeys([*ids, *(int(row["node_id"]) for row in members)]))

    def _snapshots_of(self, repo: str | None, branch: str | None) -> list[int]:
        if (repo, branch) not in self._snapshots:
            found = self._rows(sql_text("graph/snapshots.sql"), {"repo": repo, "branch": branch})
            self._snapshots[repo, branch] = [row["snapshot_no"] for row in found]
        return self._snapshots[repo, branch]

    def _reached(
        self, ids: list[int], request: WalkRequest, allowed: AllowedSteps, *, limit: int
    ) -> tuple[list[dict[str, Any]], bool]:
        """Return what hops lead to, closest first, then best tied, and of callers and the like whether more follows.

        What is an end may be come to again otherwise.
        """
        reached: list[dict[str, Any]] = []
        front = ids
        ends: set[int] = set()
        for distance in range(1, request.depth + 1 + request.with_members):
            is_beyond = distance > request.depth
            known = [*ids, *(row["node_id"] for row in reached if row["node_id"] not in ends)]
            parameters: dict[str, object] = {
                "front": json.dumps(front),
                "known": json.dumps(known),
                "steps": json.dumps(allowed.numbers),
                "last": json.dumps(sorted(allowed.last)),
                "snapshots": json.dumps(self._snapshots_of(request.repo, request.branch)),
                "max_nodes": limit,
                "limit": len(ends) + (1 if is_beyond else limit - len(reached)),
            }
            hop = self._rows(sql_text("graph/hop.sql"), parameters)
            new = [_hopped(row, distance) for row in hop if row["node_id"] not in ends]
            if is_beyond:
                return reached, bool(new)
            reached += new[: limit - len(reached)]
            front = [row["node_id"] for row in hop if not row["is_last"]]
            ends = {*ends, *(row["node_id"] for row in hop)} - set(front)
            if not front or len(reached) >= limit:
                break
        return reached, False

    def _nodes_and_edges(
        self, reached: Sequence[Mapping[str, Any]], relations: Sequence[str], *, is_path: bool
    ) -> tuple[tuple[GraphNode, ...], tuple[GraphEdge, ...]]:
        """Return the nodes in the order in which they were reached, and the edges between them by number."""
        ids = json.dumps([row["node_id"] for row in reached])
        named = list(dict.fromkeys(relations))
        nodes, edges = at_once(
            lambda: self._rows(sql_text("graph/nodes.sql"), {"ids": ids}),
            lambda: self._rows(sql_text("graph/edges_between.sql"), {"ids": ids, "relations": named}),
        )
        known = {row["node_id"]: GraphNode(**row) for row in nodes}
        known |= self._mapped(known.values())
        taken = {step.step: step for step in self.steps}
        between = [
            GraphEdge(from_key=known[row["from_id"]].node_key, to_key=known[row["to_id"]].node_key, **row)
            for row in sorted(edges, key=lambda row: row["edge_no"])
        ]
        found = [_as_reached(row, known, taken) for row in reached]
        by_number = {edge.edge_no: edge for edge in between}
        return with_places(self._rows, found, by_number, is_path=is_path), tuple(between)

    def _mapped(self, nodes: Iterable[GraphNode]) -> dict[int, GraphNode]:
        """Return the tables that no file defines, with what maps to them."""
        undefined = {node.node_id: node for node in nodes if node.is_external and node.kind in TABLES}
        told = mappings_of(self._rows, list(undefined)) if undefined else ()
        return {
            row["node_id"]: replace(
                undefined[row["node_id"]], entity=row["entity"], mapping=f"{row['source_file']}:{row['line']}"
            )
            for row in reversed(told)  # the surest is put last
        }


def mappings_of(rows: Rows, ids: Sequence[int]) -> list[dict[str, Any]]:
    """Return what maps to tables, the surest first; see `graph/mapped.sql`."""
    return rows(sql_text("graph/mapped.sql"), {"ids": json.dumps(ids)})


def _against(path: Sequence[GraphNode], request: PathRequest) -> Iterator[str]:
    if request.direction is None:
        yield from against(path, depth=request.max_depth or PATH_DEPTH)


def _start(node_id: int) -> dict[str, Any]:
    return {"node_id": node_id, "distance": 0, "score": 0, "edge_no": None, "via_id": None, "step": None}


def _hopped(row: Mapping[str, Any], distance: int) -> dict[str, Any]:
    _, edge_no, via_id, step = row["best"]
    found = {"node_id": row["node_id"], "distance": distance, "score": row["score"]}
    return {**found, "edge_no": -edge_no, "via_id": via_id, "step": step}


def _as_reached(
    row: Mapping[str, Any], known: Mapping[int, GraphNode], taken: Mapping[int, Step]
) -> GraphNode:
    node = replace(known[row["node_id"]], distance=row["distance"], score=row["score"])
    if row["via_id"] is None:
        return node
    step = taken[row["step"]]
    return replace(
        node,
        relation=step.relation,
        direction=step.direction,
        via_id=row["via_id"],
        via_key=known[row["via_id"]].node_key,
        edge_no=row["edge_no"],
    )
