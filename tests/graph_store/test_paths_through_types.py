"""A path leads from a type to its members only where they are run, not where the type is mentioned."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import pytest

FILE = "file:Show.aspx|FILE"
SHOW = "csharp:Page.Show|METHOD"
ORDER = "csharp:Order|TYPE"
DELETE = "csharp:Order.Delete|METHOD"
TABLE = "dbo.Order|TABLE"
MEMBERS = [(ORDER, "Contains", DELETE), (DELETE, "WritesTo", TABLE)]
MENTIONED = f"{SHOW} only mentions {ORDER}: that it leads to {DELETE} is not told"


class Link(NamedTuple):
    node_id: int
    neighbour_id: int
    relation: str
    direction: str


@pytest.mark.parametrize("relation", ["Uses", "Injects", "Inherits", "Implements", "MapsTo"])
def test_from_what_mentions_a_type_a_path_leads_to_its_members_only_as_the_last_resort(
    hand: Any, relation: str
) -> None:
    edges = [*MEMBERS, (SHOW, relation, ORDER)]

    with hand.store(hand.Part(edges=edges)) as store:
        along = store.path_between(SHOW, TABLE)
        asked = store.path_between(SHOW, TABLE, direction="out")
        back = store.path_between(TABLE, SHOW)
        in_sql = store.sql(f"from path_between('{SHOW}', '{TABLE}')")
        through = store.sql(f"from path_between('{SHOW}', '{TABLE}', through_mentions := true)")

    assert [node.node_key for node in along.nodes] == [SHOW, ORDER, DELETE, TABLE]
    assert along.notes == asked.notes == (MENTIONED,)
    assert [node.node_key for node in back.nodes] == [TABLE, DELETE, ORDER, SHOW]
    assert back.notes[1:] == (MENTIONED,)
    assert in_sql == []
    assert [row["node_key"] for row in through] == [SHOW, ORDER, DELETE, TABLE]


def test_a_path_against_the_edges_is_preferred_to_one_through_a_mention(hand: Any) -> None:
    shared = "csharp:Log.Write|METHOD"
    edges = [*MEMBERS, (SHOW, "Uses", ORDER), (SHOW, "Calls", shared), (DELETE, "Calls", shared)]

    with hand.store(hand.Part(edges=edges)) as store:
        found = store.path_between(SHOW, TABLE)

    assert [node.node_key for node in found.nodes] == [SHOW, shared, DELETE, TABLE]
    assert len(found.notes) == 1


def test_a_longer_path_that_is_run_is_preferred_to_a_mention(hand: Any) -> None:
    steps = [SHOW, "csharp:A.M|METHOD", "csharp:B.M|METHOD", DELETE]
    calls = [(caller, "Calls", callee) for caller, callee in pairwise(steps)]

    with hand.store(hand.Part(edges=[*MEMBERS, (SHOW, "Uses", ORDER), *calls])) as store:
        found = store.path_between(SHOW, TABLE)
        in_sql = store.sql(f"from path_between('{SHOW}', '{TABLE}')")

    assert [node.node_key for node in found.nodes] == [*steps, TABLE]
    assert [row["node_key"] for row in in_sql] == [*steps, TABLE]
    assert found.notes == ()


def test_a_path_to_a_table_leads_through_another_that_refers_to_it_only_if_no_other_does(hand: Any) -> None:
    place, update, card = "csharp:Shop.Place|METHOD", "csharp:Shop.Update|METHOD", "dbo.GiftCard|TABLE"
    refers = [(place, "WritesTo", card), (card, "ForeignKey", TABLE)]
    writes = [(place, "Calls", "csharp:Shop.Save|METHOD"), ("csharp:Shop.Save|METHOD", "Calls", update)]

    with hand.store(hand.Part(edges=[*refers, *writes, (update, "WritesTo", TABLE)])) as store:
        written = store.path_between(place, TABLE)
        back = store.path_between(TABLE, place)
        tables = store.path_between(card, TABLE)
    with hand.store(hand.Part(edges=refers)) as store:
        referred = store.path_between(place, TABLE)

    assert [node.relation for node in written.nodes] == [None, "Calls", "Calls", "WritesTo"]
    assert [node.node_key for node in back.nodes] == [node.node_key for node in reversed(written.nodes)]
    assert [node.relation for node in tables.nodes] == [None, "ForeignKey"]
    assert [node.relation for node in referred.nodes] == [None, "WritesTo", "ForeignKey"]


@pytest.mark.parametrize(
    ("start", "before"),
    [
        (ORDER, []),
        (FILE, [(FILE, "Contains", ORDER)]),
        (FILE, [(FILE, "Handles", ORDER)]),
        (FILE, [(FILE, "Uses", ORDER)]),  # a control of a page
        (SHOW, [(SHOW, "Handles", ORDER)]),  # a route to a controller
        (FILE, [(FILE, "Contains", "csharp:Outer|TYPE"), ("csharp:Outer|TYPE", "Contains", ORDER)]),
        (SHOW, [(SHOW, "Uses", FILE), (FILE, "Contains", ORDER)]),
    ],
)
def test_members_are_run_of_the_type_asked_for_and_of_what_files_hold_and_handle(
    hand: Any, start: str, before: list[tuple[str, str, str]]
) -> None:
    with hand.store(hand.Part(edges=[*MEMBERS, *before])) as store:
        along = store.path_between(start, TABLE)
        back = store.path_between(TABLE, start, direction="in")

    assert [node.direction for node in along.nodes[1:]] == ["out"] * (len(before) + 2)
    assert [node.node_key for node in back.nodes] == [node.node_key for node in reversed(along.nodes)]
    assert along.notes == back.notes == ()


def test_a_type_runs_no_members_of_its_base(hand: Any) -> None:
    page = "csharp:Page|TYPE"
    edges = [*MEMBERS, (FILE, "Handles", page), (page, "Inherits", ORDER)]

    with hand.store(hand.Part(edges=edges)) as store:
        found = store.path_between(FILE, TABLE)

    assert found.notes == (f"{page} only mentions {ORDER}: that it leads to {DELETE} is not told",)


def test_a_type_that_is_mentioned_first_may_be_entered_by_what_runs_it_later(hand: Any) -> None:
    route = "csharp:Routes.Register|METHOD"
    edges = [*MEMBERS, (SHOW, "Uses", ORDER), (SHOW, "Calls", route), (route, "Handles", ORDER)]

    with hand.store(hand.Part(edges=edges)) as store:
        found = store.path_between(SHOW, TABLE)

    assert [node.node_key for node in found.nodes] == [SHOW, route, ORDER, DELETE, TABLE]
    assert [node.distance for node in found.nodes] == [0, 1, 2, 3, 4]
    assert found.notes == ()


def may_follow(link: Link, before: Link | None, kinds: Mapping[int, str]) -> bool:
    """Tell whether a link goes on from a node that another led to: the rule, told in full for both directions."""
    if before is None or kinds[link.node_id] != "TYPE":
        return True
    runs = ("Contains", "Handles")
    if link.relation == "Contains" and link.direction == "out":
        return not (
            before.direction == "out" and before.relation not in runs and kinds[before.node_id] != "FILE"
        )
    if before.relation == "Contains" and before.direction == "in":
        return not (
            link.direction == "in" and link.relation not in runs and kinds[link.neighbour_id] != "FILE"
        )
    return True


def distances(links: Sequence[Link], start: int, kinds: Mapping[int, str]) -> dict[int, int]:
    """Return how far each node is by ways that may be gone, told step by step."""
    leaving = defaultdict(list)
    for link in links:
        leaving[link.node_id].append(link)
    found = {start: 0}
    front: set[tuple[int, Link | None]] = {(start, None)}
    known = set(front)
    for distance in range(1, 7):
        reached: set[tuple[int, Link | None]] = {
            (link.neighbour_id, link)
            for node_id, before in front
            for link in leaving[node_id]
            if may_follow(link, before, kinds)
        }
        front = reached - known
        known |= front
        for node_id, _ in front:
            found.setdefault(node_id, distance)
    return found


@pytest.mark.parametrize("direction", ["out", "in", "both"])
def test_paths_are_the_shortest_that_may_be_gone(hand: Any, direction: str) -> None:
    dice = random.Random(11)
    keys = [
        *(f"csharp:T{number}|TYPE" for number in range(12)),
        *(f"csharp:T{number}.M|METHOD" for number in range(14)),
        *(f"file:f{number}.cs|FILE" for number in range(4)),
    ]
    relations = ("Contains", "Contains", "Uses", "Calls", "Handles", "Inherits")
    edges = [(dice.choice(keys), dice.choice(relations), dice.choice(keys)) for _ in range(50)]
    part = hand.Part(nodes=keys, edges=[edge for edge in dict.fromkeys(edges) if edge[0] != edge[2]])

    with hand.store(part) as store:
        kinds = {row["node_id"]: row["kind"] for row in store.sql("select node_id, kind from nodes")}
        rows = store.sql(
            "select node_id, neighbour_id, relation, direction from links join steps using (step) "
            "where $direction in ('both', direction)",
            {"direction": direction},
        )
        links = [Link(**row) for row in rows]
        for start in sorted(kinds)[::16]:
            expected = distances(links, start, kinds)
            for target in sorted(kinds)[::2]:
                found = store.sql(
                    "select max(distance) as distance from shortest_path([$start], [$target], "
                    "(select list(step) from steps_of(null, $direction)), [1])",
                    {"start": start, "target": target, "direction": direction},
                )

                assert found[0]["distance"] == expected.get(target), (start, target)
