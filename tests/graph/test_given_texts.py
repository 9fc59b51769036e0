"""What is given to a procedure that runs it is done by who gives it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.database.graph import DatabaseCatalog, database_graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Done = Callable[[str, str], list[tuple[str, str]]]

TEXT = "ReadsFrom", "dbo.Orders|TABLE"
NAME = "Executes", "dbo.Work|PROC"
OBJECTS = "CREATE TABLE dbo.Orders (id int)\nGO\nCREATE PROCEDURE dbo.Work AS SELECT 1\nGO\n"


@pytest.fixture
def done(facts_of: FactsOf) -> Done:
    """Return what a procedure does besides calling `dbo.Run`, whose parameters and body are given."""

    def edges(runner: str, caller: str) -> list[tuple[str, str]]:
        files = {
            "db/objects.sql": OBJECTS,
            "db/run.sql": f"CREATE PROCEDURE dbo.Run {runner}\nGO\n",
            "db/caller.sql": f"CREATE PROCEDURE dbo.Caller @own int AS BEGIN\n{caller}\nEND\nGO\n",
        }
        found = database_graph(DatabaseCatalog(facts_of(files))).edges
        own = [one for one in found if one.from_key == "dbo.Caller|PROC" and one.to_key != "dbo.Run|PROC"]
        assert all(one.confidence <= 0.7 and one.rule == "dynamic sql" for one in own)
        return sorted({(one.relation, one.to_key) for one in own})

    return edges


@pytest.mark.parametrize(
    "body",
    [
        "EXEC (@command)",
        "EXEC sp_executesql @command",
        "DECLARE @s varchar(9); SET @s = ''; SET @s = REPLACE(@command, '?', @db) EXEC sp_executesql @s",
        "DECLARE @sql nvarchar(max) = N'USE [' + @db + N'] ' + @command EXEC (@sql)",
        "DECLARE @sql nvarchar(max) = N'SET NOCOUNT ON; ' + @command + N' OPTION (RECOMPILE)' EXEC (@sql)",
        "IF @db IS NULL SET @command = N'SELECT 1'\nEXEC (@command)",
    ],
)
@pytest.mark.parametrize(
    "call", ["@command = N'SELECT id FROM dbo.Orders'", "N'SELECT id FROM dbo.Orders', 'x'"]
)
def test_a_text_is_read_that_is_given_to_a_procedure_that_runs_it(done: Done, body: str, call: str) -> None:
    assert done(f"@command nvarchar(max), @db sysname AS {body}", f"EXEC dbo.Run {call}") == [TEXT]


def test_a_variable_may_hold_what_is_given(done: Done) -> None:
    caller = (
        "DECLARE @s nvarchar(max) = 'SELECT id '\nSET @s += 'FROM [?].dbo.Orders'\nEXEC dbo.Run @command = @s"
    )

    assert done("@command nvarchar(max) AS EXEC (@command)", caller) == [TEXT]


@pytest.mark.parametrize(
    "body",
    [
        "EXEC @step",
        "EXEC @step @id = 1",
        "DECLARE @sql varchar(200) = 'EXEC ' + @step EXEC (@sql)",
        "EXEC (@step)",
    ],
)
def test_a_procedure_is_executed_whose_name_is_given_to_one_that_runs_it(done: Done, body: str) -> None:
    assert done(f"@step sysname AS {body}", "EXEC dbo.Run @step = 'dbo.Work'") == [NAME]


def test_parameters_are_followed_through_those_that_they_are_handed_on_to(done: Done) -> None:
    inner = "CREATE PROCEDURE dbo.Inner @t nvarchar(max) AS EXEC (@t)"
    runner = f"@a int, @c nvarchar(max) AS EXEC dbo.Inner @c\nGO\n{inner}"

    assert done(runner, "EXEC dbo.Run 1, 'SELECT id FROM dbo.Orders'") == [TEXT]


@pytest.mark.parametrize(
    "runner",
    [
        "@command nvarchar(max) AS INSERT INTO dbo.Log VALUES (@command)",
        "@other int, @command nvarchar(max) AS EXEC (@other)",
        "@command nvarchar(max) AS SET @command = 'SELECT 1'\nEXEC (@command)",
        "@command nvarchar(max) AS EXEC ('SELECT * FROM T WHERE ' + @command)",
        "@command nvarchar(max) AS EXEC ('PRINT ''a;' + @command + '''')",
        "@command nvarchar(max) AS EXEC (@command) AT Server1",
        "@command nvarchar(max) AS EXEC Server1.master.dbo.sp_executesql @command",
        "@command nvarchar(max) AS EXEC @command",
    ],
)
def test_what_is_not_run_as_it_is_given_is_not_read(done: Done, runner: str) -> None:
    assert done(runner, "EXEC dbo.Run @command = 'SELECT id FROM dbo.Orders'") == []


def test_a_name_is_no_procedure_for_one_that_puts_it_elsewhere_into_its_text(done: Done) -> None:
    assert done("@table sysname AS EXEC ('SELECT * FROM ' + @table)", "EXEC dbo.Run 'dbo.Work'") == []


def test_what_follows_a_call_is_not_given_to_it(done: Done) -> None:
    caller = "EXEC dbo.Run @a = 'x' SELECT 1, 'dbo.Work'"

    assert done("@a varchar(10), @command sysname AS EXEC @command", caller) == []


def test_a_text_is_given_again_after_it_has_grown(done: Done) -> None:
    caller = (
        "DECLARE @s varchar(99) = 'SELECT id '\nEXEC dbo.Run @s\nSET @s += 'FROM dbo.Orders'\nEXEC dbo.Run @s"
    )

    assert done("@command nvarchar(max) AS EXEC (@command)", caller) == [TEXT]


def noted(facts_of: FactsOf, body: str) -> list[str]:
    """Return the notes of what a procedure gives and hands on."""
    (facts,) = facts_of({"db/a.sql": f"CREATE PROCEDURE dbo.Caller @own varchar(99) AS BEGIN\n{body}\nEND"})
    return [one.relation for one in facts.references if one.relation in ("Gives", "HandsOn")]


def test_a_text_is_read_once_for_each_procedure_that_is_given_it(facts_of: FactsOf) -> None:
    body = "DECLARE @s varchar(99) = 'SELECT id FROM dbo.Orders'\n" + "EXEC dbo.Run @s\nEXEC dbo.Log @s\n" * 9

    assert noted(facts_of, body) == ["Gives"] * 2


def test_a_text_that_grows_is_not_read_at_each_of_many_calls(facts_of: FactsOf) -> None:
    body = "DECLARE @s varchar(max) = @own\n" + "SET @s += ' and x = 1'\nEXEC dbo.Run @s\n" * 400

    assert 100 < len(noted(facts_of, body)) < 400
