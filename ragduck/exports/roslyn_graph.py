"""Write the nodes and edges of a branch under the keys that RoslynIndexer gives them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from ragduck.exports.graph_csv import Row
from ragduck.exports.roslyn_bodies import SQL_KINDS, BodyPart, is_entity, is_object
from ragduck.exports.roslyn_branch import CSHARP, Branch, EdgeFacts, NodeFacts
from ragduck.exports.roslyn_code import DEPENDENCY, MEMBERS

RELATIONS = frozenset(
    (
        "ReadsFrom",
        "WritesTo",
        "Executes",
        "ForeignKey",
        "On",
        "SynonymFor",
        "MapsTo",
        "SchemaChange",
        "Uses",
        "Calls",
    )
)
ALWAYS = ("DBSET", "MIGRATION")


class _End(NamedTuple):
    """How a node is called as the end of an edge."""

    key: str
    kind: str


class GraphPart:
    """The rows of nodes.csv and edges.csv, sorted and each only once."""

    def __init__(self, branch: Branch, bodies: BodyPart) -> None:
        self._branch = branch
        self._bodies = bodies
        self._simple = Counter(
            self._short_name(node)
            for node in branch.nodes.values()
            if is_entity(node) or node.kind == "DBSET"
        )
        self._batches = _batches(bodies.objects)
        self._edges = [edge for edge in branch.edges if self._is_told(edge)]
        self._reading = self._only_read()

    def untold(self) -> Iterator[EdgeFacts]:
        """Yield the edges that no file of a bundle has a place for, and no reader can tell from what it has.

        Of what a type contains, derives from and implements, the members say enough; calls are told elsewhere.
        """
        told = set(self._edges)
        for edge in self._branch.edges:
            ends = (edge.from_key.rpartition("|")[2], edge.to_key.rpartition("|")[2])
            is_base = edge.relation in ("Inherits", "Implements") and set(ends) <= {"TYPE", "MIGRATION"}
            is_call = edge.relation == "Calls" and set(ends) <= set(MEMBERS)
            is_derived = edge.relation == "Contains" or "FOREIGN_KEY" in ends or edge.rule == DEPENDENCY
            if edge not in told and not (is_base or is_call or is_derived):
                yield edge

    def edge_rows(self) -> list[Row]:
        """Return the rows of edges.csv."""
        rows: dict[Row, Row] = {}
        for edge in self._edges:
            row = self._edge_row(edge)
            rows.setdefault(row[:3], row)
        return sorted(rows.values(), key=str)

    def node_rows(self) -> list[Row]:
        """Return the rows of nodes.csv: database objects, what is kept in them, and what uses them."""
        used = {key for edge in self._edges for key in (edge.from_key, edge.to_key)}
        rows = {self._node_row(node) for node in self._branch.nodes.values() if self._has_row(node, used)}
        return sorted(rows, key=str)

    def _has_row(self, node: NodeFacts, used: set[str]) -> bool:
        is_told = is_object(node) or is_entity(node) or (node.is_csharp and node.kind in ALWAYS)
        is_lone = node.is_external and not node.is_csharp and node.kind in SQL_KINDS
        return is_told or is_lone or node.key in used

    def _is_told(self, edge: EdgeFacts) -> bool:
        """Tell an edge that RoslynIndexer has a place for: one that leads to the database, or between its objects."""
        origin, target = self._branch.nodes.get(edge.from_key), self._branch.nodes.get(edge.to_key)
        if origin is None or target is None or edge.relation not in RELATIONS or edge.rule == DEPENDENCY:
            return False
        is_mapping = edge.relation == "MapsTo" and target.is_csharp
        is_to_database = not target.is_csharp and target.kind in SQL_KINDS
        is_from = origin.is_csharp or origin.kind in SQL_KINDS or _is_script(origin)
        return is_from and (is_mapping or is_to_database)

    def _only_read(self) -> set[str]:
        """Return the objects from elsewhere that are only read: whether tables or views, nobody knows."""
        relations: dict[str, set[str]] = defaultdict(set)
        for edge in self._edges:
            relations[edge.to_key].add(edge.relation)
        return {
            key
            for key, found in relations.items()
            if found == {"ReadsFrom"} and self._branch.nodes[key].is_external and key.endswith("|TABLE")
        }

    def _end(self, node: NodeFacts) -> _End:
        if node.key in self._reading:
            return _End(f"{node.key.rpartition('|')[0]}|TABLE_OR_VIEW", "TABLE_OR_VIEW")
        if _is_script(node):
            return _End(
                f"dbo.__batch__:{node.source_file or node.full_name.removeprefix('file:')}:0|BATCH", "BATCH"
            )
        if is_entity(node):
            return _End(f"{CSHARP}{self._told_name(node)}|ENTITY", "ENTITY")
        if node.is_csharp and node.kind == "DBSET":
            return _End(f"{CSHARP}{self._told_name(node)}|DBSET", "DBSET")
        return _End(node.key, node.kind)

    def _told_name(self, node: NodeFacts) -> str:
        short = self._short_name(node)
        return short if self._simple[short] == 1 else node.full_name

    def _short_name(self, node: NodeFacts) -> str:
        return ".".join(node.full_name.split(".")[-2:]) if node.kind == "DBSET" else node.name

    def _node_row(self, node: NodeFacts) -> Row:
        end = self._end(node)
        name = node.name
        if node.is_csharp and node.kind in ("METHOD", "DBSET"):
            name = end.key.removeprefix(CSHARP).rpartition("|")[0]
        return (
            end.key,
            end.kind,
            name,
            "csharp" if node.is_csharp else node.schema or "dbo",
            node.source_file or "",
            self._batch(node),
            self._domain(node),
            self._bodies.body_paths.get(node.key, ""),
        )

    def _edge_row(self, edge: EdgeFacts) -> Row:
        origin, target = self._branch.nodes[edge.from_key], self._branch.nodes[edge.to_key]
        end = self._end(target)
        return self._end(origin).key, end.key, edge.relation, end.kind, edge.source_file, self._batch(origin)

    def _batch(self, node: NodeFacts) -> str:
        return str(self._batches.get(node.key, "0" if _is_script(node) else ""))

    def _domain(self, node: NodeFacts) -> str:
        if node.is_csharp:
            is_ef = is_entity(node) or node.kind == "DBSET"
            return "ef" if is_ef else "code" if node.kind == "MIGRATION" else "code-inline-sql"
        if is_object(node) or _is_script(node):
            return self._bodies.domain_of(node)
        is_table = node.kind == "TABLE" and node.key not in self._reading
        return "db" if is_table else "(external)"


def _is_script(node: NodeFacts) -> bool:
    return node.kind == "FILE" and (node.language == "sql" or node.name.lower().endswith(".sql"))


def _batches(objects: list[NodeFacts]) -> dict[str, int]:
    """Number the objects of each script in order of their lines."""
    seen: Counter[str] = Counter()
    numbers: dict[str, int] = {}
    for node in sorted(objects, key=lambda one: (one.source_file or "", one.start_line or 0, one.key)):
        numbers[node.key] = seen[node.source_file or ""]
        seen[node.source_file or ""] += 1
    return numbers


def json_rows(names: tuple[str, ...], rows: list[Row]) -> Iterator[dict[str, str]]:
    """Yield rows as graph.json has them: `body_path` becomes `BodyPath`, all values texts."""
    titles = ["".join(part.capitalize() for part in name.split("_")) for name in names]
    for row in rows:
        yield {title: "" if value is None else str(value) for title, value in zip(titles, row, strict=True)}
