"""A piece of the graph: nodes with how they were reached, edges with their evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Direction = Literal["out", "in"]


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node of a walk.

    ``distance`` counts steps from the closest start node, ``score`` tells how well it is tied to what was reached
    before it. ``via_key``, ``relation`` and ``direction`` are the step that led here: `out` along the edge, from
    caller to callee, `in` against it; they are None for start nodes. ``entity`` is the key of what maps to a table
    that the store does not define, ``mapping`` the `path:line` that says so.
    """

    node_id: int
    node_key: str
    kind: str
    name: str
    repo: str
    branch: str
    data_type: str
    is_external: bool
    role: str | None = None
    schema: str | None = None
    project: str | None = None
    source_file: str | None = None
    start_line: int | None = None
    end_line: int | None = None
    version: str | None = None
    distance: int = 0
    score: int = 0
    relation: str | None = None
    direction: Direction | None = None
    via_id: int | None = None
    via_key: str | None = None
    edge_no: int | None = None
    entity: str | None = None
    mapping: str | None = None

    @property
    def location(self) -> str | None:
        """Return `path:start-end`; None for what the store does not define."""
        return f"{self.source_file}:{self.start_line}-{self.end_line}" if self.source_file else None

    @property
    def why(self) -> str:
        """Say in a few words why the node is part of the answer."""
        if self.relation is None:
            return "start"
        if self.direction == "in":
            return f"{self.relation} {self.via_key}"
        return f"{self.via_key} {self.relation} it"

    def to_dict(self) -> dict[str, Any]:
        """Return the node as `graph --format json` prints it."""
        return {**asdict(self), "location": self.location, "why": self.why}


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """An edge with the place that shows it; ``repo`` and ``branch`` are those of that place."""

    edge_no: int
    from_id: int
    to_id: int
    from_key: str
    to_key: str
    relation: str
    repo: str
    branch: str
    source_file: str
    line: int
    snippet: str | None
    rule: str
    confidence: float
    detail: str
    sites: int

    @property
    def location(self) -> str:
        """Return `path:line` of the first place."""
        return f"{self.source_file}:{self.line}"

    def to_dict(self) -> dict[str, Any]:
        """Return the edge as `graph --format json` prints it."""
        return {**asdict(self), "location": self.location}


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What a walk found: nodes closest and best tied first, and the edges between them.

    ``is_cut`` says that the limit was reached, so that there may be more. ``notes`` are for people: relations that
    were asked for and that the store does not have, that callers of callers go on beyond the depth, and so on.
    """

    starts: tuple[str, ...]
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    is_cut: bool = False
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as `graph --format json` prints it."""
        return {
            "starts": list(self.starts),
            "is_cut": self.is_cut,
            "notes": list(self.notes),
            "nodes": [node.to_dict() for node in self.nodes],
            "edges": [edge.to_dict() for edge in self.edges],
        }

    def edges_by_number(self) -> Mapping[int, GraphEdge]:
        """Return the edges by their number, by which nodes name the edge that led to them."""
        return {edge.edge_no: edge for edge in self.edges}
