"""Overloads share a node; an edge tells which of them is meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import ragduck

BODY = "\n".join(f'        total += Rate("{number}", total, days, weeks, months);' for number in range(60))
CLASS = f"""namespace Shop;
public class OrderService
{{
    public int Place(int days)
    {{
        int total = 0, weeks = 1, months = 2;
{BODY}
        return total;
    }}

    public int Place(string name, int days)
    {{
        int total = 0, weeks = 1, months = 2;
{BODY}
        Stock.Reserve(name);
        return total;
    }}
}}
public class Stock
{{
    public static void Reserve(string name) {{ }}
}}
public class Page
{{
    public int Show(OrderService orders) => orders.Place("a", 1);
}}
"""
FIRST, SECOND = "OrderService.cs:4-68", "OrderService.cs:70-135"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    folder = tmp_path_factory.mktemp("overloads")
    (folder / "source").mkdir()
    (folder / "source" / "OrderService.cs").write_text(CLASS)
    ragduck.prepare(folder / "source", folder / "s.duckdb", embed_model="none")
    with ragduck.open(folder / "s.duckdb") as opened:
        yield opened


def places(found: Any) -> dict[str, str]:
    return {node.name: node.location for node in found.nodes}


def test_a_caller_stands_where_its_overload_calls(store: ragduck.Store) -> None:
    assert places(store.callers("Stock.Reserve"))["Place"] == SECOND


def test_on_a_path_a_node_stands_where_it_leads_on(store: ragduck.Store) -> None:
    found = store.path_between("Page.Show", "Stock.Reserve")

    assert [node.name for node in found.nodes] == ["Show", "Place", "Reserve"]
    assert places(found)["Place"] == SECOND
    assert places(store.path_between("Stock.Reserve", "OrderService.Place"))["Place"] == SECOND


def test_what_is_called_stands_where_its_first_overload_does(store: ragduck.Store) -> None:
    assert places(store.callees("Page.Show", depth=1))["Place"] == FIRST


def test_an_entity_stands_where_its_class_does_and_not_its_mapping(store: Any, hand: Any) -> None:
    edge = hand.edge("csharp:Shop.Order|TYPE", "MapsTo", "dbo.Order|TABLE", line=9)

    with hand.store(hand.Part(edges=[edge])) as mapped:
        found = mapped.neighbourhood("dbo.Order|TABLE", depth=1)

    assert places(found)["Order"] == "a.sql:1-1"
