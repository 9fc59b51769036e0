"""Injects edges lead from a type to the services that its constructors ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]


def test_constructors_ask_for_interfaces_and_their_implementation(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Injects",
        """
        class Desk { public Desk(IStore store, ILogger<Desk> logger, string name) {} }
        interface IStore; class Store : IStore;
        """,
    )

    assert edges == {("Desk", "IStore", "constructor"), ("Desk", "Store", "only implementation")}


def test_primary_constructors_ask_too(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Injects",
        """
        class Desk(IStore store);
        interface IStore; class One : IStore; class Two : IStore;
        class Startup { void Go(IServiceCollection s) { s.AddScoped<IStore, Two>(); } }
        """,
    )

    assert edges == {("Desk", "IStore", "constructor"), ("Desk", "Two", "registration")}


def test_classes_are_injected_when_they_are_services(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Injects",
        """
        class Desk(Matcher matcher, OrderService orders, ShopContext context, Options options, Order order);
        class Matcher; class OrderService; class Options; class Order;
        class ShopContext : DbContext;
        class Startup { void Go(IServiceCollection s) { s.AddSingleton<Matcher>(); } }
        """,
    )

    assert edges == {
        ("Desk", "Matcher", "constructor"),
        ("Desk", "OrderService", "constructor"),
        ("Desk", "ShopContext", "constructor"),
    }


def test_collections_and_factories_of_services_count(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Injects",
        "class Desk(IEnumerable<IRule> rules, Lazy<IStore> store); interface IRule; interface IStore;",
    )

    assert edges == {("Desk", "IRule", "constructor"), ("Desk", "IStore", "constructor")}


def test_records_and_entities_are_given_values(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Injects", 'record Line(IMoney price); [Table("Order")] class Order(IMoney total); interface IMoney;'
    )

    assert edges == set()


def test_a_decorator_is_not_injected_into_itself(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Injects", "class Cached(IStore inner) : IStore; class Store : IStore; interface IStore;"
    )

    assert edges == {
        ("Cached", "IStore", "constructor"),
        ("Cached", "Store", "one of several implementations"),
    }
