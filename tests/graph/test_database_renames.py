"""What a table that migration scripts rename keeps: its keys, its indexes, and its history."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import process_time

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.database.graph import DatabaseCatalog, database_graph
from ragduck.model import Graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

FIRST, SECOND, THIRD = (f"db/Migrations/{number}.sql" for number in (1, 2, 10))
TABLES = """
    CREATE TABLE dbo.Page (id int PRIMARY KEY)
    GO
    CREATE TABLE dbo.Module (
        id int,
        page int CONSTRAINT FK_Module_Page FOREIGN KEY REFERENCES dbo.Page (id),
        INDEX IX_Module (page)
    )
    GO
    CREATE INDEX IX_Page ON dbo.Module (page)
    GO
    INSERT INTO dbo.Module (id) VALUES (1)
    GO
"""


def graph_of(facts_of: FactsOf, *scripts: str) -> Graph:
    files = dict(zip((FIRST, SECOND, THIRD), scripts, strict=False))
    return database_graph(DatabaseCatalog(facts_of(files)))


def edges(graph: Graph, relation: str) -> set[tuple[str, str, str]]:
    return {(edge.from_key, edge.to_key, edge.detail) for edge in graph.edges if edge.relation == relation}


def history(graph: Graph, table: str) -> list[tuple[str, str, str]]:
    return [
        (edge.source_file, edge.rule, edge.detail)
        for edge in graph.edges
        if edge.relation == "SchemaChange" and edge.to_key == table
    ]


def test_a_renamed_table_keeps_its_keys_and_indexes(facts_of: FactsOf) -> None:
    graph = graph_of(facts_of, TABLES, "EXEC sp_rename 'dbo.Module', 'Block'\nGO\n")

    assert {node.node_key for node in graph.nodes} == {
        "dbo.Page|TABLE", "dbo.Block|TABLE", "dbo.FK_Module_Page|FOREIGN_KEY", "dbo.Block.IX_Module|INDEX",
        "dbo.Block.IX_Page|INDEX",
    }  # fmt: skip
    assert edges(graph, "ForeignKey") == {("dbo.Block|TABLE", "dbo.Page|TABLE", "FK_Module_Page")}
    assert {(source, target) for source, target, _ in edges(graph, "On")} == {
        ("dbo.Block.IX_Module|INDEX", "dbo.Block|TABLE"),
        ("dbo.Block.IX_Page|INDEX", "dbo.Block|TABLE"),
    }
    assert ("dbo.Block|TABLE", "dbo.FK_Module_Page|FOREIGN_KEY", "") in edges(graph, "Contains")


def test_keys_of_others_lead_to_the_new_name(facts_of: FactsOf) -> None:
    graph = graph_of(facts_of, TABLES, "EXEC sp_rename 'dbo.Page', 'Site'\nGO\n")

    assert edges(graph, "ForeignKey") == {("dbo.Module|TABLE", "dbo.Site|TABLE", "FK_Module_Page")}
    assert not {edge.to_key for edge in graph.edges} & {"dbo.Page|TABLE"}


def test_a_renamed_table_has_its_whole_history_with_the_rename(facts_of: FactsOf) -> None:
    later = "ALTER TABLE dbo.Module ADD b int\nGO\nEXEC sp_rename 'Module', 'Block'\nGO\n"

    graph = graph_of(facts_of, TABLES, later, "ALTER TABLE dbo.Block DROP COLUMN b\nGO\n")

    assert history(graph, "dbo.Block|TABLE") == [
        (FIRST, "create table", ""),
        (FIRST, "create index", "IX_Page"),
        (SECOND, "add column", "b"),
        (SECOND, "rename table", "Block"),
        (THIRD, "drop column", "b"),
    ]
    assert (f"file:{FIRST}|FILE", "dbo.Block|TABLE", "") in edges(graph, "WritesTo")


def test_a_table_that_is_renamed_twice_has_its_last_name(facts_of: FactsOf) -> None:
    graph = graph_of(
        facts_of, TABLES, "EXEC sp_rename 'Module', 'Block'\nGO\n", "EXEC sp_rename 'Block', 'Part'\nGO\n"
    )

    assert [rule for _, rule, _ in history(graph, "dbo.Part|TABLE")][-2:] == ["rename table", "rename table"]
    assert edges(graph, "ForeignKey") == {("dbo.Part|TABLE", "dbo.Page|TABLE", "FK_Module_Page")}


def test_a_table_made_anew_by_the_old_name_has_a_history_of_its_own(facts_of: FactsOf) -> None:
    again = "EXEC sp_rename 'Module', 'Block'\nGO\nCREATE TABLE dbo.Module (x int)\nGO\n"

    graph = graph_of(facts_of, TABLES, again, "ALTER TABLE dbo.Module ADD b int\nGO\n")

    assert history(graph, "dbo.Module|TABLE") == [(SECOND, "create table", ""), (THIRD, "add column", "b")]


def test_what_was_dropped_is_not_what_is_renamed_later(facts_of: FactsOf) -> None:
    dropped = "DROP TABLE dbo.Module\nGO\nCREATE TABLE dbo.Module (x int)\nGO\n"

    graph = graph_of(facts_of, TABLES, dropped, "EXEC sp_rename 'Module', 'Block'\nGO\n")

    assert history(graph, "dbo.Block|TABLE") == [
        (SECOND, "create table", ""),
        (THIRD, "rename table", "Block"),
    ]
    assert edges(graph, "ForeignKey") == set()


def test_a_renamed_foreign_key_has_its_new_name(facts_of: FactsOf) -> None:
    rename = "EXEC sp_rename 'dbo.FK_Module_Page', 'FK_Page', 'OBJECT'\nGO\n"

    graph = graph_of(facts_of, TABLES, rename)
    without = graph_of(facts_of, TABLES, rename, "ALTER TABLE dbo.Module DROP CONSTRAINT FK_Page\nGO\n")

    assert edges(graph, "ForeignKey") == {("dbo.Module|TABLE", "dbo.Page|TABLE", "FK_Page")}
    assert ("dbo.FK_Page|FOREIGN_KEY", "dbo.Page|TABLE", "FK_Page") in edges(graph, "Uses")
    assert edges(without, "ForeignKey") == set()


def test_a_renamed_index_has_its_new_name(facts_of: FactsOf) -> None:
    renames = (
        "EXEC sp_rename 'Module', 'Block'\nGO\nEXEC sp_rename 'dbo.Block.IX_Page', 'IX_Site', 'INDEX'\nGO\n"
    )

    graph = graph_of(facts_of, TABLES, renames, "DROP INDEX IX_Module ON dbo.Block\nGO\n")

    assert [node.node_key for node in graph.nodes if node.kind == "INDEX"] == ["dbo.Block.IX_Site|INDEX"]
    assert history(graph, "dbo.Block|TABLE")[-2:] == [
        (SECOND, "rename index", "IX_Page -> IX_Site"),
        (THIRD, "drop index", "IX_Module"),
    ]


@pytest.mark.parametrize("rename", ["'dbo.Module.page', 'p', 'COLUMN'", "'Module.page', 'p'"])
def test_a_renamed_column_is_told(facts_of: FactsOf, rename: str) -> None:
    graph = graph_of(facts_of, TABLES, f"EXEC sp_rename {rename}\nGO\n")

    assert history(graph, "dbo.Module|TABLE")[-1] == (SECOND, "rename column", "page -> p")


def test_a_trigger_stays_on_its_table(facts_of: FactsOf) -> None:
    made = "CREATE TRIGGER dbo.T ON dbo.Module AFTER INSERT AS DELETE FROM dbo.Page\nGO\n"

    graph = graph_of(facts_of, TABLES + made, "EXEC sp_rename 'Module', 'Block'\nGO\n")

    assert ("dbo.T|TRIGGER", "dbo.Block|TABLE", "") in edges(graph, "On")


def test_a_procedure_that_a_script_makes_reads_what_it_names(facts_of: FactsOf) -> None:
    made = "CREATE PROCEDURE dbo.P AS SELECT id FROM dbo.Module\nGO\n"

    graph = graph_of(facts_of, TABLES + made, "EXEC sp_rename 'Module', 'Block'\nGO\n")

    assert {target for source, target, _ in edges(graph, "ReadsFrom")} == {"dbo.Module|TABLE"}


def test_renaming_to_and_fro_takes_no_time(facts_of: FactsOf) -> None:
    keys = "".join(f"CREATE INDEX IX_{at} ON dbo.Module (page)\nGO\n" for at in range(300))
    moves = "EXEC sp_rename 'Module', 'Block'\nGO\nEXEC sp_rename 'Block', 'Module'\nGO\n" * 3_000
    facts = facts_of({FIRST: TABLES, SECOND: keys, THIRD: moves})

    began = process_time()
    database_graph(DatabaseCatalog(facts))

    assert process_time() - began < 6


def test_a_table_that_moves_to_another_schema_keeps_its_keys_indexes_and_history(facts_of: FactsOf) -> None:
    moved = "ALTER SCHEMA [Sales] TRANSFER OBJECT::dbo.Module\nGO\n"

    graph = graph_of(facts_of, TABLES, moved, "ALTER TABLE Sales.Module DROP COLUMN b\nGO\n")

    assert {node.node_key for node in graph.nodes} == {
        "dbo.Page|TABLE", "Sales.Module|TABLE", "Sales.FK_Module_Page|FOREIGN_KEY", "Sales.Module.IX_Module|INDEX",
        "Sales.Module.IX_Page|INDEX",
    }  # fmt: skip
    assert edges(graph, "ForeignKey") == {("Sales.Module|TABLE", "dbo.Page|TABLE", "FK_Module_Page")}
    assert history(graph, "Sales.Module|TABLE")[-2:] == [
        (SECOND, "move table", "Sales"),
        (THIRD, "drop column", "b"),
    ]
    assert not {edge.to_key for edge in graph.edges} & {"dbo.Module|TABLE"}


def test_keys_lead_to_a_table_in_its_new_schema(facts_of: FactsOf) -> None:
    moved = "ALTER SCHEMA Sales TRANSFER dbo.Page\nGO\nEXEC sp_rename 'Sales.Page', 'Site'\nGO\n"

    graph = graph_of(facts_of, TABLES, moved)

    assert edges(graph, "ForeignKey") == {("dbo.Module|TABLE", "Sales.Site|TABLE", "FK_Module_Page")}


def test_a_procedure_moves_to_another_schema(facts_of: FactsOf) -> None:
    procedure = "CREATE PROCEDURE dbo.P AS SELECT id FROM dbo.Page\nGO\n"

    graph = graph_of(facts_of, TABLES + procedure, "ALTER SCHEMA Sales TRANSFER dbo.P\nGO\n")

    assert {node.node_key for node in graph.nodes if node.kind == "PROC"} == {"Sales.P|PROC"}
    assert edges(graph, "ReadsFrom") == {("Sales.P|PROC", "dbo.Page|TABLE", "")}
