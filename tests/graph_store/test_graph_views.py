"""What the views list, and what they leave out."""

from __future__ import annotations

from typing import Any

import pytest

PROC = "dbo.Order_Place|PROC"


def selected(store: Any, columns: str, view: str) -> list[tuple[Any, ...]]:
    return list(store.table(f"select {columns} from {view}").rows)


def test_dangling_references_are_told_with_each_place(hand: Any) -> None:
    part = hand.Part(
        nodes=[hand.node("dbo.Missing|TABLE")],
        edges=[
            hand.edge(PROC, "ReadsFrom", "dbo.Missing|TABLE", rule="from"),
            hand.edge(PROC, "ReadsFrom", "dbo.Missing|TABLE", rule="join"),
            (PROC, "ReadsFrom", "dbo.Order|TABLE"),
        ],
    )

    with hand.store(part) as store:
        rows = selected(store, "node_key, from_key, relation, source_file, line, rule", "dangling_references")

    assert rows == [
        ("dbo.Missing|TABLE", PROC, "ReadsFrom", "a.sql", 1, "from"),
        ("dbo.Missing|TABLE", PROC, "ReadsFrom", "a.sql", 1, "join"),
    ]


ELSEWHERE = {
    "Archive.dbo.Missing|TABLE": "ReadsFrom",
    "sys.objects|VIEW": "ReadsFrom",
    "INFORMATION_SCHEMA.TABLES|VIEW": "ReadsFrom",
    "csharp:System.String|TYPE": "Uses",
    "dbo.Dropped|TABLE": "SchemaChange",
}


@pytest.fixture(scope="module")
def dangling(shared_hand: Any) -> set[str]:
    """What dangles in a store that refers to objects elsewhere, and to one that is missing."""
    named = {**ELSEWHERE, "dbo.Missing|TABLE": "ReadsFrom"}
    part = shared_hand.Part(
        nodes=[shared_hand.node(key) for key in named],
        edges=[(PROC, relation, key) for key, relation in named.items()],
    )
    with shared_hand.store(part) as store:
        return {key for (key,) in selected(store, "node_key", "dangling_references")}


@pytest.mark.parametrize("key", ELSEWHERE)
def test_what_stands_elsewhere_does_not_dangle(dangling: set[str], key: str) -> None:
    assert "dbo.Missing|TABLE" in dangling
    assert key not in dangling


def test_what_code_or_a_procedure_creates_does_not_dangle(hand: Any) -> None:
    test = hand.node("csharp:Tests.M|METHOD", role="TEST", source_file="a.sql", start_line=1, end_line=1)
    names = ("ByCode", "ByMigration", "ByTest")
    part = hand.Part(
        nodes=[test, *(hand.node(f"dbo.{name}|TABLE") for name in names)],
        edges=[
            hand.edge("csharp:A.Make|METHOD", "SchemaChange", "dbo.ByCode|TABLE", rule="create table"),
            hand.edge("csharp:M|MIGRATION", "SchemaChange", "dbo.ByMigration|TABLE", rule="raw sql"),
            hand.edge("csharp:Tests.M|METHOD", "SchemaChange", "dbo.ByTest|TABLE", rule="create table"),
            ("csharp:M|MIGRATION", "ReadsFrom", "dbo.ByMigration|TABLE"),
            *((PROC, "ReadsFrom", f"dbo.{name}|TABLE") for name in names),
        ],
    )

    with hand.store(part) as store:
        rows = selected(store, "node_key, from_key", "dangling_references")

    assert rows == [("dbo.ByMigration|TABLE", PROC), ("dbo.ByTest|TABLE", PROC)]


def test_procedures_that_nothing_calls_are_listed(hand: Any) -> None:
    part = hand.Part(
        nodes=["dbo.Unused|PROC", "dbo.fn_Unused|FUNC", hand.node("dbo.Outside|PROC")],
        edges=[
            ("csharp:A.M|METHOD", "Executes", PROC),
            ("dbo.Itself|PROC", "Executes", "dbo.Itself|PROC"),
            ("dbo.Itself|PROC", "ReadsFrom", "dbo.Order|TABLE"),
            ("csharp:A.M|METHOD", "Uses", "dbo.Unused|PROC"),
        ],
    )

    with hand.store(part) as store:
        rows = selected(store, "node_key, called_by_tests", "uncalled_procedures")

    assert rows == [("dbo.Itself|PROC", False), ("dbo.Unused|PROC", False)]


def test_procedures_that_only_tests_call_are_marked(hand: Any) -> None:
    test = hand.node("csharp:Tests.M|METHOD", role="TEST", source_file="a.sql", start_line=1, end_line=1)
    part = hand.Part(
        nodes=[test],
        edges=[
            (test.node_key, "Executes", "dbo.Tested|PROC"),
            (test.node_key, "Executes", PROC),
            ("csharp:A.M|METHOD", "Executes", PROC),
        ],
    )

    with hand.store(part) as store:
        rows = selected(store, "node_key, called_by_tests", "uncalled_procedures")

    assert rows == [("dbo.Tested|PROC", True)]


def test_a_procedure_of_another_repository_that_code_calls_is_called(hand: Any) -> None:
    app = hand.Part(
        repo="app", files={"a.cs": "class A { }\n"}, nodes=[hand.node(PROC)],
        edges=[hand.edge("csharp:A.M|METHOD", "Executes", PROC, source_file="a.cs")],
    )  # fmt: skip

    with hand.store(app, hand.Part(repo="db", nodes=[PROC])) as store:
        assert selected(store, "node_key", "uncalled_procedures") == []


def test_the_history_of_a_table_is_in_order_of_version(hand: Any) -> None:
    place = {"source_file": "a.sql", "start_line": 1, "end_line": 1}
    late = hand.node("csharp:Late|MIGRATION", version="20240201", **place)
    early = hand.node("csharp:Early|MIGRATION", version="20230101", **place)
    table = "dbo.Order|TABLE"
    part = hand.Part(
        nodes=[late, early],
        edges=[
            hand.edge(late.node_key, "SchemaChange", table, rule="add column", detail="Note"),
            hand.edge(early.node_key, "SchemaChange", table, rule="create table"),
            hand.edge("file:fix.sql|FILE", "SchemaChange", table, rule="raw sql"),
            (late.node_key, "Uses", "csharp:Shop.Order|TYPE"),
        ],
    )

    with hand.store(part) as store:
        rows = selected(store, "table_key, version, operation, detail, migration", "table_history")

    assert rows == [
        (table, None, "raw sql", "", "file:fix.sql|FILE"),
        (table, "20230101", "create table", "", early.node_key),
        (table, "20240201", "add column", "Note", late.node_key),
    ]


def test_changes_by_scripts_without_a_version_come_by_the_numbers_of_their_files(hand: Any) -> None:
    table = "dbo.Order|TABLE"
    paths = ("sql/10.diff.sql", "sql/9.diff.sql", "sql/1.2.10.sql", "sql/1.2.9.sql", "sql/first.sql")
    part = hand.Part(
        files=dict.fromkeys(paths, "alter table Order add Note int\n"),
        edges=[
            hand.edge(f"file:{path}|FILE", "SchemaChange", table, rule="alter table", source_file=path)
            for path in paths
        ],
    )

    with hand.store(part) as store:
        rows = store.sql("select source_file, change_no from table_history order by change_no")

    ordered = ["sql/1.2.9.sql", "sql/1.2.10.sql", "sql/9.diff.sql", "sql/10.diff.sql", "sql/first.sql"]
    assert [(row["source_file"], row["change_no"]) for row in rows] == list(
        zip(ordered, range(1, 6), strict=True)
    )


def test_hubs_come_by_number_of_neighbours(hand: Any) -> None:
    part = hand.Part(
        edges=[
            ("dbo.A|PROC", "ReadsFrom", "dbo.T|TABLE"),
            ("dbo.A|PROC", "WritesTo", "dbo.T|TABLE"),
            ("dbo.B|PROC", "ReadsFrom", "dbo.T|TABLE"),
            ("file:a.sql|FILE", "Contains", "dbo.A|PROC"),
        ]
    )

    with hand.store(part) as store:
        rows = selected(store, "node_key, neighbours, used_by, uses", "hubs")

    assert rows == [("dbo.T|TABLE", 2, 2, 0), ("dbo.A|PROC", 1, 0, 1), ("dbo.B|PROC", 1, 0, 1)]


def test_where_code_makes_the_database_its_tables_do_not_dangle(hand: Any) -> None:
    reader = "csharp:Tags.Read|METHOD"
    part = hand.Part(
        nodes=[hand.node(f"dbo.{name}|TABLE") for name in ("Tag", "OrderTags", "Missing")],
        edges=[
            ("csharp:Tag|TYPE", "MapsTo", "dbo.Tag|TABLE"),
            hand.edge("dbo.OrderTags|TABLE", "ForeignKey", "dbo.Tag|TABLE", rule="many to many"),
            *((reader, "ReadsFrom", f"dbo.{name}|TABLE") for name in ("Tag", "OrderTags", "Missing")),
        ],
    )

    with hand.store(part) as store:
        rows = selected(store, "node_key, from_key", "dangling_references")

    assert rows == [("dbo.Missing|TABLE", reader)]
