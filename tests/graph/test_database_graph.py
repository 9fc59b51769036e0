"""Nodes and edges of the database: exactly those that the files tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ragduck.facts import FileFacts, ObjectFact, ObjectName
from ragduck.graph.database.graph import DatabaseCatalog, database_graph
from ragduck.model import Graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

TABLES = """
    CREATE TABLE dbo.Parent (id int PRIMARY KEY)
    GO
    CREATE TABLE dbo.T (id int, parent int CONSTRAINT FK_T REFERENCES dbo.Parent (id))
    GO
"""


def graph_of(facts_of: FactsOf, files: Mapping[str, str] | str) -> Graph:
    return database_graph(DatabaseCatalog(facts_of({"db/a.sql": files} if isinstance(files, str) else files)))


def edges_of(graph: Graph) -> set[tuple[str, str, str]]:
    """Return the edges but those from files to what they define."""
    return {
        (edge.from_key, edge.relation, edge.to_key)
        for edge in graph.edges
        if not (edge.relation == "Contains" and edge.from_key.startswith("file:"))
    }


def test_objects_are_nodes_with_their_places(facts_of: FactsOf) -> None:
    graph = graph_of(facts_of, TABLES + "CREATE INDEX ix ON dbo.T (parent)\nGO\n")

    assert {(node.node_key, node.kind, node.name, node.schema) for node in graph.nodes} == {
        ("dbo.Parent|TABLE", "TABLE", "Parent", "dbo"),
        ("dbo.T|TABLE", "TABLE", "T", "dbo"),
        ("dbo.FK_T|FOREIGN_KEY", "FOREIGN_KEY", "FK_T", "dbo"),
        ("dbo.T.ix|INDEX", "INDEX", "ix", "dbo"),
    }
    table = next(node for node in graph.nodes if node.node_key == "dbo.T|TABLE")
    assert (table.source_file, table.start_line, table.end_line, table.project) == ("db/a.sql", 3, 3, "db")


def test_a_type_that_a_script_declares_may_be_called_as_one_that_other_databases_have(
    facts_of: FactsOf,
) -> None:
    graph = graph_of(
        facts_of,
        """
        CREATE TYPE dbo.Name FROM nvarchar(50)
        GO
        CREATE TABLE dbo.T (Name [Name] NOT NULL, Since Year, Amount money, Id Uuid)
        GO
        CREATE PROCEDURE dbo.P @name dbo.Name AS DECLARE @other Name
        GO
        """,
    )

    assert {edge for edge in edges_of(graph) if edge[1] == "Uses"} == {
        ("dbo.T|TABLE", "Uses", "dbo.Name|TYPE"),
        ("dbo.P|PROC", "Uses", "dbo.Name|TYPE"),
    }


def test_calls_in_rows_are_made_where_the_rows_are_steps_of_jobs(facts_of: FactsOf) -> None:
    graph = graph_of(
        facts_of,
        """
        CREATE PROCEDURE dbo.Clean @days int AS SELECT 1
        GO
        CREATE PROCEDURE dbo.Check AS SELECT 1
        GO
        CREATE PROCEDURE dbo.MakeJobs AS
        INSERT INTO #steps (name, number, subsystem, command) VALUES
            (N'Clean', 1, N'TSQL', N'EXEC dbo.Clean @days = 3'),
            (N'Check', 2, N'CmdExec', N'EXEC dbo.Check'),
            (N'Check', 3, N'TSQL', N'EXEC dbo.Missing')
        INSERT INTO dbo.Help (text) VALUES (N'EXEC dbo.Check')
        GO
        """,
    )

    made = [
        (edge.from_key, edge.to_key, edge.confidence) for edge in graph.edges if edge.relation == "Executes"
    ]
    assert made == [("dbo.MakeJobs|PROC", "dbo.Clean|PROC", 0.6)]


def test_files_contain_what_they_define(facts_of: FactsOf) -> None:
    graph = graph_of(facts_of, TABLES)

    contained = {(edge.from_key, edge.to_key) for edge in graph.edges if edge.relation == "Contains"}
    assert contained == {
        ("file:db/a.sql|FILE", "dbo.Parent|TABLE"),
        ("file:db/a.sql|FILE", "dbo.T|TABLE"),
        ("dbo.T|TABLE", "dbo.FK_T|FOREIGN_KEY"),
    }


def test_indexes_may_be_made_with_their_table_or_a_column_or_have_no_name(facts_of: FactsOf) -> None:
    sql = """
        CREATE TABLE dbo.T (
            a int,
            b int INDEX IX_b,
            INDEX IX_a NONCLUSTERED (a) INCLUDE (b) WHERE b IS NOT NULL,
            CONSTRAINT UQ_T UNIQUE (b)
        )
        GO
        CREATE FULLTEXT INDEX ON dbo.T (a) KEY INDEX UQ_T ON Texts
        GO
        CREATE TYPE dbo.Ids AS TABLE (id int, INDEX IX_ids (id))
        GO
        CREATE PROCEDURE dbo.P AS CREATE TABLE #t (a int, INDEX IX_temp (a))
        GO
    """
    graph = graph_of(facts_of, sql)

    indexes = {node.node_key: node.start_line for node in graph.nodes if node.kind == "INDEX"}
    assert indexes == {"dbo.T.IX_b|INDEX": 3, "dbo.T.IX_a|INDEX": 4, "dbo.T.FULLTEXT|INDEX": 8}
    assert edges_of(graph) == {(key, "On", "dbo.T|TABLE") for key in indexes}


def test_foreign_keys_lead_from_child_to_parent(facts_of: FactsOf) -> None:
    graph = graph_of(facts_of, TABLES)

    assert edges_of(graph) == {
        ("dbo.T|TABLE", "ForeignKey", "dbo.Parent|TABLE"),
        ("dbo.T|TABLE", "Contains", "dbo.FK_T|FOREIGN_KEY"),
        ("dbo.FK_T|FOREIGN_KEY", "Uses", "dbo.Parent|TABLE"),
    }
    edge = next(edge for edge in graph.edges if edge.relation == "ForeignKey")
    assert (edge.detail, edge.line, edge.rule, edge.confidence) == ("FK_T", 3, "foreign key", 1.0)


def test_foreign_keys_may_be_unnamed_added_later_or_lead_to_their_own_table(facts_of: FactsOf) -> None:
    graph = graph_of(
        facts_of,
        """
        CREATE TABLE dbo.T (id int, boss int REFERENCES dbo.T, a int, b int, FOREIGN KEY (a, b) REFERENCES U (a, b))
        GO
        ALTER TABLE dbo.T WITH CHECK ADD CONSTRAINT [FK Late] FOREIGN KEY (a) REFERENCES dbo.V (a) ON DELETE CASCADE
        GO
        """,
    )

    keys = {
        (edge.from_key, edge.to_key, edge.detail) for edge in graph.edges if edge.relation == "ForeignKey"
    }
    assert keys == {
        ("dbo.T|TABLE", "dbo.T|TABLE", "FK_T_T_boss"),
        ("dbo.T|TABLE", "dbo.U|TABLE", "FK_T_U_a_b"),
        ("dbo.T|TABLE", "dbo.V|TABLE", "FK Late"),
    }


def test_procedures_read_write_and_call(facts_of: FactsOf) -> None:
    graph = graph_of(
        facts_of,
        TABLES
        + """
    CREATE PROCEDURE sales.P @ids dbo.IdList READONLY AS
    BEGIN
        WITH c AS (SELECT id FROM Parent)
        UPDATE t SET parent = dbo.fn(1) FROM dbo.T t JOIN c ON c.id = t.id JOIN #temp ON 1 = 1;
        EXEC Q;
        EXEC sp_executesql N'SELECT 1 FROM dbo.Other';
        EXEC sp_rename 'a', 'b';
    END
    GO
    CREATE PROCEDURE sales.Q AS SELECT NEXT VALUE FOR dbo.Seq
    GO
    """,
    )

    assert {edge for edge in edges_of(graph) if edge[0].endswith("|PROC")} == {
        ("sales.P|PROC", "Uses", "dbo.IdList|TYPE"),
        ("sales.P|PROC", "ReadsFrom", "dbo.Parent|TABLE"),
        ("sales.P|PROC", "WritesTo", "dbo.T|TABLE"),
        ("sales.P|PROC", "Calls", "dbo.fn|FUNC"),
        ("sales.P|PROC", "Executes", "sales.Q|PROC"),
        ("sales.P|PROC", "ReadsFrom", "dbo.Other|TABLE"),
        ("sales.Q|PROC", "Uses", "dbo.Seq|SEQUENCE"),
    }


def test_triggers_indexes_and_synonyms_stand_on_something(facts_of: FactsOf) -> None:
    graph = graph_of(
        facts_of,
        """
        CREATE TABLE dbo.T (id int)
        GO
        CREATE PROCEDURE dbo.P AS SELECT 1
        GO
        CREATE TRIGGER trg ON dbo.T AFTER INSERT, UPDATE AS
            INSERT INTO dbo.Log SELECT i.id FROM inserted i LEFT JOIN deleted d ON d.id = i.id
        GO
        CREATE TRIGGER guard ON DATABASE FOR DROP_TABLE AS ROLLBACK
        GO
        CREATE INDEX ix ON dbo.T (id)
        GO
        CREATE SYNONYM dbo.S FOR dbo.T
        GO
        CREATE SYNONYM dbo.R FOR dbo.P
        GO
        CREATE SYNONYM dbo.A FOR Archive.dbo.T
        GO
        """,
    )

    assert edges_of(graph) == {
        ("dbo.trg|TRIGGER", "On", "dbo.T|TABLE"),
        ("dbo.trg|TRIGGER", "WritesTo", "dbo.Log|TABLE"),
        ("dbo.T.ix|INDEX", "On", "dbo.T|TABLE"),
        ("dbo.S|SYNONYM", "SynonymFor", "dbo.T|TABLE"),
        ("dbo.R|SYNONYM", "SynonymFor", "dbo.P|PROC"),
        ("dbo.A|SYNONYM", "SynonymFor", "Archive.dbo.T|TABLE"),
    }


def test_scripts_read_and_write_in_the_name_of_their_file(facts_of: FactsOf) -> None:
    graph = graph_of(
        facts_of,
        {
            "db/a.sql": TABLES,
            "db/seed.sql": """
                INSERT INTO dbo.T SELECT id FROM dbo.Parent
                EXEC dbo.Refresh
                GRANT SELECT ON dbo.Secret TO somebody
            """,
        },
    )

    assert {edge for edge in edges_of(graph) if edge[0] == "file:db/seed.sql|FILE"} == {
        ("file:db/seed.sql|FILE", "WritesTo", "dbo.T|TABLE"),
        ("file:db/seed.sql|FILE", "ReadsFrom", "dbo.Parent|TABLE"),
        ("file:db/seed.sql|FILE", "Executes", "dbo.Refresh|PROC"),
    }


def test_statements_around_a_table_belong_to_the_file(facts_of: FactsOf) -> None:
    graph = graph_of(
        facts_of,
        """
        IF NOT EXISTS (SELECT 1 FROM dbo.Versions)
        BEGIN
            CREATE TABLE dbo.T (a int DEFAULT (dbo.fn()))
            INSERT INTO dbo.T (a) SELECT a FROM dbo.U
        END
        GO
        """,
    )

    assert edges_of(graph) == {
        ("file:db/a.sql|FILE", "ReadsFrom", "dbo.Versions|TABLE"),
        ("dbo.T|TABLE", "Calls", "dbo.fn|FUNC"),
        ("file:db/a.sql|FILE", "WritesTo", "dbo.T|TABLE"),
        ("file:db/a.sql|FILE", "ReadsFrom", "dbo.U|TABLE"),
    }


def test_a_procedure_that_alters_tables_changes_their_schema(facts_of: FactsOf) -> None:
    graph = graph_of(
        facts_of,
        TABLES
        + """
    CREATE PROCEDURE dbo.P AS
    BEGIN
        ALTER TABLE dbo.T ADD late int CONSTRAINT FK_Late REFERENCES dbo.Parent
        CREATE INDEX ix ON dbo.T (late)
        CREATE TABLE dbo.Backup1 (id int)
    END
    GO
    """,
    )

    found = {(edge.rule, edge.to_key) for edge in graph.edges if edge.from_key == "dbo.P|PROC"}
    assert found == {
        ("add column", "dbo.T|TABLE"),
        ("add foreign key", "dbo.T|TABLE"),
        ("create index", "dbo.T|TABLE"),
        ("foreign key", "dbo.Parent|TABLE"),
    }


def test_dynamic_text_is_less_sure_and_cites_the_line_of_its_name(facts_of: FactsOf) -> None:
    graph = graph_of(
        facts_of,
        """
        CREATE PROCEDURE dbo.P AS
        BEGIN
            DECLARE @sql nvarchar(max) = N'
                SELECT 1
                FROM dbo.T'
            EXEC (@sql)
        END
        GO
        """,
    )

    found = [
        (edge.to_key, edge.line, edge.rule, edge.confidence)
        for edge in graph.edges
        if edge.relation == "ReadsFrom"
    ]
    assert found == [("dbo.T|TABLE", 5, "dynamic sql", 0.7)]


def test_a_module_that_a_procedure_creates_reads_for_itself(facts_of: FactsOf) -> None:
    graph = graph_of(
        facts_of,
        """
        EXEC (N'CREATE PROCEDURE dbo.Made AS SELECT 1 FROM dbo.T')
        GO
        CREATE PROCEDURE dbo.Maker AS
        BEGIN
            EXEC (N'DROP PROCEDURE dbo.Inner1')
            EXEC (N'CREATE PROCEDURE dbo.Inner1 AS INSERT dbo.T SELECT 1 FROM dbo.Parent')
            EXEC (N'TRUNCATE TABLE dbo.T')
        END
        GO
        """,
    )

    assert edges_of(graph) == {
        ("dbo.Made|PROC", "ReadsFrom", "dbo.T|TABLE"),
        ("dbo.Maker|PROC", "WritesTo", "dbo.T|TABLE"),
    }


def test_a_module_that_a_script_creates_from_a_variable_reads_for_itself(facts_of: FactsOf) -> None:
    graph = graph_of(
        facts_of,
        """
        DECLARE @sql nvarchar(max) = N'CREATE PROCEDURE dbo.Made AS INSERT dbo.T'
        SET @sql += N' SELECT 1 FROM dbo.Parent'
        EXEC (@sql)
        EXEC (N'DELETE dbo.Other')
        """,
    )

    assert edges_of(graph) == {
        ("dbo.Made|PROC", "WritesTo", "dbo.T|TABLE"),
        ("dbo.Made|PROC", "ReadsFrom", "dbo.Parent|TABLE"),
        ("file:db/a.sql|FILE", "WritesTo", "dbo.Other|TABLE"),
    }


def test_a_table_calls_the_functions_that_a_security_policy_puts_before_its_rows(facts_of: FactsOf) -> None:
    policy = """
        CREATE FUNCTION rls.Sees (@owner int) RETURNS TABLE WITH SCHEMABINDING AS RETURN SELECT 1 AS allowed
        GO
        CREATE SECURITY POLICY rls.Owners
            ADD FILTER PREDICATE rls.Sees(OwnerId) ON dbo.T,
            ADD BLOCK PREDICATE [rls].[Sees](ISNULL(OwnerId, (0))) ON [dbo].[Parent] AFTER INSERT
            WITH (STATE = ON, SCHEMABINDING = ON)
        GO
        ALTER SECURITY POLICY rls.Owners DROP FILTER PREDICATE ON dbo.Other
        GO
        """

    graph = graph_of(facts_of, {"db/a.sql": TABLES, "db/policies.sql": policy})

    found = {
        (edge.from_key, edge.to_key, edge.line) for edge in graph.edges if edge.rule == "security policy"
    }
    assert found == {("dbo.T|TABLE", "rls.Sees|FUNC", 4), ("dbo.Parent|TABLE", "rls.Sees|FUNC", 5)}
    assert {edge.from_key for edge in graph.edges if edge.relation == "Calls"} == {
        "dbo.T|TABLE",
        "dbo.Parent|TABLE",
    }


def test_dynamic_changes_of_tables_are_less_sure_and_tell_what_they_do(facts_of: FactsOf) -> None:
    graph = graph_of(
        facts_of, TABLES + "CREATE PROCEDURE dbo.P AS EXEC ('ALTER TABLE dbo.T ADD a int ' + @more)\nGO\n"
    )

    found = [
        (edge.rule, edge.detail, edge.confidence) for edge in graph.edges if edge.relation == "SchemaChange"
    ]
    assert found == [("add column", "a", 0.7)]


def test_a_procedure_that_creates_the_table_that_it_fills_is_told_to(facts_of: FactsOf) -> None:
    procedure = """
        CREATE PROCEDURE dbo.P AS
        BEGIN
            CREATE TABLE dbo.Log (id int)
            CREATE TABLE dbo.Unused (id int)
            CREATE TABLE #passing (id int)
            INSERT INTO dbo.Log (id) SELECT id FROM dbo.T
            DROP TABLE dbo.Gone
        END
        GO
    """

    graph = graph_of(facts_of, TABLES + procedure)

    changes = {(edge.to_key, edge.rule) for edge in graph.edges if edge.relation == "SchemaChange"}
    assert changes == {("dbo.Log|TABLE", "create table")}


def test_what_migrations_in_code_create_are_nodes_of_their_files() -> None:
    fact = ObjectFact("dbo.T|TABLE", "TABLE", ObjectName("T", "dbo"), 3, 9, path="m/Add.cs")

    graph = database_graph(DatabaseCatalog([], created=[fact]))

    (node,) = graph.nodes
    assert (node.node_key, node.source_file, node.start_line, node.end_line) == (
        "dbo.T|TABLE",
        "m/Add.cs",
        3,
        9,
    )
    assert edges_of(graph) == set()
