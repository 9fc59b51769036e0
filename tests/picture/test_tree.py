"""A tree shows each node once, below the node through which it was first reached."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ragduck.picture.tree import Branch, path_of, tree_of

START = "dbo.Invoice|TABLE"


def node(number: int, key: str, **changes: Any) -> dict[str, Any]:
    plain = {
        "node_id": number, "node_key": key, "kind": key.rpartition("|")[2], "role": None, "repo": "shop",
        "branch": "main", "via_id": None, "edge_no": None,
    }  # fmt: skip
    return plain | changes


def edge(number: int, ends: tuple[int, int], relation: str) -> dict[str, Any]:
    return {"edge_no": number, "from_id": ends[0], "to_id": ends[1], "relation": relation}


def tree(nodes: list[dict[str, Any]], edges: list[dict[str, Any]], start: str = START) -> list[Branch]:
    return list(tree_of(nodes, edges, starts=(start,)))


def drawn(branches: list[Branch]) -> list[str]:
    return [branch.lead + " ".join(filter(None, (branch.tie, branch.name))) for branch in branches]


def test_nodes_hang_below_what_led_to_them() -> None:
    nodes = [
        node(1, START),
        node(2, "dbo.Invoice_Create|PROC", via_id=1, edge_no=10),
        node(3, "dbo.Order|TABLE", via_id=1, edge_no=11),
        node(4, "dbo.Order_Place|PROC", via_id=2, edge_no=12),
    ]
    edges = [edge(10, (2, 1), "WritesTo"), edge(11, (1, 3), "ForeignKey"), edge(12, (4, 2), "Executes")]

    branches = tree(nodes, edges)

    assert drawn(branches) == [
        "dbo.Invoice",
        "├─ → ForeignKey dbo.Order",
        "└─ ← WritesTo dbo.Invoice_Create",
        "   └─ ← Executes dbo.Order_Place",
    ]


def test_further_lines_of_a_node_continue_the_lines_around_it() -> None:
    nodes = [
        node(1, START),
        node(2, "dbo.A|PROC", via_id=1),
        node(3, "dbo.B|PROC", via_id=1),
        node(4, "dbo.C|PROC", via_id=2),
    ]

    branches = tree(nodes, [])

    assert [(branch.name, branch.below) for branch in branches] == [
        ("dbo.Invoice", "│  "),
        ("dbo.A", "│  │  "),
        ("dbo.C", "│        "),
        ("dbo.B", "      "),
    ]


def test_tie_names_every_relation_between_two_nodes_and_begins_with_the_one_walked() -> None:
    nodes = [node(1, START), node(2, "dbo.P|PROC", via_id=1, edge_no=8)]
    edges = [edge(7, (2, 1), "ReadsFrom"), edge(8, (2, 1), "WritesTo"), edge(9, (1, 2), "Calls")]

    branches = tree(nodes, edges)

    assert branches[1].tie == "← WritesTo, ReadsFrom → Calls"
    assert [each["edge_no"] for each in branches[1].evidence] == [8, 7, 9]


def test_edges_between_other_nodes_are_no_evidence() -> None:
    nodes = [
        node(1, START),
        node(2, "dbo.A|PROC", via_id=1, edge_no=7),
        node(3, "dbo.B|PROC", via_id=1, edge_no=8),
    ]
    edges = [edge(7, (2, 1), "ReadsFrom"), edge(8, (3, 1), "ReadsFrom"), edge(9, (2, 3), "Executes")]

    branches = tree(nodes, edges)

    assert [[each["edge_no"] for each in branch.evidence] for branch in branches] == [[], [7], [8]]


def test_relation_of_a_node_to_itself_is_a_loop() -> None:
    branches = tree([node(1, START)], [edge(7, (1, 1), "ForeignKey")])

    assert [(branch.loop, branch.tie) for branch in branches] == [("ForeignKey", "")]


def test_members_that_the_walk_began_with_hang_below_their_type() -> None:
    nodes = [
        node(1, "csharp:Shop.Orders|TYPE"),
        node(2, "csharp:Shop.Orders.Place|METHOD"),
        node(3, "csharp:Shop.Web.Post|METHOD", via_id=2, edge_no=8),
    ]
    edges = [edge(7, (1, 2), "Contains"), edge(8, (3, 2), "Calls")]

    branches = tree(nodes, edges, "csharp:Shop.Orders|TYPE")

    assert drawn(branches) == ["Orders", "└─ → Contains Orders.Place", "   └─ ← Calls Web.Post"]


def test_start_inside_another_start_is_a_root() -> None:
    nodes = [node(1, "csharp:Shop.Orders|TYPE"), node(2, "csharp:Shop.Orders.Place|METHOD")]

    branches = list(
        tree_of(nodes, [edge(7, (1, 2), "Contains")], starts=[each["node_key"] for each in nodes])
    )

    assert [branch.lead for branch in branches] == ["", ""]


def test_names_that_would_look_alike_are_given_in_full() -> None:
    nodes = [node(1, "csharp:A.Order|TYPE"), node(2, "csharp:B.Order|TYPE"), node(3, "csharp:A.Line|TYPE")]

    branches = tree(nodes, [], "csharp:A.Order|TYPE")

    assert [branch.name for branch in branches] == ["A.Order", "B.Order", "Line"]


def test_one_key_in_two_branches_is_told_apart() -> None:
    nodes = [node(1, START), node(2, START, branch="next")]

    branches = tree(nodes, [])

    assert [branch.name for branch in branches] == ["dbo.Invoice (shop, main)", "dbo.Invoice (shop, next)"]


def test_path_is_a_list_in_its_order() -> None:
    nodes = [
        node(1, "dbo.A|TABLE"),
        node(2, "dbo.P|PROC", via_id=1, edge_no=7),
        node(3, START, via_id=2, edge_no=8),
    ]
    edges = [edge(7, (2, 1), "ReadsFrom"), edge(8, (2, 3), "WritesTo")]

    branches = list(path_of(nodes, edges))

    assert drawn(branches) == ["dbo.A", "← ReadsFrom dbo.P", "→ WritesTo dbo.Invoice"]
    assert [[each["edge_no"] for each in branch.evidence] for branch in branches] == [[], [7], [8]]


def test_long_chain_is_drawn_to_its_end() -> None:
    nodes = [
        node(1, START),
        *(node(number, f"dbo.P{number}|PROC", via_id=number - 1) for number in range(2, 3_000)),
    ]

    branches = tree(nodes, [])

    assert len(branches) == len(nodes)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    count = draw(st.integers(1, 12))
    ids = st.integers(0, count)
    nodes = [
        node(number, draw(st.text(max_size=5)) + "|TYPE", via_id=draw(st.none() | ids))
        for number in range(count)
    ]
    ends = draw(st.lists(st.tuples(ids, ids, st.sampled_from(["Contains", "Calls"])), max_size=20))
    return nodes, [edge(number, (a, b), relation) for number, (a, b, relation) in enumerate(ends)]


@given(graphs())
def test_every_node_is_drawn_once_whatever_the_ties(
    graph: tuple[list[dict[str, Any]], list[dict[str, Any]]],
) -> None:
    nodes, edges = graph

    branches = tree(nodes, edges, nodes[0]["node_key"])

    assert sorted(branch.node["node_id"] for branch in branches) == [each["node_id"] for each in nodes]
