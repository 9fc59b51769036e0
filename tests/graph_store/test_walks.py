"""Walks are breadth-first, bounded, and the same as a plain walk in Python."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ragduck
from ragduck.errors import UsageError

RELATIONS = ("Calls", "Uses", "ReadsFrom", "ForeignKey", "Contains")
SIZE = 40


class Link(NamedTuple):
    node_id: int
    step: int
    place: int
    neighbour_id: int
    snapshot_no: int
    weight: int
    edge_no: int


def plain_walk(
    links: Sequence[Link], *, starts: set[int], steps: set[int], depth: int, limit: int
) -> list[tuple[int, int, int, int]]:
    """Return (node, distance, score, edge) in order: the walk of the store, told step by step."""
    reached: list[tuple[int, int, int, int]] = []
    known, front = set(starts), set(starts)
    for distance in range(1, depth + 1):
        if len(reached) >= limit:
            break
        found: dict[int, list[Link]] = defaultdict(list)
        for link in links:
            followed = link.node_id in front and link.step in steps and link.place <= limit
            if followed and link.neighbour_id not in known:
                found[link.neighbour_id].append(link)
        level = sorted((-sum(link.weight for link in ties), node_id) for node_id, ties in found.items())
        for score, node_id in level[: limit - len(reached)]:
            best = max(found[node_id], key=lambda link: (link.weight, -link.edge_no))
            reached.append((node_id, distance, -score, best.edge_no))
        front = {node_id for node_id, at, _, _ in reached if at == distance}
        known |= front
    return reached


@pytest.fixture(scope="module")
def tangle(shared_hand: Any) -> Iterator[Any]:
    """A random graph with hubs, in one repository."""
    dice = random.Random(7)
    keys = [f"dbo.N{number}|{dice.choice(['TABLE', 'PROC', 'VIEW'])}" for number in range(SIZE)]
    edges = [
        shared_hand.edge(
            dice.choice(keys), dice.choice(RELATIONS), keys[int(SIZE * dice.random() ** 3)],
            rule=f"rule {dice.randrange(2)}", confidence=dice.choice([1.0, 0.9, 0.5]),
        )
        for _ in range(3 * SIZE)
    ]  # fmt: skip
    with shared_hand.store(shared_hand.Part(nodes=keys, edges=edges)) as store:
        yield store


def links_of(store: Any) -> list[Link]:
    return [Link(**row) for row in store.sql("from links")]


def test_a_walk_is_that_of_plain_python(tangle: Any) -> None:
    links = links_of(tangle)
    all_steps = sorted({link.step for link in links})

    @settings(deadline=None, max_examples=60)
    @given(
        starts=st.sets(st.integers(1, SIZE), min_size=1, max_size=3),
        steps=st.one_of(st.just(set(all_steps)), st.sets(st.sampled_from(all_steps))),
        depth=st.integers(0, 6),
        limit=st.integers(1, 30),
    )
    def check(starts: set[int], steps: set[int], depth: int, limit: int) -> None:
        rows = tangle.sql(
            f"select node_id, distance, score, edge_no "
            f"from walk($starts, $steps, [1], depth := {depth}, max_nodes := {limit})",
            {"starts": sorted(starts), "steps": sorted(steps)},
        )

        expected = plain_walk(links, starts=starts, steps=steps, depth=depth, limit=limit)
        assert [tuple(row.values()) for row in rows] == expected

    check()


def test_python_and_sql_agree(tangle: Any) -> None:
    keys = [row["node_key"] for row in tangle.sql("select node_key from nodes order by node_id")]

    @settings(deadline=None, max_examples=30)
    @given(
        key=st.sampled_from(keys),
        depth=st.integers(0, 5),
        limit=st.integers(1, 30),
        relations=st.one_of(
            st.none(), st.lists(st.sampled_from(["FK", "cs_dep", "uses", "ReadsFrom"]), min_size=1)
        ),
        direction=st.sampled_from(["in", "out", "both"]),
    )
    def check(key: str, depth: int, limit: int, relations: list[str] | None, direction: Any) -> None:
        rows = tangle.sql(
            f"select node_key, distance, score, relation, direction, via_key, edge_no from neighbours($key, "
            f"depth := {depth}, max_nodes := {limit}, relations := $relations::varchar[], direction := $direction)",
            {"key": key, "relations": relations, "direction": direction},
        )
        found = tangle.neighbourhood(
            key, depth=depth, max_nodes=limit + 1, relations=relations, direction=direction
        )

        reached = [
            (
                node.node_key,
                node.distance,
                node.score,
                node.relation,
                node.direction,
                node.via_key,
                node.edge_no,
            )
            for node in found.nodes[1:]
        ]
        assert [tuple(row.values()) for row in rows] == reached

    check()


def test_a_link_weighs_relation_confidence_and_the_number_of_neighbours(hand: Any) -> None:
    edges = [
        hand.edge("dbo.A|PROC", "Calls", "dbo.B|FUNC", confidence=0.8),
        ("dbo.A|PROC", "Uses", "dbo.C|TYPE"),
        ("dbo.A|PROC", "Uses", "dbo.D|TYPE"),
    ]

    with hand.store(hand.Part(edges=edges)) as store:
        (row,) = store.sql(
            "select weight from links join nodes using (node_id) where name = 'B' and kind = 'FUNC'"
        )

    assert row["weight"] == round(10_000 * 1.0 * 0.8 / (math.log(math.e + 3) * math.log(math.e + 1)))


def test_of_equally_close_nodes_the_surer_and_less_general_come_first(hand: Any) -> None:
    hub = "csharp:Log|TYPE"
    edges = [
        ("csharp:A.M|METHOD", "Uses", hub),
        hand.edge("csharp:A.M|METHOD", "Calls", "csharp:Unsure.M|METHOD", confidence=0.5),
        ("csharp:A.M|METHOD", "Calls", "csharp:Sure.M|METHOD"),
        *((f"csharp:B{number}.M|METHOD", "Uses", hub) for number in range(30)),
    ]

    with hand.store(hand.Part(edges=edges)) as store:
        nodes = store.neighbourhood("csharp:A.M|METHOD", depth=1).nodes

    assert [node.node_key for node in nodes[1:]] == ["csharp:Sure.M|METHOD", "csharp:Unsure.M|METHOD", hub]


CHAIN = [
    ("csharp:Page.Show|METHOD", "Calls", "csharp:Service.Load|METHOD"),
    ("csharp:Service|TYPE", "Contains", "csharp:Service.Load|METHOD"),
    ("csharp:Service.Load|METHOD", "Executes", "dbo.Load|PROC"),
    ("dbo.Load|PROC", "ReadsFrom", "dbo.Invoice|TABLE"),
    ("dbo.Line|TABLE", "ForeignKey", "dbo.Invoice|TABLE"),
    ("dbo.Invoice|TABLE", "ForeignKey", "dbo.Customer|TABLE"),
    ("csharp:Init|MIGRATION", "SchemaChange", "dbo.Invoice|TABLE"),
    ("dbo.Load|PROC", "Calls", "dbo.fn_Rate|FUNC"),
]


@pytest.fixture(scope="module")
def chain(shared_hand: Any) -> Iterator[Any]:
    with shared_hand.store(shared_hand.Part(edges=CHAIN)) as store:
        yield store


def reached(rows: list[dict[str, Any]]) -> list[tuple[int, str]]:
    return [(row["distance"], row["node_key"]) for row in rows]


def test_impact_goes_from_what_changes_to_what_refers_to_it(chain: Any) -> None:
    rows = chain.sql("from impact('dbo.Invoice', depth := 5)")

    assert reached(rows) == [
        (1, "dbo.Line|TABLE"),
        (1, "dbo.Load|PROC"),
        (2, "csharp:Service.Load|METHOD"),
        (3, "csharp:Page.Show|METHOD"),
    ]


def test_impact_ends_at_tables_that_refer_to_what_changes(shared_hand: Any) -> None:
    nodes = [
        "dbo.Brand|TABLE",
        "dbo.Product|TABLE",
        "dbo.Stock|TABLE",
        "dbo.Product_Read|PROC",
        "dbo.fn_Brand|FUNC",
    ]
    edges = [
        shared_hand.edge("dbo.Product|TABLE", "ForeignKey", "dbo.Brand|TABLE"),
        shared_hand.edge("dbo.Product_Read|PROC", "ReadsFrom", "dbo.Product|TABLE"),
        shared_hand.edge("dbo.Stock|TABLE", "ForeignKey", "dbo.Product|TABLE"),
        shared_hand.edge("dbo.fn_Brand|FUNC", "ReadsFrom", "dbo.Stock|TABLE"),
    ]
    through = shared_hand.edge("dbo.fn_Brand|FUNC", "ReadsFrom", "dbo.Brand|TABLE")
    back = shared_hand.edge("dbo.Product|TABLE", "Uses", "dbo.fn_Brand|FUNC")

    for more, expected in (
        ([], [(1, "dbo.Product|TABLE")]),
        (  # which a column of the table calls
            [through, back],
            [
                (1, "dbo.fn_Brand|FUNC"),
                (1, "dbo.Product|TABLE"),
                (3, "dbo.Product_Read|PROC"),
                (3, "dbo.Stock|TABLE"),
            ],
        ),
    ):
        with shared_hand.store(shared_hand.Part(nodes=nodes, edges=[*edges, *more])) as store:
            found = store.impact("dbo.Brand", depth=6)
            asked = store.neighbourhood("dbo.Brand", depth=6, relations="FK", direction="impact")

            assert reached(store.sql("from impact('dbo.Brand', depth := 6)")) == expected
            assert [(node.distance, node.node_key) for node in found.nodes[1:]] == expected
            assert [node.node_key for node in asked.nodes[1:]] == ["dbo.Product|TABLE", "dbo.Stock|TABLE"]


@pytest.mark.parametrize("depth", [2, 4, 6])
def test_impact_in_python_and_sql_agree(tangle: Any, depth: int) -> None:
    for row in tangle.sql("select node_key from nodes"):
        rows = tangle.sql(f"from impact($node_key, depth := {depth})", row)
        found = tangle.impact(row["node_key"], depth=depth).nodes

        assert {(node.distance, node.node_key) for node in found if node.distance} == set(reached(rows))


def test_impact_of_a_type_is_that_of_its_members(chain: Any) -> None:
    assert reached(chain.sql("from impact('Service')")) == [(1, "csharp:Page.Show|METHOD")]


def test_callers_and_callees_follow_calls_alone(chain: Any) -> None:
    assert reached(chain.sql("from callers('dbo.Load')")) == [
        (1, "csharp:Service.Load|METHOD"),
        (2, "csharp:Page.Show|METHOD"),
    ]
    assert reached(chain.sql("from callees('Page.Show')")) == [
        (1, "csharp:Service.Load|METHOD"),
        (2, "dbo.Load|PROC"),
        (3, "dbo.fn_Rate|FUNC"),
    ]


@pytest.mark.parametrize("name", ["callers", "callees", "impact"])
@pytest.mark.parametrize("key", ["dbo.Load|PROC", "dbo.Invoice|TABLE", "csharp:Service|TYPE"])
def test_the_methods_of_the_store_agree_with_the_macros(chain: Any, name: str, key: str) -> None:
    rows = chain.sql(f"from {name}($key)", {"key": key})
    found = getattr(chain, name)(key)

    assert reached(rows) == [(node.distance, node.node_key) for node in found.nodes if node.distance]


def test_members_through_which_a_walk_led_are_part_of_it(chain: Any) -> None:
    found = chain.callers("Service")

    assert [(node.distance, node.node_key) for node in found.nodes] == [
        (0, "csharp:Service|TYPE"),
        (0, "csharp:Service.Load|METHOD"),
        (1, "csharp:Page.Show|METHOD"),
    ]
    assert [edge.relation for edge in found.edges] == ["Calls", "Contains"]


def test_each_relation_may_have_its_own_direction(chain: Any) -> None:
    found = chain.neighbourhood(
        "dbo.Invoice", depth=1, relations=["FK", "ReadsFrom"], direction={"fk": "out", "reads_from": "in"}
    )

    assert {node.node_key for node in found.nodes[1:]} == {"dbo.Load|PROC", "dbo.Customer|TABLE"}


def test_edges_between_the_nodes_come_with_their_evidence(chain: Any) -> None:
    found = chain.neighbourhood("dbo.Load", depth=1, relations=["ReadsFrom"])

    (edge,) = found.edges
    assert (edge.from_key, edge.relation, edge.to_key) == ("dbo.Load|PROC", "ReadsFrom", "dbo.Invoice|TABLE")
    assert (edge.location, edge.snippet, edge.rule) == ("a.sql:1", "select 1 as one", "by hand")
    assert found.nodes[1].edge_no == edge.edge_no
    assert found.nodes[1].why == "dbo.Load|PROC ReadsFrom it"
    assert found.to_dict()["nodes"][1]["location"] == "a.sql:1-1"


def test_the_limit_counts_the_start_nodes_and_is_told(chain: Any) -> None:
    cut = chain.neighbourhood("dbo.Invoice", max_nodes=3)
    whole = chain.neighbourhood("dbo.Invoice", depth=9)

    assert (len(cut.nodes), cut.is_cut) == (3, True)
    assert (len(whole.nodes), whole.is_cut) == (9, False)


def test_one_relation_needs_no_list(chain: Any) -> None:
    found = chain.neighbourhood("dbo.Invoice", depth=1, relations="FK")

    assert found == chain.neighbourhood("dbo.Invoice", depth=1, relations=["FK"])


def test_names_of_relations_that_lead_to_nothing_are_noted(chain: Any) -> None:
    found = chain.neighbourhood("dbo.Invoice", relations=["ReadsFrom", "Telepathy", "Injects"])

    assert found.notes == ("no relation is called Telepathy", "the store has no edges of Injects")


@pytest.mark.parametrize(
    "alias", ["ForeignKey", "FK", "fk", "foreign_key", "FOREIGN KEY", "sql_ForeignKey", "references"]
)
def test_relations_have_aliases(chain: Any, alias: str) -> None:
    found = chain.neighbourhood("dbo.Invoice", depth=1, relations=[alias])
    rows = chain.sql("from neighbours('dbo.Invoice', depth := 1, relations := [$alias])", {"alias": alias})

    assert {node.node_key for node in found.nodes[1:]} == {"dbo.Line|TABLE", "dbo.Customer|TABLE"}
    assert {row["node_key"] for row in rows} == {"dbo.Line|TABLE", "dbo.Customer|TABLE"}


def test_an_alias_may_stand_for_several_relations(chain: Any) -> None:
    found = chain.neighbourhood("dbo.Load", depth=1, relations=["ReferencedBy(C#)"])

    assert {edge.relation for edge in found.edges} == {"Executes", "ReadsFrom"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"depth": -1}, {"depth": 33}, {"max_nodes": 0}, {"relations": []}, {"relations": ["Telepathy"]},
        {"direction": "up"}, {"direction": {"Calls": "up"}}, {"direction": {"Telepathy": "in"}},
    ],
)  # fmt: skip
def test_what_cannot_be_walked_is_refused(chain: Any, wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        chain.neighbourhood("dbo.Load", **wrong)


def test_an_unknown_setting_is_refused(chain: Any) -> None:
    with pytest.raises(UsageError, match="colour"):
        chain.impact("dbo.Load", colour="red")


def test_no_key_is_refused(chain: Any) -> None:
    with pytest.raises(UsageError):
        chain.neighbourhood([])


def test_an_unknown_relation_is_an_error_in_sql(chain: Any) -> None:
    with pytest.raises(UsageError, match="no relation is called Telepathy"):
        chain.sql("from neighbours('dbo.Load', relations := ['Calls', 'Telepathy'])")


def test_a_shortest_path_has_its_nodes_in_order(chain: Any) -> None:
    rows = chain.sql("from path_between('Page.Show', 'dbo.Customer')")
    found = chain.path_between("Page.Show", "dbo.Customer")

    assert reached(rows) == [
        (0, "csharp:Page.Show|METHOD"),
        (1, "csharp:Service.Load|METHOD"),
        (2, "dbo.Load|PROC"),
        (3, "dbo.Invoice|TABLE"),
        (4, "dbo.Customer|TABLE"),
    ]
    assert reached(rows) == [(node.distance, node.node_key) for node in found.nodes]
    assert {edge.edge_no for edge in found.edges} == {row["edge_no"] for row in rows[1:]}


def test_a_path_along_the_edges_is_preferred_to_a_shorter_one(hand: Any) -> None:
    edges = [*CHAIN, ("csharp:Init|MIGRATION", "Uses", "csharp:Page.Show|METHOD")]

    with hand.store(hand.Part(edges=edges)) as store:
        along = store.path_between("Page.Show", "dbo.Invoice").nodes
        either = store.path_between("Page.Show", "dbo.Invoice", direction="both").nodes

    assert [node.kind for node in along] == ["METHOD", "METHOD", "PROC", "TABLE"]
    assert [node.kind for node in either] == ["METHOD", "MIGRATION", "TABLE"]


def test_a_path_against_the_edges_is_found(chain: Any) -> None:
    nodes = chain.path_between("dbo.Invoice", "Page.Show").nodes

    assert [node.direction for node in nodes] == [None, "in", "in", "in"]


@pytest.mark.parametrize(
    ("start", "end", "told"),
    [
        ("Page.Show", "dbo.Invoice", ()),
        ("dbo.Invoice", "Page.Show", (
            "no path leads along the edges from dbo.Invoice|TABLE to csharp:Page.Show|METHOD in 12 steps: "
            "this one goes against them (←), from the second to the first",
        )),
        ("dbo.Load", "csharp:Init", (
            "no path leads along the edges from dbo.Load|PROC to csharp:Init|MIGRATION in 12 steps: "
            "1 of 2 steps goes against them (←)",
        )),
    ],
)  # fmt: skip
def test_a_path_tells_what_it_walks_against_the_edges(
    hand: Any, start: str, end: str, told: tuple[str, ...]
) -> None:
    with hand.store(hand.Part(edges=CHAIN)) as store:
        asked = store.path_between(start, end)
        either = store.path_between(start, end, direction="both")

    assert asked.notes == told
    assert either.notes == ()


def test_a_path_leads_through_tests_only_from_or_to_one(hand: Any) -> None:
    fixture = hand.node(
        "csharp:Fixture.Make|METHOD", source_file="tests/Fixture.cs", start_line=1, end_line=1
    )
    test = hand.node(
        "csharp:PageTests.Shows|METHOD", role="TEST", source_file="tests/Fixture.cs", start_line=1, end_line=1
    )
    files = {"a.sql": "select 1 as one\n", "tests/Fixture.cs": "class Fixture { }\n"}
    edges = [
        ("csharp:PageTests.Shows|METHOD", "Calls", "csharp:Page.Show|METHOD"),
        ("csharp:PageTests.Shows|METHOD", "Calls", "csharp:Fixture.Make|METHOD"),
        ("csharp:Fixture.Make|METHOD", "WritesTo", "dbo.Invoice|TABLE"),
    ]

    with hand.store(hand.Part(files=files, nodes=[fixture, test], edges=edges)) as store:
        production = store.path_between("Page.Show", "dbo.Invoice")
        in_sql = store.sql("from path_between('Page.Show', 'dbo.Invoice')")
        of_test = store.path_between("PageTests.Shows", "dbo.Invoice")
        to_fixture = store.path_between("Page.Show", "Fixture.Make")

    assert (production.nodes, in_sql) == ((), [])
    assert [node.distance for node in of_test.nodes] == [0, 1, 2]
    assert [node.distance for node in to_fixture.nodes] == [0, 1, 2]


def test_a_path_takes_a_redirect_only_where_it_is_asked_for_or_nothing_else_leads_there(hand: Any) -> None:
    edges = [*CHAIN, ("csharp:Page.Show|METHOD", "LeadsTo", "csharp:Page.List|METHOD")]
    edges += [
        ("csharp:Page.List|METHOD", "ReadsFrom", table) for table in ("dbo.Invoice|TABLE", "dbo.Log|TABLE")
    ]

    with hand.store(hand.Part(edges=edges)) as store:
        found = store.path_between("Page.Show", "dbo.Invoice")
        calling = found.nodes
        redirecting = store.path_between(
            "Page.Show", "dbo.Invoice", relations=["redirect", "ReadsFrom"]
        ).nodes
        only = store.path_between("Page.Show", "dbo.Log").nodes
        in_sql = store.sql("from path_between('Page.Show', 'dbo.Invoice')")
        impact = store.impact("dbo.Log", depth=3).nodes

    assert [node.relation for node in calling] == [None, "Calls", "Executes", "ReadsFrom"]
    assert found.notes == ()  # of relations that nobody named
    assert [node.relation for node in redirecting] == [None, "LeadsTo", "ReadsFrom"]
    assert [node.relation for node in only] == [None, "LeadsTo", "ReadsFrom"]
    assert [row["relation"] for row in in_sql] == [None, "Calls", "Executes", "ReadsFrom"]
    assert [node.node_key for node in impact] == ["dbo.Log|TABLE", "csharp:Page.List|METHOD"]


def test_where_there_are_redirects_alone_a_path_takes_them(hand: Any) -> None:
    edges = [("csharp:Page.Show|METHOD", "LeadsTo", "csharp:Page.List|METHOD")]

    with hand.store(hand.Part(edges=edges)) as store:
        found = store.path_between("Page.Show", "Page.List")

    assert [node.relation for node in found.nodes] == [None, "LeadsTo"]
    assert found.notes == ()


def test_a_long_path_along_the_edges_comes_before_a_short_one_that_goes_against_some(hand: Any) -> None:
    steps = [f"csharp:Step{number}.Run|METHOD" for number in range(13)]
    kind = "csharp:Kind.New|FIELD"
    edges = [(one, "Calls", other) for one, other in pairwise(steps)]
    edges += [(steps[0], "Uses", kind), (steps[12], "Uses", kind)]

    with hand.store(hand.Part(edges=edges)) as store:
        found = store.path_between("Step0.Run", "Step12.Run")
        short = store.path_between("Step0.Run", "Step12.Run", max_depth=11)
        back = store.path_between("Step12.Run", "Step0.Run")

    assert [node.node_key for node in found.nodes] == steps
    assert found.notes == ()
    assert len(short.nodes) == 3
    assert short.notes[0].endswith("in 11 steps: 1 of 2 steps goes against them (←)")
    assert [node.direction for node in back.nodes[1:]] == ["in"] * 12


def test_a_path_either_way_is_short(hand: Any) -> None:
    steps = [f"csharp:Step{number}.Run|METHOD" for number in range(9)]
    edges = [(one, "Calls", other) for one, other in pairwise(steps)]
    edges[4] = (edges[4][2], "Calls", edges[4][0])

    with hand.store(hand.Part(edges=edges)) as store:
        near = store.path_between("Step1.Run", "Step7.Run")
        far = store.path_between("Step0.Run", "Step7.Run")
        asked = store.path_between("Step0.Run", "Step7.Run", max_depth=7)

    assert [len(found.nodes) for found in (near, far, asked)] == [7, 0, 8]


def test_without_a_path_there_are_no_nodes(chain: Any) -> None:
    found = chain.path_between("dbo.fn_Rate", "dbo.Customer", direction="out")
    short = chain.path_between("Page.Show", "dbo.Customer", max_depth=3)

    assert (found.nodes, found.edges) == ((), ())
    assert short.nodes == ()


def test_the_path_from_a_node_to_itself_is_the_node(chain: Any) -> None:
    assert [node.node_key for node in chain.path_between("dbo.Load", "dbo.Load").nodes] == ["dbo.Load|PROC"]


def test_paths_are_as_short_as_can_be(tangle: Any) -> None:
    links = links_of(tangle)
    steps = {link.step for link in links}
    keys = {row["node_id"]: row["node_key"] for row in tangle.sql("select node_id, node_key from nodes")}
    named = [
        row["relation"] for row in tangle.sql("select distinct relation from edges")
    ]  # so that none is weaker

    for start in (1, 5, 17):
        distances = {
            node_id: distance
            for node_id, distance, _, _ in plain_walk(
                links, starts={start}, steps=steps, depth=6, limit=10_000
            )
        }
        for target in range(1, SIZE + 1, 3):
            path = tangle.path_between(keys[start], keys[target], relations=named, direction="both")
            nodes = path.nodes

            expected = 0 if target == start else distances.get(target)
            assert (nodes[-1].distance if nodes else None) == expected


def test_a_walk_may_keep_to_one_repository(hand: Any) -> None:
    app = hand.Part(
        repo="app", files={"a.cs": "class A { }\n"}, nodes=[hand.node("dbo.Load|PROC")],
        edges=[hand.edge("csharp:A.M|METHOD", "Executes", "dbo.Load|PROC", source_file="a.cs")],
    )  # fmt: skip
    database = hand.Part(repo="db", edges=[("dbo.Load|PROC", "ReadsFrom", "dbo.T|TABLE")])

    with hand.store(app, database) as store:
        across = store.neighbourhood("A.M").nodes
        within = store.neighbourhood("dbo.Load", repo="db").nodes

    assert [(node.repo, node.node_key) for node in across] == [
        ("app", "csharp:A.M|METHOD"), ("db", "dbo.Load|PROC"), ("db", "dbo.T|TABLE"),
    ]  # fmt: skip
    assert [(node.repo, node.node_key) for node in within] == [("db", "dbo.Load|PROC"), ("db", "dbo.T|TABLE")]


def test_the_graph_of_a_store_without_any_is_empty(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# Notes\n")
    ragduck.prepare(folder, tmp_path / "s.duckdb", embed_model="none")

    with ragduck.open(tmp_path / "s.duckdb") as store, pytest.raises(UsageError, match="no node is called"):
        store.neighbourhood("dbo.Invoice")
