"""Bundles as RoslynIndexer and the generator of LocalAI-RAG's fake archives write them, quirks included."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ragduck.imports.contract import Imported
from ragduck.imports.roslyn import roslyn_sources

NODES = "key,kind,name,schema,file,batch,domain,body_path"
EDGES = "from,to,relation,to_kind,file,batch"


@dataclass
class Bundle:
    """The files of a bundle, to be changed before it is written."""

    chunks: list[dict[str, Any]] = field(default_factory=list)
    dependencies: dict[str, Any] = field(default_factory=dict)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    nodes: list[Sequence[str]] = field(default_factory=list)
    edges: list[Sequence[str]] = field(default_factory=list)
    meta: dict[str, Any] = field(default_factory=dict)
    manifest: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, str | bytes] = field(default_factory=dict)
    code_folder: str = "regular_code_bundle/"
    sql_folder: str = "sql_code_bundle/"
    is_fake: bool = False

    def files(self) -> Mapping[str, bytes]:
        made: dict[str, str | bytes] = {"repo_meta.json": json.dumps(self.meta)} if self.meta else {}
        if self.chunks:
            made[f"{self.code_folder}chunks.json"] = json.dumps(self.chunks, indent=2, ensure_ascii=False)
            made[f"{self.code_folder}dependencies.json"] = json.dumps(self.dependencies, indent=2)
        if self.bodies:
            lines = (json.dumps(body, ensure_ascii=False) for body in self.bodies)
            made[f"{self.sql_folder}docs/sql_bodies.jsonl"] = "\n".join(lines) + "\n"
        if self.nodes:
            made[f"{self.sql_folder}graph/nodes.csv"] = "\ufeff" + table(NODES, self.nodes)
        if self.edges:
            header = "from,to,relation" if self.is_fake else EDGES
            made[f"{self.sql_folder}graph/edges.csv"] = table(header, self.edges, quoted=not self.is_fake)
        if self.manifest:
            made[f"{self.sql_folder}manifest.json"] = json.dumps(self.manifest)
        made.update(self.extra)
        return {name: text if isinstance(text, bytes) else text.encode() for name, text in made.items()}

    def zipped(self, path: Path, *, top: str = "") -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in self.files().items():
                archive.writestr(top + name, data)
        return path

    def unpacked(self, folder: Path) -> Path:
        for name, data in self.files().items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return folder


def table(header: str, rows: Sequence[Sequence[str]], *, quoted: bool = True) -> str:
    text = io.StringIO()
    text.write(header + "\n")
    csv.writer(text, quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL, lineterminator="\n").writerows(
        rows
    )
    return text.getvalue()


def member(identity: int, namespace: str, owner: str, name: str, code: str, **more: Any) -> dict[str, Any]:
    """A record of chunks.json as RoslynIndexer writes it."""
    kind = more.pop("kind", "Method")
    core = more.pop("core", f"void {owner}.{name}()")
    return {
        "Id": identity, "File": f"{owner}.cs", "Class": owner, "Member": name, "Type": kind,
        "Signature": f"{namespace}.{owner}.{core}",
        "Text": f"// Namespace: {namespace} // Class: {owner} // Type: {kind} \r\n        {code}",
        "ProjectName": "Shop.Services", "BaseType": "object", "ImplementedInterfaces": [],
        "Branch": "develop", "HeadSha": "abc123", "RepoRelativePath": f"src\\Shop.Services\\{owner}.cs", **more,
    }  # fmt: skip


def sql_object(kind: str, name: str, body: str, *, schema: str = "dbo", file: str = "") -> dict[str, Any]:
    """A record of sql_bodies.jsonl for a database object; its domain is the folder of its script."""
    file = file or f"C:\\repos\\shop\\db\\tables\\{name}.sql"
    return {
        "key": f"{schema}.{name}|{kind}", "kind": kind, "schema": schema, "name": name,
        "domain": file.split("\\")[-2] if "\\" in file else "", "file": file, "body": body,
    }  # fmt: skip


def node_row(key: str, *, file: str = "", batch: str = "0", domain: str = "tables") -> list[str]:
    stem, _, kind = key.rpartition("|")
    schema, _, name = stem.partition(".")
    if stem.startswith("csharp:"):
        schema, name = "csharp", stem.removeprefix("csharp:")
        name = name if kind == "METHOD" else name.rpartition(".")[2]
    return [key, kind, name, schema, file, batch, domain, ""]


def edge_row(
    from_key: str, to_key: str, relation: str, *, file: str = "", batch: str | None = None
) -> list[str]:
    if batch is None:
        batch = "" if from_key.startswith("csharp:") else "0"
    return [from_key, to_key, relation, to_key.rpartition("|")[2], file, batch]


CUSTOMER = "CREATE TABLE dbo.Customer\n(\n    Id INT NOT NULL,\n    Name NVARCHAR(100)\n)"
ORDER = (
    "CREATE TABLE dbo.[Order]\n(\n    Id INT NOT NULL,\n    CustomerId INT NOT NULL,\n"
    "    CONSTRAINT FK_Order_Customer FOREIGN KEY (CustomerId) REFERENCES dbo.Customer (Id)\n)"
)
PLACE = (
    "CREATE PROCEDURE dbo.Order_Place @CustomerId INT\nAS\nBEGIN\n"
    "    INSERT INTO dbo.[Order] (CustomerId) VALUES (@CustomerId);\n"
    "    SELECT Name FROM dbo.Customer WHERE Id = @CustomerId;\n    EXEC dbo.Order_Log;\nEND"
)
UP = (
    "protected override void Up(MigrationBuilder migrationBuilder)\n{\n"
    '    migrationBuilder.CreateTable("Audit", schema: "sales");\n'
    '    migrationBuilder.AddColumn<string>("Note", "Order", schema: "sales");\n}'
)
SHORT_PLACE = "public void Place()\r\n        {\r\n            Load();\r\n        }"
JOIN = "SELECT o.Id FROM dbo.[Order] o JOIN dbo.Customer c ON c.Id = o.CustomerId"


def make_shop() -> Bundle:
    """A bundle with the true layout, all kinds of records and most of the quirks."""
    tables = "tables\\001.sql"
    code = "C:\\repos\\shop\\src\\"
    services, context = f"{code}Shop.Services\\", f"{code}Shop.Services\\ShopContext.cs"
    service = {"BaseType": "ServiceBase", "ImplementedInterfaces": ["IOrderService"]}
    inline = {
        "key": "Shop.Services.OrderService.Load", "kind": "InlineSQL", "bodyOrigin": "HotMethod",
        "methodFullName": "Shop.Services.OrderService.Load", "namespace": "Shop.Services",
        "typeFullName": "Shop.Services.OrderService", "relativePath": "OrderService.cs", "lineNumber": 42,
        "file": "C:\\repos\\shop\\src\\Shop.Services\\OrderService.cs", "bodyPath": "docs/bodies/x.sql", "body": JOIN,
    }  # fmt: skip
    return Bundle(
        chunks=[
            member(3, "Shop.Services", "OrderService", "Place", SHORT_PLACE, **service),
            member(7, "Shop.Services", "OrderService", "Load", "private void Load() { Run(sql); }", **service),
            member(9, "Shop.Services", "OrderService", "Place", "public void Place(int id) { Place(); }",
                   core="void OrderService.Place(int id)", **service),
            member(12, "Shop.Services", "NoClass", "Place", "void Place();", core="void IOrderService.Place()",
                   RepoRelativePath="src\\Shop.Services\\IOrderService.cs"),
            member(13, "Shop.Data", "ShopContext", "Orders", "public DbSet<Order> Orders { get; set; }",
                   kind="Property", core="DbSet<Order> ShopContext.Orders", BaseType="DbContext"),
            member(14, "Shop.Data", "AddAudit", "Up", UP.replace("\n", "\r\n"), BaseType="Migration",
                   core="void AddAudit.Up(MigrationBuilder migrationBuilder)"),
        ],
        dependencies={"3": [7, 99], "9": [3], "55": [3]},
        bodies=[
            sql_object("TABLE", "Customer", CUSTOMER, file="C:\\repos\\shop\\db\\tables\\001.sql"),
            sql_object("TABLE", "Order", ORDER, file="C:\\repos\\shop\\db\\tables\\001.sql"),
            sql_object("PROC", "Order_Place", PLACE, file="C:\\repos\\shop\\db\\procs\\Order_Place.sql"),
            {
                "key": "csharp:Order|ENTITY", "kind": "ENTITY", "name": "Order", "namespace": "Shop.Data",
                "typeFullName": "Shop.Data.Order", "file": "C:\\repos\\shop\\src\\Shop.Data\\Order.cs",
                "bodyPath": "docs/bodies/Poco.Order.ENTITY.cs",
                "body": "public class Order\n{\n    public int Id { get; set; }\n}",
            },
            {
                "key": "csharp:Shop.Data.AddAudit|MIGRATION", "kind": "MIGRATION", "name": "AddAudit",
                "namespace": "Shop.Data", "typeFullName": "Shop.Data.AddAudit",
                "file": "C:\\repos\\shop\\src\\Shop.Services\\AddAudit.cs", "bodyPath": "", "body": UP,
                "createsTables": ["sales.Audit"], "dropsTables": [],
                "addsColumns": [{"table": "sales.Order", "column": "Note"}], "dropsColumns": [],
                "renamesColumns": [{"table": "sales.Order", "from": "Old", "to": "New"}],
                "addsForeignKeys": [{"table": "sales.Audit", "foreignKey": "FK_Audit_Order"}], "dropsForeignKeys": [],
            },
            inline, dict(inline),
        ],
        nodes=[
            node_row("dbo.Customer|TABLE", file=tables),
            node_row("dbo.Order|TABLE", file=tables),
            node_row("dbo.Order_Place|PROC", file="procs\\Order_Place.sql", domain="procs"),
            node_row("dbo.Order_Log|UNKNOWN", domain="(external)", batch=""),
            node_row("dbo.Bill|SYNONYM", file="synonyms\\Bill.sql", domain="synonyms"),
            node_row("csharp:Order|ENTITY", file=f"{code}Shop.Data\\Order.cs", domain="code", batch=""),
            node_row("csharp:ShopContext.Orders|DBSET", file=context, domain="code", batch=""),
            node_row("csharp:Shop.Data.AddAudit|MIGRATION", file=f"{services}AddAudit.cs", domain="code", batch=""),
            node_row("csharp:Shop.Services.OrderService.Load|METHOD", file=f"{services}OrderService.cs",
                     domain="code-inline-sql", batch=""),
            node_row("dbo.__batch__:deploy.sql:1|BATCH", file="scripts\\deploy.sql", domain="scripts", batch="1"),
            node_row("erp.Bills|UNKNOWN", domain="(external)", batch=""),
            node_row("dbo.Audit|TABLE", file=f"{services}AddAudit.cs", domain="db", batch=""),
        ],
        edges=[
            edge_row("dbo.Order|TABLE", "dbo.Customer|TABLE", "ForeignKey", file=tables),
            edge_row("dbo.Customer|TABLE", "dbo.Customer|TABLE", "ForeignKey", file=tables),
            edge_row("dbo.Order_Place|PROC", "dbo.Order|TABLE", "WritesTo"),
            edge_row("dbo.Order_Place|PROC", "dbo.Order|TABLE_OR_VIEW", "ReadsFrom"),
            edge_row("dbo.Order_Place|PROC", "dbo.Customer|TABLE_OR_VIEW", "ReadsFrom"),
            edge_row("dbo.Order_Place|PROC", "dbo.Order_Log|UNKNOWN", "Executes"),
            edge_row("csharp:Order|ENTITY", "dbo.Order|TABLE", "MapsTo", file=context),
            edge_row("csharp:Order|ENTITY", "dbo.Order|TABLE", "MapsTo", file=context),
            edge_row("csharp:ShopContext.Orders|DBSET", "dbo.Order|TABLE", "MapsTo"),
            edge_row("csharp:Shop.Data.AddAudit|MIGRATION", "dbo.Audit|TABLE", "SchemaChange",
                     file=f"{services}AddAudit.cs"),
            edge_row("csharp:Shop.Services.OrderService.Load|METHOD", "dbo.Order|TABLE_OR_VIEW", "ReadsFrom"),
            edge_row("csharp:Shop.Services.OrderService.Load|METHOD", "dbo.Customer|TABLE_OR_VIEW", "ReadsFrom"),
            edge_row("dbo.Bill|SYNONYM", "erp.Bills|UNKNOWN", "SynonymFor", file="synonyms\\Bill.sql"),
            edge_row("dbo.__batch__:deploy.sql:1|BATCH", "dbo.Customer|TABLE", "WritesTo",
                     file="scripts\\deploy.sql", batch="1"),
        ],
        meta={
            "Branch": "develop", "HeadSha": "abc123", "RepositoryRoot": "C:\\repos\\shop",
            "GeneratedAtUtc": "2026-01-01T00:00:00Z",
        },
        manifest={"schema": 1, "sqlRoot": "C:\\repos\\shop\\db", "codeRoots": ["C:\\repos\\shop\\src"]},
    )  # fmt: skip


def make_fake() -> Bundle:
    """A bundle with the layout and the records of LocalAI-RAG's fake archives."""
    return Bundle(
        chunks=[
            {
                "Id": "C0001", "File": "src/Fake.App/Program.cs", "Class": "Program", "Member": "Main",
                "Text": "// FAKE NODE: C0001\n// ACL: Public\nnamespace Fake.Program\n{\n    class Program { "
                "static void Main() { Ship.Run(); } }\n}",
                "AclTags": [],
            },
            {
                "Id": "C0002", "File": "src/Fake.App/Ship.cs", "Class": "Ship", "Member": "Run",
                "Text": "// FAKE NODE: C0002\nnamespace Fake.Shipping;\nclass Ship { void Run() {} }",
                "AclTags": ["Warehouse"],
            },
        ],
        dependencies={"C0001": ["C0002"], "C0002": ["SQL:dbo.proc_GetShipment"]},
        bodies=[
            {
                "key": "SQL:dbo.proc_GetShipment", "kind": "Procedure", "schema": "dbo", "name": "proc_GetShipment",
                "file": "db/procs/proc_GetShipment.sql", "AclTags": [],
                "body": "-- FAKE DB NODE: proc_GetShipment\nCREATE PROCEDURE dbo.proc_GetShipment AS\n"
                "SELECT * FROM view_Shipments",
            },
            {
                "key": "SQL:dbo.view_Shipments", "kind": "View", "schema": "dbo", "name": "view_Shipments",
                "file": "db/views/view_Shipments.sql", "AclTags": ["Warehouse"],
                "body": "-- FAKE DB NODE: view_Shipments\nCREATE VIEW dbo.view_Shipments AS SELECT 1 AS Id",
            },
        ],
        edges=[["SQL:dbo.proc_GetShipment", "SQL:dbo.view_Shipments", "calls"]],
        meta={"Branch": "Release_FAKE_4.90", "HeadSha": "efghf411", "RepoName": "Fake"},
        sql_folder="sql_bundle/",
        is_fake=True,
    )  # fmt: skip


@pytest.fixture(scope="session")
def shop_and_fake() -> tuple[Bundle, Bundle]:
    """Both bundles, not to be changed."""
    return make_shop(), make_fake()


@pytest.fixture
def shop_bundle() -> Bundle:
    """A fresh bundle of the true layout, to be changed at will."""
    return make_shop()


@pytest.fixture
def fake_bundle() -> Bundle:
    """A fresh bundle of the fake layout, to be changed at will."""
    return make_fake()


@pytest.fixture
def code_bundle() -> Callable[..., Bundle]:
    """Make a bundle of given members only."""

    def make(*chunks: dict[str, Any], **more: Any) -> Bundle:
        return Bundle(
            chunks=list(chunks), meta={"Branch": "develop", "RepositoryRoot": "/repos/shop"}, **more
        )

    return make


@pytest.fixture
def imported(tmp_path: Path) -> Callable[[Bundle], Imported]:
    """Write a bundle as develop.zip and read it."""

    def read(bundle: Bundle) -> Imported:
        (source,) = roslyn_sources(bundle.zipped(tmp_path / "develop.zip"))
        return source.read(max_chars=1536)

    return read


@pytest.fixture
def make_member() -> Callable[..., dict[str, Any]]:
    """Make a record of chunks.json."""
    return member


@pytest.fixture
def make_object() -> Callable[..., dict[str, Any]]:
    """Make a record of sql_bodies.jsonl."""
    return sql_object


@pytest.fixture
def make_edge() -> Callable[..., list[str]]:
    """Make a row of edges.csv."""
    return edge_row


@pytest.fixture
def make_node() -> Callable[..., list[str]]:
    """Make a row of nodes.csv."""
    return node_row
