"""SQL in commands that T-SQL runs: xp_cmdshell, and steps of jobs that are no SQL themselves."""

from __future__ import annotations

import pytest

from ragduck.sqlreader.references import read_references

STEP = "EXEC msdb.dbo.sp_add_jobstep @job_name = N'Nightly', @subsystem = N'{}', @command = N'{}'"


def found_in(sql: str) -> list[tuple[str, str, int]]:
    return [
        (one.relation, ".".join(part for part in one.name[2::-1] if part), one.line)
        for one in read_references(sql)
        if not one.name.name.startswith(("sp_", "xp_"))
    ]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("EXEC xp_cmdshell 'sqlcmd -S . -Q \"EXEC dbo.P\"'", [("Executes", "dbo.P", 1)]),
        (
            "EXEC master..xp_cmdshell 'bcp Shop.dbo.T out c:\\t.txt -c -T', no_output",
            [("ReadsFrom", "Shop.dbo.T", 1)],
        ),
        ("EXEC xp_cmdshell 'bcp dbo.T in c:\\t.txt -c -T'", [("WritesTo", "dbo.T", 1)]),
        (
            "DECLARE @c varchar(8000)\nSET @c = 'bcp \"SELECT a FROM dbo.T WHERE b = ' + @b\n"
            "  + ' AND EXISTS (SELECT 1 FROM dbo.U)\" queryout ' + @file\nEXEC master.dbo.xp_cmdshell @c",
            [("ReadsFrom", "dbo.T", 2), ("ReadsFrom", "dbo.U", 2)],
        ),
        ("EXEC xp_cmdshell 'dir \"c:\\select\"'", []),
        ("EXEC xp_cmdshell @command", []),
        (
            STEP.format("CmdExec", 'sqlcmd -E -Q "EXECUTE [dbo].[Backup] @All = 1" -b'),
            [("Executes", "dbo.Backup", 1)],
        ),
        (
            STEP.format("PowerShell", '\n$x = Invoke-Sqlcmd -Query "EXEC dbo.P $y"'),
            [("Executes", "dbo.P", 2)],
        ),
        (STEP.format("TSQL", "EXEC dbo.P"), [("Executes", "dbo.P", 1)]),
        (STEP.format("SSIS", '/FILE "EXEC dbo.P"'), []),
    ],
)
def test_a_command_runs_the_sql_that_it_gives_to_tools(
    sql: str, expected: list[tuple[str, str, int]]
) -> None:
    assert found_in(sql) == expected


def test_what_a_command_runs_is_less_sure() -> None:
    found = read_references("EXEC xp_cmdshell 'sqlcmd -Q \"EXEC dbo.P\"'")

    assert [one.is_dynamic for one in found if one.name.name == "P"] == [True]


def test_a_command_that_callers_give_is_no_sql() -> None:
    sql = (
        "CREATE PROC dbo.Run @command varchar(99) AS EXEC xp_cmdshell @command\nGO\nEXEC dbo.Run 'bcp dbo.T'"
    )

    assert found_in(sql) == [("Executes", "dbo.Run", 3)]
