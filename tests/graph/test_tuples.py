"""What is asked for as a tuple has the types of its elements."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]


@pytest.mark.parametrize(
    "statement",
    [
        "var found = store.Load<(int id, Order order)>(1); found.order.Close();",
        "var (id, order) = store.Load<(int id, Order order)>(1); order.Close();",
        "(int id, var order) = store.Load<(int id, Order order)>(1); order.Close();",
        "var found = await store.LoadAsync<(int id, Order order)>(1); found.order.Close();",
        "var (id, order) = await store.LoadAsync<(int id, Order order)>(1); order.Close();",
        "var order = (await store.LoadAsync<(int id, Order order)>(1)).order; order.Close();",
    ],
)
def test_a_named_tuple_may_be_a_type_argument(code_edges: CodeEdges, statement: str) -> None:
    edges = code_edges(
        "Calls",
        f"class A {{ Store store; async Task Run() {{ {statement} }} }}"
        "class Store { public T Load<T>(int n) => default; public async Task<T> LoadAsync<T>(int n) => default; }"
        "class Order { public void Close() {} }",
    )

    load = "Store.LoadAsync" if "await" in statement else "Store.Load"
    assert {edge[:2] for edge in edges} == {("A.Run", load), ("A.Run", "Order.Close")}
