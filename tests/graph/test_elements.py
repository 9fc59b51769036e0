"""Indexers and loops give what a collection holds; of other foreign types nothing is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]


def test_the_indexer_of_a_foreign_type_gives_none_of_its_type_argument(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class Messages : Controller { public void Show(string text) { } }
        class Page : Messages {
            IStringLocalizer<Texts> texts; ViewDataDictionary<Texts> data;
            void Run() { Show(texts["Saved"]); texts["Saved"].Close(); texts["Saved"].Value.Close(); }
            void Other() { Show(data["Saved"]); data["Saved"].Close(); }
        }
        class Texts { public void Close() { } }
        """,
    )

    assert {edge[1] for edge in edges} == {"Messages.Show"}


def test_the_indexer_of_a_collection_gives_what_it_holds(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A {
            List<Order> all; Dictionary<int, Order> byId; PagedList<Order> some;
            RepeatedField<Order> sent; EntitySet<Order> held;
            void One() { all[0].Close(); }
            void Two() { byId[1].Close(); }
            void Three() { some[0].Close(); }
            void Four() { sent[0].Close(); }
            void Five() { held[0].Close(); }
        }
        class Order { public void Close() { } }
        """,
    )

    names = ("One", "Two", "Three", "Four", "Five")
    assert {edge[:2] for edge in edges} == {(f"A.{name}", "Order.Close") for name in names}


def test_a_loop_gives_what_any_foreign_collection_holds(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Calls",
        """
        class A { void Run(Pages<Order> all) { foreach (var one in all) { one.Close(); } } }
        class Order { public void Close() { } }
        """,
    )

    assert {edge[:2] for edge in edges} == {("A.Run", "Order.Close")}
