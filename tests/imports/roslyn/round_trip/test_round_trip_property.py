"""Generated bundles with what RoslynIndexer may write: into a store, out again, and in and out once more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import ragduck
from ragduck.exports.roslyn import export_roslyn

ROOT = "C:\\repos\\shop"
PLACES = ("", "tables", "Füße", "a b")
SCHEMAS = ("dbo", "sales", "schéma")
WORDS = ("Order", "Zamówienie", "Line.Item", "My Table", 'Qu"ote', "a,b", "Ünit", "x|y", "日本")
IDENTIFIERS = ("Order", "Zamówienie", "ünit", "_x", "日本", "Δ")
SCRIPTED = ("TABLE", "VIEW", "PROC", "FUNC", "TRIGGER", "SEQUENCE", "TYPE", "SYNONYM")
BASES = ("object", "Exception", "Repository<Order>", "ns.Base", "")
LINES = st.lists(st.sampled_from(("-- 1", "  2;", "", "\t'é'", "/* 3 */", "GO")), max_size=4)
ENDS = st.sampled_from(("\n", "\r\n"))


@dataclass
class Sample:
    """A bundle in the making, and what its repairs will be."""

    chunks: list[dict[str, Any]] = field(default_factory=list)
    dependencies: dict[str, Any] = field(default_factory=dict)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    nodes: list[list[str]] = field(default_factory=list)
    edges: list[list[str]] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)
    relations: dict[tuple[str, str, str], str] = field(default_factory=dict)
    dropped: set[tuple[str, str, str]] = field(default_factory=set)
    tables: list[str] = field(default_factory=list)

    def add_node(
        self, key: str, *, file: str = "", batch: str = "", domain: str = "", name: str = ""
    ) -> None:
        stem, _, kind = key.rpartition("|")
        schema, _, rest = ("csharp", "", "") if stem.startswith("csharp:") else stem.partition(".")
        self.nodes.append([key, kind, name or rest, schema, file, batch, domain, ""])

    def add_edge(self, origin: str, target: str, relation: str, *, file: str, batch: str = "") -> None:
        self.edges.append([origin, target, relation, target.rpartition("|")[2], file, batch])


class Maker:
    """Draws the parts of a bundle one after the other; numbers keep names apart."""

    def __init__(self, draw: Callable[..., Any]) -> None:
        self._draw = draw
        self._numbers = count(1)
        self.sample = Sample()

    def choice(self, *values: Any) -> Any:
        return self._draw(st.sampled_from(values))

    def times(self, most: int) -> range:
        return range(self._draw(st.integers(0, most)))

    def name(self, words: tuple[str, ...]) -> str:
        return f"{self.choice(*words)}{next(self._numbers)}"

    def text(self, first: str) -> str:
        lines = [first, *self._draw(LINES)]
        return str(self._draw(ENDS)).join(lines)

    def script(self) -> None:
        """Add a script with batches, each of which defines several objects or none."""
        domain = self.choice(*PLACES)
        file = "\\".join(part for part in (ROOT, "db", domain, f"{self.name(IDENTIFIERS)}.sql") if part)
        for batch in self.times(3):
            for _ in self.times(2):
                self.scripted(file, str(batch), domain)
            if self.choice(True, False):
                self.undefined(file, str(batch), domain)

    def scripted(self, file: str, batch: str, domain: str) -> None:
        kind, schema, name = self.choice(*SCRIPTED), self.choice(*SCHEMAS), self.name(WORDS)
        key = f"{schema}.{name}|{kind}"
        row = file.replace("\\", "/") if self.choice(True, False) else file.removeprefix(f"{ROOT}\\db\\")
        self.sample.add_node(key, file=row, batch=batch, domain=domain)
        if kind != "SYNONYM":
            body = self.text("-- 0") if self.choice(True, True, False) else ""
            self.sample.bodies.append({
                "key": key, "kind": kind, "schema": schema, "name": name, "domain": domain, "file": file,
                "body": body,
            })  # fmt: skip
        if kind in ("TABLE", "VIEW"):
            self.sample.tables.append(key)
        for _ in self.times(2):
            self.reference(key, row, batch)

    def undefined(self, file: str, batch: str, domain: str) -> None:
        kind = self.choice("BATCH", "DEPLOY")
        name = file.rpartition("\\")[2]
        key = f"dbo.__{kind.lower()}__:{name}:{batch}|{kind}"
        self.sample.add_node(key, file=file, batch=batch, domain=domain)
        target = self.target()
        self.sample.add_edge(key, target, self.choice("ReadsFrom", "WritesTo"), file=file, batch=batch)

    def reference(self, key: str, file: str, batch: str) -> None:
        target = self.target()
        relation = self.choice("ReadsFrom", "WritesTo", "Executes", "On", "SynonymFor", "Uses")
        told = {edge[2] for edge in self.sample.edges if edge[:2] == [key, target]}
        if {relation, *told} >= {"ReadsFrom", "WritesTo"}:
            return
        self.sample.add_edge(key, target, relation, file=file, batch=self.choice(batch, batch, "7"))

    def target(self) -> str:
        """Return a table that is defined, or something from elsewhere."""
        if self.sample.tables and self.choice(True, False):
            return str(self.choice(*self.sample.tables))
        kind = self.choice("TABLE", "TABLE_OR_VIEW", "UNKNOWN", "VIEW", "PROC")
        key = f"{self.choice(*SCHEMAS)}.{self.name(WORDS)}|{kind}"
        self.sample.add_node(key, domain="(external)")
        return key

    def type(self) -> None:
        """Add a class with members, of which some hold SQL, some are sets of entities."""
        space, owner = self.choice("Shop", "Shop.Ünits", "A.B.C"), self.name(IDENTIFIERS)
        more = {
            "BaseType": self.choice(*BASES),
            "ProjectName": self.choice("", "Shop.Ä"),
            "ImplementedInterfaces": self._draw(
                st.lists(st.sampled_from(("IA", "IB<int>", "IC")), unique=True)
            ),
        }
        file = f"{ROOT}\\src\\{self.choice('Ä', 'b c')}\\{owner}.cs"
        for _ in self.times(3):
            self.member(space, owner, self.name(IDENTIFIERS), file, more)
        if self.choice(True, False):
            self.set_of_entities(space, owner, file, more)
        if self.choice(True, False):
            self.inline(space, owner, self.name(IDENTIFIERS), file)

    def member(self, space: str, owner: str, name: str, file: str, more: dict[str, Any]) -> None:
        kind = self.choice("Method", "Constructor", "Property", "Operator")
        shown = name
        if kind == "Operator":
            told = {chunk["Member"] for chunk in self.sample.chunks if chunk["Class"] == owner}
            name = next(mark for mark in "+-*/" if mark not in told)
            shown = f"operator {name}"
        for arguments in ("", "int id")[: 1 if kind == "Property" else self.choice(1, 1, 2)]:
            code = self.text(f"public void {shown}({arguments})") + "\n{\n}"
            self.chunk(space, owner, name, kind, file, f"void {owner}.{shown}({arguments})", code, more)
        if kind == "Method" and self.choice(True, False):
            self.inline(space, owner, name, file)

    def chunk(
        self,
        space: str,
        owner: str,
        name: str,
        kind: str,
        file: str,
        core: str,
        code: str,
        more: dict[str, Any],
    ) -> None:
        identity = next(self._numbers)
        comment = self.choice("", "", "/// <summary>é</summary>\r\n")
        before = self.choice(" ", f" {comment} \r\n", f" {comment} \n\n        {comment}        ")
        after = self.choice("", " \r\n")
        self.sample.chunks.append({
            "Id": identity, "File": file.rpartition("\\")[2], "Class": owner, "Member": name, "Type": kind,
            "Signature": f"{space}.{owner}.{core}",
            "Text": f"// Namespace: {space} // Class: {owner} // Type: {kind} {before}{code}{after}",
            "Branch": "x", "HeadSha": "y", "RepoRelativePath": file.removeprefix(f"{ROOT}\\"), **more,
        })  # fmt: skip
        known = [chunk["Id"] for chunk in self.sample.chunks]
        self.sample.dependencies[str(identity)] = [self.choice(*known, 999_999) for _ in self.times(2)]

    def set_of_entities(self, space: str, owner: str, file: str, more: dict[str, Any]) -> None:
        entity, name = self.name(IDENTIFIERS), self.name(IDENTIFIERS)
        place = f"{ROOT}\\src\\{entity}.cs"
        shown = self.choice(place, file)
        table = self.mapped(shown)
        self.chunk(
            space, owner, name, "Property", file, f"DbSet<{entity}> {owner}.{name}", "public int X;", more
        )
        self.sample.add_node(f"csharp:{owner}.{name}|DBSET", file=file, domain="code", name=name)
        self.sample.add_node(f"csharp:{entity}|ENTITY", file=place, domain="code", name=entity)
        self.sample.add_edge(f"csharp:{owner}.{name}|DBSET", table, "MapsTo", file=file)
        self.sample.add_edge(f"csharp:{entity}|ENTITY", table, "MapsTo", file=shown)
        full = f"{self.choice('', 'Outer.', 'Outer.Mid.')}{entity}"
        self.sample.bodies.append({
            "key": f"csharp:{entity}|ENTITY", "kind": "ENTITY", "name": entity, "namespace": space,
            "typeFullName": f"{space}.{full}", "file": place, "bodyPath": None, "body": self.text(f"class {entity}"),
        })  # fmt: skip

    def mapped(self, file: str) -> str:
        if self.sample.tables and self.choice(True, False):
            return str(self.choice(*self.sample.tables))
        key = f"dbo.{self.name(WORDS)}|TABLE"
        self.sample.add_node(key, file=file, domain="ef")
        return key

    def inline(self, space: str, owner: str, name: str, file: str) -> None:
        full = f"{space}.{owner}.{name}"
        if any(body.get("methodFullName") == full for body in self.sample.bodies):
            return
        kind = "METHOD"
        if not any(chunk["Class"] == owner and chunk["Member"] == name for chunk in self.sample.chunks):
            kind = self.choice("METHOD", "FIELD")
            owner = f"{self.choice('', 'Outer.', 'Outer.Mid.')}{owner}"
            full = f"{space}.{owner}.{name}"
        key, row = f"csharp:{full}|{kind}", "..\\" + file.removeprefix(f"{ROOT}\\")
        record = {
            "key": full, "kind": "InlineSQL", "methodFullName": full, "bodyOrigin": self.choice("HotMethod", "É x"),
            "namespace": space, "typeFullName": f"{space}.{owner}", "relativePath": row, "file": file,
            "lineNumber": self.choice(None, 1, 999), "bodyPath": None, "body": self.text("select 1"),
        } | ({"memberKind": "Field"} if kind == "FIELD" else {})  # fmt: skip
        self.sample.bodies += [record] * self.choice(1, 2)
        self.sample.add_node(key, file=row, domain="code-inline-sql", name=full)
        self.read(key, row)

    def read(self, key: str, file: str) -> None:
        """Add what inline SQL refers to: always a read, often of what no node stands for."""
        kind = self.choice("TABLE_OR_VIEW", "PROC", "TABLE")
        target = f"{self.choice(*SCHEMAS)}.{self.name(IDENTIFIERS)}|{kind}"  # a dot would be a database's
        if self.sample.tables and self.choice(True, False):
            table = self.choice(*self.sample.tables)
            target = f"{table.rpartition('|')[0]}|TABLE_OR_VIEW"
            self.sample.keys[target] = table
        elif target.endswith("|TABLE"):
            self.sample.add_node(target, file=file, domain="db")
        elif target.endswith("|PROC"):
            self.sample.relations[key, target, "ReadsFrom"] = "Executes"
        self.sample.add_edge(key, target, "ReadsFrom", file=file)

    def migration(self) -> None:
        """Add a migration; its Up method is known as a member or not."""
        space, owner = "Shop.Migrations", self.name(IDENTIFIERS)
        file = f"{ROOT}\\src\\Migrations\\{owner}.cs"
        end = self._draw(ENDS)
        up = end.join(
            ("protected override void Up(MigrationBuilder b)", "        {", "            b.X();", "        }")
        )
        more = {"BaseType": "Migration", "ImplementedInterfaces": [], "ProjectName": ""}
        if self.choice(True, False):
            self.chunk(space, owner, "Up", "Method", file, f"void {owner}.Up(MigrationBuilder b)", up, more)
        key = f"csharp:{space}.{owner}|MIGRATION"
        self.sample.add_node(key, file=file, domain="code", name=owner)
        changes: dict[str, list[Any]] = {}
        for name in self._draw(st.lists(st.sampled_from(CHANGES), unique=True)):
            changes[name] = [self.change(name, key, file) for _ in range(self.choice(1, 2))]
        self.sample.bodies.append({
            "key": key, "kind": "MIGRATION", "name": owner, "namespace": space, "typeFullName": f"{space}.{owner}",
            "file": file, "bodyPath": None, "body": up, **{name: changes.get(name, []) for name in CHANGES},
        })  # fmt: skip

    def change(self, field_name: str, key: str, file: str) -> Any:
        """Change a table of its own; the graph gives it the schema dbo whatever the summary says."""
        schema, name = self.choice(*SCHEMAS), self.name(IDENTIFIERS)
        row = f"dbo.{name}|TABLE"
        if schema != "dbo":
            self.sample.keys[row] = f"{schema}.{name}|TABLE"
        self.sample.add_edge(key, row, "SchemaChange", file=file)
        self.sample.add_node(row, file=file, domain="db")
        table = f"{schema}.{name}"
        if field_name in ("createsTables", "dropsTables"):
            return table
        names = {
            "renamesColumns": ("from", "to"),
            "addsForeignKeys": ("foreignKey",),
            "dropsForeignKeys": ("foreignKey",),
        }
        return {
            "table": table,
            **{each: self.choice("Nr", "Größe") for each in names.get(field_name, ("column",))},
        }


CHANGES = ("createsTables", "dropsTables", "addsColumns", "dropsColumns", "renamesColumns", "addsForeignKeys",
           "dropsForeignKeys")  # fmt: skip


@st.composite
def samples(draw: Callable[..., Any]) -> Sample:
    maker = Maker(draw)
    for part in draw(
        st.lists(st.sampled_from((maker.script, maker.type, maker.migration)), min_size=1, max_size=4)
    ):
        part()
    return maker.sample


@pytest.mark.slow
@settings(
    max_examples=10,
    deadline=None,
    phases=(Phase.generate,),  # to shrink a failure would take hundreds of stores
    suppress_health_check=list(HealthCheck),
)
@given(
    made=st.lists(
        samples().filter(lambda one: one.chunks or any(body["body"].strip() for body in one.bodies)),
        min_size=1,
        max_size=5,
    )
)
def test_generated_bundles_come_back_up_to_the_repairs(
    made: list[Sample], shop_and_fake: tuple[Any, Any], equal: Callable[..., None], repairs: Any
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        bundles = [_bundle(type(shop_and_fake[0]), sample) for sample in made]
        given_zips = [bundle.zipped(folder / f"0/b{number}.zip") for number, bundle in enumerate(bundles)]
        first = _round_trip(given_zips, folder / "1")
        second = _round_trip(first, folder / "2")

        for sample, bundle, written, again in zip(made, bundles, first, second, strict=True):
            dropped = frozenset(sample.dropped)
            found = repairs(keys=sample.keys, relations=sample.relations, dropped=dropped)
            equal(written, bundle, repairs=found)
            assert again.read_bytes() == written.read_bytes()


def _bundle(make: Callable[..., Any], sample: Sample) -> Any:
    return make(
        chunks=sample.chunks, dependencies=sample.dependencies, bodies=sample.bodies, nodes=sample.nodes,
        edges=sample.edges, manifest={"schema": 1, "sqlRoot": f"{ROOT}\\db", "codeRoots": []},
        meta={"Branch": "x", "HeadSha": "y", "RepositoryRoot": ROOT, "GeneratedAtUtc": "2026-01-24T15:19:34Z"},
    )  # fmt: skip


def _round_trip(given_zips: list[Path], folder: Path) -> list[Path]:
    folder.mkdir()
    ragduck.prepare(given_zips, folder / "store.duckdb", embed_model=None)
    written = [folder / path.name for path in given_zips]
    for path in written:
        export_roslyn(folder / "store.duckdb", path, branch=path.stem)
    return written
