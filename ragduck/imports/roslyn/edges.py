"""Make the edges of a bundle out of its rows, calls, bases and summaries of migrations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from ragduck.imports.roslyn.bundle import Bundle
from ragduck.imports.roslyn.catalog import UNSURE, file_of_batch, is_batch
from ragduck.imports.roslyn.code import CodeRecord
from ragduck.imports.roslyn.content import Content
from ragduck.imports.roslyn.database import parse_key
from ragduck.imports.roslyn.details import DATA_CHANGE, MAKER, RowDetail, batch_number
from ragduck.imports.roslyn.fields import MAX_LIST, MAX_NAME, text_of
from ragduck.imports.roslyn.graph_rows import EdgeRow, GraphRows
from ragduck.imports.roslyn.layout import SEARCHED
from ragduck.imports.roslyn.paths import KnownPaths, Roots
from ragduck.imports.roslyn.relations import relation_named, use_of
from ragduck.imports.roslyn.texts import read_pairs
from ragduck.model import Edge

DEPENDENCY = f"{MAKER} dependency"
SEARCHED_PIECES = 50  # of a file in which an edge looks for its line
MOST_SEARCHED = 100_000_000  # characters, by all edges; a true bundle comes nowhere near
_SQL = "SQL:"
_NO_BASES = frozenset({"", "object", "System.Object", "?"})


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
        self._searched = 0

    def ties(self, rows: GraphRows) -> Iterator[Tie]:
        """Yield the rows as edges, duplicates left out."""
        seen: set[tuple[str, str, str, str]] = set()
        for row in rows.edges:
            edge = self._edge(row, rows)
            batch = row.from_key if edge.from_key.startswith("file:") else ""
            same = (edge.from_key, edge.to_key, edge.relation, batch)
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
        path, line = self._place(from_key, to_key, written=row.file)
        rule = f"{MAKER} {row.relation or relation}"[:100]
        detail = self._detail(row, rows, to_key=to_key)
        return Edge(from_key, to_key, relation, path, line, rule, detail=str(detail))

    def _detail(self, row: EdgeRow, rows: GraphRows, *, to_key: str) -> RowDetail:
        """Return what the row says that follows from nothing else."""
        origin = rows.nodes.get(row.from_key)
        is_of_batch = not row.from_key.startswith("csharp:") and is_batch(parse_key(row.from_key))
        usual = batch_number(row.from_key) if is_of_batch else origin.batch if origin else ""
        kind = row.to_key.rpartition("|")[2]
        is_vague = kind in UNSURE and kind and not self._content.catalog.defines(to_key)
        return RowDetail(
            change=DATA_CHANGE if row.relation == DATA_CHANGE else "",
            batch=row.batch if row.batch != usual else None,
            to_kind=kind if is_vague else "",
            origin=row.from_key if is_of_batch else "",
            domain=origin.domain if is_of_batch and origin else "",
        )

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
        raw = node.file if node and node.file else row.file or file_of_batch(parse_key(written))
        return f"file:{self._roots.file_of(raw, known=self._known) or 'script.sql'}|FILE"

    def _place(self, from_key: str, to_key: str, *, written: str = "") -> tuple[str, int]:
        """Return the file that a row tells, else that of either end, and the line there that names the other end."""
        places = self._content.layout.places
        told = self._roots.file_of(written, known=self._known) if written else ""
        if told:
            return told, self._line_in(told, from_key, to_key)
        from_place = places.get(from_key)
        if from_place is not None:
            return from_place[0].path, from_place[1].line_of(_simple(to_key))
        spans = self._content.type_spans.get(from_key.partition(":")[2].rpartition("|")[0])
        if spans:
            path, (start, _) = next(iter(spans.items()))
            return path, start
        to_place = places.get(to_key)
        return (to_place[0].path, to_place[1].start) if to_place is not None else ("", 1)

    def _line_in(self, path: str, from_key: str, to_key: str) -> int:
        """Return the line of a file that shows an edge best: in the text of an end, else in any text near its top."""
        page = self._content.layout.pages.get(path)
        ends = [self._content.layout.places.get(key) for key in (from_key, to_key)]
        if ends[0] is not None and ends[0][0] is page:
            return ends[0][1].line_of(_simple(to_key))
        pieces = page.placed[:SEARCHED_PIECES] if page is not None else ()
        for placed in pieces if self._searched < MOST_SEARCHED else ():
            self._searched += min(len(placed.piece.text), SEARCHED)
            line = placed.find(_simple(to_key))
            if line is not None:
                return line
        spans = self._content.type_spans.get(from_key.partition(":")[2].rpartition("|")[0], {})
        if path in spans:
            return spans[path][0]
        return ends[1][1].start if ends[1] is not None and ends[1][0] is page else 1

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
                    is_short = written == _simple(key)
                    yield Edge(
                        own, key, relation, path, line, "base list", detail="" if is_short else written
                    )

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
            if near in types and near != full_name:
                return types[near]
        found = self._content.catalog.find_type(plain)
        return types[found] if found and found != full_name else f"csharp:{plain}|TYPE"

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
