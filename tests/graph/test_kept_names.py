"""Procedures that classes name are run by those classes, where others run what an object of a base names."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts, ObjectFact, ObjectName
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.inline_sql import kept_names
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.types.catalog import Catalog
from tests.graph.conftest import bare, calls_made

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Running = Callable[[str], set[tuple[str, str]]]

NAMES = ("Place", "Drop")
RUNNER = """
class Runner
{
    SqlConnection c;
    public void Run(IQuery query)
    {
        using var command = Make(query.ProcedureName);
        command.ExecuteReader();
    }
    SqlCommand Make(string name) => new SqlCommand(name, c) { CommandType = CommandType.StoredProcedure };
}
interface IQuery { string ProcedureName { get; } }
"""
BASE = """
abstract class Query : IQuery
{
    protected Query(string name) { ProcedureName = name; }
    public string ProcedureName { get; }
}
"""


@pytest.fixture
def running(facts_of: FactsOf) -> Running:
    """Who runs which procedure, of `Order_Place` and `Order_Drop`."""

    def found(code: str) -> set[tuple[str, str]]:
        facts = facts_of({"Shop/A.cs": code})
        created = [
            ObjectFact(f"dbo.Order_{name}|PROC", "PROC", ObjectName(f"Order_{name}", "dbo"), 1, 1)
            for name in NAMES
        ]
        edges = inline_sql_graph(Catalog(facts), DatabaseCatalog(facts, created=created)).edges
        return {(bare(one.from_key), bare(f":{one.to_key}")) for one in edges if one.relation == "Executes"}

    return found


@pytest.mark.parametrize(
    "classes",
    [
        f'{BASE} class Place : Query {{ public Place() : base("dbo.Order_Place") {{ }} }}',
        'class Place : IQuery { public string ProcedureName => "Order_Place"; }',
        'class Place : IQuery { public string ProcedureName { get; } = "dbo.Order_Place"; }',
    ],
)
def test_a_class_runs_the_procedure_that_its_objects_name(running: Running, classes: str) -> None:
    assert running(RUNNER + classes) == {("Place", "dbo.Order_Place")}


@pytest.mark.parametrize(
    "classes",
    [
        'class Place : IQuery { public string ProcedureName => "Order_Gone"; }',
        'class Place { public string ProcedureName => "Order_Place"; }',
        "class Place : IQuery { public string ProcedureName => Settings.Name; }",
    ],
)
def test_names_of_no_procedure_and_of_other_objects_run_nothing(running: Running, classes: str) -> None:
    assert running(RUNNER + classes) == set()


@pytest.mark.parametrize(
    "body",
    [
        'protected override string Name() => "dbo.{0}";',
        'protected override string Name() {{ return "{0}"; }}',
    ],
)
def test_a_class_runs_the_procedure_that_a_method_of_its_own_names(running: Running, body: str) -> None:
    code = f"""
        abstract class Command
        {{
            SqlConnection c;
            protected abstract string Name();
            public void Run() => c.Execute(Name(), commandType: CommandType.StoredProcedure);
        }}
        class Place : Command {{ {body.format("Order_Place")} }}
        class Drop : Command {{ {body.format("Order_Drop")} }}
    """

    assert running(code) == {("Place", "dbo.Order_Place"), ("Drop", "dbo.Order_Drop")}


def test_many_classes_for_many_runners_take_a_time_that_grows_with_their_number(facts_of: FactsOf) -> None:
    def steps(count: int) -> int:
        runners = [RUNNER.replace("class Runner", f"class Runner{number}") for number in range(count)]
        code = "".join(one.partition("interface")[0] for one in runners) + RUNNER
        for number in range(count):
            code += f'class Place{number} : IQuery {{ public string ProcedureName => "Order_Place"; }}\n'
        facts = facts_of({"Shop/A.cs": code})
        key = "dbo.Order_Place|PROC"
        placed = ObjectFact(key, "PROC", ObjectName("Order_Place", "dbo"), 1, 1)
        database = DatabaseCatalog(facts, created=[placed])
        return calls_made(lambda: inline_sql_graph(Catalog(facts), database))

    assert steps(200) < 3 * steps(100)


def test_of_very_many_names_only_the_first_are_asked_for(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_names, "MOST", 1)
    classes = [f'class {one} : IQuery {{ public string ProcedureName => "Order_{one}"; }}' for one in NAMES]

    assert running(RUNNER + "".join(classes)) == {("Place", "dbo.Order_Place")}
