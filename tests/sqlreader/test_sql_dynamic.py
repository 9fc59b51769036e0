"""Text that statements put together and run is read as it will be when it runs."""

from __future__ import annotations

import tracemalloc

import pytest

from ragduck.facts import ObjectName
from ragduck.sqlreader.names import HOLE
from ragduck.sqlreader.references import read_references


def written(name: ObjectName) -> str:
    parts = (name.server, name.database, name.schema, name.name)
    return ".".join(part for part in parts if part)


def found_in(sql: str, relation: str) -> list[str]:
    return sorted({written(one.name) for one in read_references(sql) if one.relation == relation})


def test_where_statements_are_jumped_over_a_variable_may_hold_what_it_held() -> None:
    sql = """IF @a = 1 GOTO Other
    SET @sql = 'SELECT 1 FROM B'
    GOTO Run
    Other:
    SET @sql = 'SELECT 1 FROM A'
    Run:
    EXEC(@sql)"""

    assert "B" in found_in(sql, "ReadsFrom")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'SELECT 1 FROM A ' + CASE WHEN @x = 1 THEN N'JOIN B ON 1 = 1' ELSE '' END + ' JOIN C ON 1 = 1'",
         ["A", "B", "C"]),
        ("'SELECT 1 FROM ' + CASE @x WHEN 1 THEN 'A' WHEN 2 THEN CASE @y WHEN 1 THEN 'B' ELSE 'C' END END + ' t'",
         ["A", "B", "C"]),
        ("'SELECT 1 FROM ' + CASE WHEN @x IN (1, 2) THEN 'Old' ELSE '' END + 'Orders'", ["OldOrders", "Orders"]),
        ("'SELECT 1 FROM A ' + IIF(@x = 1, 'JOIN B ON 1 = 1', '') + ' JOIN C ON 1 = 1'", ["A", "B", "C"]),
        ("CAST('SELECT 1 FROM A ' AS nvarchar(max)) + CONVERT(nvarchar(max), 'JOIN B ON 1 = 1')", ["A", "B"]),
        ("(N'SELECT 1 ' + ('FROM A')) + ' JOIN B ON 1 = 1'", ["A", "B"]),
        ("'SELECT 1 FROM A' + CHAR(13) + NCHAR(10) + 'WHERE a = ' + CHAR(39) + @a + CHAR(39)", ["A"]),
        ("'SELECT 1 FROM ' + @table + ' JOIN B ON 1 = 1'", ["B", "dbo.Known"]),
        ("'SELECT 1 FROM ' + ISNULL(@unknown, 'A') + ' t JOIN ' + COALESCE(@table, 'B') + ' u ON 1 = 1'",
         ["A", "dbo.Known"]),
        ("'SELECT 1 FROM ' + QUOTENAME('s') + '.' + QUOTENAME('A') + ' t JOIN ' + QUOTENAME(@a) + '.B ON 1 = 1'",
         ["s.A", f"{HOLE}.B"]),
        ("REPLACE(REPLACE('SELECT 1 FROM #s.A JOIN #d.dbo.B ON 1 = 1', '#s', 'sales'), '#d', @d)",
         ["sales.A", f"{HOLE}.dbo.B"]),
        ("'SELECT 1 FROM A WHERE a = ''' + (SELECT MAX(a) FROM #t) + ''' AND EXISTS (SELECT 1 FROM B)'", ["A", "B"]),
        ("'SELECT 1 FROM A ' + @a COLLATE DATABASE_DEFAULT + dbo.Clause('JOIN X') + ' JOIN B ON 1 = 1'", ["A", "B"]),
        ("CONCAT_WS(' ', 'SELECT 1 FROM A', 'JOIN B ON 1 = 1')", ["A", "B"]),
        ("'SELECT 1 FROM ' + CONCAT_WS('.', 's', 'A') + ' WHERE a = 1'", ["s.A"]),
        ("REPLACE(CASE WHEN @x = 1 THEN 'SELECT 1 FROM {A}' ELSE 'SELECT 1 FROM {B}' END, '{', 's.Old')",
         ["s.OldA", "s.OldB"]),
        ("@s + ' JOIN B ON 1 = 1'", ["B", "First"]),
        ("'WITH c AS (' + @s + ') SELECT 1 FROM c JOIN B ON 1 = 1'", ["B", "First"]),
    ],
)  # fmt: skip
def test_a_text_is_read_as_it_is_put_together(text: str, expected: list[str]) -> None:
    before = "DECLARE @table sysname = N'dbo.Known', @s nvarchar(max) = N'SELECT 1 FROM First'\n"

    assert found_in(f"{before}SET @sql = {text}\nEXEC (@sql)", "ReadsFrom") == expected


@pytest.mark.parametrize(
    "text",
    [
        "(SELECT 'EXEC dbo.Work ''' + Name + ''';' FROM #t FOR XML PATH(''))",
        "((SELECT TOP (5) 'EXEC dbo.Work ' + t.N + ';' FROM #t t FOR XML PATH(''), TYPE).value('.', 'varchar(max)'))",
        "(SELECT [text()] = 'EXEC dbo.Work ' + CAST(Id AS varchar(9)) FROM #t FOR XML PATH('')) + 'PRINT 1'",
        "STUFF((SELECT '; EXEC dbo.Work ' + STR(Id) FROM #t FOR XML PATH('')), 1, 2, '')",
        "STRING_AGG('EXEC dbo.Work ' + STR(Id), ';') WITHIN GROUP (ORDER BY Id) FROM #t",
        "STRING_AGG(CONCAT('EXEC dbo.Work ', Id), CHAR(10)) FROM #t",
        "(SELECT STRING_AGG(CAST('EXEC dbo.Work ' + Name AS nvarchar(max)), ';') FROM #t)",
        "FORMATMESSAGE('EXEC dbo.Work %s, %d', @name, 1)",
    ],
)
def test_a_text_is_read_for_one_of_the_rows_that_it_is_put_together_from(text: str) -> None:
    assert found_in(f"SELECT @s = {text}\nEXEC (@s)", "Executes") == ["dbo.Work"]


@pytest.mark.parametrize(
    "text",
    [
        "'SELECT ' + STUFF((SELECT ', ' + Name FROM #t FOR XML PATH('')), 1, 2, '') + ' FROM dbo.T'",
        "'SELECT 1 FROM ' + (SELECT TOP 1 Name FROM #t) + ' t JOIN dbo.T u ON 1 = 1'",
        "'SELECT 1 FROM dbo.T WHERE Id IN (' + (SELECT @x = 1) + STUFF(@ids, 1, @n, '') + ')'",
        "'SELECT 1 FROM dbo.T ' + STUFF((SELECT ' JOIN dbo.' + Name FROM #t FOR XML PATH('')), 1, 99, '')",
    ],
)
def test_what_rows_hold_is_not_known(text: str) -> None:
    assert found_in(f"SELECT @s = {text}\nEXEC (@s)", "ReadsFrom") == ["dbo.T"]


def test_a_variable_that_becomes_part_of_its_own_value_is_not_run_by_itself() -> None:
    sql = "SET @s = N'dbo.T'\nSET @s = N'SELECT 1 FROM ' + @s\nEXEC (@s)"

    assert found_in(sql, "ReadsFrom") == ["dbo.T"]
    assert found_in(sql, "Executes") == []


@pytest.mark.parametrize(
    ("assignments", "expected"),
    [
        ("SET @s = N'DELETE A'\nPRINT @s\nSET @s = N'DELETE B'", ["B"]),
        ("DECLARE @s nvarchar(max) = N'DELETE A'; SELECT @s = N'DELETE B'", ["B"]),
        ("IF 1 = 1 SET @s = N'DELETE A'\nELSE SET @s = N'DELETE B'", ["A", "B"]),
        ("IF 1 = 1 BEGIN\nSET @s = N'DELETE A'\nEND\nELSE BEGIN\nSET @s = N'DELETE B'\nEND", ["A", "B"]),
        ("SET @s = N'DELETE A'\nIF 1 = 1 SET @s = N'DELETE B'", ["A", "B"]),
        ("SET @s = N'DELETE A'\nIF 1 = 1 BEGIN\nSET @s = N'DELETE B'\nSET @s = N'DELETE C'\nEND", ["A", "C"]),
        ("IF 1 = 1 BEGIN\nSET @s = N'DELETE A'\nEND\nSET @s = N'DELETE B'", ["B"]),
        ("BEGIN TRY\nSET @s = N'DELETE A'\nEND TRY BEGIN CATCH\nSET @s = N'DELETE B'\nEND CATCH", ["A", "B"]),
        ("WHILE 1 = 1 BEGIN\nSET @s = N'DELETE A'\nEND\nWHILE 1 = 1 SET @s = N'DELETE B'", ["A", "B"]),
        ("SET @s = N'DELETE A'\nSELECT @s = N'DELETE B' FROM dbo.T", ["A", "B"]),
        ("SET @s = N'DELETE A'\nSET @s = @s + N' DELETE B'\nSET @s += N' DELETE C'", ["A", "B", "C"]),
        (
            "IF 1 = 1 SET @s = N'DELETE A'\nELSE SET @s = N'DELETE B'\nSET @s = N'DELETE C ' + @s",
            ["A", "B", "C"],
        ),
        ("SET @s = N'DELETE A'\nSET @s = dbo.Text()", []),
        ("SET @s = N'DELETE A' IF 1 = 1 SET @s = N'DELETE B'", ["A", "B"]),
    ],
)
def test_what_a_variable_is_surely_given_takes_the_place_of_what_it_held(
    assignments: str, expected: list[str]
) -> None:
    assert found_in(f"{assignments}\nEXEC (@s)", "WritesTo") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'Starting ' + @x", [f"{HOLE}.Starting"]),  # a procedure only if one is known
        ("'dbo.Run ' + @x", ["dbo.Run"]),
        ("'EXEC Run ' + @x", ["Run"]),
        ("'Run 1'", ["Run"]),
    ],
)
def test_a_bare_word_before_an_unknown_piece_may_be_no_procedure(text: str, expected: list[str]) -> None:
    assert found_in(f"EXEC ({text})", "Executes") == expected


@pytest.mark.parametrize(
    "filling",
    [
        "FETCH NEXT FROM c INTO @a, @t",
        "EXEC dbo.P @name = @t OUTPUT",
        "EXEC sp_executesql @u, N'@n sysname OUT', @n = @t OUT",
        "SELECT @t = name FROM sys.tables",
    ],
)
def test_a_variable_that_is_filled_holds_no_longer_what_it_was_given(filling: str) -> None:
    sql = f"SET @t = 'dbo.T'\n{filling}\nEXEC ('SELECT 1 FROM ' + @t + ' JOIN dbo.A ON 1 = 1')"

    assert "dbo.A" in found_in(sql, "ReadsFrom")
    assert "dbo.T" not in found_in(sql, "ReadsFrom")


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("DECLARE @p sysname = N'dbo.P'\nEXEC @p @a = 1", ["dbo.P"]),
        ("SET @p = 'Other.dbo.P'\nEXECUTE @result = @p 1, 2", ["Other.dbo.P"]),
        ("IF 1 = 1 SET @p = '[dbo].[P]' ELSE SET @p = 'Q'\nEXEC @p\nEXEC @p", ["Q", "dbo.P"]),
        ("SET @p = CASE WHEN @x = 1 THEN 'dbo.P' ELSE 'dbo.Q' END\nEXEC @p", ["dbo.P", "dbo.Q"]),
        ("SET @p = QUOTENAME('dbo') + '.' + @name\nEXEC @p", []),
        ("SET @p = QUOTENAME(@db) + '.dbo.P'\nEXEC @p", [f"{HOLE}.dbo.P"]),
        ("EXEC (@db + '.dbo.P 1')", [f"{HOLE}.dbo.P"]),
        ("SET @p = 'dbo.P'\nFETCH NEXT FROM c INTO @p\nEXEC @q", []),
        ("SET @p = 'SELECT 1'\nEXEC @p", []),
    ],
)
def test_a_variable_may_name_the_procedure(sql: str, expected: list[str]) -> None:
    assert found_in(sql, "Executes") == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (
            "EXEC Other.dbo.sp_executesql N'SELECT 1 FROM dbo.T JOIN Third..U ON 1 = 1'",
            ["Other.dbo.T", "Third.U"],
        ),
        ("EXEC Server1.Other.sys.sp_executesql N'SELECT 1 FROM dbo.T'", ["Server1.Other.dbo.T"]),
        ("EXEC (N'SELECT 1 FROM dbo.T; USE Other; SELECT 1 FROM dbo.T')", ["Other.dbo.T", "dbo.T"]),
        ("EXEC (N'USE [' + @d + ']; SELECT 1 FROM dbo.T')", ["dbo.T"]),
        (
            "SET @s = N'SELECT 1 FROM dbo.T'\nEXEC (@s) AT Server1\nSET @s = N'SELECT 1 FROM dbo.U'\nEXEC (@s)",
            ["Server1.dbo.T", "dbo.U"],
        ),
        ("EXEC (N'SELECT 1 FROM dbo.T') AS LOGIN = 'reader' AT Server1", ["Server1.dbo.T"]),
        ("EXEC (N'SELECT 1 FROM Db.dbo.T WHERE a = ?', @a) AT [Server1]", ["Server1.Db.dbo.T"]),
        ("EXEC (N'SELECT 1 FROM ' + @d + N'.dbo.T') AT Server1", []),
        ("EXEC (N'SELECT 1 FROM dbo.T') AT $(Server)", []),
        (
            "SELECT * FROM OPENQUERY(Server1, 'SELECT a FROM Db.dbo.T') q JOIN dbo.U ON 1 = 1",
            ["Server1.Db.dbo.T", "dbo.U"],
        ),
        ("EXEC (N'SELECT * FROM OPENQUERY(Server1, ''SELECT a FROM dbo.T'')')", ["Server1.dbo.T"]),
        ("EXEC (N'SELECT * FROM OPENQUERY(' + @server + N', ''SELECT a FROM dbo.T'')')", []),
        ("EXEC (N'SELECT 1 FROM dbo.T') AS USER = 'reader'", ["dbo.T"]),
        (
            "EXEC (N'SELECT 1 FROM dbo.T WHERE a = ' + QUOTENAME(@a) + N' AND 1 = 1') AT Server1",
            ["Server1.dbo.T"],
        ),
        (
            "SET @s = N'SELECT 1 FROM dbo.T'\nEXEC S.D.sys.sp_executesql @s\nSET @s = N'SELECT 1 FROM U'\nEXEC (@s)",
            ["S.D.dbo.T", "U"],
        ),
        ("SET @run = QUOTENAME(@d) + N'.sys.sp_executesql'\nEXEC @run N'SELECT 1 FROM dbo.T'", ["dbo.T"]),
        ("SET @run = N'Other.sys.sp_executesql'\nEXEC @run @stmt = N'SELECT 1 FROM dbo.T'", ["Other.dbo.T"]),
        ("EXEC (N'USE Other; EXEC (''SELECT 1 FROM dbo.T'')')", ["Other.dbo.T"]),
    ],
)
def test_names_are_those_of_the_database_where_a_text_runs(sql: str, expected: list[str]) -> None:
    assert found_in(sql, "ReadsFrom") == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (
            "msdb.dbo.sp_add_jobstep @job_id = @id, @subsystem = N'TSQL', @command = N'EXEC dbo.Run'",
            ["dbo.Run"],
        ),
        (
            "msdb..sp_update_jobstep @step_id = 1, @database_name = N'Shop', @command = N'EXEC dbo.Run 1'",
            ["dbo.Run"],
        ),
        ("sp_add_jobstep @command = N'EXEC dbo.Run', @subsystem = N'CmdExec'", []),
        ("sp_add_jobstep @command = @command, @subsystem = N'TSQL'", ["dbo.Set"]),
        ("msdb.dbo.sp_send_dbmail @query = N'EXEC dbo.Run', @subject = N'EXEC dbo.No'", ["dbo.Run"]),
        (
            "sp_execute_external_script @language = N'R', @script = N'EXEC dbo.No', @input_data_1 = N'EXEC dbo.Run'",
            ["dbo.Run"],
        ),
        ("sp_MSforeachdb N'USE [?]; EXEC dbo.Run; EXEC [?].dbo.No'", ["dbo.Run"]),
    ],
)
def test_text_that_the_server_is_given_to_run_counts(call: str, expected: list[str]) -> None:
    found = found_in(f"SET @command = N'EXEC dbo.Set'\nEXEC {call}", "Executes")

    assert [name for name in found if name.startswith("dbo.")] == expected


def test_what_a_step_of_a_job_does_is_told_from_what_its_script_does() -> None:
    sql = """EXEC msdb.dbo.sp_add_jobstep @command = N'EXEC dbo.Run; DELETE FROM dbo.Old'
    EXEC dbo.Other"""

    found = {(written(one.name), one.rule) for one in read_references(sql) if one.name.schema == "dbo"}

    assert {("dbo.Run", "job step"), ("dbo.Old", "job step"), ("dbo.Other", "exec")} <= found


@pytest.mark.parametrize(
    "sql",
    [
        "SET @s = " + "REPLACE(" * 19 + "'SELECT 1 FROM aaaa'" + ", 'a', 'aaaaaaaaaa')" * 19,
        "SET @s = 'SELECT 1 FROM a' " + "SET @s = REPLACE(@s, 'a', 'aa') " * 60,
        "SET @a = "
        + "'a' + " * 900
        + f"'a' SET @b = '{'b' * 30_000}' "
        + "SET @s = REPLACE(@a, 'a', @b) " * 200,
    ],
)
def test_text_that_grows_beyond_all_measure_is_not_known(sql: str) -> None:
    tracemalloc.start()
    try:
        assert found_in(f"{sql} EXEC (@s) SELECT 1 FROM dbo.T", "ReadsFrom") == ["dbo.T"]
        assert tracemalloc.get_traced_memory()[1] < 300_000_000
    finally:
        tracemalloc.stop()
