"""Of a name behind an unknown schema or database, the rest may say which object it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.database.graph import DatabaseCatalog, database_graph
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
EdgesOf = Callable[[str], list[tuple[str, str, float]]]

SQL = """
    CREATE TABLE app.Job (id int)
    GO
    CREATE TABLE a.Twice (id int)
    GO
    CREATE VIEW b.Twice AS SELECT 1 AS id
    GO
    CREATE TABLE dbo.Other (id int)
    GO
    CREATE TABLE c.Other (id int)
    GO
    CREATE TABLE dbo.Anywhere (id int)
    GO
    CREATE PROCEDURE app.Job_Purge @id int AS DELETE FROM app.Job WHERE id = @id
    GO
"""
AGAIN = "CREATE TABLE dbo.Anywhere (id int)\nGO\n"
JOB, PURGE, OTHER = "app.Job|TABLE", "app.Job_Purge|PROC", "dbo.Other|TABLE"


@pytest.fixture
def edges_of(facts_of: FactsOf) -> EdgesOf:
    """Return what a statement of C# does with which objects, and how sure that is."""

    def edges(statement: str) -> list[tuple[str, str, float]]:
        code = (
            f"class Jobs {{ Options o; IDbConnection db; void Run(string schema, int id) {{ {statement} }} }}"
        )
        facts = facts_of({"Shop/Jobs.cs": code, "Store.Database/all.sql": SQL, "Other/b.sql": AGAIN})
        graph = inline_sql_graph(Catalog(facts), DatabaseCatalog(facts))
        return [(edge.relation, edge.to_key, edge.confidence) for edge in graph.edges]

    return edges


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ('db.Execute($"insert into [{schema}].Job (id) values (@id)")', ("WritesTo", JOB)),
        ('db.Execute("delete from " + o.Schema + ".Job where id = 1")', ("WritesTo", JOB)),
        ('db.Query(string.Format("select id from [{0}].[Job] where id = 1", schema))', ("ReadsFrom", JOB)),
        ('db.Execute($"exec {schema}.Job_Purge @id", new { id })', ("Executes", PURGE)),
        ('db.Execute($"[{schema}].[Job_Purge]", commandType: CommandType.StoredProcedure)', ("Executes", PURGE)),
        ('db.Execute($"{schema}.Job_Purge", commandType: CommandType.StoredProcedure)', ("Executes", PURGE)),
        ('db.Execute($"[{schema}].app.[Job_Purge]", commandType: CommandType.StoredProcedure)', ("Executes", PURGE)),
        ('db.Execute($"delete from [{schema}].dbo.[Other] where id = 1")', ("WritesTo", OTHER)),
        ('db.Execute($"delete from [{schema}]..Other where id = 1")', ("WritesTo", OTHER)),
    ],
)  # fmt: skip
def test_the_only_object_of_a_name_is_found_behind_what_nobody_knows(
    edges_of: EdgesOf, statement: str, expected: tuple[str, str]
) -> None:
    assert edges_of(f"{statement};") == [(*expected, 0.7)]


@pytest.mark.parametrize(
    "statement",
    [
        'db.Query($"select id from [{schema}].Twice where id = 1")',  # of two schemas
        'db.Query($"select id from [{schema}].Missing where id = 1")',
        'db.Query($"select id from [{schema}].Job_Purge where id = 1")',  # not of that kind
        'db.Execute($"[{schema}].[Missing]", commandType: CommandType.StoredProcedure)',
        'db.Execute($"[{schema}].[Job]", commandType: CommandType.StoredProcedure)',
        'db.Query($"select id from [{schema}].dbo.Job where id = 1")',
        'db.Query($"select id from [{schema}].dbo.Anywhere where id = 1")',  # two scripts: two databases, perhaps
    ],
)
def test_what_more_than_one_object_or_none_is_called_leads_nowhere(edges_of: EdgesOf, statement: str) -> None:
    assert edges_of(f"{statement};") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("N'INSERT INTO ' + QUOTENAME(@db) + N'.dbo.Other (id) SELECT 1'", {("WritesTo", OTHER)}),
        ("'SELECT id FROM ' + @db + '..Other JOIN ' + @db + '.app.Job ON 1 = 1'",
         {("ReadsFrom", OTHER), ("ReadsFrom", JOB)}),
        ("'DELETE FROM ' + @before + 'app.Job'", {("WritesTo", JOB)}),
        ("'EXEC ' + @db + '.app.Job_Purge 1'", {("Executes", PURGE)}),
        ("'SELECT id FROM ' + @db + '.dbo.Anywhere'", set()),
        ("'SELECT id FROM ' + @db + '.sys.tables'", set()),
    ],
)  # fmt: skip
def test_text_that_runs_in_an_unknown_database_may_be_about_what_one_script_defines(
    facts_of: FactsOf, text: str, expected: set[tuple[str, str]]
) -> None:
    script = f"CREATE PROCEDURE dbo.Run @db sysname, @before sysname AS\n    EXEC ({text})\nGO\n"
    files = {"Store.Database/all.sql": SQL, "Other/b.sql": AGAIN, "Store.Database/Run.sql": script}

    edges = [
        edge
        for edge in database_graph(DatabaseCatalog(facts_of(files))).edges
        if edge.from_key == "dbo.Run|PROC"
    ]

    assert {(edge.relation, edge.to_key) for edge in edges} == expected
    assert {edge.confidence for edge in edges} <= {0.6}
