"""What statements name: every reference that must be found, and none besides."""

from __future__ import annotations

import pytest

from ragduck.facts import ObjectName
from ragduck.sqlreader.dialect import Dialect
from ragduck.sqlreader.names import HOLE
from ragduck.sqlreader.references import Reference, read_references

TABLE = "CREATE TABLE dbo.T (id int)"


def written(name: ObjectName) -> str:
    parts = (name.server, name.database, name.schema, name.name)
    return ".".join(part for part in parts if part)


def shown(reference: Reference) -> str:
    what = f"{reference.kind.lower()} " if reference.kind else ""
    return f"{reference.relation} {what}{written(reference.name)}"


def names_in(sql: str, dialect: Dialect = "tsql") -> list[str]:
    return [shown(reference) for reference in read_references(sql, dialect=dialect)]


def of_relation(sql: str, relation: str) -> list[tuple[str, str]]:
    found = read_references(sql)
    return [(written(one.name), one.detail) for one in found if one.relation == relation]


@pytest.mark.parametrize(
    "joined",
    [
        "JOIN dbo.C c ON c.x = 1",
        "LEFT JOIN dbo.C c ON c.x = CASE b.y WHEN 1 THEN 1 ELSE CASE WHEN c.z = 1 THEN 2 END END",
        "CROSS APPLY (SELECT 1 AS x FROM dbo.C) c",
        ", dbo.C",
    ],
)
def test_a_case_in_the_condition_of_a_join_does_not_end_the_sources(joined: str) -> None:
    sql = f"SELECT 1 FROM dbo.A a JOIN dbo.B b ON b.x = CASE WHEN a.x = 1 THEN 1 ELSE 2 END {joined}"

    assert names_in(sql) == ["ReadsFrom dbo.A", "ReadsFrom dbo.B", "ReadsFrom dbo.C"]


def test_a_function_that_is_applied_behind_a_case_in_a_condition_is_a_source() -> None:
    sql = "SELECT 1 FROM A a JOIN B b ON CASE WHEN a.x = 1 THEN 1 END = 1 OUTER APPLY dbo.f(a.x) c"

    assert [(written(one.name), one.rule) for one in read_references(sql)][-1] == ("dbo.f", "apply")


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT * FROM Apply WHERE Id = 1", ["ReadsFrom Apply"]),
        ("SELECT 1 FROM T t JOIN Apply a ON a.Id = t.Id", ["ReadsFrom T", "ReadsFrom Apply"]),
        ("SELECT 1 FROM T, Apply a", ["ReadsFrom T", "ReadsFrom Apply"]),
        ("SELECT 1 FROM Apply a CROSS APPLY dbo.f(a.x) b", ["ReadsFrom Apply", "Calls func dbo.f"]),
        ("SELECT 1 FROM T CROSS APPLY Apply a", ["ReadsFrom T", "ReadsFrom Apply"]),
        ("INSERT INTO Apply (Id) VALUES (1)", ["WritesTo Apply"]),
        ("INSERT Apply (Id) VALUES (1)", ["WritesTo Apply"]),
        ("UPDATE Apply SET Id = 1", ["WritesTo Apply"]),
        ("UPDATE a SET Id = 1 FROM Apply a JOIN T t ON t.Id = a.Id", ["WritesTo Apply", "ReadsFrom T"]),
        ("DELETE FROM Apply WHERE Id = 1", ["WritesTo Apply"]),
        ("MERGE Apply AS a USING T ON 1 = 1 WHEN MATCHED THEN DELETE;", ["WritesTo Apply", "ReadsFrom T"]),
        ("TRUNCATE TABLE Limit; UPDATE Window SET x = 1", ["WritesTo Limit", "WritesTo Window"]),
        ("INSERT INTO Offset (x) SELECT 1 FROM Limit", ["WritesTo Offset", "ReadsFrom Limit"]),
    ],
)
def test_words_that_t_sql_does_not_reserve_are_names_of_tables(sql: str, expected: list[str]) -> None:
    assert names_in(sql) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT a.x FROM dbo.T AS a", ["ReadsFrom dbo.T"]),
        ("SELECT a.x FROM T a, dbo.U b", ["ReadsFrom T", "ReadsFrom dbo.U"]),
        ("SELECT 1 FROM [My Db].[odd schema].[odd]]name]", ["ReadsFrom My Db.odd schema.odd]name"]),
        ('SELECT 1 FROM "dbo"."T"', ["ReadsFrom dbo.T"]),
        ("SELECT 1 FROM Other..T", ["ReadsFrom Other.T"]),
        ("SELECT 1 FROM Server1.Other.dbo.T", ["ReadsFrom Server1.Other.dbo.T"]),
        ("SELECT 1 FROM [$(Archive)].dbo.T", ["ReadsFrom $(Archive).dbo.T"]),
        ("SELECT 1 FROM [$(Schema)].T JOIN dbo.$(Table) ON 1 = 1", ["ReadsFrom T"]),
        (
            "SELECT {o}{p}f(1) FROM {o}{p}T a JOIN {o}[{p}U] b ON 1 = 1 JOIN {table} c ON 1 = 1",
            ["Calls func f", "ReadsFrom T", "ReadsFrom U"],
        ),
        ("UPDATE [{o}].[{p}T] SET a = 1", ["WritesTo T"]),
        ("UPDATE Statistics SET a = 1", ["WritesTo Statistics"]),
        (
            "SELECT s.[T]::m(1), T::m(), geography::Point(1, 2, 3), dbo.f(1)",
            ["Uses type s.T", "Uses type T", "Calls func dbo.f"],
        ),
        ("EXEC {o}{p}P @a; EXEC {procedure} @a", ["Executes proc P"]),
        (
            "SELECT 1 FROM dbo.T x JOIN dbo.U y ON x.a = y.a LEFT OUTER HASH JOIN V ON V.a = x.a",
            ["ReadsFrom dbo.T", "ReadsFrom dbo.U", "ReadsFrom V"],
        ),
        (
            "SELECT 1 FROM dbo.T (NOLOCK) JOIN dbo.U WITH (NOLOCK, INDEX (ix)) ON 1 = 1",
            ["ReadsFrom dbo.T", "ReadsFrom dbo.U"],
        ),
        (
            "SELECT 1 FROM dbo.A CROSS JOIN (dbo.B b JOIN dbo.C c ON b.x = c.x)",
            ["ReadsFrom dbo.A", "ReadsFrom dbo.B", "ReadsFrom dbo.C"],
        ),
        (
            "SELECT 1 FROM (SELECT a FROM dbo.T) t JOIN (VALUES (1), (2)) v (n) ON v.n = t.a",
            ["ReadsFrom dbo.T"],
        ),
        (
            "SELECT 1 FROM ((SELECT 1 a FROM dbo.T) UNION (SELECT 2 FROM dbo.U)) x",
            ["ReadsFrom dbo.T", "ReadsFrom dbo.U"],
        ),
        (
            "SELECT (SELECT MAX(x) FROM dbo.T) WHERE EXISTS (SELECT 1 FROM dbo.U WHERE a IN (SELECT b FROM dbo.V))",
            ["ReadsFrom dbo.T", "ReadsFrom dbo.U", "ReadsFrom dbo.V"],
        ),
        (
            "SELECT 1 FROM dbo.T FOR SYSTEM_TIME FROM '2020' TO '2021' AS h, dbo.U FOR SYSTEM_TIME AS OF @d u",
            ["ReadsFrom dbo.T", "ReadsFrom dbo.U"],
        ),
        (
            "SELECT 1 FROM dbo.T TABLESAMPLE (10 PERCENT) JOIN dbo.U ON 1 = 1",
            ["ReadsFrom dbo.T", "ReadsFrom dbo.U"],
        ),
        (
            "SELECT [a] FROM dbo.T PIVOT (SUM(x) FOR y IN ([a], [b])) AS p JOIN dbo.U ON 1 = 1",
            ["ReadsFrom dbo.T", "ReadsFrom dbo.U"],
        ),
        (
            "SELECT a FROM dbo.T ORDER BY a, b OFFSET 5 ROWS FETCH NEXT 5 ROWS ONLY OPTION (MERGE JOIN, HASH UNION)",
            ["ReadsFrom dbo.T"],
        ),
        ("SELECT a FROM dbo.T GROUP BY a, b HAVING COUNT(*) > 1 FOR XML PATH(''), TYPE", ["ReadsFrom dbo.T"]),
        (
            "SELECT trim('x' FROM a), extract(year FROM b) FROM dbo.T WHERE a IS DISTINCT FROM b",
            ["ReadsFrom dbo.T"],
        ),
        ("SELECT 1 FROM dbo.T WHERE n = 'FROM dbo.U' -- JOIN dbo.V\n/* JOIN dbo.W */", ["ReadsFrom dbo.T"]),
        ("SELECT T.Col, dbo.T.Other FROM dbo.T", ["ReadsFrom dbo.T"]),
        (
            "SELECT 1 FROM PREDICT(MODEL = (SELECT m FROM dbo.M), DATA = dbo.T AS d) WITH (s float) p",
            ["ReadsFrom dbo.M", "ReadsFrom dbo.T"],
        ),
        (
            "WITH d AS (SELECT 1 a FROM dbo.T) SELECT 1 FROM PREDICT(MODEL = @m, DATA = d) p",
            ["ReadsFrom dbo.T"],
        ),
        ("SELECT 1 FROM VECTOR_SEARCH(TABLE = dbo.T AS t, COLUMN = c, TOP_N = 5) s", ["ReadsFrom dbo.T"]),
    ],
)
def test_queries_name_their_sources(sql: str, expected: list[str]) -> None:
    assert names_in(sql) == expected


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1 FROM #t JOIN ##g ON 1 = 1 JOIN tempdb..#t ON 1 = 1 JOIN [#q] ON 1 = 1",
        "SELECT 1 FROM @rows r JOIN @x.nodes('/a/b') AS n (c) ON 1 = 1",
        "SELECT 1 FROM inserted i JOIN deleted d ON d.id = i.id",
        "INSERT INTO @rows (a, b) VALUES (1, 2)",
        "INSERT INTO #t SELECT 1",
        "CREATE TABLE [dbo].[#t] (a int); ALTER TABLE [#t] ADD b int; SELECT 1 FROM [dbo].[<table, sysname, T>]",
        "DECLARE @t TABLE (id int, name nvarchar(20)), @n sysname = N'dbo.T', @c CURSOR",
        "FETCH NEXT FROM orders INTO @a, @b",
        "OPEN orders; CLOSE orders; DEALLOCATE orders",
        "GRANT SELECT ON dbo.T (a) TO somebody; DENY EXECUTE ON dbo.P TO somebody",
        "EXECUTE AS USER = 'dbo'; REVERT",
        "EXEC @procedure @a = 1",
        "IF OBJECT_ID('dbo.T') IS NULL PRINT 'UPDATE dbo.T'",
        "SET IDENTITY_INSERT dbo.T ON",
        "UPDATE STATISTICS dbo.T (ix)",
        "IF UPDATE (Price) RETURN",
        "CREATE STATISTICS s ON dbo.T (a)",
        "ALTER INDEX ALL ON dbo.T REBUILD",
        ":r .\\update-tables.sql",
        "SELECT geography::Point(1, 2, 4326), @g.STDistance(@h), x.value('.', 'int')",
        "",
    ],
)
def test_what_is_no_object_of_the_database_is_not_named(sql: str) -> None:
    assert names_in(sql) == []


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("WITH c AS (SELECT 1 a FROM dbo.T) SELECT * FROM c", ["ReadsFrom dbo.T"]),
        (
            "WITH c (a) AS (SELECT 1 FROM dbo.T), d AS (SELECT * FROM c) SELECT * FROM d x JOIN c ON 1 = 1",
            ["ReadsFrom dbo.T"],
        ),
        ("WITH Orders AS (SELECT * FROM Orders) SELECT * FROM Orders", ["ReadsFrom Orders"]),
        (
            "WITH r AS (SELECT 1 a FROM dbo.T UNION ALL SELECT a FROM r JOIN dbo.U ON 1 = 1) SELECT * FROM r",
            ["ReadsFrom dbo.T", "ReadsFrom dbo.U"],
        ),
        ("WITH c AS (SELECT 1 a) SELECT * FROM c; SELECT * FROM c", ["ReadsFrom c"]),
        (
            "SELECT * FROM (SELECT * FROM c) x; WITH c AS (SELECT 1 a) SELECT * FROM dbo.c",
            ["ReadsFrom c", "ReadsFrom dbo.c"],
        ),
        ("WITH XMLNAMESPACES ('u' AS n), c AS (SELECT 1 a FROM dbo.T) SELECT * FROM c", ["ReadsFrom dbo.T"]),
        (
            "WITH c AS (SELECT a FROM dbo.T) INSERT INTO dbo.U SELECT * FROM c",
            ["ReadsFrom dbo.T", "WritesTo dbo.U"],
        ),
        (
            "SELECT * FROM (SELECT * FROM dbo.A) c JOIN (SELECT * FROM (SELECT 1 x FROM dbo.c) c) d ON 1 = 1",
            ["ReadsFrom dbo.A", "ReadsFrom dbo.c"],
        ),
    ],
)
def test_common_table_expressions_are_no_tables(sql: str, expected: list[str]) -> None:
    assert names_in(sql) == expected


def test_an_inner_expression_hides_a_table_only_within_its_query() -> None:
    sql = "SELECT * FROM (WITH t AS (SELECT 1 FROM dbo.A) SELECT * FROM t) x JOIN t ON true"

    assert names_in(sql, "postgresql") == ["ReadsFrom dbo.A", "ReadsFrom t"]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("INSERT INTO dbo.T (a, b) VALUES (1, 2)", ["WritesTo dbo.T"]),
        (
            "INSERT OPENQUERY(Far, 'SELECT a FROM dbo.T') SELECT b FROM dbo.U",
            ["ReadsFrom dbo.U", "WritesTo Far.dbo.T"],
        ),
        (
            "DELETE OPENQUERY(Far, 'SELECT a FROM Db.dbo.T WHERE a IN (SELECT a FROM dbo.U)')",
            ["WritesTo Far.Db.dbo.T", "ReadsFrom Far.dbo.U"],
        ),
        ("INSERT INTO OPENDATASOURCE('p', 's').Db.dbo.T (a) SELECT b FROM dbo.U u", ["ReadsFrom dbo.U"]),
        ("INSERT dbo.T (a) SELECT a FROM dbo.T", ["WritesTo dbo.T", "ReadsFrom dbo.T"]),
        ("INSERT TOP (5) INTO dbo.T DEFAULT VALUES", ["WritesTo dbo.T"]),
        ("INSERT INTO dbo.T (a) EXEC dbo.P @a = 1", ["WritesTo dbo.T", "Executes proc dbo.P"]),
        ("UPDATE dbo.T SET a = 1 WHERE b = 2", ["WritesTo dbo.T"]),
        ("UPDATE TOP (5) T WITH (ROWLOCK) SET a = 1", ["WritesTo T"]),
        ("UPDATE a SET x = 1 FROM dbo.T a", ["WritesTo dbo.T"]),
        (
            "UPDATE a SET x = b.y FROM dbo.T AS a INNER JOIN dbo.U AS b ON a.i = b.i",
            ["WritesTo dbo.T", "ReadsFrom dbo.U"],
        ),
        (
            "UPDATE a SET x = b.y FROM dbo.T a JOIN dbo.T b ON a.p = b.i",
            ["WritesTo dbo.T", "ReadsFrom dbo.T"],
        ),
        (
            "UPDATE dbo.T SET x = u.y FROM dbo.T JOIN dbo.U u ON u.i = T.i",
            ["WritesTo dbo.T", "ReadsFrom dbo.U"],
        ),
        ("UPDATE T SET x = 1 FROM dbo.T t2 WHERE t2.a = 1", ["WritesTo T"]),
        ("UPDATE d SET x = 1 FROM (SELECT * FROM dbo.T) d", ["WritesTo dbo.T"]),
        (
            "WITH u AS (SELECT dbo.T.n, U.m FROM dbo.U JOIN dbo.T ON 1 = 1) UPDATE u SET n = m",
            ["ReadsFrom dbo.U", "WritesTo dbo.T"],
        ),
        ("UPDATE #t SET x = t.x FROM dbo.T t WHERE t.i = #t.i", ["ReadsFrom dbo.T"]),
        (
            "WITH c AS (SELECT *, ROW_NUMBER() OVER (ORDER BY x) n FROM dbo.T) DELETE FROM c WHERE n > 1",
            ["WritesTo dbo.T"],
        ),
        ("DELETE FROM dbo.T WHERE a IN (SELECT a FROM dbo.U)", ["WritesTo dbo.T", "ReadsFrom dbo.U"]),
        ("DELETE dbo.T", ["WritesTo dbo.T"]),
        ("DELETE TOP (5) a FROM dbo.T a JOIN dbo.U u ON u.i = a.i", ["WritesTo dbo.T", "ReadsFrom dbo.U"]),
        ("DELETE FROM dbo.T FROM dbo.T t JOIN dbo.U u ON u.i = t.i", ["WritesTo dbo.T", "ReadsFrom dbo.U"]),
        (
            "DELETE dbo.T OUTPUT deleted.a INTO dbo.Log (a) WHERE b = 1",
            ["WritesTo dbo.T", "WritesTo dbo.Log"],
        ),
        ("UPDATE s SET a = 1 OUTPUT inserted.a INTO @x FROM dbo.T s", ["WritesTo dbo.T"]),
        ("TRUNCATE TABLE dbo.T", ["WritesTo dbo.T"]),
        ("SELECT a, b INTO dbo.New FROM dbo.T", ["WritesTo dbo.New", "ReadsFrom dbo.T"]),
        ("SELECT a INTO #t FROM dbo.T", ["ReadsFrom dbo.T"]),
        (
            "MERGE INTO dbo.T WITH (HOLDLOCK) AS t USING dbo.S AS s ON t.a = s.a"
            " WHEN MATCHED THEN UPDATE SET b = s.b WHEN NOT MATCHED THEN INSERT (a, b) VALUES (s.a, s.b)"
            " WHEN NOT MATCHED BY SOURCE THEN DELETE OUTPUT inserted.a INTO dbo.Log (a);",
            ["WritesTo dbo.T", "ReadsFrom dbo.S", "WritesTo dbo.Log"],
        ),
        ("MERGE T USING (VALUES (1)) AS s (a) ON 1 = 1 WHEN MATCHED THEN DELETE;", ["WritesTo T"]),
        ("BULK INSERT dbo.T FROM 'C:\\x.csv'", ["WritesTo dbo.T"]),
        (
            "INSERT INTO dbo.T SELECT a FROM (DELETE dbo.U OUTPUT deleted.a) AS d (a)",
            ["WritesTo dbo.T", "WritesTo dbo.U"],
        ),
    ],
)
def test_data_changes_name_their_targets_as_writes(sql: str, expected: list[str]) -> None:
    assert names_in(sql) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("EXEC dbo.P 1, @b = 'x'", ["Executes proc dbo.P"]),
        ("EXECUTE P", ["Executes proc P"]),
        ("EXEC @result = dbo.P @a = 1 OUTPUT", ["Executes proc dbo.P"]),
        ("EXEC msdb.dbo.sp_send_dbmail @body = N'x'", ["Executes proc msdb.dbo.sp_send_dbmail"]),
        ("{? = call dbo.P(?, ?)}", ["Executes proc dbo.P"]),
        ("CALL P(1)", ["Executes proc P"]),
        (
            "SELECT dbo.fn(a), COUNT(*), [dbo].[fn 2] (1) FROM T",
            ["Calls func dbo.fn", "Calls func dbo.fn 2", "ReadsFrom T"],
        ),
        (
            "SELECT 1 FROM T CROSS APPLY dbo.fn(T.a) f OUTER APPLY T.x.nodes('/a') AS n (c)",
            ["ReadsFrom T", "Calls func dbo.fn"],
        ),
        (
            "SELECT 1 FROM T t WHERE t.Place.STDistance(@p) < 5 AND t.Node.GetAncestor(1) = @n",
            ["ReadsFrom T"],
        ),
        (
            "SELECT NEXT VALUE FOR dbo.Numbers OVER (ORDER BY a) FROM T",
            ["Uses sequence dbo.Numbers", "ReadsFrom T"],
        ),
        (
            "DECLARE @ids dbo.IdList, @n AS MyName, @x int = (SELECT 1 FROM dbo.T)",
            ["Uses type dbo.IdList", "Uses type MyName", "ReadsFrom dbo.T"],
        ),
        ("DECLARE c CURSOR LOCAL FOR SELECT a FROM dbo.T FOR UPDATE OF a", ["ReadsFrom dbo.T"]),
        ("SELECT 1 FROM CHANGETABLE(CHANGES dbo.T, 1) c", ["ReadsFrom dbo.T"]),
        (
            "CREATE PROC dbo.P @ids dbo.IdList READONLY, @n int WITH EXECUTE AS OWNER AS SELECT 1 FROM T",
            ["Uses type dbo.IdList", "ReadsFrom T"],
        ),
        (
            "CREATE FUNCTION dbo.F (@a dbo.Name) RETURNS dbo.Money AS BEGIN RETURN 1 END",
            ["Uses type dbo.Name", "Uses type dbo.Money"],
        ),
        ("CREATE SECURITY POLICY p ADD FILTER PREDICATE dbo.fn(a) ON dbo.T", ["Calls func dbo.fn"]),
    ],
)
def test_calls_types_and_sequences_are_named(sql: str, expected: list[str]) -> None:
    assert names_in(sql) == expected


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE QUEUE dbo.Q WITH STATUS = ON, ACTIVATION (PROCEDURE_NAME = dbo.P, EXECUTE AS OWNER)",
        "ALTER QUEUE Q WITH ACTIVATION (STATUS = ON,\nPROCEDURE_NAME = [dbo].[P], MAX_QUEUE_READERS = 2)",
    ],
)
def test_a_queue_runs_its_procedure(sql: str) -> None:
    assert names_in(sql) == ["Executes proc dbo.P"]


@pytest.mark.parametrize("sql", ["ALTER QUEUE Q WITH ACTIVATION (DROP)", "CREATE USER u FOR LOGIN l"])
def test_other_statements_about_queues_and_users_run_nothing(sql: str) -> None:
    assert names_in(sql) == []


def test_statements_that_nothing_parts_are_told_apart() -> None:
    sql = "SELECT 1 FROM dbo.A UPDATE b SET x = 1 FROM dbo.B b DELETE dbo.C EXEC dbo.P 1 SELECT 2 FROM dbo.D"

    assert names_in(sql) == [
        "ReadsFrom dbo.A", "WritesTo dbo.B", "WritesTo dbo.C", "Executes proc dbo.P", "ReadsFrom dbo.D"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("columns", "assignment"),
    [
        ("a.n, b.n AS bn", "n = bn"),
        ("a.n m, b.n", "u.m = n"),
        ("b.n, m = a.n", "@old = m = n"),
        ("TOP (5) (SELECT MAX(x) FROM dbo.C) y, [a].[n] AS [m], COALESCE(b.n, a.n) AS z", "[m] = z"),
        ("a.*, b.n AS bn", "n = bn"),
    ],
)
def test_an_update_through_a_join_writes_the_table_whose_column_it_sets(
    columns: str, assignment: str
) -> None:
    query = f"SELECT {columns} FROM dbo.U b JOIN dbo.T a ON a.i = b.i"
    expected = ["ReadsFrom dbo.U", "WritesTo dbo.T"]

    def found(sql: str) -> list[str]:
        return sorted(name for name in names_in(sql) if not name.endswith("C"))

    assert found(f"WITH u AS ({query}) UPDATE u SET {assignment}") == expected
    assert found(f"UPDATE u SET {assignment} FROM ({query}) AS u") == expected
    assert found(f"WITH c AS ({query}), u AS (SELECT * FROM c) UPDATE u SET {assignment}") == expected


@pytest.mark.parametrize(
    "columns",
    ["n, b.n AS bn", "a.n + 1 AS n", "*", "a.*, b.*", "a.n, b.n", "a.n UNION SELECT b.n"],
)
def test_an_update_through_a_join_that_does_not_tell_its_table_writes_none(columns: str) -> None:
    sql = f"WITH u AS (SELECT {columns} FROM dbo.U b JOIN dbo.T a ON a.i = b.i) UPDATE u SET n = 1"

    assert not [name for name in names_in(sql) if name.startswith("WritesTo")]


@pytest.mark.parametrize("before", ["", "SELECT 1 FROM dbo.U\n", "SET @a = 1;", "IF @a = 1 GOTO Done\n"])
@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM dbo.T",
        "UPDATE dbo.T SET a = 1",
        "MERGE dbo.T AS t USING #s s ON t.a = s.a WHEN MATCHED THEN DELETE",
    ],
)
def test_a_label_may_stand_on_the_line_of_its_statement(before: str, statement: str) -> None:
    found = names_in(f"{before}Retry: {statement}\nIF @@ERROR = 1205 GOTO Retry")

    assert [name for name in found if name.endswith("T")] == ["WritesTo dbo.T"]


def test_a_block_may_begin_with_a_semicolon_and_an_expression() -> None:
    sql = "IF 1 = 1\nBEGIN\n;WITH c AS (SELECT 1 a FROM dbo.T)\nSELECT * FROM c\nEND"

    assert names_in(sql) == ["ReadsFrom dbo.T"]


def test_rules_lines_and_relations_are_told() -> None:
    sql = "SELECT 1\nFROM dbo.T\nJOIN dbo.U ON 1 = 1\nCROSS APPLY dbo.fn(1)"

    assert [(one.rule, one.line) for one in read_references(sql)] == [("from", 2), ("join", 3), ("apply", 4)]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("EXEC ('DELETE dbo.T')", [("dbo.T", "delete", 1)]),
        ("EXEC sp_executesql N'SELECT ''a''\nFROM dbo.T', N'@a int', @a = 1", [("dbo.T", "from", 2)]),
        ("EXEC sys.sp_executesql @stmt = N'SELECT 1 FROM dbo.T'", [("dbo.T", "from", 1)]),
        ("EXEC ('EXEC (''SELECT 1 FROM dbo.T'')')", [("dbo.T", "from", 1)]),
        ("EXEC ('dbo.P')", [("dbo.P", "exec", 1)]),
        ("EXEC sp_executesql N'P @a; DELETE dbo.T', N'@a int', 1", [("P", "exec", 1), ("dbo.T", "delete", 1)]),
        ("SET @s = '[dbo].[P] ' + @arguments\nEXEC (@s)", [("dbo.P", "dynamic sql", 1)]),
        ("EXEC ('dbo.P_' + @s)", []),
        ("EXEC ('PRINT @a')\nEXEC ('REVERT')\nEXEC ('RECONFIGURE;')\nEXEC ('KILL ' + @s)", []),
        ("EXEC ('DEALLOCATE @c')\nEXEC ('BACKUP ' + @s)\nEXEC ('SAVE @t')", []),
        ("EXEC ('WAITFOR DELAY ''0:1''; BACKUP LOG x; USE y')", []),
        ("DECLARE @s nvarchar(max) = N'SELECT 1 FROM dbo.T'\nEXEC (@s)", [("dbo.T", "dynamic sql", 1)]),
        ("DECLARE @s nvarchar(max)\nSET @s = N'SELECT 1'\nSET @s += N' FROM dbo.T'\nEXEC sp_executesql @s",
         [("dbo.T", "dynamic sql", 3)]),
        ("SET @s = 'SELECT 1 FROM dbo.A'\nIF 1 = 1\nSET @s = @s + ' JOIN dbo.B ON 1 = 1'\nEXEC (@s)",
         [("dbo.A", "dynamic sql", 1), ("dbo.B", "dynamic sql", 3)]),
        ("EXEC ('SELECT 1 FROM dbo.A JOIN ' + @t + ' ON 1 = 1 JOIN dbo.' + QUOTENAME(@u) + ' u ON 1 = 1')",
         [("dbo.A", "dynamic sql", 1)]),
        ("SET @s = CONCAT(N'DELETE dbo.A WHERE a = ', @a, ' DELETE dbo.', CONCAT('B', @b), '; DELETE dbo.', 'C')\n"
         "EXEC (@s)",
         [("dbo.A", "dynamic sql", 1), ("dbo.C", "dynamic sql", 1)]),
        ("SET @s = 'DELETE ' + CONCAT('dbo', '.A ') + ISNULL(CONCAT('dbo.B', @b), ',') + ' SELECT 1 FROM dbo.C'\n"
         "EXEC (@s)",
         [("dbo.A", "dynamic sql", 1), ("dbo.C", "dynamic sql", 1)]),
        ("EXEC ('SELECT 1 FROM dbo.Orders_' + @year)", []),
        ("SET @s = 'SELECT 1 FROM dbo.T'", []),
        ("EXEC (@s)", []),
    ],
)  # fmt: skip
def test_text_that_is_executed_is_read(sql: str, expected: list[tuple[str, str, int]]) -> None:
    found = [(written(one.name), one.rule, one.line) for one in read_references(sql)]

    assert found == expected


@pytest.mark.parametrize(
    "sql",
    [
        "EXEC ('CREATE PROCEDURE dbo.P AS INSERT dbo.T SELECT 1 FROM dbo.U')",
        "SET @s = 'CREATE OR ALTER VIEW dbo.V AS' + ' SELECT 1 FROM dbo.T'\nEXEC sp_executesql @s",
        "EXEC (N'CREATE TRIGGER dbo.tr ON dbo.T AFTER INSERT AS BEGIN DELETE dbo.U; EXEC dbo.P END')",
    ],
)
def test_what_a_created_module_does_is_not_done_by_whoever_creates_it(sql: str) -> None:
    assert names_in(sql) == []


@pytest.mark.parametrize(
    "source",
    [
        "<table_name, sysname, T>",
        "<owner, , dbo>.<table_name, sysname, T>",
        "[dbo].<table_name, sysname, T>",
        "dbo.fn_<instance, sysname, x>",
    ],
)
def test_a_placeholder_of_a_template_is_no_table(source: str) -> None:
    sources = f"dbo.A a, {source} b JOIN dbo.B ON a.x < 1 AND a.<column, sysname, c> = 2, dbo.D"
    sql = f"SELECT a FROM {sources} WHERE <column, sysname, c> IN (SELECT 1 FROM dbo.C)"

    assert names_in(sql) == ["ReadsFrom dbo.A", "ReadsFrom dbo.B", "ReadsFrom dbo.D", "ReadsFrom dbo.C"]


def test_a_schema_that_a_template_asks_for_is_left_out_of_the_name() -> None:
    sql = """
        DELETE [<owner, varchar, dbo>].[T] FROM [<owner, varchar, dbo>].V v;
        EXEC [<owner, varchar, dbo>].[P] @a = 1;
        SELECT 1 FROM [<db, sysname, Shop>].dbo.Far JOIN [<db, sysname, Shop>].[<owner,,dbo>].Away ON 1 = 1
    """

    assert names_in(sql) == ["WritesTo T", "ReadsFrom V", "Executes proc P"]


def test_a_table_of_edges_uses_the_tables_of_nodes_that_it_may_connect() -> None:
    edge = "CONSTRAINT EC CONNECTION (Person TO dbo.City, [City] TO Person) ON DELETE CASCADE"
    expected = ["Uses table Person", "Uses table dbo.City", "Uses table City", "Uses table Person"]

    created = names_in(f"CREATE TABLE dbo.LivesIn (since date, {edge}, note dbo.Note) AS EDGE")
    altered = names_in(f"ALTER TABLE dbo.LivesIn ADD {edge}")

    assert created == [
        "SchemaChange table dbo.LivesIn",
        *expected,
        "Uses type dbo.Note",
    ]
    assert [name for name in altered if name.startswith("Uses")] == expected


def test_variables_of_another_batch_hold_nothing() -> None:
    assert names_in("DECLARE @s varchar(99) = 'SELECT 1 FROM dbo.T'\nGO\nEXEC (@s)") == []


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (f"SELECT 1 FROM {HOLE}", []),
        (f"SELECT 1 FROM dbo.{HOLE} a JOIN Db.{HOLE}.T b ON 1 = 1 JOIN dbo.U u ON u.a = {HOLE}", ["ReadsFrom dbo.U"]),
        (f"SELECT 1 FROM Orders_{HOLE} o JOIN {HOLE}_Lines l ON 1 = 1 JOIN [dbo].[a{HOLE}b] ON 1 = 1", []),
        (f"UPDATE {HOLE} SET a = 1 FROM dbo.T t", ["ReadsFrom dbo.T"]),
        (f"EXEC {HOLE} 1; EXEC dbo.{HOLE}_Insert 1", []),
        (f"INSERT INTO {HOLE} (a) SELECT {HOLE}.fn(1), dbo.{HOLE}(2) FROM dbo.T", ["ReadsFrom dbo.T"]),
        ("SELECT 1 FROM @p0 JOIN dbo.@p1 ON 1 = 1 JOIN ? ON 1 = 1 JOIN :name n ON 1 = 1", []),
        (f"CREATE TABLE Orders_{HOLE} (a int); CREATE INDEX ix ON dbo.T_{HOLE} (a); DROP TABLE dbo.{HOLE}", []),
        (f"ALTER TABLE dbo.T ADD {HOLE} int, {HOLE}_b int, c_{HOLE} int", ["SchemaChange table dbo.T"]),
        (f"FROM dbo.T t {HOLE} JOIN dbo.U u ON 1 = 1", ["ReadsFrom dbo.T", "ReadsFrom dbo.U"]),
    ],
)  # fmt: skip
def test_unknown_pieces_are_never_part_of_a_name(sql: str, expected: list[str]) -> None:
    assert names_in(sql) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (f"SELECT 1 FROM {HOLE}.T a JOIN [{HOLE}].[U] ON 1 = 1", [f"ReadsFrom {HOLE}.T", f"ReadsFrom {HOLE}.U"]),
        (f"SELECT 1 FROM [{HOLE}].dbo.T, {HOLE}..U", [f"ReadsFrom {HOLE}.dbo.T", f"ReadsFrom {HOLE}.U"]),
        (f"SELECT 1 FROM {HOLE}.{HOLE}.T, {HOLE}dbo.U", [f"ReadsFrom {HOLE}.T", f"ReadsFrom {HOLE}.U"]),
        (f"INSERT INTO [{HOLE}].T (a) SELECT a FROM {HOLE}.f(1)", [f"WritesTo {HOLE}.T", f"Calls func {HOLE}.f"]),
        (f"UPDATE t SET a = 1 FROM {HOLE}.T t", [f"WritesTo {HOLE}.T"]),
        (f"UPDATE {HOLE}.T SET a = 1 FROM dbo.T WHERE a = 2", [f"WritesTo {HOLE}.T"]),
        (f"SELECT a INTO {HOLE}.T FROM #u", [f"WritesTo {HOLE}.T"]),
        (f"EXEC {HOLE}.P 1; EXEC [{HOLE}].dbo.P", [f"Executes proc {HOLE}.P", f"Executes proc {HOLE}.dbo.P"]),
        (f"EXEC {HOLE}.sys.sp_executesql N'SELECT 1 FROM dbo.T'", ["ReadsFrom dbo.T"]),
        (f"SELECT 1 FROM {HOLE}.{HOLE}.dbo.T, {HOLE}.dbo.T_{HOLE}, {HOLE}.#t", []),
    ],
)  # fmt: skip
def test_of_a_name_behind_unknown_pieces_the_rest_is_told(sql: str, expected: list[str]) -> None:
    assert names_in(sql) == expected


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (
            f"{HOLE} p.a, q.b, CASE WHEN c = 1 THEN d END, e FROM dbo.T p JOIN dbo.U q ON 1 = 1 {HOLE}",
            ["dbo.T", "dbo.U"],
        ),
        (f"{HOLE} a, b FROM dbo.T, dbo.U", ["dbo.T", "dbo.U"]),
        (f"{HOLE} (SELECT MAX(a) FROM dbo.T), b FROM dbo.U", ["dbo.T", "dbo.U"]),
        (f"{HOLE} t JOIN dbo.U u ON 1 = 1", ["dbo.U"]),
        (f"{HOLE} SELECT a, b FROM dbo.T", ["dbo.T"]),
        (f"{HOLE} a, b", []),
        (HOLE, []),
    ],
)
def test_a_parenthesis_that_begins_with_an_unknown_piece_may_be_a_query(
    inner: str, expected: list[str]
) -> None:
    read = [f"ReadsFrom {name}" for name in expected]

    assert names_in(f"SELECT x.a FROM ({inner}) AS x WHERE x.a = 1") == read
    assert names_in(f"SELECT 1 FROM dbo.A JOIN ({inner}) x ON x.a = 1") == ["ReadsFrom dbo.A", *read]
    assert names_in(f"UPDATE x SET a = 1 FROM ({HOLE}) x") == []


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (TABLE, [("create table", "dbo.T", "")]),
        ("ALTER TABLE dbo.T ADD a int NULL, b dbo.Name NOT NULL CONSTRAINT d DEFAULT (0)",
         [("add column", "dbo.T", "a"), ("add column", "dbo.T", "b")]),
        ("ALTER TABLE dbo.T WITH CHECK ADD CONSTRAINT FK_A FOREIGN KEY (a) REFERENCES dbo.U (id)",
         [("add foreign key", "dbo.T", "FK_A")]),
        ("ALTER TABLE dbo.T ADD FOREIGN KEY (a, b) REFERENCES dbo.U (c, d)",
         [("add foreign key", "dbo.T", "FK_T_U_a_b")]),
        ("ALTER TABLE dbo.T ALTER COLUMN a bigint NOT NULL", [("alter column", "dbo.T", "a")]),
        ("ALTER TABLE dbo.T DROP COLUMN a, b, CONSTRAINT FK_A, DF_B",
         [("drop column", "dbo.T", "a"), ("drop column", "dbo.T", "b"), ("drop foreign key", "dbo.T", "FK_A")]),
        ("ALTER TABLE dbo.T DROP COLUMN IF EXISTS a", [("drop column", "dbo.T", "a")]),
        ("ALTER TABLE dbo.T CHECK CONSTRAINT FK_A", [("alter table", "dbo.T", "")]),
        ("DROP TABLE IF EXISTS dbo.T, U, #v", [("drop table", "dbo.T", ""), ("drop table", "U", "")]),
        ("CREATE UNIQUE INDEX ix ON dbo.T (a)", [("create index", "dbo.T", "ix")]),
        ("DROP INDEX ix ON dbo.T", [("drop index", "dbo.T", "ix")]),
        ("DROP INDEX dbo.T.ix", [("drop index", "dbo.T", "ix")]),
        ("EXEC sp_rename 'dbo.T.a', 'b', 'COLUMN'", [("rename column", "dbo.T", "a -> b")]),
        ("EXEC sp_rename @objname = N'[dbo].[T]', @newname = N'U'", [("rename table", "dbo.T", "U")]),
        ("sp_rename 'dbo.T', 'U'", [("rename table", "dbo.T", "U")]),
        ("EXEC sp_rename 'dbo.T.ix', 'iy', 'INDEX'", [("rename index", "dbo.T", "ix -> iy")]),
        ("EXEC sp_rename 'ix', 'iy', 'INDEX'", []),
        ("DROP PROCEDURE dbo.P; DROP VIEW dbo.V", []),
        ("CREATE TABLE #t (a int)", []),
    ],
)  # fmt: skip
def test_changes_of_tables_tell_what_they_do(sql: str, expected: list[tuple[str, str, str]]) -> None:
    found = [(one.rule, written(one.name), one.detail) for one in read_references(sql)]

    assert [entry for entry in found if entry[0] not in ("type", "exec")] == expected


@pytest.mark.parametrize(
    "sql",
    [
        "ALTER TABLE dbo.T SWITCH TO stage.U",
        "ALTER TABLE dbo.T SWITCH PARTITION @day TO stage.U PARTITION 2 WITH (WAIT (x))",
    ],
)
def test_switching_partitions_writes_both_tables(sql: str) -> None:
    found = [(one.relation, written(one.name), one.rule) for one in read_references(sql)]

    assert found == [
        ("WritesTo", "dbo.T", "switch"),
        ("WritesTo", "stage.U", "switch"),
        ("SchemaChange", "dbo.T", "alter table"),
    ]


def test_defaults_computed_columns_and_checks_call_functions() -> None:
    sql = (
        "CREATE TABLE dbo.T (a int DEFAULT (NEXT VALUE FOR dbo.Seq), b AS dbo.fn(a), c [dbo].[Name] (5),"
        " CHECK (dbo.ok(a) = 1)) WITH (SYSTEM_VERSIONING = ON (HISTORY_TABLE = dbo.T_History))"
    )

    assert names_in(sql)[1:] == [
        "Uses sequence dbo.Seq",
        "Calls func dbo.fn",
        "Uses type dbo.Name",
        "Calls func dbo.ok",
        "Uses table dbo.T_History",
    ]


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("postgresql", "UPDATE ONLY orders o SET a = 1 FROM lines l WHERE l.i = o.i RETURNING o.a, o.b",
         ["WritesTo orders", "ReadsFrom lines"]),
        ("postgresql", "DELETE FROM orders USING lines WHERE true", ["WritesTo orders", "ReadsFrom lines"]),
        ("postgresql", "INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 2", ["WritesTo t"]),
        ("postgresql", "SELECT nextval('shop.seq')", ["Uses sequence shop.seq"]),
        ("postgresql", "SELECT a INTO total FROM orders", ["ReadsFrom orders"]),
        ("postgresql", "CREATE TRIGGER t AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION audit.note();",
         ["Calls func audit.note"]),
        ("postgresql",
         "CREATE FUNCTION f() RETURNS void AS $$\nBEGIN\n  DELETE FROM orders;\nEND $$ LANGUAGE plpgsql;",
         ["WritesTo orders"]),
        ("postgresql", "DO LANGUAGE plpgsql $$\nBEGIN\n  DELETE FROM orders;\nEND $$;", ["WritesTo orders"]),
        ("postgresql", "DO LANGUAGE 'plpgsql' $a$BEGIN DELETE FROM orders; END$a$", ["WritesTo orders"]),
        ("postgresql",
         "DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM lines) THEN\nINSERT INTO orders (a) VALUES (1);\nEND IF; END $$",
         ["ReadsFrom lines", "WritesTo orders"]),
        ("mysql", "UPDATE `a` JOIN `b` ON a.i = b.i SET a.x = 1", ["WritesTo a", "ReadsFrom b"]),
        ("mysql", "DELETE o FROM orders o JOIN lines l ON l.i = o.i", ["WritesTo orders", "ReadsFrom lines"]),
        ("mysql", "REPLACE INTO orders (a) SELECT a FROM lines LIMIT 5, 10", ["WritesTo orders", "ReadsFrom lines"]),
        ("mysql", "INSERT IGNORE INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE b = VALUES(b)", ["WritesTo t"]),
        ("sqlite", "INSERT OR REPLACE INTO t (a) SELECT a FROM u LIMIT 1", ["WritesTo t", "ReadsFrom u"]),
    ],
)  # fmt: skip
def test_other_dialects_are_read_as_far_as_they_agree(
    dialect: Dialect, sql: str, expected: list[str]
) -> None:
    assert names_in(sql, dialect) == expected
