"""What chunks tell of the graph: their node, and lists of keys that filters find them by."""

from __future__ import annotations

from typing import Any

import pytest

LISTS = ("reads_from", "writes_to", "calls", "called_by", "fk_dependencies", "used_by_csharp")
PROC = "dbo.Order_Place|PROC"
SERVICE = "csharp:Shop.OrderService|TYPE"
PLACE = "csharp:Shop.OrderService.Place|METHOD"
CLASS = """namespace Shop;
public class OrderService
{
    public int Count;
    public void Place()
    {
        var total = 0;
    }
}
"""
PROCEDURE = "create procedure dbo.Order_Place as\nselect 1\n"


def lists_of(store: Any, node_key: str) -> dict[str, list[str]]:
    """Return the lists of the first chunk of a node that are not empty."""
    rows = store.sql(f"select {', '.join(LISTS)} from documents where node_key = $key", {"key": node_key})
    return {name: values for name, values in rows[0].items() if values}


def sql_part(hand: Any, *edges: Any) -> Any:
    return hand.Part(files={"p.sql": PROCEDURE}, edges=edges, is_placed=False)


def test_lists_hold_keys_by_relation(hand: Any) -> None:
    part = sql_part(
        hand,
        (PROC, "ReadsFrom", "dbo.Order|TABLE"),
        (PROC, "WritesTo", "dbo.Audit|TABLE"),
        (PROC, "Executes", "dbo.Stock_Reserve|PROC"),
        (PROC, "Calls", "dbo.fn_Price|FUNC"),
        ("dbo.Job|PROC", "Executes", PROC),
        (PROC, "Uses", "dbo.OrderSeq|SEQUENCE"),
    )

    with hand.store(part) as store:
        assert lists_of(store, PROC) == {
            "reads_from": ["dbo.Order|TABLE"],
            "writes_to": ["dbo.Audit|TABLE"],
            "calls": ["dbo.Stock_Reserve|PROC", "dbo.fn_Price|FUNC"],
            "called_by": ["dbo.Job|PROC"],
        }


def test_entries_are_distinct_and_sorted(hand: Any) -> None:
    part = sql_part(
        hand,
        (PROC, "ReadsFrom", "dbo.B|TABLE"),
        (PROC, "ReadsFrom", "dbo.A|TABLE"),
        hand.edge(PROC, "ReadsFrom", "dbo.B|TABLE", rule="join"),
    )

    with hand.store(part) as store:
        assert lists_of(store, PROC) == {"reads_from": ["dbo.A|TABLE", "dbo.B|TABLE"]}


def test_foreign_keys_are_told_on_both_sides(hand: Any) -> None:
    tables = {"a.sql": "create table dbo.A (id int)\n", "b.sql": "create table dbo.B (id int)\n"}
    part = hand.Part(files=tables, edges=[("dbo.A|TABLE", "ForeignKey", "dbo.B|TABLE")], is_placed=False)

    with hand.store(part) as store:
        assert lists_of(store, "dbo.A|TABLE") == {"fk_dependencies": ["dbo.B|TABLE"]}
        assert lists_of(store, "dbo.B|TABLE") == {"fk_dependencies": ["dbo.A|TABLE"]}


def test_code_that_uses_a_database_object_is_told(hand: Any) -> None:
    part = sql_part(
        hand,
        (PLACE, "Executes", PROC),
        ("file:Views/Order.cshtml|FILE", "ReadsFrom", PROC),
        ("dbo.Job|PROC", "Executes", PROC),
        ("csharp:Shop.Init|MIGRATION", "SchemaChange", PROC),
    )

    with hand.store(part) as store:
        assert lists_of(store, PROC)["used_by_csharp"] == [PLACE, "file:Views/Order.cshtml|FILE"]


def test_sets_and_entities_use_the_table_they_map_to(hand: Any) -> None:
    part = hand.Part(
        files={"t.sql": "create table dbo.[Order] (id int)\n"},
        edges=[
            ("csharp:Shop.Db.Orders|DBSET", "MapsTo", "csharp:Shop.Order|TYPE"),
            ("csharp:Shop.Order|TYPE", "MapsTo", "dbo.Order|TABLE"),
        ],
        is_placed=False,
    )

    with hand.store(part) as store:
        assert lists_of(store, "dbo.Order|TABLE") == {
            "used_by_csharp": ["csharp:Shop.Db.Orders|DBSET", "csharp:Shop.Order|TYPE"]
        }


def test_a_chunk_has_what_the_nodes_within_its_lines_say(hand: Any) -> None:
    field = hand.node("csharp:Shop.OrderService.Count|FIELD", source_file="s.cs", start_line=4, end_line=4)
    place = hand.node(PLACE, source_file="s.cs", start_line=5, end_line=8)
    part = hand.Part(
        files={"s.cs": CLASS},
        nodes=[field, place, hand.node(SERVICE, source_file="s.cs", start_line=2, end_line=9)],
        edges=[
            hand.edge(field.node_key, "Calls", "csharp:Shop.Counter.Next|METHOD", source_file="s.cs"),
            hand.edge(PLACE, "Executes", PROC, source_file="s.cs"),
        ],
    )

    with hand.store(part) as store:
        chunks = store.sql("select node_key, start_line, end_line, calls from documents order by chunk_no")

    assert [(row["node_key"], row["calls"]) for row in chunks] == [
        (SERVICE, ["csharp:Shop.Counter.Next|METHOD"]),
        (PLACE, [PROC]),
    ]


def test_a_chunk_takes_the_name_of_a_set_or_migration(hand: Any) -> None:
    migration = "csharp:Shop.OrderService|MIGRATION"
    part = hand.Part(
        files={"s.cs": CLASS},
        nodes=[hand.node(migration, source_file="s.cs", start_line=2, end_line=9)],
        edges=[hand.edge(migration, "SchemaChange", "dbo.Order|TABLE", source_file="s.cs")],
    )

    with hand.store(part) as store:
        rows = store.sql("select node_key, kind from documents order by chunk_no limit 1")

    assert rows == [{"node_key": migration, "kind": "MIGRATION"}]


def test_another_branch_says_nothing(hand: Any) -> None:
    other = hand.Part(branch="dev", edges=[(PROC, "ReadsFrom", "dbo.Order|TABLE")])

    with hand.store(hand.Part(files={"p.sql": PROCEDURE}, nodes=[PROC]), other) as store:
        assert lists_of(store, PROC) == {}


def test_filters_find_chunks_by_their_lists(hand: Any) -> None:
    part = hand.Part(
        files={"p.sql": PROCEDURE, "o.sql": "create procedure dbo.Other as\nselect 1\n"},
        edges=[(PROC, "ReadsFrom", "dbo.Order|TABLE")],
    )

    with hand.store(part) as store:
        answer = store.search(
            "procedure", mode="bm25", filters={"reads_from": ["dbo.Order|TABLE", "dbo.X|TABLE"]}
        )

    assert [result["node_key"] for result in answer.results] == [PROC]


@pytest.mark.parametrize(
    ("field", "written", "chunks"),
    [
        ("writes_to", "dbo.Audit|TABLE", 1),
        ("writes_to", "dbo.Audit", 1),
        ("writes_to", "[dbo].[Audit]", 1),
        ("writes_to", "audit", 1),
        ("writes_to", "Audit|TABLE", 1),
        ("writes_to", "Audit|VIEW", 0),
        ("writes_to", "java:Audit", 0),
        ("writes_to", "archive.Audit", 0),
        ("reads_from", "Order", 1),
        ("calls", "Stock_Reserve", 1),
        ("called_by", "OrderService.Place", 1),
        ("called_by", "Place", 1),
        ("node_key", "Order_Place", 1),
        ("node_key", "dbo.Order", 0),
    ],
)
def test_filters_take_names_as_people_write_them(hand: Any, field: str, written: str, chunks: int) -> None:
    part = sql_part(
        hand,
        (PROC, "ReadsFrom", "dbo.Order|TABLE"),
        (PROC, "WritesTo", "dbo.Audit|TABLE"),
        (PROC, "Uses", "csharp:Shop.Audit|TYPE"),
        ("dbo.Job|PROC", "WritesTo", "archive.Audit|TABLE"),
        (PROC, "Executes", "dbo.Stock_Reserve|PROC"),
        (PLACE, "Executes", PROC),
    )

    with hand.store(part) as store:
        found = store.chunks({field: written})

    assert [chunk["node_key"] for chunk in found] == [PROC] * chunks


def test_a_name_with_its_schema_means_no_other_schema(hand: Any) -> None:
    part = sql_part(
        hand, (PROC, "WritesTo", "dbo.Audit|TABLE"), ("dbo.Job|PROC", "WritesTo", "Other.dbo.Audit|TABLE")
    )

    with hand.store(part) as store:
        assert len(store.chunks({"writes_to": "dbo.Audit"})) == 1
        assert store.chunks({"writes_to": "Other.dbo.Audit"}) == []
