"""Scripts of PowerShell, batch and shell: the SQL that they run and the SQL files that they name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph
from ragduck.model import Document
from ragduck.parse import ChunkSettings, parse_document

LANGUAGES = {"ps1": "powershell", "bat": "batch", "sh": "shell", "sql": "sql"}

POWERSHELL = """<# Invoke-Sqlcmd -Query "SELECT 1 FROM dbo.NotThis" #>
# "DELETE FROM dbo.NorThis"
Invoke-Sqlcmd -ServerInstance $server -Query "EXEC dbo.CloseMonth '$month'"
$sql = @"
INSERT INTO dbo.Audit (At)
SELECT At FROM dbo.Changes WHERE Source = '$($job.Name)'
"@
$command.CommandText = 'UPDATE dbo.[Order] SET Note = ''done''' +
    " WHERE Id IN (SELECT OrderId FROM " + $schema + ".Closed)"
Write-Host "Select the orders from the list"
"""


def facts_of(path: str, text: str) -> FileFacts:
    ending = path.rpartition(".")[2]
    document = Document(path, text, LANGUAGES[ending], ending, "source", len(text), 0)
    parsed = parse_document(document, settings=ChunkSettings())
    assert parsed.facts is not None
    return parsed.facts


def edges_of(path: str, text: str, *others: tuple[str, str]) -> set[tuple[str, str, int]]:
    graph, _ = build_graph([facts_of(path, text), *(facts_of(*other) for other in others)])
    return {
        (edge.relation, edge.to_key, edge.line)
        for edge in graph.edges
        if edge.from_key == f"file:{path}|FILE"
    }


def test_powershell_runs_what_its_literals_say() -> None:
    assert edges_of("jobs/close.ps1", POWERSHELL) == {
        ("Executes", "dbo.CloseMonth|PROC", 3),
        ("WritesTo", "dbo.Audit|TABLE", 5),
        ("ReadsFrom", "dbo.Changes|TABLE", 6),
        ("WritesTo", "dbo.Order|TABLE", 8),
    }


def test_a_text_with_unknown_pieces_is_less_sure() -> None:
    text = 'Invoke-Sqlcmd -Query "SELECT * FROM dbo.Orders JOIN $other ON 1 = 1"\n'
    graph, _ = build_graph([facts_of("a.ps1", text)])

    assert [(edge.to_key, edge.confidence) for edge in graph.edges] == [("dbo.Orders|TABLE", 0.7)]


def test_a_bare_procedure_is_one_where_the_script_says_so() -> None:
    text = '$command.CommandText = "dbo.CloseMonth"\n'
    kind = "$command.CommandType = [System.Data.CommandType]::StoredProcedure\n"

    assert edges_of("a.ps1", text + kind) == {("Executes", "dbo.CloseMonth|PROC", 1)}
    assert edges_of("a.ps1", text) == set()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('sqlcmd -S %SERVER% -Q "EXEC dbo.CloseMonth"', {("Executes", "dbo.CloseMonth|PROC", 1)}),
        ('osql -E -q"exec dbo.CloseMonth"', {("Executes", "dbo.CloseMonth|PROC", 1)}),
        ('rem sqlcmd -Q "EXEC dbo.CloseMonth"', set()),
        (
            'bcp "SELECT Id FROM Shop.dbo.Orders" queryout o.txt -c',
            {("ReadsFrom", "Shop.dbo.Orders|TABLE", 1)},
        ),
        ("bcp dbo.Orders in orders.txt -c -T", {("WritesTo", "dbo.Orders|TABLE", 1)}),
        ('bcp "[dbo].[Orders]" out orders.txt -c -T', {("ReadsFrom", "dbo.Orders|TABLE", 1)}),
        ("echo bcp reads in what is there", set()),
    ],
)
def test_batch_files_run_what_they_give_to_the_tools(line: str, expected: set[tuple[str, str, int]]) -> None:
    assert edges_of("run.bat", line + "\n") == expected


def test_shell_scripts_run_what_they_give_to_the_tools() -> None:
    text = (
        "#!/bin/sh\n# sqlcmd -Q 'EXEC dbo.No'\nsqlcmd -S db -Q \"DELETE FROM dbo.Log WHERE Day < '$DAY'\"\n"
    )

    assert edges_of("run.sh", text) == {("WritesTo", "dbo.Log|TABLE", 3)}


@pytest.mark.parametrize(
    ("path", "text", "confidence"),
    [
        ("db/run.ps1", 'Invoke-Sqlcmd -InputFile "$PSScriptRoot\\Sql\\Fill.sql"', 1.0),
        ("db/run.ps1", "Invoke-Sqlcmd -InputFile .\\Sql\\Fill.sql", 1.0),
        ("db/run.ps1", 'Invoke-DbaQuery -File (Join-Path $folder "Fill.sql")', 0.7),
        ("db/run.bat", "sqlcmd -i %~dp0Sql\\Fill.sql", 1.0),
        ("db/run.bat", 'sqlcmd -i "%FOLDER%\\Sql\\Fill.sql"', 0.7),
        ("db/run.sh", "sqlcmd -i ${DIR}/Sql/Fill.sql", 0.7),
        ("db/run.sh", "sqlcmd -i Sql/Fill.sql", 1.0),
    ],
)
def test_a_script_leads_to_the_sql_files_that_it_names(path: str, text: str, confidence: float) -> None:
    graph, _ = build_graph([facts_of(path, text + "\n"), facts_of("db/Sql/Fill.sql", "SELECT 1\n")])

    found = [(edge.from_key, edge.to_key, edge.rule, edge.confidence) for edge in graph.edges]
    assert found == [(f"file:{path}|FILE", "file:db/Sql/Fill.sql|FILE", "sql file", confidence)]


def test_a_file_that_is_written_is_not_used() -> None:
    script = ("db/All.sql", "SELECT 1\n")

    assert edges_of("db/build.bat", "type *.sql > All.sql\n", script) == set()
    assert edges_of("db/build.ps1", 'Set-Content -Path "All.sql"\n', script) == set()


def test_a_procedure_that_is_created_does_its_reading_itself() -> None:
    text = 'Invoke-Sqlcmd -Query "CREATE PROCEDURE dbo.P AS SELECT * FROM dbo.T"\n'

    assert edges_of("a.ps1", text) == set()


def test_the_database_that_a_text_uses_is_the_own_one() -> None:
    text = 'sqlcmd -Q "USE Shop; EXEC dbo.CloseMonth"\n'

    assert edges_of("run.bat", text) == {("Executes", "dbo.CloseMonth|PROC", 1)}


@pytest.mark.parametrize("path", ["a.ps1", "a.bat", "a.sh"])
@given(
    pieces=st.lists(st.sampled_from([*POWERSHELL.split(), '"', "'", '@"', "$(", ")", "sqlcmd", "x.sql", "`"]))
)
def test_nothing_breaks_it(path: str, pieces: list[str]) -> None:
    for one in facts_of(path, "sql " + " ".join(pieces)).references:
        assert one.line == 1


@pytest.mark.parametrize(
    "piece",
    ['"$(', "$(x", "@'\n", '"select ', "-q ", "bcp ", "${", "<#", "a.sql+", '"a" + ', "'x'+", "(", "USE x\n"],
)
def test_a_large_hostile_file_takes_no_time(piece: str) -> None:
    for path in ("a.ps1", "a.bat", "a.sh"):
        facts_of(path, "sql " + piece * (150_000 // len(piece)))
        facts_of(path, 'sql "' + piece * (150_000 // len(piece)))
