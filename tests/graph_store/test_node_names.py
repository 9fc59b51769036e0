"""Nodes are found by the ways people and other systems write them."""

from __future__ import annotations

from typing import Any

import pytest

from ragduck.errors import UsageError

SERVICE = "csharp:Shop.Core.OrderService|TYPE"
PLACE = "csharp:Shop.Core.OrderService.Place|METHOD"
NODES = (
    SERVICE, "csharp:Shop.Core.OrderService.OrderService|METHOD", PLACE, "csharp:Shop.Core.Cart.Place|METHOD",
    "csharp:Shop.Core.Invoice|TYPE", "dbo.Invoice|TABLE", "dbo.vInvoice|VIEW", "dbo.Invoice_Create|PROC",
    "dbo.Order Details|VIEW", "python:shop.orders.place_order|METHOD", "file:src/Orders.cs|FILE",
    "sales.Price|TABLE", "go:shop.Cart.Run|METHOD", "go:shop.Cart.run|METHOD",
    "go:starter.Start|METHOD", "go:starter.start|METHOD",
    "dbo.Stock_Take|PROC", "public.stock_take|FUNC",
)  # fmt: skip


@pytest.fixture(scope="module")
def store(shared_hand: Any) -> Any:
    entity = shared_hand.node(
        "csharp:Shop.Core.Order|TYPE", role="ENTITY", source_file="a.sql", start_line=1, end_line=1
    )
    outside = shared_hand.node("Archive.dbo.Price|TABLE")
    with shared_hand.store(shared_hand.Part(nodes=[*NODES, entity, outside])) as opened:
        yield opened


@pytest.mark.parametrize(
    ("written", "key"),
    [
        (SERVICE, SERVICE),
        ("csharp:shop.core.ORDERSERVICE|type", SERVICE),
        ("csharp:Shop.Core.OrderService", SERVICE),
        ("Shop.Core.OrderService", SERVICE),
        ("OrderService", SERVICE),
        ("csharp:OrderService|SERVICE", SERVICE),
        ("cs:Shop.Core.OrderService.Place:part=0", PLACE),
        ("cs:Shop.Core.OrderService.Place@src/Orders.cs:part=2", PLACE),
        ("OrderService.Place", PLACE),
        ("csharp:Shop.Core.Order|ENTITY", "csharp:Shop.Core.Order|TYPE"),
        ("csharp:Order|ENTITY", "csharp:Shop.Core.Order|TYPE"),
        ("csharp:Invoice", "csharp:Shop.Core.Invoice|TYPE"),
        ("dbo.Invoice", "dbo.Invoice|TABLE"),
        ("[dbo].[Invoice]", "dbo.Invoice|TABLE"),
        ("Invoice|TABLE", "dbo.Invoice|TABLE"),
        ("dbo.Invoice|TABLE_OR_VIEW", "dbo.Invoice|TABLE"),
        ("dbo.vInvoice|TABLE_OR_VIEW", "dbo.vInvoice|VIEW"),
        ("dbo.vInvoice|TABLE", "dbo.vInvoice|VIEW"),
        ("SQL:dbo.Invoice_Create", "dbo.Invoice_Create|PROC"),
        ("Invoice_Create", "dbo.Invoice_Create|PROC"),
        ("ShopDb::dbo.Invoice_Create", "dbo.Invoice_Create|PROC"),
        ("sql:ShopDb::dbo.Invoice_Create:part=0", "dbo.Invoice_Create|PROC"),
        ("Order Details", "dbo.Order Details|VIEW"),
        ("place_order", "python:shop.orders.place_order|METHOD"),
        ("src/Orders.cs", "file:src/Orders.cs|FILE"),
        ("Orders.cs", "file:src/Orders.cs|FILE"),
        ("Price", "sales.Price|TABLE"),
        ("Archive.dbo.Price", "Archive.dbo.Price|TABLE"),
    ],
)
def test_a_name_means_a_node(store: Any, written: str, key: str) -> None:
    rows = store.sql("select node_key from node_of($name)", {"name": written})

    assert [row["node_key"] for row in rows] == [key]
    assert store.neighbourhood(written, depth=0).starts == (key,)


@pytest.mark.parametrize(
    "written", ["Core.OrderService.Place", "core.orderservice.place", "Core.OrderService.Place|METHOD"]
)
def test_a_walk_begins_at_the_end_of_a_long_name(store: Any, written: str) -> None:
    assert store.neighbourhood(written, depth=0).starts == (PLACE,)


@pytest.mark.parametrize(
    "written", ["Other.OrderService.Place", "re.OrderService.Place", "Archive.dbo.Invoice"]
)
def test_the_end_of_a_long_name_is_whole_parts(store: Any, written: str) -> None:
    with pytest.raises(UsageError, match="no node is called"):
        store.neighbourhood(written, depth=0)


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ("Place", ["csharp:Shop.Core.Cart.Place|METHOD", PLACE]),
        ("Invoice", ["csharp:Shop.Core.Invoice|TYPE", "dbo.Invoice|TABLE"]),
    ],
)
def test_an_ambiguous_name_lists_the_candidates(store: Any, written: str, keys: list[str]) -> None:
    rows = store.sql("select node_key from node_of($name)", {"name": written})
    with pytest.raises(UsageError, match="may be") as in_sql:
        store.sql("from neighbours($name)", {"name": written})
    with pytest.raises(UsageError, match="may be") as in_python:
        store.neighbourhood(written)

    assert [row["node_key"] for row in rows] == keys
    assert all(key in str(error.value) for key in keys for error in (in_sql, in_python))


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("Cart.Run", "go:shop.Cart.Run|METHOD"),
        ("go:shop.Cart.run", "go:shop.Cart.run|METHOD"),
        ("start", "go:starter.start|METHOD"),
        ("starter.Start", "go:starter.Start|METHOD"),
        ("Stock_Take", "dbo.Stock_Take|PROC"),
    ],
)
def test_capitals_count_where_nothing_else_tells_nodes_apart(store: Any, written: str, key: str) -> None:
    sql = "select node_key from nodes where node_id in (select unnest(start_ids($name, null, null)))"

    assert store.neighbourhood(written, depth=0).starts == (key,)
    assert store.sql(sql, {"name": written}) == [{"node_key": key}]
    for ask in (store.neighbourhood, lambda name: store.sql(sql, {"name": name})):
        with pytest.raises(UsageError, match="may be"):
            ask("cart.RUN")


def test_a_name_without_capitals_may_be_any_that_is_written_otherwise(store: Any) -> None:
    with pytest.raises(UsageError, match="may be"):
        store.neighbourhood("stock_take")
    with pytest.raises(UsageError, match="may be"):
        store.sql("from neighbours('stock_take')")


@pytest.mark.parametrize(
    "written", ["Invoyce", "java:Shop.Core.OrderService", "python:OrderService", "", "|", ":", "%"]
)
def test_an_unknown_name_is_refused(store: Any, written: str) -> None:
    with pytest.raises(UsageError, match="no node is called"):
        store.sql("from neighbours($name)", {"name": written})
    with pytest.raises(UsageError, match="no node is called"):
        store.neighbourhood(written)


def test_the_closest_names_are_told(store: Any) -> None:
    with pytest.raises(UsageError) as error:
        store.neighbourhood("dbo.Invoyce_Create")

    assert "dbo.Invoice_Create|PROC" in str(error.value.hint)


def test_nothing_is_not_an_error_in_sql(store: Any) -> None:
    assert store.sql("from node_of(null)") == []
    assert store.sql("from neighbours(null)") == []


def test_the_same_key_in_two_branches_is_not_ambiguous(hand: Any) -> None:
    parts = [
        hand.Part(branch=branch, edges=[("dbo.A|PROC", "Executes", "dbo.B|PROC")])
        for branch in ("dev", "main")
    ]

    with hand.store(*parts) as store:
        both = store.sql("select branch, node_key from neighbours('A') order by branch")
        one = store.sql("select branch, node_key from neighbours('A', in_branch := 'main')")
        nodes = store.neighbourhood("A", branch="main").nodes

    assert [tuple(row.values()) for row in both] == [("dev", "dbo.B|PROC"), ("main", "dbo.B|PROC")]
    assert [tuple(row.values()) for row in one] == [("main", "dbo.B|PROC")]
    assert [(node.branch, node.node_key) for node in nodes] == [
        ("main", "dbo.A|PROC"),
        ("main", "dbo.B|PROC"),
    ]


@pytest.fixture(scope="module")
def orders(shared_hand: Any) -> Any:
    """A store in which an entity, its table, a page and a test have one name; a second entity has another table."""
    files = {"a.sql": "select 1 as one\n", "tests/OrderTests.cs": "class Order { }\n"}
    in_tests = shared_hand.node(
        "csharp:Shop.Fixtures.Order|TYPE", source_file="tests/OrderTests.cs", start_line=1, end_line=1
    )
    outside = shared_hand.node("dbo.Order|TABLE")
    nodes = [
        in_tests, "razor:Shop.Order|TYPE", "csharp:Shop.Domain.Order|TYPE", "csharp:Shop.Domain.Client|TYPE",
        "csharp:Shop.OrderService|TYPE", "dbo.Customer|TABLE", outside, "csharp:Shop.Models.Client|TYPE",
        "csharp:Shop.Domain.Note|TYPE", "csharp:Shop.Archive.Note|TYPE",
    ]  # fmt: skip
    edges = [
        ("csharp:Shop.Domain.Client|TYPE", "MapsTo", "dbo.Customer|TABLE"),
        ("csharp:Shop.Context.Clients|DBSET", "MapsTo", "csharp:Shop.Domain.Client|TYPE"),
        ("csharp:Shop.Domain.Note|TYPE", "MapsTo", "dbo.Notes|TABLE"),
        ("csharp:Shop.Archive.Note|TYPE", "MapsTo", "archive.Notes|TABLE"),
    ]
    with shared_hand.store(shared_hand.Part(files=files, nodes=nodes, edges=edges)) as opened:
        yield opened


def test_of_candidates_pages_and_tests_come_last_and_what_only_is_referred_to_is_told(orders: Any) -> None:
    candidates = (
        "Order may be csharp:Shop.Domain.Order|TYPE, dbo.Order|TABLE, razor:Shop.Order|TYPE, "
        "csharp:Shop.Fixtures.Order|TYPE"
    )

    with pytest.raises(UsageError) as in_sql:
        orders.sql("from neighbours('Order')")
    with pytest.raises(UsageError) as in_python:
        orders.neighbourhood("Order")

    assert candidates in in_sql.value.message
    assert in_python.value.message == candidates


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("Order", "dbo.Order|TABLE"),
        ("dbo.Order", "dbo.Order|TABLE"),
        ("Client", "dbo.Customer|TABLE"),
        ("Clients", "dbo.Customer|TABLE"),
        ("csharp:Shop.Domain.Client|TYPE", "dbo.Customer|TABLE"),
    ],
)
def test_asked_for_a_table_a_name_means_a_table(orders: Any, written: str, key: str) -> None:
    rows = orders.sql(
        "select node_key from nodes where node_id in (select unnest(table_ids($name, null, null)))",
        {"name": written},
    )

    assert rows == [{"node_key": key}]


@pytest.mark.parametrize("written", ["OrderService", "csharp:Shop.Domain.Order|TYPE"])
def test_asked_for_a_table_what_maps_to_none_is_refused(orders: Any, written: str) -> None:
    with pytest.raises(UsageError, match="is no table or view, and maps to none"):
        orders.sql("select table_ids($name, null, null)", {"name": written})


def test_entities_of_one_name_with_tables_of_their_own_are_ambiguous(orders: Any) -> None:
    with pytest.raises(UsageError, match=r"Note may be archive\.Notes\|TABLE, dbo\.Notes\|TABLE"):
        orders.sql("select table_ids('Note', null, null)")
    with pytest.raises(UsageError, match="no node is called Nobody"):
        orders.sql("select table_ids('Nobody', null, null)")


def test_kinds_that_are_asked_for_count_before_others(orders: Any) -> None:
    ids = "start_ids('Order', null, null, first_kinds := $kinds)"
    sql = f"select node_key from nodes where node_id in (select unnest({ids}))"

    assert orders.sql(sql, {"kinds": ["TABLE"]}) == [{"node_key": "dbo.Order|TABLE"}]
    with pytest.raises(UsageError, match="Order may be"):
        orders.sql(sql, {"kinds": ["PROC"]})
