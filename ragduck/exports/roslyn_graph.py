"""Write the nodes and edges of a branch under the keys that RoslynIndexer gives them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from ragduck.exports.graph_csv import Row
from ragduck.exports.roslyn_bodies import SQL_KINDS, BodyPart, is_entity, is_object
from ragduck.exports.roslyn_branch import CSHARP, Branch, EdgeFacts, NodeFacts
from ragduck.exports.roslyn_code import DEPENDENCY, MEMBERS
from ragduck.imports.roslyn.details import MAKER, RowDetail, batch_number, row_detail, usual_domain

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


class _Mention(NamedTuple):
    """A place that names a table which no script defines; the least rank counts."""

    rank: int
    file: str
    domain: str


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
        self._unsure = self._unsure_kinds()
        self._mentions = self._first_mentions()

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
        """Return the rows of edges.csv; of those that say the same, that which a script shows."""
        rows: dict[Row, Row] = {}
        for edge in sorted(self._edges, key=lambda one: not _is_scripted(one)):
            row = self._edge_row(edge)
            rows.setdefault(row[:3], row)
        return sorted(rows.values(), key=str)

    def node_rows(self) -> list[Row]:
        """Return the rows of nodes.csv: database objects, what is kept in them, and what uses them."""
        used = {edge.to_key for edge in self._edges}
        used |= {edge.from_key for edge in self._edges if not _detail(edge).origin}
        rows = {self._node_row(node) for node in self._branch.nodes.values() if self._has_row(node, used)}
        rows |= {self._batch_row(edge) for edge in self._edges if _detail(edge).origin}
        return sorted(rows, key=str)

    def _has_row(self, node: NodeFacts, used: set[str]) -> bool:
        is_told = is_object(node) or is_entity(node) or (node.is_csharp and node.kind in ALWAYS)
        is_lone = node.is_external and not node.is_csharp and node.kind in SQL_KINDS
        return is_told or is_lone or node.key in used

    def _batch_row(self, edge: EdgeFacts) -> Row:
        """Return the row of a batch that defines nothing, as a bundle told it."""
        told = _detail(edge)
        stem, _, kind = told.origin.rpartition("|")
        schema, _, name = stem.partition(".")
        file = _path_of(self._branch.nodes[edge.from_key])
        return told.origin, kind, name, schema, file, batch_number(told.origin), told.domain, ""

    def _is_told(self, edge: EdgeFacts) -> bool:
        """Tell an edge that RoslynIndexer has a place for: one that leads to the database, or between its objects."""
        origin, target = self._branch.nodes.get(edge.from_key), self._branch.nodes.get(edge.to_key)
        if origin is None or target is None or edge.relation not in RELATIONS or edge.rule == DEPENDENCY:
            return False
        is_mapping = edge.relation == "MapsTo" and target.is_csharp
        is_to_database = not target.is_csharp and target.kind in SQL_KINDS
        is_from = origin.is_csharp or origin.kind in SQL_KINDS or _is_script(origin)
        return is_from and (is_mapping or is_to_database)

    def _unsure_kinds(self) -> dict[str, str]:
        """Return the kinds of objects from elsewhere of which nothing says what they are.

        A bundle's edges tell how it called them; what is only read may be a table or a view.
        """
        found: dict[str, set[str]] = defaultdict(set)
        for edge in self._edges:
            target = self._branch.nodes[edge.to_key]
            if target.is_external and not target.is_csharp:
                is_read = edge.relation == "ReadsFrom" and target.kind == "TABLE"
                is_own = not edge.rule.startswith(f"{MAKER} ")
                found[edge.to_key].add("TABLE_OR_VIEW" if is_own and is_read else _detail(edge).to_kind)
        return {key: next(iter(kinds)) for key, kinds in found.items() if len(kinds) == 1 and "" not in kinds}

    def _end(self, node: NodeFacts) -> _End:
        if node.key in self._unsure:
            kind = self._unsure[node.key]
            return _End(f"{node.key.rpartition('|')[0]}|{kind}", kind)
        if _is_script(node):
            return _End(f"dbo.__batch__:{_path_of(node)}:0|BATCH", "BATCH")
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
        if node.is_csharp and node.kind in ("METHOD", "FIELD", "PROPERTY"):
            name = end.key.removeprefix(CSHARP).rpartition("|")[0]
        elif _is_script(node):
            name = end.key.rpartition("|")[0].removeprefix("dbo.")
        return (
            end.key,
            end.kind,
            name,
            "csharp" if node.is_csharp else node.schema or "dbo",
            self._file(node),
            self._batch(node),
            self._domain(node),
            self._bodies.body_paths.get(node.key, ""),
        )

    def _edge_row(self, edge: EdgeFacts) -> Row:
        origin, target = self._branch.nodes[edge.from_key], self._branch.nodes[edge.to_key]
        end, told = self._end(target), _detail(edge)
        batch = batch_number(told.origin) if told.origin else self._batch(origin)
        return (
            told.origin or self._end(origin).key,
            end.key,
            told.change or edge.relation,
            end.kind,
            edge.source_file,
            batch if told.batch is None else told.batch,
        )

    def _batch(self, node: NodeFacts) -> str:
        told = self._bodies.definition_of(node)
        return told.batch if told else str(self._batches.get(node.key, "0" if _is_script(node) else ""))

    def _domain(self, node: NodeFacts) -> str:
        if node.is_csharp:
            told = self._bodies.definition_of(node)
            return told.domain if told else usual_domain(node.kind)
        if is_object(node) or _is_script(node):
            return self._bodies.domain_of(node)
        return self._mentions[node.key].domain if node.key in self._mentions else "(external)"

    def _file(self, node: NodeFacts) -> str:
        if _is_script(node):
            return _path_of(node)
        if node.is_csharp or is_object(node):
            return node.source_file or ""
        return self._mentions[node.key].file if node.key in self._mentions else ""

    def _first_mentions(self) -> dict[str, _Mention]:
        """Return where tables that no script defines are named first: by an entity, a fluent key, then any code.

        What scripts name is nowhere defined, so that it has no file.
        """
        changing = {edge.source_file for edge in self._edges if edge.relation == "SchemaChange"}
        found: dict[str, _Mention] = {}
        for edge in self._edges:
            is_fluent = edge.relation == "ForeignKey" and edge.source_file not in changing
            for key in (edge.to_key, edge.from_key):
                node = self._branch.nodes[key]
                if node.kind != "TABLE" or node.is_csharp or is_object(node) or key in self._unsure:
                    continue
                mention = _mention(edge, is_fluent=is_fluent, is_target=key == edge.to_key)
                if mention is not None and (key not in found or mention.rank < found[key].rank):
                    found[key] = mention
        return found


def _mention(edge: EdgeFacts, *, is_fluent: bool, is_target: bool) -> _Mention | None:
    if _is_scripted(edge):
        return _Mention(0, "", "(external)") if is_target else None
    if edge.relation == "MapsTo" and edge.from_key.endswith("|TYPE"):
        return _Mention(1, edge.source_file, "ef")
    if is_fluent:
        return _Mention(2, edge.source_file, "ef")
    return _Mention(3, edge.source_file, "db") if is_target else None


def _is_scripted(edge: EdgeFacts) -> bool:
    return edge.source_file.lower().endswith(".sql")


def _detail(edge: EdgeFacts) -> RowDetail:
    return row_detail(edge.detail) if edge.rule.startswith(f"{MAKER} ") else RowDetail()


def _path_of(node: NodeFacts) -> str:
    return node.source_file or node.full_name.removeprefix("file:")


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
