"""Nodes, edges and links in the store: exact rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ragduck

PROC = "dbo.Order_Place|PROC"
TABLE = "dbo.Order|TABLE"
VIEW = "dbo.vOrder|VIEW"
METHOD = "csharp:Shop.OrderService.Place|METHOD"
SCRIPT = "create procedure dbo.Order_Place as\n\tinsert into dbo.[Order] default values  \n"


def pairs(store: Any, condition: str = "true") -> list[tuple[str, str, str]]:
    rows = store.sql(f"select from_key, relation, to_key from edges where {condition} order by edge_no")
    return [(row["from_key"], row["relation"], row["to_key"]) for row in rows]


def test_nodes_are_stored_with_all_their_columns(hand: Any) -> None:
    part = hand.Part(
        files={"m.cs": "class A\n{\n}\n"},
        nodes=[
            hand.node(
                "csharp:Shop.A|MIGRATION", role="MIGRATION", project="Shop", source_file="m.cs", start_line=1,
                end_line=3, version="20240101",
            ),
            hand.node(PROC),
        ],
    )  # fmt: skip

    with hand.store(part) as store:
        rows = store.table("from nodes order by node_id").rows

    assert rows == (
        (1, "csharp:Shop.A|MIGRATION", "MIGRATION", "MIGRATION", "A", None, "Shop", "m.cs", 1, 3,
         "shop", "main", "regular_code", "20240101", False, None),
        (2, PROC, "PROC", None, "Order_Place", "dbo", None, None, None, None,
         "shop", "main", "db_code", None, True, None),
    )  # fmt: skip


def test_an_edge_has_its_evidence_and_the_trimmed_line(hand: Any) -> None:
    part = hand.Part(
        files={"p.sql": SCRIPT},
        edges=[
            hand.edge(
                PROC, "WritesTo", TABLE, source_file="p.sql", line=2, rule="insert", confidence=0.95,
                detail="Id, Total", sites=3,
            )
        ],
    )  # fmt: skip

    with hand.store(part) as store:
        (row,) = store.sql("select * exclude (edge_no, from_id, to_id) from edges")

    assert row == {
        "from_key": PROC, "to_key": TABLE, "relation": "WritesTo", "repo": "shop", "branch": "main",
        "source_file": "p.sql", "line": 2, "snippet": "insert into dbo.[Order] default values",
        "rule": "insert", "confidence": 0.95, "detail": "Id, Total", "sites": 3,
    }  # fmt: skip


def test_a_snippet_is_cut_at_300_characters(hand: Any) -> None:
    part = hand.Part(files={"p.sql": "select '" + "x" * 5000 + "'"}, edges=[
        hand.edge(PROC, "ReadsFrom", TABLE, source_file="p.sql")
    ])  # fmt: skip

    with hand.store(part) as store:
        (row,) = store.sql("select snippet from edges")

    assert row["snippet"] == "select '" + "x" * 292


NO_LINES = (("a.sql", 99), ("a.sql", 0), ("nowhere.sql", 1), ("a.sql", 2))


@pytest.fixture(scope="module")
def snippets(shared_hand: Any) -> dict[tuple[str, int], str | None]:
    """The snippets of edges at lines that are not there or empty."""
    edges = [
        shared_hand.edge(PROC, "ReadsFrom", TABLE, source_file=path, line=line) for path, line in NO_LINES
    ]
    with shared_hand.store(shared_hand.Part(edges=edges)) as store:
        rows = store.sql("select source_file, line, snippet from edges")
    return {(row["source_file"], row["line"]): row["snippet"] for row in rows}


@pytest.mark.parametrize(("path", "line"), NO_LINES)
def test_a_line_that_is_not_there_or_empty_has_no_snippet(snippets: Any, path: str, line: int) -> None:
    assert snippets[path, line] is None


def test_each_edge_is_a_link_from_both_ends(hand: Any) -> None:
    part = hand.Part(edges=[(PROC, "WritesTo", TABLE), (PROC, "Executes", PROC)])

    with hand.store(part) as store:
        rows = store.sql(
            "select node.node_key, steps.relation, steps.direction, neighbour.node_key as neighbour, place "
            "from links join steps using (step) join nodes as node using (node_id) "
            "join nodes as neighbour on neighbour.node_id = links.neighbour_id order by links.node_id"
        )

    assert [tuple(row.values()) for row in rows] == [
        (PROC, "WritesTo", "out", TABLE, 1),
        (TABLE, "WritesTo", "in", PROC, 1),
    ]


def test_several_edges_between_two_nodes_are_one_link_to_the_surest(hand: Any) -> None:
    part = hand.Part(
        edges=[
            hand.edge(PROC, "WritesTo", TABLE, rule="guess", confidence=0.5),
            hand.edge(PROC, "WritesTo", TABLE, rule="insert", confidence=1.0),
            hand.edge(PROC, "WritesTo", TABLE, rule="a name", confidence=0.9),
        ]
    )

    with hand.store(part) as store:
        rows = store.sql("select rule from links join edges using (edge_no)")

    assert [row["rule"] for row in rows] == ["insert", "insert"]


def test_one_key_is_a_node_of_each_branch(hand: Any) -> None:
    parts = [hand.Part(branch=branch, edges=[(PROC, "WritesTo", TABLE)]) for branch in ("main", "dev")]

    with hand.store(*parts) as store:
        nodes = store.sql("select branch, node_key from nodes order by node_id")
        ends = store.sql(
            "select edge.branch, one.branch as from_branch, other.branch as to_branch from edges as edge "
            "join nodes as one on one.node_id = edge.from_id join nodes as other on other.node_id = edge.to_id "
            "order by edge_no"
        )

    assert [(row["branch"], row["node_key"]) for row in nodes] == [
        ("dev", PROC), ("dev", TABLE), ("main", PROC), ("main", TABLE),
    ]  # fmt: skip
    assert [tuple(row.values()) for row in ends] == [("dev", "dev", "dev"), ("main", "main", "main")]


def test_snapshots_and_info_count_nodes_and_edges(hand: Any) -> None:
    with hand.store(hand.Part(edges=[(PROC, "WritesTo", TABLE), (PROC, "ReadsFrom", TABLE)])) as store:
        facts = store.info()

    assert (facts.totals["nodes"], facts.totals["edges"]) == (2, 2)
    assert (facts.snapshots[0].nodes, facts.snapshots[0].edges) == (2, 2)


def app_part(hand: Any, written: str, **fields: Any) -> Any:
    """Code that refers to an object which its own repository does not define."""
    given = {
        "repo": "app",
        "files": {"a.cs": "class A { }\n"},
        "nodes": [hand.node(written)],
        "edges": [hand.edge(METHOD, "ReadsFrom", written, source_file="a.cs")],
    }
    return hand.Part(**{**given, **fields})


DEFINED = {
    "dbo.vOrder|TABLE": "dbo.vOrder|VIEW",
    "dbo.Order|TABLE": "dbo.Order|TABLE",
    "DBO.order|TABLE": "dbo.Order|TABLE",
    "dbo.Invoice|TABLE": "dbo.Invoice|SYNONYM",
    "dbo.Order_Place|PROC": "dbo.Order_Place|PROC",
}


@pytest.fixture(scope="module")
def tied(shared_hand: Any) -> Iterator[Any]:
    """A repository for each way to write an object, named like it, and one that defines them all."""
    apps = [app_part(shared_hand, written, repo=written) for written in DEFINED]
    database = shared_hand.Part(repo="db", nodes=sorted(set(DEFINED.values())))
    with shared_hand.store(*apps, database) as store:
        yield store


@pytest.mark.parametrize(("written", "defined"), DEFINED.items())
def test_what_another_repository_defines_is_tied_to_it(tied: Any, written: str, defined: str) -> None:
    rows = tied.sql(
        "select from_key, relation, to_key, nodes.repo from edges join nodes on node_id = to_id "
        "where edges.repo = $repo",
        {"repo": written},
    )

    assert [tuple(row.values()) for row in rows] == [(METHOD, "ReadsFrom", defined, "db")]
    assert tied.sql("from dangling_references") == []


@pytest.mark.parametrize(
    ("written", "defined"),
    [
        ("dbo.Order|TABLE", "sales.Order|TABLE"),
        ("dbo.Order|TABLE", "dbo.Order|PROC"),
        ("Archive.dbo.Order|TABLE", "dbo.Order|TABLE"),
    ],
)
def test_another_object_is_not_taken_for_it(hand: Any, written: str, defined: str) -> None:
    with hand.store(app_part(hand, written), hand.Part(repo="db", nodes=[defined])) as store:
        found = pairs(store)

    assert found == [(METHOD, "ReadsFrom", written)]


def test_another_branch_of_the_same_repository_does_not_define_it(hand: Any) -> None:
    other = hand.Part(repo="app", branch="dev", nodes=[TABLE])

    with hand.store(app_part(hand, TABLE), other) as store:
        rows = store.sql("select definition_id from nodes where is_external")

    assert rows == [{"definition_id": None}]


def test_the_definition_of_the_same_branch_is_taken(hand: Any) -> None:
    databases = [hand.Part(repo="db", branch=branch, nodes=[TABLE]) for branch in ("alpha", "main", "zeta")]

    with hand.store(app_part(hand, TABLE), *databases) as store:
        rows = store.sql("select nodes.branch from edges join nodes on node_id = to_id")

    assert rows == [{"branch": "main"}]


def test_a_tie_is_undone_when_the_definition_goes(hand: Any, tmp_path: Path) -> None:
    path = hand.write(tmp_path / "s.duckdb", app_part(hand, "dbo.vOrder|TABLE"))
    hand.write(path, hand.Part(repo="db", nodes=[VIEW]))
    hand.write(path, hand.Part(repo="db", nodes=[PROC]))

    with ragduck.open(path) as store:
        assert pairs(store) == [(METHOD, "ReadsFrom", "dbo.vOrder|TABLE")]
        assert [row["node_key"] for row in store.sql("from dangling_references")] == ["dbo.vOrder|TABLE"]


def test_adding_a_repository_later_gives_the_same_graph(hand: Any, tmp_path: Path) -> None:
    parts = (
        app_part(hand, "dbo.vOrder|TABLE"),
        hand.Part(repo="db", nodes=[VIEW], edges=[(PROC, "ReadsFrom", VIEW)]),
    )
    together = hand.write(tmp_path / "together.duckdb", *parts)
    one_by_one = hand.write(hand.write(tmp_path / "one.duckdb", parts[0]), parts[1])

    tables = ("nodes", "edges", "links", "relations", "steps", "node_names")
    with ragduck.open(together) as first, ragduck.open(one_by_one) as second:
        for name in tables:
            assert first.table(f"from {name} order by all") == second.table(f"from {name} order by all"), name
