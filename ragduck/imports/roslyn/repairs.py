"""Set right what RoslynIndexer is known to say falsely of a database."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from ragduck.imports.roslyn.bundle import Bundle
from ragduck.imports.roslyn.content import Content
from ragduck.imports.roslyn.database import SqlName, parse_key
from ragduck.imports.roslyn.details import MAKER
from ragduck.imports.roslyn.edges import Tie
from ragduck.imports.roslyn.graph_rows import GraphRows
from ragduck.model import Edge
from ragduck.sqlreader.references import Reference, StatementReader
from ragduck.sqlreader.statements import find_starts
from ragduck.sqlreader.tokens import COMMENT, tokenize

UNPROVEN = 0.5  # a read beside a write, in a body that the bundle does not have
_REFERENCES = re.compile(r"\bREFERENCES\b", re.IGNORECASE)
_CHANGES = re.compile(r"\b(?:INSERT|UPDATE|DELETE|MERGE|TRUNCATE|INTO|EXEC|EXECUTE)\b", re.IGNORECASE)


class ForeignKey(NamedTuple):
    """A key that the text of a table declares: its name, the table it refers to, the line in the text."""

    name: str
    child: str
    parent: str
    line: int


class Repairs:
    """Judges edges by the bodies of the bundle, read with the own SQL reader."""

    def __init__(self, content: Content, *, rows: GraphRows, bundle: Bundle) -> None:
        self._content = content
        self._rows = rows
        self._bundle = bundle
        self._relations: dict[str, dict[str, set[str]]] = {}  # by body: one that is read once is asked again

    def repaired(self, ties: Iterable[Tie]) -> Iterator[Edge]:
        """Yield the edges that are left, some of them changed."""
        ties = [self._in_schema(tie) for tie in ties]
        writes = {(tie.edge.from_key, tie.edge.to_key) for tie in ties if tie.edge.relation == "WritesTo"}
        told = self._told_changes
        for tie in ties:
            edge = tie.edge
            if edge.relation == "ForeignKey":
                kept = self._foreign_key(tie)
            elif edge.relation == "ReadsFrom" and (edge.from_key, edge.to_key) in writes:
                kept = self._read_beside_write(tie)
            elif edge.relation == "ReadsFrom" and edge.from_key in self._content.inline:
                kept = self._inline_read(tie)
            elif edge.relation == "SchemaChange" and (edge.from_key, _fold(edge.to_key)) in told:
                kept = None  # the summary says it, and what was done
            else:
                kept = edge
            if kept is not None:
                yield kept

    def missing_keys(self, known: Iterable[Edge]) -> Iterator[Edge]:
        """Yield the foreign keys that tables declare, those between tables that no edge says told as repaired."""
        told = {(_fold(edge.from_key), _fold(edge.to_key)) for edge in known if edge.relation == "ForeignKey"}
        for keys in self.foreign_keys.values():
            for key in keys:
                page, placed = self._content.layout.places[key.child]
                if (_fold(key.child), _fold(key.parent)) not in told:
                    self._bundle.ledger.repaired(
                        "foreign key of a column", self._bundle.bodies,
                        line=self._content.objects[key.child].record, message=f"{key.child} refers to {key.parent}",
                    )  # fmt: skip
                yield Edge(
                    key.child, key.parent, "ForeignKey", page.path, placed.start + key.line - 1,
                    "foreign key", detail=key.name,
                )  # fmt: skip

    @cached_property
    def foreign_keys(self) -> dict[str, tuple[ForeignKey, ...]]:
        """The keys that the texts of tables declare, by the key of the table."""
        found: dict[str, tuple[ForeignKey, ...]] = {}
        for key, record in self._content.objects.items():
            if record.name.kind == "TABLE" and _REFERENCES.search(record.body):
                found[key] = tuple(self._declared(key, record.body))
        return found

    def _declared(self, child: str, body: str) -> Iterator[ForeignKey]:
        for reference in _references(body):
            if reference.relation == "ForeignKey":
                schema = reference.name.schema or parse_key(child).schema
                name = SqlName(reference.name.database, schema, reference.name.name, "TABLE")
                parent = self._content.catalog.find_object(name) or name.key
                yield ForeignKey(reference.detail, child, parent, reference.line)

    def _foreign_key(self, tie: Tie) -> Edge | None:
        """Drop a key that another table of the batch has: every reference is given to all that a batch defines."""
        edge = tie.edge
        declared = self.foreign_keys.get(edge.from_key, ())
        if any(key.parent == edge.to_key for key in declared):
            return None  # the text of the table says it, with its name
        is_self = _fold(edge.from_key) == _fold(edge.to_key)
        has_body = edge.from_key in self._content.objects
        shares = self._batches[tie.row.file, tie.row.batch] > 1 if tie.row.batch else False
        if is_self and (has_body or shares):
            self._repaired("self foreign key", tie)
            return None
        if shares and has_body and edge.to_key in self._referred_in(tie):
            self._repaired("foreign key of another table", tie)
            return None
        return edge

    @cached_property
    def _batches(self) -> Counter[tuple[str, str]]:
        return Counter((row.file, row.batch) for row in self._rows.nodes.values() if row.kind == "TABLE")

    @cached_property
    def _tables_of_batch(self) -> dict[tuple[str, str], list[str]]:
        tables: dict[tuple[str, str], list[str]] = defaultdict(list)
        for row in self._rows.nodes.values():
            if row.kind == "TABLE":
                tables[row.file, row.batch].append(self._content.catalog.key_of(row.key))
        return tables

    def _referred_in(self, tie: Tie) -> set[str]:
        """Return the tables that any table of the same batch refers to."""
        tables = self._tables_of_batch[tie.row.file, tie.row.batch]
        return {key.parent for table in tables for key in self.foreign_keys.get(table, ())}

    def _read_beside_write(self, tie: Tie) -> Edge | None:
        """Drop the read that RoslynIndexer adds to every write, unless the body reads the table elsewhere."""
        edge = tie.edge
        record = self._content.objects.get(edge.from_key)
        if record is None:
            return replace(edge, confidence=UNPROVEN)
        name = parse_key(edge.to_key).name.casefold()
        is_named_again = record.body.casefold().count(name) > 1  # reading a body takes milliseconds
        if is_named_again and "ReadsFrom" in self._relations_in(record.body).get(edge.to_key, ()):
            return edge
        self._repaired("false read", tie)
        return None

    def _inline_read(self, tie: Tie) -> Edge:
        """Turn a read into what the SQL of the method does: RoslynIndexer takes all inline SQL for reads."""
        edge = tie.edge
        found: set[str] = set()
        for record in self._content.inline[edge.from_key]:
            if _CHANGES.search(record.body):
                found |= self._relations_in(record.body).get(edge.to_key, set())
        if "ReadsFrom" in found or not found & {"WritesTo", "Executes"}:
            is_proc = edge.to_key.endswith("|PROC")
            return self._turned(tie, "Executes") if is_proc else edge
        return self._turned(tie, "Executes" if "Executes" in found else "WritesTo")

    def _turned(self, tie: Tie, relation: str) -> Edge:
        self._repaired("inline SQL that does not read", tie, f"it is {relation}")
        return replace(tie.edge, relation=relation, rule=f"{MAKER} {relation}")

    def _relations_in(self, body: str) -> dict[str, set[str]]:
        known = self._relations.get(body)
        if known is None:
            known = self._relations[body] = self._read(body)
        return known

    def _read(self, body: str) -> dict[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for reference in _references(body):
            name = SqlName("", reference.name.schema or "dbo", reference.name.name, reference.kind or "")
            key = self._content.catalog.find_object(name, executed=reference.relation == "Executes")
            found[key or f"{name.stem}|{reference.kind or 'TABLE'}"].add(reference.relation)
        return found

    @cached_property
    def _told_changes(self) -> set[tuple[str, str]]:
        """The tables that summaries of migrations name, as the edges of the graph should name them."""
        catalog = self._content.catalog
        return {
            (key, _fold(catalog.find_object(change.table) or change.table.key))
            for key, record in self._content.migrations.items()
            for change in record.changes
        }

    @cached_property
    def _schemas(self) -> dict[str, set[str]]:
        """The keys under which migrations know a table, by its simple name."""
        found: dict[str, set[str]] = defaultdict(set)
        for record in self._content.migrations.values():
            for change in record.changes:
                found[change.table.name.casefold()].add(change.table.key)
        return found

    def _in_schema(self, tie: Tie) -> Tie:
        """Give a table that only migrations know its schema back: their edges always say dbo."""
        if tie.edge.relation not in ("SchemaChange", "ForeignKey", "WritesTo"):
            return tie
        is_of_migration = tie.edge.from_key.endswith("|MIGRATION") or tie.row.file.lower().endswith(".cs")
        if not is_of_migration:
            return tie
        from_key, to_key = self._with_schema(tie.edge.from_key), self._with_schema(tie.edge.to_key)
        if (from_key, to_key) == (tie.edge.from_key, tie.edge.to_key):
            return tie
        self._repaired("schema of a migration", tie, f"{tie.edge.to_key} is {to_key}")
        return replace(tie, edge=replace(tie.edge, from_key=from_key, to_key=to_key))

    def _with_schema(self, key: str) -> str:
        name = parse_key(key)
        if name.schema != "dbo" or name.kind != "TABLE" or key in self._content.objects:
            return key
        found = self._schemas.get(name.name.casefold(), set())
        only = next(iter(found)) if len(found) == 1 else key
        return self._content.catalog.find_object(parse_key(only)) or only

    def _repaired(self, rule: str, tie: Tie, message: str = "") -> None:
        row = tie.row
        told = message or f"{tie.edge.from_key} {tie.edge.relation} {tie.edge.to_key}"
        self._bundle.ledger.repaired(rule, row.source, line=row.line, message=told)


def _references(body: str) -> tuple[Reference, ...]:
    """Return all that the statements of a text refer to; nothing where the reader fails."""
    try:
        tokens = [token for token in tokenize(body, dialect="tsql").tokens if token.kind != COMMENT]
        reader = StatementReader(tokens, dialect="tsql")
        starts = find_starts(tokens, dialect="tsql")
        return tuple(reference for start in starts for reference in reader.read(start))
    except Exception:  # a reader's bug must not cost the user the bundle
        return ()


def _fold(key: str) -> str:
    return key.casefold()
