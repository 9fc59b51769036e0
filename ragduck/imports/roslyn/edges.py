"""Make the edges of a bundle out of its rows, calls, bases and summaries of migrations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from ragduck.imports.roslyn.bundle import Bundle
from ragduck.imports.roslyn.catalog import UNSURE, file_of_batch, is_batch
from ragduck.imports.roslyn.code import CodeRecord
from ragduck.imports.roslyn.content import Content
from ragduck.imports.roslyn.database import parse_key
from ragduck.imports.roslyn.fields import MAX_LIST, MAX_NAME, text_of
from ragduck.imports.roslyn.graph_rows import EdgeRow, GraphRows
from ragduck.imports.roslyn.paths import KnownPaths, Roots
from ragduck.imports.roslyn.relations import relation_named, use_of
from ragduck.imports.roslyn.texts import read_pairs
from ragduck.model import Edge

MAKER = "RoslynIndexer"
DEPENDENCY = f"{MAKER} dependency"
_SQL = "SQL:"
_NO_BASES = frozenset({"", "object", "ValueType", "Enum", "System.Object", "Attribute", "Exception", "?"})


@dataclass(frozen=True, slots=True)
class Tie:
    """An edge with the row that says it, for the repairs that follow."""

    edge: Edge
    row: EdgeRow


class EdgeReader:
    """Gives edges the keys that their ends have in the store, and a place within an imported document."""

    def __init__(self, content: Content, *, bundle: Bundle, roots: Roots) -> None:
        self._content = content
        self._bundle = bundle
        self._roots = roots
        self._known = KnownPaths(content.layout.pages)

    def ties(self, rows: GraphRows) -> Iterator[Tie]:
        """Yield the rows as edges, duplicates left out."""
        seen: set[tuple[str, str, str]] = set()
        for row in rows.edges:
            edge = self._edge(row, rows)
            same = (edge.from_key, edge.to_key, edge.relation)
            if same in seen:
                self._repaired("duplicate edge", row, f"{edge.from_key} {edge.relation} {edge.to_key}")
                continue
            seen.add(same)
            yield Tie(edge, row)

    def _edge(self, row: EdgeRow, rows: GraphRows) -> Edge:
        relation = relation_named(row.relation)
        executed = relation == "Executes"
        from_key = self._key(row.from_key, row, rows, executed=False)
        to_key = self._key(row.to_key, row, rows, executed=executed)
        is_vague = relation == "Calls" and not to_key.startswith(("csharp:", "file:"))
        if is_vague and row.relation != "Calls":
            relation = use_of(to_key)
            self._repaired("calls between database objects", row, f"{row.relation} {to_key} is {relation}")
        if relation is None:
            relation = "Uses"
            self._repaired("unknown relation", row, f"{row.relation} is Uses")
        detail = row.relation if relation == "WritesTo" and row.relation == "DataChange" else ""
        path, line = self._place(from_key, to_key, written=row.file)
        rule = f"{MAKER} {row.relation or relation}"[:100]
        return Edge(from_key, to_key, relation, path, line, rule, detail=detail)

    def _key(self, written: str, row: EdgeRow, rows: GraphRows, *, executed: bool) -> str:
        key = self._content.catalog.key_of(written, executed=executed)
        name = parse_key(written)
        if not written.startswith("csharp:") and is_batch(name):
            return self._file_key(written, row, rows)
        if key != written and written.startswith(_SQL):
            self._repaired("SQL: key", row, f"{written} is {key}")
        elif key != written and name.kind in UNSURE and not written.startswith("csharp:"):
            self._repaired("dangling TABLE_OR_VIEW", row, f"{written} is {key}")
        elif key != written:
            self._repaired("simple name", row, f"{written} is {key}")
        return key

    def _file_key(self, written: str, row: EdgeRow, rows: GraphRows) -> str:
        """Return the key of the script that a batch is of."""
        node = rows.nodes.get(written)
        path = self._roots.clean(
            node.file if node and node.file else row.file or file_of_batch(parse_key(written))
        )
        return f"file:{self._known.find(path.path) or path.path or 'script.sql'}|FILE"

    def _place(self, from_key: str, to_key: str, *, written: str = "") -> tuple[str, int]:
        """Return the line that names the other end, in the text of either end; else the file of the row."""
        places = self._content.layout.places
        from_place = places.get(from_key)
        if from_place is not None:
            return from_place[0].path, from_place[1].line_of(_simple(to_key))
        spans = self._content.type_spans.get(from_key.partition(":")[2].rpartition("|")[0])
        if spans:
            path, (start, _) = next(iter(spans.items()))
            return path, start
        clean = self._roots.clean(written).path if written else ""
        found = self._known.find(clean) if clean else None
        to_place = places.get(to_key)
        if found is None and to_place is not None:
            return to_place[0].path, to_place[1].start
        return found or clean, 1

    def calls(self) -> Iterator[Edge]:
        """Yield the calls of dependencies.json; what a member calls of the database is told apart by its kind."""
        name = self._bundle.dependencies
        pairs = read_pairs(self._bundle.files, name, ledger=self._bundle.ledger) if name else ()
        seen: set[tuple[str, str]] = set()
        for number, identity, targets in pairs:
            from_key = self._content.keys_by_id.get(identity)
            if from_key is None:
                self._left_out("call of an unknown member", number, identity, "no chunk has this id")
                continue
            if not isinstance(targets, list):
                self._left_out("bad record", number, identity, f"a {type(targets).__name__}, not a list")
                continue
            if len(targets) > MAX_LIST:
                self._left_out(
                    "long list", number, identity, f"only {MAX_LIST:,} of {len(targets):,} were read"
                )
            for target in islice(targets, MAX_LIST):
                to_key = self._called(target)
                if to_key is None or to_key == from_key:
                    reason = "no chunk has this id" if to_key is None else "a member that calls itself"
                    rule = "call to an unknown member" if to_key is None else "call of itself"
                    self._left_out(rule, number, identity, f"{str(target)[:100]}: {reason}")
                elif (from_key, to_key) not in seen:
                    seen.add((from_key, to_key))
                    relation = "Calls" if to_key.startswith("csharp:") else use_of(to_key)
                    rule = f"{MAKER} Calls" if to_key.startswith("csharp:") else DEPENDENCY
                    path, line = self._place(from_key, to_key)
                    yield Edge(from_key, to_key, relation, path, line, rule)

    def _called(self, target: object) -> str | None:
        if isinstance(target, str) and target.startswith(_SQL):
            return self._content.catalog.key_of(text_of(target[:MAX_NAME]) or "")
        is_id = isinstance(target, (int, str)) and not isinstance(target, bool)
        return self._content.keys_by_id.get(str(target)[:500]) if is_id and abs_small(target) else None

    def bases(self) -> Iterator[Edge]:
        """Yield what types derive from and implement; their bases have simple names."""
        for full_name, records in self._content.types.items():
            seen: set[str] = set()
            for relation, written in _bases_of(records):
                key = self._base_key(written, full_name)
                if key is not None and key not in seen and key != self._content.catalog.types[full_name]:
                    seen.add(key)
                    own = self._content.catalog.types[full_name]
                    path, line = self._place(own, key)
                    yield Edge(own, key, relation, path, line, "base list")

    def _base_key(self, written: str, full_name: str) -> str | None:
        """Return the key of a base: in the same namespace, the only one of its name, or defined elsewhere."""
        plain = written.partition("<")[0].strip()
        if plain in _NO_BASES or not plain.replace(".", "").replace("_", "").isalnum():
            return None
        types = self._content.catalog.types
        outer = full_name
        while outer:
            outer = outer.rpartition(".")[0]
            near = f"{outer}.{plain}" if outer else plain
            if near in types:
                return types[near]
        found = self._content.catalog.find_type(plain)
        return types[found] if found else f"csharp:{plain}|TYPE"

    def changes(self) -> Iterator[Edge]:
        """Yield what the summaries of migrations say, with the schema that the graph's edges lack."""
        for key, record in self._content.migrations.items():
            up = self._content.layout.places.get(f"csharp:{record.full_name}.Up|METHOD")
            for change in record.changes:
                found = self._content.catalog.find_object(change.table) or change.table.key
                edge = Edge(
                    key, found, "SchemaChange", "", 1, f"{MAKER} {change.rule}", detail=change.detail[:300]
                )
                path, line = self._place(key, found)
                if up is not None:
                    path = up[0].path
                    line = up[1].line_of(change.detail.partition(" ")[0] or change.table.name)
                yield replace(edge, source_file=path, line=line)

    def _repaired(self, rule: str, row: EdgeRow, message: str) -> None:
        self._bundle.ledger.repaired(rule, row.source, line=row.line, message=message)

    def _left_out(self, rule: str, number: int, identity: str, message: str) -> None:
        self._bundle.ledger.left_out(
            rule, self._bundle.dependencies, line=number, field=identity[:100], message=message
        )


def abs_small(value: object) -> bool:
    """Tell a number that may be an id from one that takes minutes to be written down."""
    return not isinstance(value, int) or abs(value) < 1 << 62


def _bases_of(records: list[CodeRecord]) -> Iterator[tuple[str, str]]:
    """Yield relations and names; a class in whose place only an interface is told implements it."""
    for record in records:
        yield "Inherits", record.base_type
        for name in record.interfaces:
            yield "Implements", name


def _simple(key: str) -> str:
    stem = key.rpartition("|")[0]
    return stem.rpartition("/")[2] if key.startswith("file:") else stem.rpartition(".")[2]


def keys_of(edges: Mapping[str, Edge]) -> set[str]:
    """Return all ends."""
    return {key for edge in edges.values() for key in (edge.from_key, edge.to_key)}
