"""Every file, type and member is one node, and knows what contains it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code.graph import code_graph
from ragduck.graph.types.catalog import Catalog
from ragduck.model import Graph, Node

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]
GraphOf = Callable[[Mapping[str, str]], Graph]


@pytest.fixture(scope="session")
def graph_of(facts_of: FactsOf) -> GraphOf:
    return lambda files: code_graph(Catalog(facts_of(files)))


def nodes(graph: Graph) -> dict[str, Node]:
    return {node.node_key: node for node in graph.nodes}


def test_a_file_its_types_and_members_are_nodes(graph_of: GraphOf) -> None:
    lines = (
        "namespace Shop;",
        "class Order",
        "{",
        "int _id;",
        "int Id => _id;",
        "void Pay()",
        "{",
        "}",
        "}",
        "",
    )

    graph = graph_of({"Shop/Order.cs": "\n".join(lines)})

    assert [
        (node.node_key, node.kind, node.name, node.start_line, node.end_line) for node in graph.nodes
    ] == [
        ("file:Shop/Order.cs|FILE", "FILE", "Order.cs", 1, 9),
        ("csharp:Shop.Order|TYPE", "TYPE", "Order", 2, 9),
        ("csharp:Shop.Order._id|FIELD", "FIELD", "_id", 4, 4),
        ("csharp:Shop.Order.Id|PROPERTY", "PROPERTY", "Id", 5, 5),
        ("csharp:Shop.Order.Pay|METHOD", "METHOD", "Pay", 6, 8),
    ]
    assert {node.source_file for node in graph.nodes} == {"Shop/Order.cs"}
    assert {node.project for node in graph.nodes} == {"Shop"}


def test_a_file_without_facts_is_a_node() -> None:
    graph = code_graph(Catalog([FileFacts("docs/a.md", "markdown", "docs", None, 12)]))

    assert graph.nodes == (
        Node(
            "file:docs/a.md|FILE", "FILE", "a.md", "docs", source_file="docs/a.md", start_line=1, end_line=12
        ),
    )


def test_the_file_contains_types_and_these_their_members(code_edges: CodeEdges) -> None:
    edges = code_edges("Contains", "namespace N; class A { void M() {} class B { int x; } }")

    assert edges == {
        ("Shop/A.cs", "N.A", "declaration"),
        ("N.A", "N.A.M", "declaration"),
        ("N.A", "N.A.B", "declaration"),
        ("N.A.B", "N.A.B.x", "declaration"),
    }


def test_functions_are_contained_in_their_file(code_edges: CodeEdges) -> None:
    edges = code_edges("Contains", {"shop/orders.py": "def place():\n    pass\n"})

    assert edges == {("shop/orders.py", "shop.orders.place", "declaration")}


def test_all_files_of_a_partial_class_contain_it(code_edges: CodeEdges) -> None:
    edges = code_edges("Contains", {"S/A.cs": "partial class A { }", "S/A.More.cs": "partial class A { }"})

    assert edges == {("S/A.cs", "A", "declaration"), ("S/A.More.cs", "A", "declaration")}


def test_the_definition_in_a_source_file_wins(graph_of: GraphOf) -> None:
    graph = graph_of({"A/Order.g.cs": "partial class Order { }", "B/Order.cs": "\npartial class Order { }"})

    assert nodes(graph)["csharp:Order|TYPE"].source_file == "B/Order.cs"


def test_overloads_are_one_node(graph_of: GraphOf) -> None:
    graph = graph_of({"S/A.cs": "class A {\n void M() {}\n void M(int x) {}\n}"})

    assert [node.start_line for node in graph.nodes if node.name == "M"] == [2]


def test_a_set_of_a_context_is_a_dbset(graph_of: GraphOf) -> None:
    graph = graph_of(
        {
            "S/A.cs": """
                class Ctx : DbContext { public DbSet<Order> Orders { get; set; } public Order Last { get; } }
                class Order;
            """
        }
    )

    found = nodes(graph)

    assert found["csharp:Ctx.Orders|DBSET"].kind == "DBSET"
    assert "csharp:Ctx.Orders|PROPERTY" not in found
    assert "csharp:Ctx.Last|PROPERTY" in found


def test_edges_lead_to_the_dbset(code_edges: CodeEdges, graph_of: GraphOf) -> None:
    graph = graph_of(
        {
            "S/A.cs": """
                class Ctx : DbContext { public DbSet<Order> Orders { get; set; } }
                class Order;
                class A { Ctx db; void Run() { db.Orders.Where(o => true); } }
            """
        }
    )

    ends = {edge.to_key for edge in graph.edges if edge.from_key == "csharp:A.Run|METHOD"}

    assert ends == {"csharp:A.db|FIELD", "csharp:Ctx.Orders|DBSET"}


def test_a_migration_is_a_node_with_a_version(graph_of: GraphOf) -> None:
    graph = graph_of(
        {
            "S/Migrations/20240422143015_AddOrders.cs": "namespace M; public partial class AddOrders : Migration { }",
            "S/Migrations/20240422143015_AddOrders.Designer.cs": """
                namespace M;
                [Migration("20240422143016_AddOrders")]
                partial class AddOrders { }
            """,
            "S/Migrations/20250101_Later.cs": "namespace M; public class Later : Migration { }",
        }
    )

    found = nodes(graph)

    assert found["csharp:M.AddOrders|MIGRATION"].version == "20240422143016"
    assert found["csharp:M.AddOrders|MIGRATION"].data_type == "db_code"
    assert found["csharp:M.Later|MIGRATION"].version == "20250101"
    assert "csharp:M.Later|TYPE" not in found


def test_sites_of_an_edge_are_counted_and_the_first_is_given(graph_of: GraphOf) -> None:
    graph = graph_of(
        {
            "S/A.cs": "class A {\n void Run() {\n  B.Do();\n  B.Do();\n }\n}\nclass B { public static void Do() {} }"
        }
    )

    calls = [(edge.line, edge.sites, edge.confidence) for edge in graph.edges if edge.relation == "Calls"]

    assert calls == [(3, 2, 0.95)]


def test_the_graph_does_not_depend_on_the_order_of_files(facts_of: FactsOf) -> None:
    files = facts_of(
        {
            "S/A.cs": "class A : I { B b; public void Run() { b.Do(); } }",
            "S/B.cs": "partial class B { public void Do() {} }",
            "S/B2.cs": "partial class B { public void Do(int x) {} } interface I { void Run(); }",
        }
    )

    one, other = code_graph(Catalog(files)), code_graph(Catalog(files[::-1]))

    assert one == other
