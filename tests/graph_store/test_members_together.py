"""A member that an interface declares and those that implement it are meant together."""

from __future__ import annotations

from typing import Any

import pytest

from ragduck.errors import UsageError
from ragduck.search.node_names import closest_to

FACE, ONE, OTHER, LONE = (
    f"csharp:Shop.{name}|METHOD"
    for name in ("IOrders.Place", "Orders.Place", "TestOrders.Place", "Cart.Drop")
)
CALLER, DROPPER, BOX = (f"csharp:Shop.{name}|METHOD" for name in ("Page.Buy", "Page.Empty", "Box.Drop"))


@pytest.fixture(scope="module")
def store(shared_hand: Any) -> Any:
    edges = [
        (ONE, "Implements", FACE),
        (OTHER, "Implements", FACE),
        (CALLER, "Calls", FACE),
        (DROPPER, "Calls", LONE),
        (DROPPER, "Calls", BOX),
    ]
    with shared_hand.store(shared_hand.Part(edges=edges)) as opened:
        yield opened


def test_a_walk_begins_at_all_of_them_and_says_so(store: Any) -> None:
    found = store.callers("Place")

    assert found.starts == (FACE, ONE, OTHER)
    assert CALLER in [node.node_key for node in found.nodes]
    assert found.notes == (f"begun at members and what implements or overrides them: {FACE}, {ONE}, {OTHER}",)


def test_one_that_is_named_is_meant_alone(store: Any) -> None:
    found = store.callers("Orders.Place")

    assert (found.starts, found.notes) == ((ONE,), ())


def test_a_name_with_many_implementations_is_ambiguous(hand: Any) -> None:
    many = [f"csharp:Shop.Orders{number}.Place|METHOD" for number in range(20)]

    part = hand.Part(edges=[(one, "Implements", FACE) for one in many])
    with hand.store(part) as store, pytest.raises(UsageError, match="and 13 more"):
        store.callers("Place")


def test_a_path_leads_to_any_of_them(store: Any) -> None:
    assert [node.node_key for node in store.path_between("Buy", "Place").nodes] == [CALLER, FACE]


def test_members_that_have_nothing_but_the_name_in_common_are_told(store: Any) -> None:
    with pytest.raises(UsageError, match=r"Drop may be csharp:Shop.Box.Drop"):
        store.callers("Drop")


@pytest.mark.parametrize(
    ("mistyped", "first"),
    [
        ("rders.Place", ONE),
        ("IOrder.Place", FACE),
        ("Page.Bye", CALLER),
    ],
)
def test_similar_names_are_those_of_like_types(store: Any, mistyped: str, first: str) -> None:
    assert closest_to(store.rows, mistyped)[0] == first


def test_names_that_have_little_in_common_are_not_offered(store: Any) -> None:
    assert closest_to(store.rows, "nothing_like_it") == ()
