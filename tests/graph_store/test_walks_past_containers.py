"""A walk ends at what contains a node: the other members of a type are not tied to the one that was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

DESK, TAKE, GIVE, OFFICE = (
    "csharp:Desk|TYPE",
    "csharp:Desk.Take|METHOD",
    "csharp:Desk.Give|METHOD",
    "csharp:Office|TYPE",
)
OPEN = "csharp:Office.Open|METHOD"


@pytest.fixture(scope="module")
def store(shared_hand: Any) -> Iterator[Any]:
    edges = [
        shared_hand.edge(DESK, "Contains", TAKE),
        shared_hand.edge(DESK, "Contains", GIVE),
        shared_hand.edge(OFFICE, "Contains", OPEN),
        shared_hand.edge(OFFICE, "Uses", DESK),
        shared_hand.edge(OPEN, "Calls", TAKE),
    ]
    nodes = [DESK, TAKE, GIVE, OFFICE, OPEN]
    with shared_hand.store(shared_hand.Part(nodes=nodes, edges=edges)) as opened:
        yield opened


def test_the_type_of_a_member_is_shown_without_its_other_members_and_users(store: Any) -> None:
    found = store.neighbourhood([GIVE], depth=3)

    assert [node.node_key for node in found.nodes] == [GIVE, DESK]


def test_a_type_that_is_reached_otherwise_leads_on(store: Any) -> None:
    found = store.neighbourhood([TAKE], depth=3)

    assert {node.node_key for node in found.nodes} == {TAKE, DESK, OPEN, OFFICE}


def test_a_type_that_is_asked_for_leads_to_its_members(store: Any) -> None:
    found = store.neighbourhood([DESK], depth=1)

    assert {node.node_key for node in found.nodes} == {DESK, TAKE, GIVE, OFFICE}


def test_who_names_the_relation_walks_it_whole(store: Any) -> None:
    found = store.neighbourhood([GIVE], depth=2, relations="Contains")

    assert {node.node_key for node in found.nodes} == {GIVE, DESK, TAKE}


def test_sql_ends_there_too(store: Any) -> None:
    found = store.sql("select node_key from neighbours($key, depth := 3)", {"key": GIVE})

    assert [row["node_key"] for row in found] == [DESK]
