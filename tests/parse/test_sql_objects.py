"""Outlines of SQL files: which objects there are, where they begin and end, and what is none."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragduck.facts import ObjectName
from ragduck.model import Document, Outline, ParseProblem, Symbol
from ragduck.parse.sql import outline


def outline_of(text: str, path: str = "db/shop.sql") -> Outline:
    return outline(Document(path, text, "sql", "sql", "source", len(text), 0))


def symbols_of(text: str, path: str = "db/shop.sql") -> tuple[Symbol, ...]:
    return outline_of(dedent(text), path).symbols


def spans(text: str, path: str = "db/shop.sql") -> list[tuple[str, str, int, int]]:
    return [
        (symbol.element_type, symbol.qualified_name, symbol.start_line, symbol.end_line)
        for symbol in symbols_of(text, path)
    ]


def names(text: str, path: str = "db/shop.sql") -> list[str]:
    return [symbol.qualified_name for symbol in symbols_of(text, path) if symbol.kind]


def test_a_table_with_its_columns() -> None:
    (table,) = symbols_of("""\
        CREATE TABLE [dbo].[Order Details] (
            [Id]     INT NOT NULL,
            Total    DECIMAL(9, 2) DEFAULT (0),
            CONSTRAINT [PK] PRIMARY KEY ([Id]),
            INDEX IX (Total)
        );
        """)

    assert table == Symbol(
        name="Order Details",
        qualified_name="dbo.Order Details",
        element_type="table",
        start_line=1,
        end_line=6,
        signature="Order Details (Id, Total)",
        kind="TABLE",
        schema="dbo",
        cuts=(2, 3, 4, 5),
    )


def test_a_procedure_with_its_statements() -> None:
    (procedure,) = symbols_of("""\
        -- Stores an order.
        CREATE OR ALTER PROCEDURE [dbo].[Order_Insert]
            @Id INT, -- key
            @Total  MONEY = 0 OUTPUT
        AS
        BEGIN
            SET NOCOUNT ON

            INSERT INTO Orders (Id, Total)
            SELECT @Id, @Total

            -- the log
            EXEC dbo.Log_Write @Id
            IF @Total > 0
            BEGIN
                UPDATE Totals
                SET Total = Total + @Total
            END
        END
        GO
        """)

    assert procedure == Symbol(
        name="Order_Insert",
        qualified_name="dbo.Order_Insert",
        element_type="procedure",
        start_line=1,
        end_line=19,
        signature="CREATE OR ALTER PROCEDURE dbo.Order_Insert @Id INT, @Total MONEY = 0 OUTPUT",
        kind="PROC",
        schema="dbo",
        cuts=(7, 9, 12, 14, 16),
    )


@pytest.mark.parametrize(
    ("statement", "kind", "element_type", "qualified_name"),
    [
        ("CREATE VIEW Sales.V AS SELECT 1 AS x", "VIEW", "view", "Sales.V"),
        ("ALTER VIEW V AS SELECT 1 AS x", "VIEW", "view", "dbo.V"),
        ("CREATE PROC P AS SELECT 1", "PROC", "procedure", "dbo.P"),
        ("ALTER PROCEDURE P AS SELECT 1", "PROC", "procedure", "dbo.P"),
        ("CREATE FUNCTION F(@a INT) RETURNS INT AS BEGIN RETURN 1 END", "FUNC", "function", "dbo.F"),
        ("CREATE TYPE dbo.Ids AS TABLE (Id INT)", "TYPE", "type", "dbo.Ids"),
        ("CREATE TYPE Money2 FROM DECIMAL(9, 2) NOT NULL", "TYPE", "type", "dbo.Money2"),
        ("CREATE SEQUENCE Seq.Id AS INT START WITH 1", "SEQUENCE", "sequence", "Seq.Id"),
        ("CREATE SYNONYM dbo.S FOR Other.dbo.T", "SYNONYM", "synonym", "dbo.S"),
        ("CREATE SCHEMA [Sales] AUTHORIZATION [dbo];", "SCHEMA", "schema", "Sales"),
        ("CREATE SCHEMA AUTHORIZATION ann", "SCHEMA", "schema", "ann"),
        ("CREATE TABLE IF NOT EXISTS T (Id INT)", "TABLE", "table", "dbo.T"),
        ("CREATE EXTERNAL TABLE T (Id INT)", "TABLE", "table", "dbo.T"),
        ("ALTER TABLE Sales.T ADD X INT NULL", "TABLE", "alter_table", "Sales.T"),
        ("CREATE INDEX IX ON dbo.T (A)", "INDEX", "index", "dbo.T.IX"),
        ("CREATE UNIQUE NONCLUSTERED INDEX [IX] ON [T] ([A])", "INDEX", "index", "dbo.T.IX"),
        ("CREATE CLUSTERED COLUMNSTORE INDEX IX ON Sales.T", "INDEX", "index", "Sales.T.IX"),
        ("CREATE PRIMARY XML INDEX IX ON Sales.T (X)", "INDEX", "index", "Sales.T.IX"),
        ("CREATE TRIGGER Tr ON Sales.T AFTER INSERT, UPDATE AS SELECT 1", "TRIGGER", "trigger", "Sales.Tr"),
        ("CREATE /* why */ TABLE /* not */ dbo . -- here\n T (Id INT)", "TABLE", "table", "dbo.T"),
        ('create table "dbo"."X ""y""" (id int)', "TABLE", "table", 'dbo.X "y"'),
        ("CREATE OR ALTER PROCEDURE[dbo].[P] AS SELECT 1", "PROC", "procedure", "dbo.P"),
    ],
)
def test_each_kind_of_object(statement: str, kind: str, element_type: str, qualified_name: str) -> None:
    (symbol,) = outline_of(statement).symbols

    assert (symbol.kind, symbol.element_type, symbol.qualified_name) == (kind, element_type, qualified_name)
    assert (symbol.start_line, symbol.end_line) == (1, statement.count("\n") + 1)


@pytest.mark.parametrize(
    "text",
    [
        "-- CREATE TABLE a (b INT)",
        "/* x\nCREATE PROC p AS\n*/",
        "PRINT '\nCREATE TABLE a (b INT)'",
        "SET @sql = N'CREATE PROC p AS SELECT 1'",
        "EXEC('ALTER TABLE t DROP CONSTRAINT ' + @name)",
        "CREATE TABLE #t (a INT)",
        "CREATE TABLE tempdb..#t (a INT)",
        "CREATE INDEX ix ON #t (a)",
        "CREATE UNIQUE CLUSTERED INDEX ix ON tempdb..#t (a)",
        "CREATE TEMPORARY TABLE t (a INT)",
        "DECLARE @t TABLE (a INT)",
        "WITH t AS (SELECT 1 AS a) SELECT a FROM t",
        "DROP TABLE t",
        "DROP PROCEDURE IF EXISTS p",
        "ALTER INDEX ix ON t REBUILD",
        "ALTER SCHEMA a TRANSFER b.c",
        "ALTER SEQUENCE s RESTART",
        "CREATE USER u",
        "CREATE XML SCHEMA COLLECTION c AS N''",
        "CREATE PARTITION FUNCTION pf (INT) AS RANGE LEFT FOR VALUES (1)",
        "GRANT CREATE TABLE TO ann",
        "GRANT ALTER, CREATE PROCEDURE TO ann",
        "CREATE FULLTEXT INDEX ON <table, sysname, t> (a)",
        "SELECT [CREATE TABLE x]",
        "CREATE TABLE [#t] (a INT)",
        "CREATE TABLE [dbo].[##t] (a INT)",
        "CREATE TABLE tempdb.dbo.t (a INT)",
        "CREATE PROCEDURE [<Schema, sysname, dbo>].[<Name, sysname, Some_Do>] AS SELECT 1",
        "CREATE TABLE",
        "CREATE",
    ],
)
def test_what_is_no_object(text: str) -> None:
    assert names(text) == []


def test_three_part_names_and_use_give_the_database() -> None:
    symbols = symbols_of("""\
        CREATE TABLE a (x INT)
        GO
        USE [Shop Db];
        GO
        CREATE TABLE b (x INT)
        CREATE TABLE Other.dbo.c (x INT)
        CREATE TABLE Srv.Far..d (x INT)
        CREATE INDEX i ON Other.dbo.c (x)
        """)

    assert [(s.qualified_name, s.database) for s in symbols if s.kind] == [
        ("dbo.a", None),
        ("dbo.b", "Shop Db"),
        ("dbo.c", "Other"),
        ("dbo.d", "Far"),
        ("dbo.c.i", "Other"),
    ]


def test_a_body_runs_to_the_end_of_its_batch() -> None:
    found = spans("""\
        CREATE PROC a AS
        SELECT 1
        CREATE TABLE inner_table (x INT)
        GO
        CREATE TABLE b (x INT)
        GO
        """)

    assert found == [("procedure", "dbo.a", 1, 3), ("table", "dbo.b", 5, 5)]


def test_go_in_a_comment_or_string_ends_nothing() -> None:
    found = spans("""\
        CREATE PROC a AS
        /*
        GO
        */
        PRINT '
        GO
        '
        GO
        """)

    assert found == [("procedure", "dbo.a", 1, 7)]


def test_procedures_without_go_end_with_their_block() -> None:
    found = spans("""\
        CREATE PROCEDURE a AS
        BEGIN
            BEGIN TRAN
            IF 1 = CASE WHEN 1 = 1 THEN 1 END
            BEGIN
                SELECT 1
            END
            COMMIT
        END
        EXEC a

        CREATE PROCEDURE b AS
        SELECT 1
        SELECT 2

        CREATE VIEW v AS
        SELECT 1 AS x
        UNION ALL
        SELECT 2
        INSERT INTO t VALUES (1)
        CREATE FUNCTION f() RETURNS TABLE AS RETURN
            SELECT 1 AS x
        CREATE TABLE t (x INT)
        INSERT INTO t VALUES (2)
        """)

    assert found == [
        ("procedure", "dbo.a", 1, 9),
        ("script", "db.shop", 10, 10),
        ("procedure", "dbo.b", 12, 14),
        ("view", "dbo.v", 16, 19),
        ("script", "db.shop", 20, 20),
        ("function", "dbo.f", 21, 22),
        ("table", "dbo.t", 23, 23),
        ("script", "db.shop", 24, 24),
    ]


@pytest.mark.parametrize(
    "body",
    [
        "    SELECT Id INTO #t FROM dbo.A\n    CREATE INDEX ix ON #t (Id)\n    UPDATE dbo.B SET x = 1",
        "    SELECT 1\n    CREATE TABLE dbo.Made (x INT)\n    INSERT dbo.Made VALUES (1)",
        "BEGIN\n    SELECT 1\nEND\nDELETE dbo.B\nRETURN 0",
        "BEGIN\n    IF @id IS NULL RETURN\nEND\nBEGIN TRY\n    DELETE b\nEND TRY\nBEGIN CATCH\n    THROW\nEND CATCH",
    ],
)
@pytest.mark.parametrize(
    "head", ["CREATE PROCEDURE dbo.P @id INT AS", "ALTER TRIGGER dbo.P ON dbo.B FOR UPDATE AS"]
)
def test_the_only_procedure_of_a_file_without_go_runs_to_its_end(head: str, body: str) -> None:
    (found,) = outline_of(f"{head}\n{body}\n").symbols

    assert (found.qualified_name, found.start_line, found.end_line) == ("dbo.P", 1, body.count("\n") + 2)


@pytest.mark.parametrize(
    "text",
    [
        "CREATE VIEW dbo.V AS\nSELECT 1 AS x\nINSERT INTO t VALUES (1)",
        "CREATE FUNCTION dbo.F() RETURNS INT AS BEGIN\nRETURN 1 END\nINSERT INTO t VALUES (1)",
        "CREATE TABLE t (x INT)\nCREATE PROC dbo.P AS BEGIN SELECT 1 END\nINSERT INTO t VALUES (1)",
        "CREATE TRIGGER tr AFTER INSERT ON t BEGIN\nSELECT 1; END\nINSERT INTO t VALUES (1)",
    ],
)
def test_what_is_no_batch_of_one_procedure_ends_with_its_block(text: str) -> None:
    assert spans(text)[-1] == ("script", "db.shop", 3, 3)


def test_an_unbalanced_body_does_not_swallow_the_next_object() -> None:
    found = spans("""\
        CREATE PROCEDURE a AS
        BEGIN
            SELECT (1
        CREATE PROCEDURE b AS
        BEGIN
            SELECT 1
        END
        """)

    assert found == [("procedure", "dbo.a", 1, 3), ("procedure", "dbo.b", 4, 7)]


def test_a_guard_belongs_to_what_it_guards() -> None:
    found = spans("""\
        -- Orders
        IF NOT EXISTS (SELECT 1 FROM sys.tables WHERE name = 'Orders')
        BEGIN
            CREATE TABLE dbo.Orders (Id INT)
            CREATE INDEX IX ON dbo.Orders (Id)
        END
        IF COL_LENGTH('dbo.Orders', 'Total') IS NULL
            ALTER TABLE dbo.Orders ADD Total MONEY
        ELSE
            PRINT 'there'
        IF OBJECT_ID('dbo.Old') IS NOT NULL
        BEGIN
            DROP TABLE dbo.Old
        END
        """)

    assert found == [
        ("table", "dbo.Orders", 1, 4),
        ("index", "dbo.Orders.IX", 5, 6),
        ("alter_table", "dbo.Orders", 7, 10),
        ("script", "db.shop", 11, 14),
    ]


def test_an_executed_literal_defines_its_object() -> None:
    found = symbols_of("""\
        IF OBJECT_ID('dbo.P') IS NULL
            EXEC('CREATE PROCEDURE [dbo].[P] @a INT AS SELECT ''x''')
        GO
        EXEC dbo.sp_executesql @statement = N'CREATE VIEW Sales.V AS
        SELECT 1 AS x'
        GO
        """)

    assert [(s.element_type, s.qualified_name, s.signature, s.start_line, s.end_line) for s in found] == [
        ("procedure", "dbo.P", "CREATE PROCEDURE dbo.P @a INT", 1, 2),
        ("view", "Sales.V", "CREATE VIEW Sales.V", 4, 5),
    ]


def test_the_name_of_an_object_may_end_the_text_that_creates_it() -> None:
    assert names("EXEC ('CREATE SCHEMA sales')\nSET @s = 'CREATE SCHEMA hr'\nEXEC (@s)") == ["sales", "hr"]


def test_a_text_in_a_variable_defines_the_object_that_it_creates_when_it_is_executed() -> None:
    found = spans("""\
        DECLARE @sql NVARCHAR(MAX), @other INT = 1;
        PRINT 'first';
        SET @sql = N'CREATE PROCEDURE dbo.P AS
            SELECT 1 FROM dbo.A';
        SET @sql += N' JOIN dbo.B ON 1 = 1';
        EXEC sys.sp_executesql @stmt = @sql;
        SELECT @sql = 'CREATE VIEW dbo.V AS SELECT 1 AS x';
        EXEC (@sql);
        PRINT 'last';
        GO
        IF OBJECT_ID('dbo.F') IS NULL
        BEGIN
            DECLARE @f nvarchar(max) = CAST(N'CREATE FUNCTION dbo.F () ' AS nvarchar(max)) + N'RETURNS int AS'
            EXECUTE (@f)
        END
        """)

    assert found == [
        ("script", "db.shop", 1, 2),
        ("procedure", "dbo.P", 3, 6),
        ("view", "dbo.V", 7, 8),
        ("script", "db.shop", 9, 9),
        ("function", "dbo.F", 11, 15),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "SET @s = 'CREATE PROC dbo.P AS SELECT 1'\nPRINT @s",
        "SET @s = 'CREATE PROC dbo.P AS SELECT 1'\nSET @s = 'SELECT 1'\nEXEC (@s)",
        "SET @s = 'CREATE PROC dbo.P_' + @name + ' AS SELECT 1'\nEXEC (@s)",
        "SET @s = 'CREATE PROC dbo.P AS SELECT 1'\nGO\nEXEC (@s)",
        "SET @s = 'CREATE INDEX ix ON ' + @table + ' (a)'\nEXEC (@s)",
        "SET @s = 'CREATE INDEX ix ON dbo.T' + @year + ' (a)'\nEXEC (@s)",
        "SET @s = 'SELECT 1' + 'CREATE PROC dbo.P AS SELECT 1'\nEXEC (@s)",
        "SET @s = 'CREATE PROC dbo.P AS SELECT 1'" + "\nPRINT 1" * 40 + "\nEXEC (@s)",
        "SET @s = 'CREATE PROC dbo.P AS SELECT 1'\nEXEC (@s) AT Server1",
        "SET @s = 'CREATE PROC dbo.P AS SELECT 1'\nEXEC Server1.Other.sys.sp_executesql @s",
        "EXEC ('CREATE PROC dbo.P AS SELECT 1') AT Server1",
    ],
)
def test_a_text_that_is_not_executed_or_not_known_defines_nothing(text: str) -> None:
    assert names(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "SET @s = 'CREATE PROC dbo.P AS SELECT 1'\nEXEC Other.sys.sp_executesql @s",
        "EXEC Other.sys.sp_executesql @stmt = N'CREATE PROC dbo.P AS SELECT 1'",
    ],
)
def test_a_text_that_another_database_runs_defines_an_object_of_that(text: str) -> None:
    (found,) = outline_of(text).facts.objects

    assert found.name == ObjectName("P", "dbo", "Other")


@pytest.mark.parametrize(
    "stub",
    [
        "IF OBJECT_ID('dbo.P') IS NULL\n    EXEC ('CREATE PROCEDURE dbo.P AS SELECT 1')\nGO\n",
        "IF OBJECT_ID('dbo.P') IS NULL\n    EXEC ('CREATE PROC p AS SELECT 1')\nGO\nSET XACT_ABORT, NOCOUNT ON\nGO\n",
        "CREATE PROC dbo.P AS\nRETURN 0\nGO\n",
    ],
)
def test_a_stub_leads_to_the_definition_that_alters_it(stub: str) -> None:
    found = spans(stub + "ALTER PROCEDURE dbo.P AS\nSELECT 1 FROM dbo.A\n")

    last = stub.count("\n") + 2
    assert found == [("procedure", "dbo.P", 1, last)]


def test_the_definitions_of_a_module_that_a_file_replaces_have_no_name() -> None:
    found = spans("""\
        EXEC ('CREATE PROCEDURE dbo.P AS SELECT 1')
        GO
        UPDATE dbo.A SET x = 1
        GO
        CREATE PROCEDURE dbo.P AS
        SELECT 1 FROM dbo.A
        SELECT 2 FROM dbo.A
        RETURN 0
        GO
        CREATE OR ALTER PROCEDURE dbo.P AS
        SELECT 3 FROM dbo.A
        GO
        """)

    assert found == [("script", "db.shop", 1, 8), ("procedure", "dbo.P", 10, 11)]


@pytest.mark.parametrize(
    "later",
    [
        "EXEC ('CREATE PROCEDURE dbo.P AS SELECT 2')",
        "ALTER PROCEDURE Sales.P AS SELECT 2",
        "CREATE FUNCTION dbo.P() RETURNS int AS BEGIN RETURN 1 END",
        "USE Other\nGO\nCREATE PROCEDURE dbo.P AS SELECT 2",
        "CREATE PROCEDURE dbo.P;2 AS SELECT 2",
    ],
)
def test_what_is_another_object_replaces_nothing(later: str) -> None:
    assert names("EXEC ('CREATE PROCEDURE dbo.P AS SELECT 1')\nGO\n" + later)[0] == "dbo.P"
    assert len(names("EXEC ('CREATE PROCEDURE dbo.P AS SELECT 1')\nGO\n" + later)) == 2


def test_the_graph_has_the_lines_of_the_definition_itself() -> None:
    stub = "EXEC ('CREATE PROCEDURE dbo.P AS SELECT 1')\nGO\n"

    objects = outline_of(stub + "ALTER PROCEDURE dbo.P AS\nSELECT 1 FROM dbo.A\n").facts.objects

    assert [(one.action, one.line, one.end_line) for one in objects] == [("alter", 1, 1), ("create", 3, 4)]


def test_what_a_procedure_creates_when_it_runs_is_no_object() -> None:
    text = "CREATE PROC dbo.Maker AS\nBEGIN\nSET @s = 'CREATE PROC dbo.P AS SELECT 1'\nEXEC (@s)\nEND"

    assert names(text) == ["dbo.Maker"]


def test_scripts_between_objects_are_cut_at_statements() -> None:
    script, table, last = symbols_of("""\
        SET NOCOUNT ON
        USE Shop
        GO

        -- first
        INSERT INTO a (x)
        SELECT 1
        DELETE FROM b
        GO
        CREATE TABLE c (x INT)
        UPDATE c
        SET x = 1
        """)

    assert (script.name, script.qualified_name, script.kind) == ("shop", "db.shop", None)
    assert (script.start_line, script.end_line, script.cuts) == (1, 8, (2, 5, 8))
    assert (table.start_line, table.end_line) == (10, 10)
    assert (last.start_line, last.end_line, last.cuts) == (11, 12, ())


def test_objects_that_share_a_line_are_all_found() -> None:
    found = spans("SET NOCOUNT ON; CREATE TABLE a (x INT); CREATE TABLE b (x INT);")

    assert found == [("table", "dbo.a", 1, 1), ("table", "dbo.b", 1, 1)]


def test_comments_belong_to_what_follows_without_a_blank_line() -> None:
    found = spans("""\
        -- File header

        /* One
           two */
        -- three
        CREATE TABLE a (x INT) -- trailing
        -- four
        CREATE TABLE b (x INT)
        -- last words
        GO
        """)

    assert found == [("table", "dbo.a", 3, 6), ("table", "dbo.b", 7, 9)]


def test_clauses_that_look_like_statements_do_not_cut() -> None:
    (procedure,) = symbols_of("""\
        CREATE PROC p
        WITH RECOMPILE
        AS
        MERGE INTO a
        USING b
        ON a.x = b.x
        WHEN MATCHED THEN
        UPDATE
        SET x = 1
        WHEN NOT MATCHED THEN
        INSERT (x) VALUES (1);
        WITH c AS (SELECT 1 AS x)
        INSERT INTO a
        SELECT x
        FROM c
        WITH (NOLOCK)
        UNION
        SELECT 2
        SET IDENTITY_INSERT a ON
        INSERT INTO a (x) VALUES (1)
        DECLARE k CURSOR FOR
        SELECT 1
        OPEN k
        ALTER TABLE t
        DROP CONSTRAINT d
        SELECT CASE
        WHEN 1 = 1 THEN 2
        ELSE 3
        END
        RETURN
        """)

    assert procedure.cuts == (4, 12, 19, 20, 21, 23, 24, 26, 30)


def test_a_long_header_is_shortened() -> None:
    parameters = ", ".join(f"@parameter_{number} INT" for number in range(100))

    (procedure,) = outline_of(f"CREATE PROC p {parameters} AS SELECT 1").symbols

    assert len(procedure.signature) <= 300
    assert procedure.signature.startswith("CREATE PROC p @parameter_0 INT, @parameter_1 INT")
    assert procedure.signature.endswith("…")


def test_types_in_headers_do_not_end_them() -> None:
    (procedure,) = outline_of(
        "CREATE PROC p @a AS INT, @b dbo.T READONLY WITH EXECUTE AS OWNER AS SELECT 1"
    ).symbols

    assert procedure.signature == "CREATE PROC p @a AS INT, @b dbo.T READONLY WITH EXECUTE AS OWNER"


def test_postgresql() -> None:
    found = spans("""\
        CREATE EXTENSION pgcrypto;
        CREATE TABLE IF NOT EXISTS shop."Orders" (
            id bigserial PRIMARY KEY
        );
        CREATE OR REPLACE FUNCTION total(order_id int) RETURNS int AS $$
        BEGIN
            CREATE TABLE inside (x int);
            RETURN 1;
        END;
        $$ LANGUAGE plpgsql;
        CREATE MATERIALIZED VIEW m AS
        SELECT 1;
        CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS ix ON ONLY shop."Orders" (id);
        CREATE TRIGGER tr BEFORE INSERT ON shop."Orders"
            FOR EACH ROW EXECUTE FUNCTION total();
        ALTER TABLE ONLY shop."Orders" ADD COLUMN x int;
        ALTER FUNCTION total(int) OWNER TO ann;
        """)

    assert found == [
        ("script", "db.shop", 1, 1),
        ("table", "shop.Orders", 2, 4),
        ("function", "public.total", 5, 10),
        ("view", "public.m", 11, 12),
        ("index", "shop.Orders.ix", 13, 13),
        ("trigger", "public.tr", 14, 15),
        ("alter_table", "shop.Orders", 16, 16),
        ("script", "db.shop", 17, 17),
    ]


def test_mysql_with_delimiters() -> None:
    found = spans("""\
        CREATE TABLE `orders` (`id` int NOT NULL, KEY `k` (`id`)) ENGINE=InnoDB;
        DELIMITER $$
        CREATE DEFINER=`root`@`localhost` PROCEDURE `p`(IN x INT)
        BEGIN
            IF x > 0 THEN
                SELECT 'it\\'s';
            END IF;
        END$$
        CREATE TRIGGER tr BEFORE INSERT ON orders FOR EACH ROW
            SET NEW.id = 1$$
        DELIMITER ;
        CREATE VIEW v AS SELECT 1;
        """)

    assert found == [
        ("table", "main.orders", 1, 1),
        ("procedure", "main.p", 3, 8),
        ("trigger", "main.tr", 9, 10),
        ("view", "main.v", 12, 12),
    ]


def test_firebird_with_terminators() -> None:
    found = spans("""\
        CREATE TABLE ORDERS (ID INTEGER NOT NULL, NOTE BLOB SUB_TYPE 1);
        SET TERM ^ ;
        CREATE PROCEDURE ORDERS_READ (STATE INTEGER) RETURNS (ID INTEGER)
        AS
        DECLARE VARIABLE N INTEGER;
        BEGIN
            FOR SELECT ID FROM ORDERS INTO :ID DO
            BEGIN
                SUSPEND;
            END
        END^
        CREATE TRIGGER ORDERS_BI FOR ORDERS ACTIVE BEFORE INSERT AS
        BEGIN
            NEW.ID = GEN_ID(ORDERS_SEQ, 1);
        END^
        SET TERM ; ^
        CREATE VIEW V AS SELECT ID FROM ORDERS;
        """)

    assert found == [
        ("table", "main.ORDERS", 1, 1),
        ("procedure", "main.ORDERS_READ", 3, 11),
        ("trigger", "main.ORDERS_BI", 12, 15),
        ("view", "main.V", 17, 17),
    ]


def test_sqlite_triggers() -> None:
    found = spans("""\
        PRAGMA foreign_keys = ON;
        CREATE TRIGGER tr AFTER UPDATE ON a
        BEGIN
            INSERT INTO log VALUES (1);
            UPDATE a SET x = 1;
        END;
        BEGIN;
        CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT);
        COMMIT;
        """)

    assert found == [
        ("script", "db.shop", 1, 1),
        ("trigger", "main.tr", 2, 6),
        ("script", "db.shop", 7, 7),
        ("table", "main.a", 8, 8),
        ("script", "db.shop", 9, 9),
    ]


def test_an_unclosed_string_is_a_problem_and_the_next_batch_is_read() -> None:
    result = outline_of("PRINT 'oops\nGO\nCREATE TABLE a (x INT)\n")

    assert result.problems == (
        ParseProblem("db/shop.sql", 1, 'string that begins with "\'oops\\n" never ends'),
    )
    assert [symbol.qualified_name for symbol in result.symbols] == ["db.shop", "dbo.a"]


@pytest.mark.parametrize("text", ["", "\n\n", "-- only a comment", "GO\nGO\n", ";;"])
def test_files_without_statements_have_no_symbols(text: str) -> None:
    assert outline_of(text).symbols == ()


fragments = st.lists(
    st.sampled_from(
        ["CREATE TABLE a", "CREATE PROC p", "ALTER VIEW v", "CREATE INDEX i ON t", "IF", "ELSE", "BEGIN",
         "END", "CASE", "AS", "SELECT", "INSERT", "WITH x AS", "UPDATE", "SET", "EXEC(",
         "'CREATE VIEW w AS'", "'", "GO", ";", "(", ")", ",", "\n", "\n\n", "--", "/*", "*/", "$$", "@x",
         "#t", "[", "dbo", ".", "USE", "TABLE", "DELIMITER //", "//", "`b`", "TRAN", "THEN", "RETURN",
         "SET TERM ^ ;", "^", "DROP TABLE a", "GRANT SELECT ON a TO x", "SET y ON"]
    )
)  # fmt: skip


@example("WITH AS(WITH A AS(", "a.sql")
@example("WITH AS(WITH A(", "a.sql")
@given(
    st.one_of(st.text(), fragments.map("\n".join), fragments.map(" ".join)),
    st.sampled_from(["a.sql", "postgres/a.sql", "mysql/a.sql", "sqlite/a.sql", "firebird/a.sql"]),
)
def test_symbols_are_ordered_within_the_file_and_validly_cut(text: str, path: str) -> None:
    symbols = outline_of(text, path).symbols

    previous_end, was_script = 0, False
    for symbol in symbols:
        is_script = symbol.element_type == "script"
        assert symbol.start_line >= previous_end + (is_script or was_script)
        assert symbol.start_line <= symbol.end_line <= text.count("\n") + 1
        assert list(symbol.cuts) == sorted(set(symbol.cuts))
        assert all(symbol.start_line < cut <= symbol.end_line for cut in symbol.cuts)
        previous_end, was_script = symbol.end_line, is_script


@pytest.mark.parametrize("piece", ["(", "BEGIN\n", "CASE ", "END\n", "[", "/*", "'\nGO\n", "IF\n", "CREATE "])
def test_deep_or_endless_input_is_read_all_the_same(piece: str) -> None:
    result = outline_of(piece * 20_000 + "\nGO\nCREATE TABLE a (x INT)\n")

    assert (result.symbols[-1:] or result.problems) != ()
