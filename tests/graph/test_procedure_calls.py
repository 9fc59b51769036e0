"""A bare name is a procedure's as surely as it is known that the call has to do with a database."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts, ObjectFact, ObjectName
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
CalledBy = Callable[[str], list[tuple[str, float]]]

KNOWN = "dbo.Refresh|PROC"
UNSURE = 0.6


@pytest.fixture
def called_by(facts_of: FactsOf) -> CalledBy:
    """Return the procedures that `Jobs.Run` of C# code executes, with the confidence."""

    def called(code: str) -> list[tuple[str, float]]:
        facts = facts_of({"Shop/Jobs.cs": code})
        created = [ObjectFact(KNOWN, "PROC", ObjectName("Refresh", "dbo"), 1, 1)]
        edges = inline_sql_graph(Catalog(facts), DatabaseCatalog(facts, created=created)).edges
        found = [one for one in edges if one.from_key == "csharp:Jobs.Run|METHOD"]
        return sorted((one.to_key, one.confidence) for one in found if one.relation == "Executes")

    return called


@pytest.mark.parametrize(
    "statement",
    [
        'runner.Execute("Refresh");',
        'Engine.Current.QueryAsync("Refresh");',
        'remote.ExecuteCommand("Refresh");',
        'GetBus().Query<int>("Refresh");',
        'db.Execute("Refresh");',
    ],
)
def test_whatever_executes_a_name_may_call_the_procedure(called_by: CalledBy, statement: str) -> None:
    assert called_by(f"class Jobs {{ void Run(dynamic remote) {{ {statement} }} }}") == [(KNOWN, UNSURE)]


@pytest.mark.parametrize(
    "statement",
    [
        'connection.Execute("Refresh");',
        'database.Execute("Refresh");',
        'shop.Execute("Refresh");',
        'SqlMapper.Query(remote, "Refresh");',
        'Unit.Current.Database.Execute("Refresh");',
        'remote.ExecuteReader("Refresh");',
        'remote.QueryFirstAsync("Refresh");',
        'remote.Execute("dbo.Refresh");',
    ],
)
def test_a_database_calls_its_procedures(called_by: CalledBy, statement: str) -> None:
    code = f"""
        class Shop : DbContext {{ }}
        class Jobs
        {{
            void Run(IDbConnection connection, Database database, Shop shop, dynamic remote) {{ {statement} }}
        }}
    """

    assert called_by(code) == [(KNOWN, 1.0)]


@pytest.mark.parametrize(
    "statement",
    [
        'remote.GetFirst("Refresh", CommandSpecies.StoredProcedure);',
        'remote.GetFirst("Refresh", CommandSpecies.StoredProcedure, "Stocks");',
        "remote.GetFirst(Names.Refresh, CommandSpecies.StoredProcedure);",
        "remote.GetFirst(Names.Refresh, CommandSpecies.StoredProcedure, Arguments.Of(id));",
        'string name = "Refresh"; remote.GetFirst(name, CommandSpecies.StoredProcedure, new Argument());',
        'remote.ForEach(row => Take(row), "Refresh", CommandSpecies.StoredProcedure, id);',
        'remote.Fill(id, Shop.Data.Kind.StoredProcedure, "Refresh");',
        'remote.Execute("Refresh", Kind.StoredProcedure);',
    ],
)
def test_a_kind_of_the_system_s_own_tells_a_procedure(called_by: CalledBy, statement: str) -> None:
    code = f"""
        static class Names {{ public const string Refresh = "Refresh"; }}
        class Jobs {{ void Run(dynamic remote) {{ {statement} }} }}
    """

    assert called_by(code) == [(KNOWN, 1.0)]


@pytest.mark.parametrize(
    "statement",
    [
        'remote.GetFirst("Refreshed", CommandSpecies.StoredProcedure);',
        'remote.GetFirst("Refresh", CommandSpecies.Text);',
        'Assert.Equal("Refresh", Kind.StoredProcedure);',
        'remote.GetFirst("Refresh", step.StoredProcedure);',
    ],
)
def test_other_kinds_and_names_tell_nothing(called_by: CalledBy, statement: str) -> None:
    assert called_by(f"class Jobs {{ void Run(dynamic remote, Step step) {{ {statement} }} }}") == []


def test_a_class_that_derives_from_a_database_calls_its_procedures(called_by: CalledBy) -> None:
    assert called_by('class Jobs : DbContext { void Run() { Execute("Refresh"); } }') == [(KNOWN, 1.0)]


@pytest.mark.parametrize(
    "name",
    [
        "{databaseOwner}{objectQualifier}Refresh",
        "{databaseOwner}[{objectQualifier}Refresh]",
        "{owner}.[Refresh]",
    ],
)
@pytest.mark.parametrize("call", ["Execute(CommandType.StoredProcedure, {0})", "ExecuteReader({0})"])
def test_a_prefix_of_all_objects_is_no_part_of_a_procedure_s_name(
    called_by: CalledBy, call: str, name: str
) -> None:
    statement = call.replace("{0}", f'"{name}"')

    assert called_by(f"class Jobs {{ void Run(dynamic remote) {{ remote.{statement}; }} }}") == [(KNOWN, 1.0)]


@pytest.mark.parametrize("type_name", ["Feedback", "IdbReader", "Sqlness", "DataContextual", "HubConnection"])
def test_part_of_a_word_makes_no_database(called_by: CalledBy, type_name: str) -> None:
    code = f'class Jobs {{ void Run({type_name} one) {{ one.Execute("Refresh"); }} }}'

    assert called_by(code) == [(KNOWN, UNSURE)]


@pytest.mark.parametrize(
    ("runner", "calls"),
    [
        ("class Runner { public void Execute(string job) { _jobs.Add(job); } }", []),
        ("class Runner { public void Execute(string job) => _jobs.Add(job); }", []),
        ("class Runner { public void Execute(string job) { helper.ExecuteReader(job); } }", [(KNOWN, 1.0)]),
        ("class Runner { public void Execute(string job) { c.CommandText = job; } }", [(KNOWN, 1.0)]),
        ("class Runner { public void Execute(string job) { _inner.Execute(job); } }", [(KNOWN, UNSURE)]),
        ("class Runner { public void Execute(int job) { } public void Execute() { } }", []),
        ("class Runner { public void Execute() { } }", [(KNOWN, UNSURE)]),
        ("abstract class Runner { public abstract void Execute(string job); }", [(KNOWN, UNSURE)]),
        ("interface Runner { void Execute(string job); }", [(KNOWN, UNSURE)]),
        ("class Runner { public Action<string> Execute { get; } }", [(KNOWN, UNSURE)]),
        (
            "class Runner : DbContext { public void Execute(string job) { Hidden(Prefix(job)); } }",
            [(KNOWN, 1.0)],
        ),
    ],
)
def test_a_method_that_is_here_does_what_it_is_seen_to_do(
    called_by: CalledBy, runner: str, calls: list[tuple[str, float]]
) -> None:
    assert (
        called_by(f'{runner} class Jobs {{ void Run(Runner runner) {{ runner.Execute("Refresh"); }} }}')
        == calls
    )


def test_what_is_handed_to_a_method_that_does_not_run_it_is_not_run(called_by: CalledBy) -> None:
    code = """
        class Runner { public void Execute(string job) { _jobs.Add(job); } }
        class Host(Runner runner) { public void Execute(string job) { runner.Execute(job); } }
        class Jobs { void Run(Host host) { host.Execute("Refresh"); } }
    """

    assert called_by(code) == []


@pytest.mark.parametrize(
    ("start", "calls"),
    [
        ("remote.Execute(job);", [(KNOWN, UNSURE)]),
        ("remote.Execute(job); remote.ExecuteReader(job);", [(KNOWN, 1.0)]),
        ('remote.Execute("dbo." + job);', [(KNOWN, UNSURE)]),
        ("Execute(job);", []),
        ('remote.ExecuteReader(Owner + "." + job);', [(KNOWN, 1.0)]),
        ('remote.ExecuteReader("SELECT Id FROM " + job);', []),
        ('remote.ExecuteReader(Owner + " SELECT Id FROM " + job);', []),
        ('remote.ExecuteReader("dbo." + job + "_Read");', []),
    ],
)
def test_a_helper_is_as_sure_as_the_call_that_it_hands_a_name_to(
    called_by: CalledBy, start: str, calls: list[tuple[str, float]]
) -> None:
    code = f"""
        class Jobs
        {{
            void Run() {{ Start("Refresh"); }}
            void Start(string job) {{ {start} }}
            void Execute(string job) {{ _jobs.Add(job); }}
        }}
    """

    assert called_by(code) == calls


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("storedProcedure", ["dbo.Missing|PROC"]),
        ("StoredProcedure", ["dbo.Missing|PROC"]),
        ("connectionString", []),
    ],
)
def test_a_parameter_called_after_the_procedure_holds_its_name(
    called_by: CalledBy, name: str, calls: list[str]
) -> None:
    code = f"""
        class Jobs
        {{
            void Run() {{ Start("Missing"); }}
            void Start(string {name}) {{ database.GetStoredProcCommand({name}); }}
        }}
    """

    assert [key for key, _ in called_by(code)] == calls


def test_what_an_unseen_method_may_execute_has_no_unknown_prefix(called_by: CalledBy) -> None:
    assert called_by('class Jobs { void Run() { runner.Execute(Prefix + "Refresh"); } }') == []
    assert called_by('class Jobs { void Run() { runner.ExecuteReader(Prefix + "Refresh"); } }') == [
        (KNOWN, 0.7)
    ]


@pytest.mark.parametrize(
    ("body", "calls"),
    [
        ("c.CommandText = name; c.CommandType = CommandType.StoredProcedure;", [(KNOWN, 1.0)]),
        ("new SqlCommand(name, c).CommandType = CommandType.StoredProcedure;", [(KNOWN, 1.0)]),
        ("remote.ExecuteReader(name);", [(KNOWN, 1.0)]),
        ("c.CommandText = name;", []),
        ("_jobs.Add(name);", []),
    ],
)
def test_what_is_called_after_running_sql_runs_what_it_is_seen_to_run(
    called_by: CalledBy, body: str, calls: list[tuple[str, float]]
) -> None:
    code = f"""
        class Jobs
        {{
            void Run() {{ ExecuteLong("Refresh", 1); }}
            void ExecuteLong(string name, params object[] values) {{ {body} }}
        }}
    """

    assert called_by(code) == calls


@pytest.mark.parametrize(
    ("method", "calls"),
    [
        ("string RunStoredProcedures(string right) { return right; }", [(KNOWN, UNSURE)]),
        (
            "string RunStoredProcedures(string name) { c.CommandText = name; }",
            [("dbo.GRANT|PROC", 1.0), (KNOWN, 1.0)],
        ),
        ("", [("dbo.GRANT|PROC", 1.0), (KNOWN, 1.0)]),
    ],
)
def test_a_method_may_only_speak_of_procedures(
    called_by: CalledBy, method: str, calls: list[tuple[str, float]]
) -> None:
    code = f"""
        class Jobs
        {{
            void Run() {{ RunStoredProcedures("GRANT"); RunStoredProcedures("Refresh"); }}
            {method}
        }}
    """

    assert called_by(code) == calls


@pytest.mark.parametrize(
    ("statement", "calls"),
    [
        ('context.Database.SqlQuery<int>("Refresh");', [(KNOWN, 1.0)]),
        ('context.Database.SqlQuery<int>("SP_Missing ");', [("dbo.SP_Missing|PROC", 1.0)]),
        ('context.Database.ExecuteSqlCommand("usp_Missing");', [("dbo.usp_Missing|PROC", 1.0)]),
        ('context.Database.SqlQuery<int>("Missing");', []),
        ('runner.Execute("usp_Missing");', []),
        ('label.Text("usp_Missing");', []),
    ],
)
def test_a_batch_may_be_nothing_but_the_name_of_a_procedure(
    called_by: CalledBy, statement: str, calls: list[tuple[str, float]]
) -> None:
    assert called_by(f"class Jobs {{ void Run() {{ {statement} }} }}") == calls


def test_a_process_is_no_procedure(called_by: CalledBy) -> None:
    assert called_by('class Jobs { void Run() { RunProcess("git"); CallProcessor("Refresh"); } }') == []


@pytest.mark.parametrize(
    "statements",
    [
        "if (isProcedure) c.CommandType = CommandType.StoredProcedure;",
        "c.CommandType = isProcedure ? CommandType.StoredProcedure : CommandType.Text;",
        "if (type == CommandType.StoredProcedure) Log(text);",
        "if (isProcedure) Prepare(c, CommandType.StoredProcedure);",
    ],
)
def test_what_is_a_procedure_in_a_branch_only_has_to_be_known(called_by: CalledBy, statements: str) -> None:
    code = f"""
        class Jobs
        {{
            void Run() {{ Start("COMMIT"); Start("Refresh"); }}
            void Start(string text) {{ c.CommandText = text; {statements} }}
        }}
    """

    assert called_by(code) == [(KNOWN, 1.0)]


@pytest.mark.parametrize(
    "statements",
    [
        "c.CommandType = CommandType.StoredProcedure;",
        "using (c) { c.CommandType = CommandType.StoredProcedure; }",
        "Prepare(c, CommandType.StoredProcedure);",
        "if (isProcedure) c.CommandType = CommandType.StoredProcedure; d.CommandType = CommandType.StoredProcedure;",
    ],
)
def test_what_is_always_a_procedure_may_be_missing(called_by: CalledBy, statements: str) -> None:
    code = f"""
        class Jobs
        {{
            void Run() {{ Start("Missing"); }}
            void Start(string text) {{ c.CommandText = text; {statements} }}
        }}
    """

    assert called_by(code) == [("dbo.Missing|PROC", 1.0)]


def test_a_name_in_the_member_that_sets_the_type_in_a_branch_has_to_be_known(called_by: CalledBy) -> None:
    code = """
        class Jobs
        {
            void Run(bool all)
            {
                c.CommandText = all ? "Refresh" : "COMMIT";
                if (all) c.CommandType = CommandType.StoredProcedure;
            }
        }
    """

    assert called_by(code) == [(KNOWN, 1.0)]


def test_a_branch_that_sets_the_type_and_the_name_calls_the_procedure(called_by: CalledBy) -> None:
    code = """
        class Jobs
        {
            void Run(bool all)
            {
                if (all) { c.CommandType = CommandType.StoredProcedure; c.CommandText = "Missing"; }
                else { c.CommandType = CommandType.StoredProcedure; c.CommandText = "Gone"; }
            }
        }
    """

    assert called_by(code) == [("dbo.Gone|PROC", 1.0), ("dbo.Missing|PROC", 1.0)]


def test_a_member_that_sets_the_type_has_to_do_with_a_database(called_by: CalledBy) -> None:
    code = """
        class Jobs
        {
            void Run(bool all)
            {
                remote.Execute("Refresh");
                if (all) c.CommandType = CommandType.StoredProcedure;
            }
        }
    """

    assert called_by(code) == [(KNOWN, 1.0)]


@pytest.mark.parametrize(
    ("statement", "calls"),
    [
        ("Guard((n, v) => Db.Read(c, CommandType.StoredProcedure, n, v), name, values);", [(KNOWN, 1.0)]),
        ("Guard(name, n => Db.Read(n, CommandType.StoredProcedure));", [(KNOWN, 1.0)]),
        (
            "Guard(n => { if (n != null) { Db.Read(c, CommandType.StoredProcedure, n); } }, name);",
            [(KNOWN, 1.0)],
        ),
        ("Guard((n, v) => Db.Read(c, CommandType.Text, n, v), name, values);", []),
        ("Guard(n => Db.Read(c, CommandType.StoredProcedure, n), name, label);", []),
        ("Guard(n => Db.Read(c, CommandType.StoredProcedure, n)); Other(n => Log(n), name);", []),
        ('Guard(c => Db.Read(c, CommandType.StoredProcedure, "Other"), name);', []),
    ],
)
def test_a_name_reaches_the_lambda_that_is_handed_over_beside_it(
    called_by: CalledBy, statement: str, calls: list[tuple[str, float]]
) -> None:
    code = f"""
        class Jobs
        {{
            void Run() {{ Start("Refresh", "Refreshing", null); Start("Missing", "Refresh", null); }}
            void Start(string name, string label, object[] values) {{ {statement} }}
        }}
    """

    assert called_by(code) == calls
