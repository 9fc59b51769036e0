"""The parts of the graph become one: equal edges merged, what nothing defines made external, failures reported."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from ragduck.edge_table import merged
from ragduck.facts import FileFacts
from ragduck.graph import build
from ragduck.graph.build import build_graph, external_nodes
from ragduck.graph.types.catalog import Catalog
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
    known = Node("dbo.P|PROC", "PROC", "P", "db_code")

    found = external_nodes({known.node_key: known}, {known.node_key, key})

    assert found == (node,)


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

    def noted(files: Sequence[FileFacts]) -> Catalog:
        catalog = Catalog(files)
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
