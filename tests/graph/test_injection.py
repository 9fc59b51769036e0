"""Injects edges lead from a type to the services that its constructors ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts, Mentions, StatementFacts
from ragduck.graph.code.edges import EdgeCollector
from ragduck.graph.code.graph import code_graph
from ragduck.graph.code.implementations import Implementations
from ragduck.graph.code.injection import add_injections
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
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


def test_migrations_ask_for_services(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Injects",
        """
        class Add : Migration { public Add(IStore store) {} }
        interface IStore; class Store : IStore;
        """,
    )

    assert {(target, rule) for _, target, rule in edges} == {
        ("IStore", "constructor"),
        ("Store", "only implementation"),
    }


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


@pytest.mark.parametrize("kind", ["IOptions", "IOptionsSnapshot", "IOptionsMonitor"])
def test_configured_options_are_injected(code_edges: CodeEdges, kind: str) -> None:
    edges = code_edges(
        "Injects", f"class Desk({kind}<MailOptions> mail, {kind}<string> other); class MailOptions;"
    )

    assert edges == {("Desk", "MailOptions", "constructor")}


def test_what_only_names_a_service_is_no_request_for_it(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Injects",
        """
        class Desk(ILogger<OrderService> log, IHubContext<ChatService> hub, IDbContextFactory<ShopContext> made);
        class OrderService; class ChatService; class ShopContext : DbContext;
        """,
    )

    assert edges == {("Desk", "ShopContext", "constructor")}


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
        ("Cached", "Store", "only implementation"),
    }


SERVICES = """
    public interface IStore;
    public interface IRule;
    public class Store : IStore;
"""


def injected_at(files: list[FileFacts]) -> set[tuple[str, str, int]]:
    """Where Injects edges are shown: simple name of what is injected, path, line."""
    return {
        (edge.to_key.rpartition("|")[0].rpartition(":")[2], edge.source_file, edge.line)
        for edge in code_graph(Catalog(files)).edges
        if edge.relation == "Injects"
    }


def test_each_parameter_of_a_constructor_is_shown_on_its_own_line(facts_of: FactsOf) -> None:
    desk = """
        class Desk
        {
            IRule first;
            public Desk(
                string name,
                IStore store,
                [FromKeyedServices("all")]
                IEnumerable<IRule> rules)
            {
                Func<IStore, int> count = (IStore one) => 1;
            }
        }
    """

    found = injected_at(facts_of({"Shop/Desk.cs": desk, "Shop/S.cs": SERVICES}))

    assert found == {
        ("IStore", "Shop/Desk.cs", 6),
        ("Store", "Shop/Desk.cs", 6),
        ("IRule", "Shop/Desk.cs", 8),
    }


def test_each_parameter_of_a_primary_constructor_is_shown_on_its_own_line(facts_of: FactsOf) -> None:
    desk = """
        [Counted]
        class Desk(
            IStore store,
            IRule rule)
        {
            IStore Other(IStore given) => given;
        }
    """

    found = injected_at(facts_of({"Shop/Desk.cs": desk, "Shop/S.cs": SERVICES}))

    assert found == {
        ("IStore", "Shop/Desk.cs", 3),
        ("Store", "Shop/Desk.cs", 3),
        ("IRule", "Shop/Desk.cs", 4),
    }


def test_each_overload_of_a_constructor_shows_its_own_parameters(facts_of: FactsOf) -> None:
    desk = """
        class Desk
        {
            public Desk(string name,
                IRule rule) {}
            public Desk(
                IRule rule,
                IStore store) {}
        }
    """

    found = injected_at(facts_of({"Shop/Desk.cs": desk, "Shop/S.cs": SERVICES}))

    assert found == {
        ("IRule", "Shop/Desk.cs", 4),
        ("IStore", "Shop/Desk.cs", 7),
        ("Store", "Shop/Desk.cs", 7),
    }


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        (
            "shop/desk.ts",
            "interface IStore {}\nclass Desk {\n  constructor(\n    store: IStore,\n  ) {}\n}",
            4,
        ),
        ("j/Desk.java", "package j;\ninterface IStore {}\nclass Desk {\n  Desk(\n    IStore store) {}\n}", 5),
    ],
)
def test_parameters_are_shown_on_their_lines_in_other_languages(
    facts_of: FactsOf, path: str, text: str, line: int
) -> None:
    assert {(where, at) for _, where, at in injected_at(facts_of({path: text}))} == {(path, line)}


def test_a_constructor_shows_what_no_statement_tells_the_line_of(facts_of: FactsOf) -> None:
    desk = "class Desk\n{\n    public Desk(\n        IRule rule) {}\n}"
    files = [
        one._replace(statements=StatementFacts()) for one in facts_of({"A/D.cs": desk, "A/S.cs": SERVICES})
    ]

    assert injected_at(files) == {("IRule", "A/D.cs", 3)}


class Counting:
    """Statements that count how often they are unpacked."""

    def __init__(self, facts: StatementFacts) -> None:
        self._facts = facts
        self.times = 0

    def unpacked(self) -> StatementFacts:
        self.times += 1
        return self._facts

    def mentions(self) -> Mentions:
        return self._facts.mentions()


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("class A {\n public A(\n IRule a,\n IRule b) {} }\nclass B(\n IRule rule);", 1),
        ("class A { public A(IRule rule) {} } class B(IRule rule);", 0),
        ("class A {\n public A(\n string name) {} }", 0),
    ],
)
def test_statements_are_unpacked_once_and_only_when_needed(facts_of: FactsOf, text: str, times: int) -> None:
    files = facts_of({"Shop/A.cs": text, "Shop/S.cs": SERVICES})
    counting = [Counting(file.statements.unpacked()) for file in files]
    catalog = Catalog([file._replace(statements=one) for file, one in zip(files, counting, strict=True)])
    implementations = Implementations(catalog)
    before = [one.times for one in counting]

    add_injections(
        catalog, EdgeCollector(), catalog.types.values(), implementations=implementations, roles={}
    )

    assert [one.times for one in counting] == [before[0] + times, before[1]]


def test_of_a_list_each_implementation_is_injected(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Injects",
        """
        class Desk(IEnumerable<Lazy<IRule>> rules);
        interface IRule; class One : IRule; class Two : IRule;
        class Startup { void Go(IServiceCollection s) { s.AddScoped<IRule, Two>(); } }
        """,
    )

    assert edges == {
        ("Desk", "IRule", "constructor"),
        ("Desk", "One", "each of a collection"),
        ("Desk", "Two", "each of a collection"),
    }


RULES = "interface IRule; class One : IRule; class Two : IRule; class Host { void Go(IServiceCollection all) {} } "


def test_exceptions_are_given_values(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Injects",
        RULES
        + """
        class Broken : ShopException { public Broken(IRule rule) {} public Broken(IEnumerable<IRule> rules) {} }
        abstract class ShopException : Exception;
        class RuleEventArgs(IRule rule) : EventArgs;
        """,
    )

    assert edges == set()


def test_of_one_parameter_not_each_implementation_is_injected(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Injects",
        RULES
        + """
        class Desk(IEnumerable<IRule> rules);
        class Check : IComparable { public Check(IRule rule) {} }
        class Plant { Check Make(IRule rule) => new Check(rule); }
        """,
    )

    assert {edge[1:] for edge in edges if edge[0] == "Check"} == {("IRule", "constructor")}


def test_what_code_makes_is_injected_the_only_implementation_at_most(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Injects",
        RULES
        + """
        interface IStore; class Store : IStore;
        class Desk(IRule rule, IStore store);
        class Plant { Desk Make(IRule rule) => new Desk(rule, new Store()); }
        """,
    )

    assert edges == {
        ("Desk", "IRule", "constructor"),
        ("Desk", "IStore", "constructor"),
        ("Desk", "Store", "only implementation"),
    }


def test_what_is_made_of_what_a_container_gives_is_injected_like_others(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Injects",
        RULES
        + """
        class Desk(IRule rule);
        class Setup { void Go(IServiceCollection all) {
            all.AddHostedService(given => new Desk(given.GetRequiredKeyedService<IRule>("one")));
        } }
        """,
    )

    assert edges == {
        ("Desk", "IRule", "constructor"),
        ("Desk", "One", "one of several implementations"),
        ("Desk", "Two", "one of several implementations"),
    }
