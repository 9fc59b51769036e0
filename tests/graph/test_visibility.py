"""What a place sees is told by the namespace around it, of which a file may have several."""

from __future__ import annotations

from collections.abc import Callable, Mapping

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

SHIM = "namespace System.Runtime.CompilerServices { static class IsExternalInit { } }\n"
MAPPER = """
    namespace Data { public static class Mapper { public static void Load(this Foreign f, string sql) { } } }
    namespace Data.Deep { public static class Inner { public static void Go() { } } }
    """


def test_each_namespace_of_a_file_sees_what_is_around_it(code_edges: CodeEdges) -> None:
    user = """
        namespace Data.Tests {
            class A { Foreign f; void One() { f.Load("x"); } void Two() { Deep.Inner.Go(); } }
        }
        """
    files = {"Data/Mapper.cs": MAPPER, "Data/Tests.cs": SHIM + user}

    assert code_edges("Calls", files) == {
        ("Data.Tests.A.One", "Data.Mapper.Load", "extension method"),
        ("Data.Tests.A.Two", "Data.Deep.Inner.Go", "receiver type"),
    }


def test_a_namespace_of_a_file_does_not_see_what_is_around_another(code_edges: CodeEdges) -> None:
    user = """
        namespace Data.Tests { class A { } }
        namespace Other {
            class B { Foreign f; void One() { f.Load("x"); } void Two() { Deep.Inner.Go(); } }
        }
        """

    assert code_edges("Calls", {"Data/Mapper.cs": MAPPER, "Data/Tests.cs": user}) == set()


def test_without_a_receiver_type_a_namespace_sees_what_is_around_it(code_edges: CodeEdges) -> None:
    user = "namespace Data.Tests { class A { void One() { unknown.LoadOrders(1); } } }"
    store = "namespace Data { public class Store { public void LoadOrders(int n) { } } }"

    assert code_edges("Calls", {"Data/Store.cs": store, "Data/Tests.cs": SHIM + user}) == {
        ("Data.Tests.A.One", "Data.Store.LoadOrders", "only visible name"),
    }


def test_a_using_of_the_global_namespace_opens_that_and_not_a_namespace_within_an_outer_one(
    code_edges: CodeEdges,
) -> None:
    files = {
        "Shop/Provider.cs": "namespace Parts { public class Provider { public static void Get() { } } }",
        "Shop/Other.cs": "namespace Shop.Parts.Deep { class Other { } } namespace Shop.Parts { class Provider { } }",
        "Shop/User.cs": "namespace Shop { using global::Parts; class User { void Run() { Provider.Get(); } } }",
    }

    assert code_edges("Calls", files) == {("Shop.User.Run", "Parts.Provider.Get", "receiver type")}
