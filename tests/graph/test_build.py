"""The parts of the graph become one: equal edges merged, what nothing defines made external, failures reported."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa
import pytest

from ragduck.edge_table import EdgeTable, merged
from ragduck.facts import FileFacts
from ragduck.graph import build
from ragduck.graph.build import CODE_PREFIXES, build_graph, external_nodes
from ragduck.graph.database.spellings import spelled_otherwise
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.looks import Watch
from ragduck.model import Edge, Graph, Node

SHOP = Path(__file__).parents[1] / "data" / "shop"

Facts = Callable[[dict[str, str]], Sequence[FileFacts]]


def edge(line: int, *, confidence: float = 1.0, rule: str = "from") -> Edge:
    return Edge("dbo.P|PROC", "dbo.T|TABLE", "ReadsFrom", "p.sql", line, rule, confidence)


def test_equal_edges_become_one_with_the_first_of_the_surest_sites() -> None:
    found = merged([[edge(9), edge(4, confidence=0.7)], [edge(7)]])

    assert [(each.line, each.confidence, each.sites) for each in found] == [(7, 1.0, 3)]


def test_edges_of_different_rules_stay_apart() -> None:
    found = merged([[edge(9, rule="join"), edge(4)]])

    assert [each.rule for each in found] == ["from", "join"]


@pytest.mark.parametrize(
    ("key", "node"),
    [
        (
            "dbo.Missing|PROC",
            Node("dbo.Missing|PROC", "PROC", "Missing", "db_code", schema="dbo", is_external=True),
        ),
        (
            "Archive.dbo.Invoice|TABLE",
            Node("Archive.dbo.Invoice|TABLE", "TABLE", "Invoice", "db_code", schema="dbo", is_external=True),
        ),
        (
            "csharp:Shop.Lost|TYPE",
            Node("csharp:Shop.Lost|TYPE", "TYPE", "Lost", "regular_code", is_external=True),
        ),
    ],
)
def test_what_nothing_defines_becomes_an_external_node(key: str, node: Node) -> None:
    found = external_nodes({key})

    assert found == (node,)


def test_what_nothing_defines_is_one_node_however_it_is_spelled(facts_of: Facts) -> None:
    statements = ("SELECT Id FROM Users", "select id from users", "DELETE FROM Users")
    calls = ("EXEC DBO.GETUSER 1", "EXEC DBO.GetUser 1", "SELECT 1 FROM ORDERS")
    body = "\n".join(f'db.Query("{one}");' for one in (*statements, *calls))
    script = "CREATE TABLE dbo.Orders (Id int)\nGO\nCREATE VIEW dbo.V AS SELECT 1 AS a FROM dbo.USERS"
    files = facts_of({"A.cs": f"class A {{ void M() {{ {body} }} }}", "t.sql": script})

    graph = build_graph(files).graph

    named = {edge.to_key for edge in graph.edges if edge.rule in ("inline sql", "from")}
    assert named == {"dbo.Users|TABLE", "DBO.GETUSER|PROC", "dbo.Orders|TABLE"}
    assert {node.node_key for node in graph.nodes if node.is_external} >= {
        "dbo.Users|TABLE",
        "DBO.GETUSER|PROC",
    }
    found = [(edge.relation, edge.sites) for edge in graph.edges if edge.from_key == "csharp:A.M|METHOD"]
    assert sorted(found) == [("Executes", 2), ("ReadsFrom", 1), ("ReadsFrom", 2), ("WritesTo", 1)]


def test_what_is_of_no_database_keeps_its_case() -> None:
    keys = ("csharp:Shop.Order|TYPE", "csharp:Shop.ORDER|TYPE", "dbo.A|TABLE", "dbo.a|TABLE", "file:a|FILE")
    edges = EdgeTable.of(Edge("file:a|FILE", key, "Uses", "a.cs", 1, "x") for key in keys)

    known = pa.chunked_array([["dbo.a|TABLE"]])
    undefined = edges.ends_beside(known)
    names = spelled_otherwise(edges, undefined, known=known, code=CODE_PREFIXES)

    assert undefined == {*keys} - {"dbo.a|TABLE"}
    assert names == {"dbo.A|TABLE": "dbo.a|TABLE"}


def test_a_rule_that_fails_costs_its_own_edges_and_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_catalog: object) -> Graph:
        raise ZeroDivisionError("no such luck")

    monkeypatch.setattr(build, "view_graph", fail)

    graph, problems = build_graph([FileFacts("a.sql", "sql", "source", None, 3)])

    assert [node.node_key for node in graph.nodes] == ["file:a.sql|FILE"]
    assert [(problem.path, problem.message) for problem in problems] == [
        ("(graph)", "ZeroDivisionError in fail: no such luck")
    ]


def test_what_a_graph_was_made_of_is_freed_without_the_garbage_collector(
    monkeypatch: pytest.MonkeyPatch, facts_of: Facts
) -> None:
    made: list[weakref.ref[Catalog]] = []

    def noted(files: Sequence[FileFacts], watch: Watch) -> Catalog:
        catalog = Catalog(files, watch)
        made.append(weakref.ref(catalog))
        return catalog

    monkeypatch.setattr(build, "Catalog", noted)
    shop = {
        path.relative_to(SHOP).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for path in sorted(SHOP.rglob("*"))
        if path.suffix in (".cs", ".sql", ".py", ".ts", ".cshtml")
    }
    gc.disable()
    try:
        build_graph(facts_of(shop))

        assert [catalog() for catalog in made] == [None]
    finally:
        gc.enable()
