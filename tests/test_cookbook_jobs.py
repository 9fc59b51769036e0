"""The jobs that lead to a table: methods by which they begin, packages, steps of jobs of SQL Server Agent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck import cookbook

Jobs = Callable[..., list[dict[str, Any]]]

TABLE = "create table dbo.Orders (Id int not null primary key, Total int);\n"
STORE = """using Dapper;
using System.Data;
namespace Shop
{
    public class OrderStore
    {
        private readonly IDbConnection db;
        public void Save(int id) { db.Execute("insert into dbo.Orders (Id) values (@id)", new { id }); }
        public int Count() { return db.ExecuteScalar<int>("select count(*) from dbo.Orders"); }
    }
}
"""
SERVICES = """using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Hosting;
using Quartz;
namespace Shop
{
    public class Importer : BackgroundService
    {
        private readonly OrderStore store = new OrderStore();
        protected override async Task ExecuteAsync(CancellationToken stop) { store.Count(); Import(); }
        private void Import() { store.Save(1); }
    }
    public class Report : IJob
    {
        public async Task Execute(IJobExecutionContext context) { new OrderStore().Count(); }
    }
    public class Idle : IJob
    {
        public async Task Execute(IJobExecutionContext context) { }
        public void Help() { new OrderStore().Count(); }
    }
}
"""
AGENT = """use msdb;
exec dbo.sp_add_job @job_name = N'Nightly';
exec dbo.sp_add_jobstep @job_name = N'Nightly', @step_id = 1, @command = N'exec dbo.Clean';
exec dbo.sp_add_jobstep @job_name = N'Nightly', @step_id = 2, @command = N'select count(*) from dbo.Orders';
go
"""


@pytest.fixture
def jobs(tmp_path: Path) -> Jobs:
    """Return the jobs of a system of files that lead to dbo.Orders."""

    def of_files(files: dict[str, str]) -> list[dict[str, Any]]:
        for path, text in {"dbo.sql": TABLE, **files}.items():
            (tmp_path / "src" / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "src" / path).write_text(text)
        ragduck.prepare(tmp_path / "src", tmp_path / "s.duckdb", embed_model="none")
        query = cookbook.query("jobs_that_reach_a_table")
        with ragduck.open(tmp_path / "s.duckdb") as opened:
            return opened.table(query, variables={"object": "dbo.Orders"}).to_dicts()

    return of_files


def test_services_and_jobs_of_schedulers_by_the_method_that_is_called(jobs: Jobs) -> None:
    found = jobs({"OrderStore.cs": STORE, "Services.cs": SERVICES})

    assert [(row["node_key"], row["distance"], row["writes"], row["write_distance"]) for row in found] == [
        ("csharp:Shop.Importer.ExecuteAsync|METHOD", 2, True, 3),
        ("csharp:Shop.Report.Execute|METHOD", 2, False, None),
    ]


def test_steps_of_agent_jobs_with_their_lines_and_not_what_else_their_script_does(jobs: Jobs) -> None:
    clean = "create procedure dbo.Clean as delete from dbo.Orders;\n"
    seed = "insert into dbo.Orders (Id) values (1);\n"

    found = jobs({"Clean.sql": clean, "jobs/Nightly.sql": AGENT + seed})

    assert [(row["source_file"], row["start_line"], row["distance"], row["writes"]) for row in found] == [
        ("jobs/Nightly.sql", 4, 1, False),
        ("jobs/Nightly.sql", 3, 2, True),
    ]


def test_scripts_that_make_no_jobs_are_none(jobs: Jobs) -> None:
    assert jobs({"Seed.sql": "insert into dbo.Orders (Id) values (1);\n"}) == []


def test_what_writes_through_a_view_writes_the_table(jobs: Jobs) -> None:
    view = "create view dbo.OpenOrders as select Id, Total from dbo.Orders;\n"
    step = AGENT.replace("select count(*) from dbo.Orders", "delete dbo.OpenOrders")

    found = jobs({"view.sql": view, "jobs.sql": step})

    assert [(row["what"], row["writes"], row["write_distance"]) for row in found] == [("agent step", True, 1)]
