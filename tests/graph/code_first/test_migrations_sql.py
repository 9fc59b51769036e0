"""Raw SQL in migrations: what it changes, reads and writes, and the modules that it creates."""

from __future__ import annotations


def migration(sql: str, *, name: str = "First") -> dict[str, str]:
    return {
        f"Shop/Migrations/2024_{name}.cs": (
            f"namespace Shop;\npublic class {name} : Migration\n{{\n"
            f"    protected override void Up(MigrationBuilder b)\n    {{\n        b.Sql({sql});\n    }}\n}}\n"
        )
    }


FIRST = "Shop.First|MIGRATION"


def test_statements_read_and_write_tables(graph_of):
    graph = graph_of(
        migration('"UPDATE o SET A = 1 FROM dbo.[Order] AS o JOIN dbo.Customer c ON c.Id = o.CustomerId"')
    )

    assert graph.pairs("WritesTo") == {(FIRST, "dbo.Order|TABLE")}
    assert graph.pairs("ReadsFrom") == {(FIRST, "dbo.Customer|TABLE")}
    assert graph.pairs("SchemaChange", rule="raw sql") == {(FIRST, "dbo.Order|TABLE")}


def test_changes_of_tables_are_told_by_their_operation(graph_of):
    graph = graph_of(migration('"ALTER TABLE dbo.[Order] ADD Total INT; DROP TABLE dbo.Line;"'))

    assert graph.changes() == [
        ("add column", "dbo.Order|TABLE", "Total"),
        ("drop table", "dbo.Line|TABLE", ""),
    ]


def test_lines_are_those_of_the_statements_in_verbatim_and_raw_strings(graph_of):
    verbatim = migration('@"\nDELETE FROM dbo.A;\nDELETE FROM dbo.B;"')
    raw = migration(
        '"""\n            DELETE FROM dbo.C;\n\n            DELETE FROM dbo.D;\n            """',
        name="Second",
    )
    edges = [edge for edge in graph_of(verbatim | raw).edges if edge.relation == "WritesTo"]

    assert {(edge.to_key, edge.line) for edge in edges} == {
        ("dbo.A|TABLE", 7),
        ("dbo.B|TABLE", 8),
        ("dbo.C|TABLE", 7),
        ("dbo.D|TABLE", 9),
    }


def test_a_view_that_a_migration_creates_is_an_object_with_references(graph_of):
    graph = graph_of(migration('@"CREATE VIEW sales.vOrder AS SELECT * FROM dbo.[Order]"'))
    [fact] = graph.created

    assert (fact.key, fact.kind, fact.path, fact.line) == (
        "sales.vOrder|VIEW",
        "VIEW",
        "Shop/Migrations/2024_First.cs",
        6,
    )
    assert graph.pairs("ReadsFrom") == {("sales.vOrder|VIEW", "dbo.Order|TABLE")}
    assert graph.pairs("SchemaChange") == {(FIRST, "sales.vOrder|VIEW")}


def test_a_procedure_that_a_later_migration_drops_is_not_there(graph_of):
    first = migration('"CREATE PROCEDURE dbo.Clean AS DELETE FROM dbo.Log"')
    second = migration('"DROP PROCEDURE dbo.Clean"', name="Second")
    graph = graph_of(first | second)

    assert graph.created == ()
    assert graph.pairs("WritesTo") == set()


def test_a_module_that_a_script_defines_keeps_the_references_of_the_script(graph_of):
    script = {"Database/vOrder.sql": "CREATE VIEW dbo.vOrder AS SELECT 1 AS A FROM dbo.Other;\n"}
    graph = graph_of(migration('"CREATE VIEW dbo.vOrder AS SELECT * FROM dbo.[Order]"') | script)

    assert graph.created == ()
    assert graph.pairs("ReadsFrom") == set()


def test_batches_are_read_one_by_one(graph_of):
    sql = '@"DELETE FROM dbo.A\nGO\nCREATE VIEW dbo.v AS SELECT * FROM dbo.B\nGO\nDELETE FROM dbo.C"'
    graph = graph_of(migration(sql))

    assert graph.pairs("WritesTo") == {(FIRST, "dbo.A|TABLE"), (FIRST, "dbo.C|TABLE")}
    assert graph.pairs("ReadsFrom") == {("dbo.v|VIEW", "dbo.B|TABLE")}


def test_words_that_are_no_statement_change_nothing(graph_of):
    assert graph_of(migration('"-- update the table order from here"')).edges == ()
