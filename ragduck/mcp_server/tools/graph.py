"""Tool `graph`: what nodes are tied to, with the evidence, as a tree in lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ragduck.errors import UsageError
from ragduck.mcp_server.arguments import GraphArguments
from ragduck.mcp_server.live_store import OpenStore
from ragduck.mcp_server.reply import Reply, cut, fitting, reply_text
from ragduck.mcp_server.settings import ANSWER_LETTERS
from ragduck.picture.drawing import kind_text
from ragduck.picture.tree import Branch, Edge, Node, path_of, tree_of
from ragduck.search.neighbourhood import Neighbourhood
from ragduck.search.walk import PATH_DEPTH
from ragduck.visible_text import visible_line

AROUND_DEPTH = 1
WALK_DEPTH = 3
LONGEST_LINE = 160
SURE = 0.95  # from here on an edge needs no word of doubt


def graph(opened: OpenStore, arguments: GraphArguments) -> Reply:
    """Walk the graph, and draw what was found."""
    _require_sense(arguments)
    found = _walk(opened, arguments)
    drawn = found.to_dict()
    nodes, edges = drawn["nodes"], drawn["edges"]
    is_path = arguments.question == "path"
    branches = path_of(nodes, edges) if is_path else tree_of(nodes, edges, starts=found.starts)
    entries = ["\n".join(_lines(branch, evidence=arguments.evidence)) for branch in branches]
    shown = fitting(entries, letters=ANSWER_LETTERS)
    notes = [*found.notes, *_notes(found, arguments, left_out=len(entries) - shown)]
    return Reply(reply_text("\n".join(entries[:shown]), notes=notes))


def _require_sense(arguments: GraphArguments) -> None:
    question = arguments.question
    if question == "path" and (arguments.to is None or len(arguments.keys) > 1):
        raise UsageError("a path needs one start and one end", hint="give one of keys, and to")
    if question != "path" and arguments.to is not None:
        raise UsageError("to is for a path", hint="give question path as well")
    if question in ("callers", "callees") and arguments.relations:
        raise UsageError(f"{question} follows calls alone", hint="leave out relations, or ask around")
    if question in ("callers", "callees", "impact") and arguments.direction:
        raise UsageError(f"{question} has a direction of its own", hint="leave out direction, or ask around")


def _walk(opened: OpenStore, arguments: GraphArguments) -> Neighbourhood:
    store = opened.store
    settings: dict[str, Any] = {"repo": arguments.repo, "branch": arguments.branch}
    if arguments.relations:
        settings["relations"] = arguments.relations
    if arguments.direction:
        settings["direction"] = arguments.direction
    if arguments.question == "path":
        return store.path_between(
            arguments.keys[0], arguments.to or "", max_depth=arguments.depth, **settings
        )
    settings["max_nodes"] = arguments.max_nodes
    if arguments.question == "around":
        return store.neighbourhood(arguments.keys, depth=arguments.depth or AROUND_DEPTH, **settings)
    walks = {"callers": store.callers, "callees": store.callees, "impact": store.impact}
    return walks[arguments.question](arguments.keys, depth=arguments.depth or WALK_DEPTH, **settings)


def _lines(branch: Branch, *, evidence: bool) -> Iterator[str]:
    node = branch.node
    tie = f"{branch.tie} " if branch.tie else ""
    loop = f" ↺ {branch.loop}" if branch.loop else ""
    yield visible_line(f"{branch.lead}{tie}{branch.name}{loop}  {kind_text(node)}  {_place(node)}")
    if not evidence:
        return
    for edge in branch.evidence:
        relation = f"{edge['relation']} " if len(branch.evidence) > 1 else ""
        file = "" if edge["source_file"] == node.get("source_file") else edge["source_file"]
        told = f"{relation}{file}:{edge['line']}  {edge.get('snippet') or ''}".rstrip()
        yield visible_line(f"{branch.below}  {cut(told, letters=LONGEST_LINE)}{_doubt(edge)}")


def _place(node: Node) -> str:
    if not node["location"]:
        return f"mapped by {node['entity']}, {node['mapping']}" if node["entity"] else "not in the store"
    is_line = node["start_line"] == node["end_line"]
    return f"{node['source_file']}:{node['start_line']}" if is_line else str(node["location"])


def _doubt(edge: Edge) -> str:
    """Say how an edge was found where that is not sure, and how often."""
    parts = [f"{edge['rule']}, {edge['confidence']:.0%} sure"] if edge["confidence"] < SURE else []
    parts += [f"{edge['sites']} places"] if edge["sites"] > 1 else []
    return f"  [{'; '.join(parts)}]" if parts else ""


def _notes(found: Neighbourhood, arguments: GraphArguments, *, left_out: int) -> Iterator[str]:
    if arguments.question == "path":
        depth = arguments.depth or PATH_DEPTH
        yield f"{len(found.nodes) - 1} steps" if found.nodes else f"no path of {depth} steps or fewer"
        return
    yield f"{len(found.nodes)} nodes, {len(found.edges)} edges; → along an edge, ← against it"
    if found.is_cut:
        yield f"cut at max_nodes {arguments.max_nodes}: ask for more, or name relations or a direction"
    if left_out:
        yield f"{left_out} nodes do not fit: leave out evidence, or lower max_nodes"
    if all(node.via_id is None for node in found.nodes):
        yield "nothing is tied to it this way"
