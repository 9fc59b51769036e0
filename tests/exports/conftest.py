"""A store of two repositories with awkwardly named branches, written as prepare writes it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ragduck.model import Document, Edge, Graph, Node, Snapshot
from ragduck.parse import ChunkSettings, parse_document
from ragduck.store.arrow import document_rows, graph_rows
from ragduck.store.builder import StoreBuilder

BRANCHES = ("main", "feature/x=1 żółw..", "2024", "Main")


@pytest.fixture(scope="session")
def teams_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Repository shop on four branches and billing, which uses a table of shop; not to be changed."""
    path = tmp_path_factory.mktemp("teams") / "teams.duckdb"
    with StoreBuilder(path, model=None) as builder:
        for branch in BRANCHES:
            _add(builder, Snapshot("shop", branch, None, Path("shop")), _shop(branch), shop_graph())
        billing = Snapshot("billing", "main", None, Path("billing"))
        _add(
            builder,
            billing,
            {"bill.sql": "create proc dbo.Bill as select Secretword from Invoice\n"},
            _billing(),
        )
        builder.write(settings={"chunk_size": "512", "header_weight": "3"})
    return path


def _shop(branch: str) -> dict[str, str]:
    return {
        "db/invoice.sql": "create table dbo.Invoice (Id int);\n",
        "src/Invoice.cs": f"// {branch}\nnamespace Shop;\nclass Invoice {{ }}\n",
    }


def _add(builder: StoreBuilder, snapshot: Snapshot, files: dict[str, str], graph: Graph) -> None:
    parsed = [parse_document(_document(name, text), settings=ChunkSettings()) for name, text in files.items()]
    builder.add_rows(document_rows(snapshot, parsed))
    builder.add_graph(graph_rows(snapshot, graph))
    builder.add_snapshot(snapshot, skipped=0, problems=0, fingerprint="")


def _document(path: str, text: str) -> Document:
    language = {"cs": "csharp"}.get(path.rpartition(".")[2], "sql")
    return Document(path, text, language, path.rpartition(".")[2], "source", len(text), 0)


def shop_graph() -> Graph:
    """Entities of which two share their name, contexts, a migration, a method with SQL, a table and a file."""
    code = ("csharp:Shop.Invoice|TYPE", "csharp:Old.Line|TYPE", "csharp:New.Line|TYPE")
    nodes = [_node(key, role="ENTITY") for key in code]
    nodes += [
        _node("csharp:Shop.Data.ShopContext.Invoices|DBSET"),
        _node("csharp:Shop.Data.Migrations.AddNotes|MIGRATION", role="MIGRATION"),
        _node("csharp:Shop.InvoiceService.Create|METHOD"),
        _node("csharp:Shop.InvoiceService.Read|METHOD"),
        _node("dbo.Invoice|TABLE", schema="dbo", source_file="db/invoice.sql", data_type="db_code"),
        _node("file:src/Invoice.cs|FILE", name="Invoice.cs"),
    ]
    return Graph(tuple(nodes), tuple(_shop_edges()))


def _shop_edges() -> Sequence[Edge]:
    def edge(from_key: str, relation: str, to_key: str, *, rule: str = "by hand", line: int = 2) -> Edge:
        return Edge(from_key, to_key, relation, "src/Invoice.cs", line, rule, 0.9)

    invoice, context = "csharp:Shop.Invoice|TYPE", "csharp:Shop.Data.ShopContext.Invoices|DBSET"
    return [
        edge(invoice, "MapsTo", "dbo.Invoice|TABLE"),
        edge(context, "MapsTo", invoice),
        edge("csharp:Old.Line|TYPE", "Uses", "csharp:New.Line|TYPE"),
        edge("csharp:Shop.InvoiceService.Read|METHOD", "ReadsFrom", "dbo.Invoice|TABLE", rule="inline sql"),
        edge("csharp:Shop.InvoiceService.Read|METHOD", "ReadsFrom", "dbo.Invoice|TABLE", rule="from", line=3),
    ]


def _billing() -> Graph:
    bill = _node("dbo.Bill|PROC", schema="dbo", source_file="bill.sql", data_type="db_code")
    invoice = Node("dbo.Invoice|TABLE", "TABLE", "Invoice", "db_code", schema="dbo", is_external=True)
    return Graph(
        (bill, invoice), (Edge("dbo.Bill|PROC", "dbo.Invoice|TABLE", "ReadsFrom", "bill.sql", 1, "from"),)
    )


def _node(key: str, **fields: Any) -> Node:
    name, _, kind = key.rpartition("|")
    given = {
        "name": name.rpartition(".")[2],
        "data_type": "regular_code",
        "source_file": "src/Invoice.cs",
        "start_line": 1,
        "end_line": 3,
        **fields,
    }
    return Node(node_key=key, kind=kind, **given)
