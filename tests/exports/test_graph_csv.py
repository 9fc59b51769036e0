"""nodes.csv and edges.csv are what RoslynIndexer's readers expect, under the keys that it gives."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.errors import ForeignFileError, UsageError
from ragduck.exports import export_graph_csv
from ragduck.exports.graph_csv import EDGE_COLUMNS, NODE_COLUMNS, write_edges_csv, write_nodes_csv

Rows = list[dict[str, str]]


def read(path: Path) -> Rows:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def exported(teams_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The graph of one branch of the shop; not to be changed."""
    folder = tmp_path_factory.mktemp("csv") / "shop"
    export_graph_csv(teams_store, folder, repos="shop", branches="2024")
    return folder


def test_the_header_is_bare_and_values_are_quoted(tmp_path: Path) -> None:
    write_edges_csv(tmp_path / "edges.csv", [("dbo.A|PROC", 'say "x"', "Uses", None, "a,b.sql", "")])

    assert (tmp_path / "edges.csv").read_bytes() == (
        b'from,to,relation,to_kind,file,batch\n"dbo.A|PROC","say ""x""","Uses","","a,b.sql",""\n'
    )


def test_no_rows_make_a_header(tmp_path: Path) -> None:
    assert write_nodes_csv(tmp_path / "nodes.csv", []) == 0

    assert (tmp_path / "nodes.csv").read_text() == "key,kind,name,schema,file,batch,domain,body_path\n"


def test_a_row_of_another_length_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"row 1 of edges\.csv has 2 values, not 6"):
        write_edges_csv(tmp_path / "edges.csv", [("a", "b")])


def test_what_a_spreadsheet_takes_for_a_formula_is_kept(tmp_path: Path) -> None:
    row = ("=1+1", "+A", "-A", "@A", "\tA", "", "", "")

    write_nodes_csv(tmp_path / "nodes.csv", [row])

    assert tuple(read(tmp_path / "nodes.csv")[0].values()) == row


@given(st.lists(st.tuples(*[st.text(st.characters(exclude_categories=["Cs"]))] * 6), max_size=5))
def test_any_text_is_read_back(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, ...]]) -> None:
    path = tmp_path_factory.mktemp("any") / "edges.csv"

    write_edges_csv(path, rows)

    assert [tuple(row.values()) for row in read(path)] == rows


def test_files_have_the_columns_of_the_format(exported: Path) -> None:
    assert tuple(read(exported / "nodes.csv")[0]) == NODE_COLUMNS
    assert tuple(read(exported / "edges.csv")[0]) == EDGE_COLUMNS


def test_an_entity_is_named_by_its_simple_name(exported: Path) -> None:
    nodes = {row["key"]: row for row in read(exported / "nodes.csv")}

    found = nodes["csharp:Invoice|ENTITY"]
    assert (found["kind"], found["name"], found["schema"], found["domain"]) == (
        "ENTITY", "Invoice", "csharp", "code",
    )  # fmt: skip


def test_entities_of_the_same_name_are_named_in_full(exported: Path) -> None:
    keys = {row["key"] for row in read(exported / "nodes.csv") if row["name"] == "Line"}

    assert keys == {"csharp:New.Line|ENTITY", "csharp:Old.Line|ENTITY"}


def test_a_set_is_named_by_context_and_property(exported: Path) -> None:
    keys = [row["key"] for row in read(exported / "nodes.csv") if row["kind"] == "DBSET"]

    assert keys == ["csharp:ShopContext.Invoices|DBSET"]


def test_migrations_and_methods_have_full_names(exported: Path) -> None:
    names = {row["key"]: row["name"] for row in read(exported / "nodes.csv")}

    assert names["csharp:Shop.Data.Migrations.AddNotes|MIGRATION"] == "AddNotes"
    assert names["csharp:Shop.InvoiceService.Read|METHOD"] == "Shop.InvoiceService.Read"


def test_domains_tell_where_nodes_come_from(exported: Path) -> None:
    domains = {row["key"]: row["domain"] for row in read(exported / "nodes.csv")}

    assert domains["csharp:Shop.InvoiceService.Read|METHOD"] == "code-inline-sql"
    assert domains["csharp:Shop.InvoiceService.Create|METHOD"] == "code"
    assert domains["dbo.Invoice|TABLE"] == "db"


def test_a_node_defined_elsewhere_is_external(teams_store: Path, tmp_path: Path) -> None:
    export_graph_csv(teams_store, tmp_path / "out", repos=["billing"])

    domains = {row["key"]: row["domain"] for row in read(tmp_path / "out" / "nodes.csv")}
    assert domains["dbo.Invoice|TABLE"] == "(external)"


def test_edges_lead_to_nodes_of_the_other_file(exported: Path) -> None:
    nodes = {row["key"]: row["kind"] for row in read(exported / "nodes.csv")}
    edges = read(exported / "edges.csv")

    assert edges
    assert all(row["from"] in nodes and nodes[row["to"]] == row["to_kind"] for row in edges)
    assert ("csharp:Invoice|ENTITY", "dbo.Invoice|TABLE", "MapsTo") in {
        (row["from"], row["to"], row["relation"]) for row in edges
    }


def test_edges_that_say_the_same_are_one_and_counted(teams_store: Path, tmp_path: Path) -> None:
    report = export_graph_csv(teams_store, tmp_path / "out", repos="shop", branches="main")

    assert (report.nodes, report.edges, report.merged) == (9, 4, 1)


def test_rows_are_in_order(exported: Path) -> None:
    keys = [row["key"] for row in read(exported / "nodes.csv")]
    ends = [(row["from"], row["to"]) for row in read(exported / "edges.csv")]

    assert keys == sorted(keys)
    assert ends == sorted(ends)


def test_branches_are_not_mixed(teams_store: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="5 branches would be mixed") as refused:
        export_graph_csv(teams_store, tmp_path / "out")

    assert "--repo billing --branch main" in (refused.value.hint or "")


def test_an_earlier_export_is_replaced(exported: Path, teams_store: Path, tmp_path: Path) -> None:
    for branch in ("main", "2024"):
        export_graph_csv(teams_store, tmp_path / "out", repos="shop", branches=branch)

    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["branch"] == "2024"
    assert (tmp_path / "out" / "nodes.csv").read_bytes() == (exported / "nodes.csv").read_bytes()


def test_other_files_are_not_replaced(teams_store: Path, tmp_path: Path) -> None:
    (tmp_path / "nodes.csv").write_text("mine")

    with pytest.raises(ForeignFileError, match="holds other files"):
        export_graph_csv(teams_store, tmp_path, repos="billing")

    assert (tmp_path / "nodes.csv").read_text() == "mine"
