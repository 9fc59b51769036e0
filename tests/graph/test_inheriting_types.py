"""A call of an inherited method uses the class that inherits it: what the method does may depend on that."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph
from ragduck.graph.code.graph import code_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Uses = Callable[..., dict[str, tuple[str, float]]]

STORES = """
    interface IStore { void Save(); }
    interface IOrders : IStore { }
    abstract class Store : IStore { public void Save() { } public static void Clean() { } }
    class Orders : Store, IOrders { }
"""
CALLER = "class Caller { IOrders orders; void Run() { orders.Save(); } }"


@pytest.fixture
def uses(facts_of: FactsOf) -> Uses:
    """What types `Run` uses through what it calls, with rule and confidence."""

    def found(*texts: str, path: str = "Shop/A.cs") -> dict[str, tuple[str, float]]:
        graph = code_graph(Catalog(facts_of({path: " ".join(texts)})))
        rules = (
            "receiver type",
            "own object",
            "registration",
            "only implementation",
            "one of several implementations",
        )
        return {
            edge.to_key.partition(":")[2].rpartition("|")[0]: (edge.rule, edge.confidence)
            for edge in graph.edges
            if edge.relation == "Uses" and edge.from_key.endswith(".Run|METHOD") and edge.rule in rules
        }

    return found


def test_the_class_behind_an_interface_inherits_the_method(uses: Uses) -> None:
    assert uses(STORES, CALLER) == {
        "IOrders": ("receiver type", 0.95),
        "Orders": ("only implementation", 0.8),
    }


def test_a_class_behind_an_interface_that_has_the_method_is_not_used(uses: Uses) -> None:
    own = STORES.replace("Store, IOrders { }", "Store, IOrders { public new void Save() { } }")

    assert uses(own, CALLER) == {"IOrders": ("receiver type", 0.95)}


def test_each_of_several_classes_that_inherit_the_method_is_used(uses: Uses) -> None:
    found = uses(STORES, "class Lines : Store, IOrders { }", CALLER)

    several = ("one of several implementations", 0.5)
    assert found == {"IOrders": ("receiver type", 0.95), "Orders": several, "Lines": several}


def test_more_classes_than_can_be_meant_are_left_out(uses: Uses) -> None:
    many = " ".join(f"class Lines{number} : Store, IOrders {{ }}" for number in range(8))

    assert uses(STORES, many, CALLER) == {"IOrders": ("receiver type", 0.95)}


def test_the_registered_class_inherits_the_method(uses: Uses) -> None:
    startup = "class Startup { void Go(IServiceCollection s) { s.AddScoped<IOrders, Orders>(); } }"

    found = uses(STORES, "class Lines : Store, IOrders { }", startup, CALLER)

    assert found == {"IOrders": ("receiver type", 0.95), "Orders": ("registration", 0.95)}


def test_a_double_of_a_test_inherits_nothing(facts_of: FactsOf) -> None:
    test = f"using Moq; {CALLER}"
    graph = code_graph(Catalog(facts_of({"Shop/S.cs": STORES, "Shop.Tests/OrdersTests.cs": test})))

    used = {edge.to_key for edge in graph.edges if edge.from_key == "csharp:Caller.Run|METHOD"}

    assert "csharp:Orders|TYPE" not in used


@pytest.mark.parametrize(
    ("call", "rule"),
    [("Save()", "own object"), ("base.Save()", "own object"), ("this.Save()", "receiver type")],
)
def test_the_own_class_inherits_what_it_calls(call: str, rule: str, uses: Uses) -> None:
    found = uses(STORES, f"class Lines : Store {{ void Run() {{ {call}; }} }}")

    assert found == {"Lines": (rule, 0.95)}


@pytest.mark.parametrize(
    "code",
    [
        "class Lines : Store { void Run() { Clean(); } }",
        "class Lines : Store { new void Save() { } void Run() { Save(); } }",
        "abstract class Lines : Store { void Run() { Save(); } }",
        "class Outer : Store { class Lines { void Run() { Outer.Clean(); } } }",
    ],
)
def test_nothing_is_inherited_of_the_own_object(code: str, uses: Uses) -> None:
    assert "Lines" not in uses(STORES, code)


@pytest.mark.parametrize(
    ("table", "call", "is_used"), [("Lines", "Save", True), ("Lines", "Open", False), ("", "Save", False)]
)
def test_the_own_class_counts_where_a_statement_of_it_is_called(
    table: str, call: str, is_used: bool, facts_of: FactsOf
) -> None:
    code = f"""
        abstract class Store {{
            readonly string _table;
            protected Store(string table) {{ _table = table; }}
            public void Save() {{ connection.Execute($"DELETE FROM dbo.{{_table}}"); }}
            public void Open() {{ }}
        }}
        class Lines : Store {{ public Lines() : base("{table}") {{ }} public void Run() {{ {call}(); }} }}
        class Orders : Store {{ public Orders() : base("Orders") {{ }} }}
    """

    edges = build_graph(facts_of({"Shop/A.cs": code})).graph.edges

    used = {edge.to_key for edge in edges if edge.from_key == "csharp:Lines.Run|METHOD"}
    assert ("csharp:Lines|TYPE" in used) == is_used
