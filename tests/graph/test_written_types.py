"""Types are read as people write them, in the notation of each language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.graph.types.written import MAX_LENGTH, Written, read_written


def shown(written: Written) -> str:
    inside = ", ".join(shown(one) for one in written.arguments)
    return f"{written.name}<{inside}>" if inside else written.name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Order", "Order"),
        ("Order?", "Order"),
        ("global::Shop.Core.Order", "Shop.Core.Order"),
        ("IReadOnlyList<Order?>", "IReadOnlyList<Order>"),
        ("Dictionary<string, List<Order>>", "Dictionary<string, List<Order>>"),
        ("Order[]", "[]<Order>"),
        ("int[,][]", "[]<[]<int>>"),
        ("(Order order, int count)", "()<Order, int>"),
        ("ref readonly Order", "Order"),
        ("params Order[]", "[]<Order>"),
        ("Nullable<Money>", "Money"),
    ],
)
def test_csharp_types(text: str, expected: str) -> None:
    assert shown(read_written(text, family="csharp")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("list[Order]", "list<Order>"),
        ("dict[str, 'Order']", "dict<str, Order>"),
        ("Optional[Order]", "Order"),
        ("Order | None", "Order"),
        ("None | Order", "Order"),
        ("models.Order", "models.Order"),
        ("Annotated[Order, Depends(get)]", "Order"),
    ],
)
def test_python_types(text: str, expected: str) -> None:
    assert shown(read_written(text, family="python")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Promise<Order[] | undefined>", "Promise<[]<Order>>"),
        ("(Order | null)[]", "[]<Order>"),
        ("(order: Order) => void", "=>"),
        ("{ total: number }", ""),
    ],
)
def test_typescript_types(text: str, expected: str) -> None:
    assert shown(read_written(text, family="typescript")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*orders.Order", "orders.Order"),
        ("[]*Order", "[]<Order>"),
        ("map[string][]Order", "map<[]<Order>>"),
        ("...Order", "Order"),
        ("Repo[Order]", "Repo<Order>"),
        ("func(Order) error", ""),
    ],
)
def test_go_types(text: str, expected: str) -> None:
    assert shown(read_written(text, family="go")) == expected


def test_wildcards_of_java_are_their_bounds() -> None:
    assert shown(read_written("List<? extends Order>", family="java")) == "List<Order>"


def test_what_is_too_long_has_no_name() -> None:
    assert read_written("A" * (MAX_LENGTH + 1), family="csharp") == Written("")


@given(
    st.text(alphabet="<>[](),?|.:=> Aa{}*", max_size=MAX_LENGTH), st.sampled_from(("csharp", "python", "go"))
)
def test_nothing_that_is_written_breaks_the_reader(text: str, family: str) -> None:
    assert isinstance(read_written(text, family=family), Written)
