"""Tell what a walk or a path says less, or more, than people may read in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragduck.search.neighbourhood import GraphNode

TYPES = ("TYPE", "MIGRATION")
SHOWN = 3
EXECUTED = ("Executes", "in")
RUNNING = (
    "Contains",
    "Handles",
)  # what leads to a type so has its members run, as `sql/macros/09_paths.sql` says


def against(path: Sequence[GraphNode], *, depth: int) -> Iterator[str]:
    """Tell that the first node of a path does not lead to its last in so many steps, if some go against the edges."""
    steps = [node.direction for node in path[1:]]
    count = steps.count("in")
    if not count:
        return
    told = f"no path leads along the edges from {path[0].node_key} to {path[-1].node_key} in {depth} steps"
    if count == len(steps):
        yield f"{told}: this one goes against them (←), from the second to the first"
    else:
        yield f"{told}: {count} of {len(steps)} steps {'go' if count > 1 else 'goes'} against them (←)"


def several(asked: Sequence[str], starts: Sequence[str]) -> Iterator[str]:
    """Tell that a name stands for several members."""
    if len(starts) > len(set(asked)):
        yield f"begun at members and what implements or overrides them: {', '.join(starts)}"


def types_among(nodes: Sequence[GraphNode]) -> Iterator[str]:
    """Tell which types execute something by what they inherit: who calls that is not told by calls."""
    types = [
        node.node_key for node in nodes if node.kind == "TYPE" and (node.relation, node.direction) == EXECUTED
    ]
    if types:
        named = ", ".join(types[:SHOWN]) + (" and others" if len(types) > SHOWN else "")
        yield f"executed by code that a type inherits, whose callers the impact tells: {named}"


def beyond(depth: int | None) -> Iterator[str]:
    """Tell that a walk ended at a depth, though there is more."""
    if depth is not None:
        yield f"there is more beyond depth {depth}"


def mentions(path: Sequence[GraphNode]) -> Iterator[str]:
    """Tell where a path leads from what only mentions a type to a member of it, or the same against the edges."""
    for before, entered, after in zip(path, path[1:], path[2:], strict=False):
        if entered.kind not in TYPES:
            continue
        if _mentions(before, entered, "out") and _is_member(after, "out"):
            yield _told(before, entered, after)
        elif _is_member(entered, "in") and _mentions(after, after, "in"):
            yield _told(after, entered, before)


def _mentions(one: GraphNode, step: GraphNode, direction: str) -> bool:
    return one.kind != "FILE" and step.direction == direction and step.relation not in RUNNING


def _is_member(step: GraphNode, direction: str) -> bool:
    return (step.relation, step.direction) == ("Contains", direction)


def _told(one: GraphNode, entered: GraphNode, member: GraphNode) -> str:
    return f"{one.node_key} only mentions {entered.node_key}: that it leads to {member.node_key} is not told"
