"""Which of several definitions counts, and what migration scripts add to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import process_time

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.database.graph import DatabaseCatalog, database_graph
from ragduck.graph.database.versions import definitions_that_count
from ragduck.model import Graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

FIRST, SECOND, THIRD = (f"db/DbScripts/2024-0{month}-01_00_x.sql" for month in (1, 2, 3))
TABLES = "CREATE TABLE dbo.A (id int)\nGO\nCREATE TABLE dbo.B (id int)\nGO\n"


def graph_of(facts_of: FactsOf, files: Mapping[str, str]) -> Graph:
    return database_graph(DatabaseCatalog(facts_of(files)))


def reads(graph: Graph, source: str) -> set[str]:
    return {edge.to_key for edge in graph.edges if edge.from_key == source and edge.relation == "ReadsFrom"}


def procedure(table: str) -> str:
    return f"CREATE OR ALTER PROCEDURE dbo.P AS SELECT 1 FROM {table}\nGO\n"


def test_a_source_file_counts_before_migration_scripts(facts_of: FactsOf) -> None:
    graph = graph_of(facts_of, {FIRST: procedure("dbo.A"), "db/P.sql": procedure("dbo.B")})

    assert reads(graph, "dbo.P|PROC") == {"dbo.B|TABLE"}
    assert [node.source_file for node in graph.nodes] == ["db/P.sql"]


def test_without_a_source_file_the_latest_script_counts(facts_of: FactsOf) -> None:
    graph = graph_of(facts_of, {SECOND: procedure("dbo.B"), FIRST: procedure("dbo.A")})

    assert reads(graph, "dbo.P|PROC") == {"dbo.B|TABLE"}
    assert [node.source_file for node in graph.nodes] == [SECOND]


def test_versions_are_ordered_by_their_numbers(facts_of: FactsOf) -> None:
    versions = {"2.10.0": "B", "Install.2.1.0": "A", "2.9.0": "A"}

    graph = graph_of(facts_of, {f"db/{name}.sql": procedure(f"dbo.{t}") for name, t in versions.items()})

    assert [node.source_file for node in graph.nodes] == ["db/2.10.0.sql"]


def test_paths_that_are_equal_up_to_a_number_are_ordered(facts_of: FactsOf) -> None:
    files = {f"db/Migrations/1.sql{number}": procedure("dbo.A") for number in ("", "2", "10")}

    assert [node.source_file for node in graph_of(facts_of, files).nodes] == ["db/Migrations/1.sql10"]


def test_a_template_whose_schema_is_put_in_defines_nothing_beside_the_script_that_is_made_of_it(
    facts_of: FactsOf,
) -> None:
    script = """
        CREATE TABLE {0}.Job (id int CONSTRAINT PK_Job PRIMARY KEY, INDEX IX_Job (id))
        GO
        CREATE TABLE {0}.State (id int, job int CONSTRAINT FK_Job FOREIGN KEY REFERENCES {0}.Job (id))
        GO
        CREATE INDEX IX_State ON {0}.State (job)
        GO
        INSERT INTO {0}.State (id) SELECT id FROM {0}.Job
        GO
    """
    template, alone = script.format("[$(JobSchema)]"), "CREATE TABLE [$(JobSchema)].[Server] (id int)\nGO\n"
    made, other = script.format("jobs"), "CREATE TABLE sales.Server (id int)\nGO\n"

    graph = graph_of(facts_of, {"db/t.sql": template + alone, "db/made.sql": made, "other/a.sql": other})

    assert {node.node_key for node in graph.nodes} == {
        "jobs.Job|TABLE",
        "jobs.State|TABLE",
        "jobs.Job.IX_Job|INDEX",
        "jobs.State.IX_State|INDEX",
        "jobs.FK_Job|FOREIGN_KEY",
        "dbo.Server|TABLE",
        "sales.Server|TABLE",
    }
    of_template = [
        edge for edge in graph.edges if edge.source_file == "db/t.sql" and edge.relation != "Contains"
    ]
    assert {(edge.from_key, edge.relation, edge.to_key) for edge in of_template} == {
        ("file:db/t.sql|FILE", "WritesTo", "jobs.State|TABLE"),
        ("file:db/t.sql|FILE", "ReadsFrom", "jobs.Job|TABLE"),
    }


PORTED = "DO $$ BEGIN END $$;\nCREATE TABLE sales.Order_ (id int);\n"


def test_of_scripts_for_two_servers_those_count_first_that_most_files_are_for(facts_of: FactsOf) -> None:
    files = {
        "db/Postgres/Orders.sql": PORTED,
        "db/SqlServer/Orders.sql": "CREATE TABLE sales.Order_ (id int)\nGO\n",
        "db/SqlServer/Lines.sql": "CREATE TABLE sales.Lines (id int)\nGO\n",
    }

    graph = graph_of(facts_of, files)

    assert {node.node_key: node.source_file for node in graph.nodes} == {
        "sales.Order_|TABLE": "db/SqlServer/Orders.sql",
        "sales.Lines|TABLE": "db/SqlServer/Lines.sql",
    }


def test_migrations_of_another_server_do_not_go_on_with_those_of_this_one(facts_of: FactsOf) -> None:
    one, two = ("db/{}/Migrations/1.sql", "db/{}/Migrations/2.sql")
    files = {
        one.format("MsSql"): "CREATE TABLE sales.Order_ (id int)\nGO\n",
        two.format("MsSql"): "CREATE TABLE sales.Lines (id int)\nGO\n",
        one.format("PgSql"): PORTED,
        two.format("PgSql"): "DO $$ BEGIN END $$;\nDROP TABLE sales.Order_;",
    }

    nodes = graph_of(facts_of, files).nodes

    assert {node.node_key: node.source_file for node in nodes if node.kind == "TABLE"} == {
        "sales.Order_|TABLE": "db/MsSql/Migrations/1.sql",
        "sales.Lines|TABLE": "db/MsSql/Migrations/2.sql",
    }


def test_a_table_that_is_built_anew_has_its_name_again(facts_of: FactsOf) -> None:
    rebuilt = """
        CREATE TABLE dbo.Tmp_A (id int, name int)
        GO
        INSERT INTO dbo.Tmp_A SELECT id, 1 FROM dbo.A
        GO
        DROP TABLE dbo.A
        GO
        {0} N'[dbo].[Tmp_A]', N'{{objectQualifier}}A'
        GO
    """
    for call in ("EXECUTE sp_rename", "sp_rename"):
        graph = graph_of(facts_of, {FIRST: TABLES, SECOND: rebuilt.format(call)})

        tables = {(node.node_key, node.source_file, node.start_line) for node in graph.nodes}
        assert tables == {("dbo.A|TABLE", SECOND, 1), ("dbo.B|TABLE", FIRST, 3)}


def test_only_tables_of_scripts_are_called_differently_once_they_are_there(facts_of: FactsOf) -> None:
    files = {
        "db/Source.sql": "CREATE TABLE dbo.S (id int)\nGO\n",
        FIRST: f"EXEC sp_rename 'B', 'Early'\nGO\n{TABLES}EXEC sp_rename 'A', 'dbo.New'\nGO\n",
        SECOND: "EXEC sp_rename 'S', 'T'\nGO\nEXEC sp_rename 'B', 'b'\nGO\n",
        THIRD: "CREATE PROCEDURE dbo.Rename AS EXEC sp_rename 'A', 'C'\nGO\n",
    }

    tables = {node.node_key for node in graph_of(facts_of, files).nodes if node.kind == "TABLE"}

    assert tables == {"dbo.S|TABLE", "dbo.A|TABLE", "dbo.B|TABLE"}


def test_what_an_archived_migration_makes_is_gone_when_a_later_one_drops_it(facts_of: FactsOf) -> None:
    files = {"db/archive/v1__init.sql": TABLES, "db/v9__drop.sql": "DROP TABLE dbo.A\nGO\n"}

    assert {node.node_key for node in graph_of(facts_of, files).nodes} == {"dbo.B|TABLE"}


def test_placeholders_are_no_part_of_names(facts_of: FactsOf) -> None:
    script = "CREATE PROCEDURE {owner}[{prefix}P] AS SELECT 1 FROM {owner}{prefix}A\nGO\n"

    graph = graph_of(facts_of, {"db/P.sql": script + "CREATE TABLE {owner}{prefix}A (id int)\nGO\n"})

    assert {node.node_key for node in graph.nodes} == {"dbo.P|PROC", "dbo.A|TABLE"}
    assert reads(graph, "dbo.P|PROC") == {"dbo.A|TABLE"}


def test_the_last_definition_in_a_script_counts(facts_of: FactsOf) -> None:
    stub = "EXEC('CREATE PROCEDURE dbo.P AS SELECT 1 FROM dbo.Stub')\nGO\n"

    graph = graph_of(facts_of, {FIRST: stub + "ALTER PROCEDURE dbo.P AS SELECT 1 FROM dbo.B\nGO\n"})

    assert reads(graph, "dbo.P|PROC") == {"dbo.B|TABLE"}


def test_the_last_definition_in_a_source_file_counts(facts_of: FactsOf) -> None:
    stub = "EXEC('CREATE PROCEDURE dbo.P AS SELECT 1 FROM dbo.Stub')\nGO\n"
    first = "CREATE PROCEDURE dbo.p AS SELECT 1 FROM dbo.A\nGO\n"

    graph = graph_of(
        facts_of, {"db/P.sql": stub + first + "ALTER PROCEDURE dbo.P AS SELECT 1 FROM dbo.B\nGO\n"}
    )

    assert reads(graph, "dbo.P|PROC") == {"dbo.B|TABLE"}
    assert [node.start_line for node in graph.nodes] == [5]


def test_definitions_of_branches_files_and_databases_count_all(facts_of: FactsOf) -> None:
    either = """
        IF 1 = 1
            EXEC('CREATE PROCEDURE dbo.P AS SELECT 1 FROM dbo.A')
        ELSE
            EXEC('CREATE PROCEDURE dbo.P AS SELECT 1 FROM dbo.B')
        GO
        """

    databases = f"USE One\nGO\n{procedure('dbo.C')}USE Two\nGO\n{procedure('dbo.D')}"

    graph = graph_of(facts_of, {"db/P.sql": either, "other/P.sql": databases})

    assert reads(graph, "dbo.P|PROC") == {"dbo.A|TABLE", "dbo.B|TABLE", "dbo.C|TABLE", "dbo.D|TABLE"}


def test_a_file_that_is_called_like_a_module_counts_before_those_that_are_not(facts_of: FactsOf) -> None:
    files = {
        "db/Archive/P_2005.sql": procedure("dbo.Old"),
        "db/Install.sql": "USE One\nGO\n" + procedure("dbo.Copy"),
        "db/dbo.P.StoredProcedure.sql": procedure("dbo.B"),
        "other/All.sql": procedure("dbo.C"),
    }

    graph = graph_of(facts_of, files)

    assert reads(graph, "dbo.P|PROC") == {"dbo.B|TABLE", "dbo.C|TABLE"}
    assert [node.source_file for node in graph.nodes] == ["db/dbo.P.StoredProcedure.sql"]


def test_a_file_that_is_called_like_a_module_counts_for_its_own_project_and_database(
    facts_of: FactsOf,
) -> None:
    placed = "CREATE PROCEDURE {}.dbo.P AS SELECT 1 FROM dbo.{}\nGO\n"
    files = {
        "one/P.sql": placed.format("First", "A"),
        "two/P.sql": placed.format("Second", "B"),
        "one/All.sql": placed.format("Second", "C"),
        "two/All.sql": placed.format("Second", "D"),
    }

    found = definitions_that_count(facts_of(files))["dbo.P|PROC"]

    assert [one.file.path for one in found if one.file] == ["one/P.sql", "two/P.sql", "one/All.sql"]


def test_a_table_stands_in_the_file_that_is_called_like_it(facts_of: FactsOf) -> None:
    files = {"db/All.sql": TABLES, "db/B.sql": "CREATE TABLE dbo.B (id int)\nGO\n"}

    graph = graph_of(facts_of, files)

    assert {node.name: node.source_file for node in graph.nodes} == {"A": "db/All.sql", "B": "db/B.sql"}


def test_functions_of_one_name_are_overloads_where_there_are_such(facts_of: FactsOf) -> None:
    overload = "CREATE FUNCTION f(a {0}) RETURNS int LANGUAGE sql AS $$ SELECT a FROM {0}s $$;\n"

    graph = graph_of(facts_of, {"db/f.sql": overload.format("int") + overload.format("text")})

    assert reads(graph, "public.f|FUNC") == {"public.ints|TABLE", "public.texts|TABLE"}


def test_tests_and_generated_files_rank_below(facts_of: FactsOf) -> None:
    graph = graph_of(facts_of, {"db/tests/P.sql": procedure("dbo.B"), FIRST: procedure("dbo.A")})

    assert reads(graph, "dbo.P|PROC") == {"dbo.A|TABLE"}


def test_what_a_later_script_drops_is_no_node(facts_of: FactsOf) -> None:
    graph = graph_of(
        facts_of,
        {
            FIRST: TABLES + "CREATE INDEX ix ON dbo.A (id)\nGO\n" + procedure("dbo.A"),
            SECOND: "IF OBJECT_ID('dbo.P') IS NOT NULL\nBEGIN\n    DROP PROCEDURE dbo.P\nEND\nGO\nDROP TABLE dbo.A\n",
        },
    )

    assert {node.node_key for node in graph.nodes} == {"dbo.B|TABLE"}
    assert {edge.from_key for edge in graph.edges} == {f"file:{FIRST}|FILE"}


def test_what_is_dropped_and_created_again_is_a_node(facts_of: FactsOf) -> None:
    drop = "IF OBJECT_ID('dbo.P') IS NOT NULL\n    DROP PROCEDURE dbo.P\nGO\n"

    graph = graph_of(facts_of, {FIRST: procedure("dbo.A"), SECOND: drop + procedure("dbo.B")})

    assert reads(graph, "dbo.P|PROC") == {"dbo.B|TABLE"}


def test_a_drop_in_another_source_file_makes_room_only(facts_of: FactsOf) -> None:
    graph = graph_of(facts_of, {"db/all.sql": TABLES, "db/drop.sql": "DROP TABLE dbo.A\n"})

    assert {node.node_key for node in graph.nodes} == {"dbo.A|TABLE", "dbo.B|TABLE"}


def test_migration_scripts_change_schemas(facts_of: FactsOf) -> None:
    graph = graph_of(
        facts_of,
        {
            FIRST: TABLES,
            SECOND: """
                ALTER TABLE dbo.A ADD b int NULL
                GO
                ALTER TABLE dbo.A ADD CONSTRAINT FK_A_B FOREIGN KEY (b) REFERENCES dbo.B (id)
                GO
                EXEC sp_rename 'dbo.B.id', 'ident', 'COLUMN'
                GO
                ALTER TABLE dbo.Gone ADD x int
                GO
            """,
        },
    )

    changes = {
        (edge.to_key, edge.rule, edge.detail, edge.line)
        for edge in graph.edges
        if edge.relation == "SchemaChange" and edge.from_key == f"file:{SECOND}|FILE"
    }
    assert changes == {
        ("dbo.A|TABLE", "add column", "b", 1),
        ("dbo.A|TABLE", "add foreign key", "FK_A_B", 3),
        ("dbo.B|TABLE", "rename column", "id -> ident", 5),
    }


def test_a_source_script_changes_no_schema(facts_of: FactsOf) -> None:
    graph = graph_of(facts_of, {"db/all.sql": TABLES + "ALTER TABLE dbo.A ADD b int\n"})

    assert "SchemaChange" not in {edge.relation for edge in graph.edges}


def test_foreign_keys_of_migration_scripts_count_until_they_are_dropped(facts_of: FactsOf) -> None:
    keys = (
        "ALTER TABLE dbo.A ADD CONSTRAINT FK_1 FOREIGN KEY (b) REFERENCES dbo.B, c int REFERENCES dbo.B\nGO\n"
    )

    graph = graph_of(
        facts_of, {FIRST: TABLES, SECOND: keys, THIRD: "ALTER TABLE dbo.A DROP CONSTRAINT FK_1\nGO\n"}
    )

    found = {(edge.from_key, edge.detail) for edge in graph.edges if edge.relation == "ForeignKey"}
    assert found == {("dbo.A|TABLE", "FK_A_B_c")}


def test_keys_and_indexes_of_a_source_table_come_from_source_files(facts_of: FactsOf) -> None:
    key = "ALTER TABLE dbo.A ADD CONSTRAINT FK_Old FOREIGN KEY (b) REFERENCES dbo.B\nGO\n"

    graph = graph_of(facts_of, {"db/all.sql": TABLES, FIRST: key + "CREATE INDEX ix ON dbo.A (b)\nGO\n"})

    assert {node.node_key for node in graph.nodes} == {"dbo.A|TABLE", "dbo.B|TABLE"}
    assert {edge.relation for edge in graph.edges if edge.source_file == FIRST} == {"SchemaChange"}


def test_data_changes_of_migration_scripts_count_where_the_table_is_still_there(facts_of: FactsOf) -> None:
    graph = graph_of(
        facts_of,
        {"db/all.sql": TABLES, FIRST: "UPDATE dbo.A SET id = 1\nDELETE dbo.Gone\nSELECT 1 FROM #t\n"},
    )

    found = {(edge.relation, edge.to_key) for edge in graph.edges if edge.source_file == FIRST}
    assert found == {("WritesTo", "dbo.A|TABLE")}


def test_numbered_procedures_of_one_name_all_count(facts_of: FactsOf) -> None:
    script = """
        CREATE PROCEDURE dbo.Report;1 AS SELECT 1 FROM dbo.A
        GO
        CREATE PROCEDURE dbo.Report;2 AS SELECT 1 FROM dbo.B
    """

    (file,) = facts_of({"Db/Report.sql": script})

    assert [one.action for one in file.objects] == ["create", "create"]


def test_what_lies_among_old_scripts_counts_last(facts_of: FactsOf) -> None:
    files = {"db/LegacyScripts/P.sql": procedure("dbo.A"), FIRST: procedure("dbo.B")}

    graph = graph_of(facts_of, files)

    assert reads(graph, "dbo.P|PROC") == {"dbo.B|TABLE"}
    assert [node.source_file for node in graph_of(facts_of, dict(list(files.items())[:1])).nodes] == [
        "db/LegacyScripts/P.sql"
    ]


def tables_and_modules(graph: Graph) -> set[str]:
    return {node.node_key for node in graph.nodes}


def test_what_a_script_drops_after_its_creation_is_not_there(facts_of: FactsOf) -> None:
    script = TABLES + "CREATE VIEW dbo.V AS SELECT id FROM dbo.A\nGO\n" + procedure("dbo.A")
    ends = "DROP PROCEDURE dbo.P\nGO\nDROP TABLE IF EXISTS dbo.B\nGO\nIF OBJECT_ID('dbo.V') > 0 DROP VIEW V\nGO\n"

    graph = graph_of(facts_of, {"db/all.sql": script + ends})

    assert tables_and_modules(graph) == {"dbo.A|TABLE"}
    assert [edge for edge in graph.edges if edge.relation != "Contains"] == []


def test_what_a_script_creates_anew_is_there(facts_of: FactsOf) -> None:
    script = TABLES + procedure("dbo.A") + "DROP PROCEDURE dbo.P\nDROP TABLE dbo.B\nGO\n" + procedure("dbo.B")

    graph = graph_of(facts_of, {"db/all.sql": script + "CREATE TABLE dbo.B (id int, name int)\nGO\n"})

    assert tables_and_modules(graph) == {"dbo.A|TABLE", "dbo.B|TABLE", "dbo.P|PROC"}
    assert reads(graph, "dbo.P|PROC") == {"dbo.B|TABLE"}


def test_a_table_that_a_script_makes_a_view_is_that_view(facts_of: FactsOf) -> None:
    script = """
        CREATE TABLE dbo.A (id int)
        GO
        CREATE TABLE dbo.Current_A (id int CONSTRAINT FK_A REFERENCES dbo.A (id), INDEX IX_A (id))
        GO
        INSERT INTO dbo.Current_A SELECT id FROM dbo.A
        GO
        DROP TABLE dbo.Current_A
        GO
        CREATE VIEW dbo.Current_A AS SELECT id FROM dbo.A
        GO
    """

    graph = graph_of(facts_of, {"db/all.sql": script})

    assert tables_and_modules(graph) == {"dbo.A|TABLE", "dbo.Current_A|VIEW"}
    assert {
        (edge.from_key, edge.relation, edge.to_key) for edge in graph.edges if edge.relation != "Contains"
    } == {
        ("dbo.Current_A|VIEW", "ReadsFrom", "dbo.A|TABLE"),
        ("file:db/all.sql|FILE", "ReadsFrom", "dbo.A|TABLE"),
    }


def test_drops_that_may_not_be_reached_take_nothing_away(facts_of: FactsOf) -> None:
    in_procedure = "CREATE PROCEDURE dbo.Clean AS BEGIN DROP TABLE dbo.A END\nGO\n"
    in_branch = "IF @mode = 1\nBEGIN\n    DROP TABLE dbo.B\nEND\nGO\n"
    in_handler = "BEGIN TRY\nSELECT 1\nEND TRY\nBEGIN CATCH\nDROP TABLE dbo.A\nEND CATCH\nGO\n"

    graph = graph_of(facts_of, {"db/all.sql": TABLES + in_procedure + in_branch + in_handler})

    assert tables_and_modules(graph) == {"dbo.A|TABLE", "dbo.B|TABLE", "dbo.Clean|PROC"}


def test_a_script_that_leaves_nothing_defines_all_that_it_creates(facts_of: FactsOf) -> None:
    graph = graph_of(facts_of, {"db/demo.sql": TABLES + "DROP TABLE dbo.A, dbo.B\nGO\n"})

    assert tables_and_modules(graph) == {"dbo.A|TABLE", "dbo.B|TABLE"}


def test_a_table_that_a_script_renames_has_its_new_name(facts_of: FactsOf) -> None:
    script = TABLES + "CREATE TABLE dbo.C (id int CONSTRAINT FK_C REFERENCES dbo.A (id))\nGO\n"

    graph = graph_of(facts_of, {"db/all.sql": script + "EXEC sp_rename 'dbo.C', 'D'\nGO\n"})

    assert tables_and_modules(graph) == {"dbo.A|TABLE", "dbo.B|TABLE", "dbo.D|TABLE", "dbo.FK_C|FOREIGN_KEY"}
    assert [(edge.from_key, edge.to_key) for edge in graph.edges if edge.relation == "ForeignKey"] == [
        ("dbo.D|TABLE", "dbo.A|TABLE")
    ]


def test_a_table_that_a_script_builds_anew_under_another_name_is_there_once(facts_of: FactsOf) -> None:
    anew = "CREATE TABLE dbo.Tmp_B (id int)\nGO\nDROP TABLE dbo.B\nGO\nEXEC sp_rename 'dbo.Tmp_B', 'B'\nGO\n"

    graph = graph_of(facts_of, {"db/all.sql": TABLES + anew})

    assert tables_and_modules(graph) == {"dbo.A|TABLE", "dbo.B|TABLE"}


@pytest.mark.parametrize("before", ["", "CREATE TABLE dbo.B (id int)\nGO\nDROP TABLE dbo.B\nGO\n"])
def test_what_refers_to_a_table_before_it_is_renamed_refers_to_it_after(
    facts_of: FactsOf, before: str
) -> None:
    tables = (
        "CREATE TABLE dbo.Tmp_B (id int)\nGO\nCREATE TABLE dbo.L (id int REFERENCES dbo.Tmp_B (id))\nGO\n"
    )
    after = "EXEC sp_rename 'dbo.Tmp_B', 'B'\nGO\nCREATE VIEW dbo.V AS SELECT id FROM dbo.Tmp_B\nGO\n"

    graph = graph_of(facts_of, {"db/all.sql": before + tables + after})

    assert [edge.to_key for edge in graph.edges if edge.relation == "ForeignKey"] == ["dbo.B|TABLE"]
    assert reads(graph, "dbo.V|VIEW") == {"dbo.Tmp_B|TABLE"}


@pytest.mark.parametrize("statement", ["EXEC dbo.P 1;", "DROP TABLE dbo.A;"])
def test_a_long_block_is_read_in_a_moment(facts_of: FactsOf, statement: str) -> None:
    lines = f"    {statement}\n" * 20_000

    began = process_time()
    facts_of({"db/all.sql": f"{TABLES}IF OBJECT_ID('dbo.A') IS NOT NULL\nBEGIN\n{lines}END\n"})

    assert process_time() - began < 6


@pytest.mark.parametrize(
    ("condition", "is_left"),
    [
        ("EXISTS (SELECT 1 FROM dbo.A)", True),
        ("EXISTS (SELECT 1 FROM sys.tables t JOIN dbo.A a ON a.name = t.name)", True),
        ("EXISTS (SELECT 1 FROM #A)", True),
        ("OBJECT_ID('dbo.B') IS NOT NULL AND (SELECT COUNT(*) FROM dbo.B) = 0", True),
        ("(OBJECT_ID('dbo.B') IS NOT NULL AND @clean = 1)", True),
        ("EXISTS (SELECT 1 FROM sys.tables WHERE name = 'B' AND type IN ('U'))", False),
        ("(EXISTS (SELECT 1 FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME = 'B'))", False),
        ("EXISTS (SELECT 1 FROM sysobjects) AND OBJECT_ID('dbo.B') IS NOT NULL", False),
    ],
)
def test_a_drop_that_depends_on_rows_takes_nothing_away(
    facts_of: FactsOf, condition: str, is_left: bool
) -> None:
    graph = graph_of(facts_of, {"db/all.sql": f"{TABLES}IF {condition}\n    DROP TABLE dbo.B\nGO\n"})

    assert ("dbo.B|TABLE" in tables_and_modules(graph)) == is_left
