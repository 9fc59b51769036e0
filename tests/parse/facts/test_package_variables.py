"""Commands and tables that variables and expressions of packages hold."""

from __future__ import annotations

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph
from ragduck.model import Document
from ragduck.parse import ChunkSettings, parse_document

TASK = """<SQLTask:SqlTaskData
  SQLTask:SqlStmtSourceType="Variable" SQLTask:SqlStatementSource="User::Statement" />
"""


def facts_of(text: str) -> FileFacts:
    parsed = parse_document(
        Document("a.dtsx", text, "xml", "dtsx", "config", len(text), 0), settings=ChunkSettings()
    )
    assert not parsed.problems
    assert parsed.facts is not None
    return parsed.facts


def edges_of(text: str) -> set[tuple[str, str, int]]:
    graph, problems = build_graph([facts_of(text)])
    assert not problems
    return {(edge.relation, edge.to_key.partition("|")[0], edge.line) for edge in graph.edges}


def variable(name: str, value: str = "", expression: str = "") -> str:
    given = f'DTS:EvaluateAsExpression="True"\n DTS:Expression="{expression}"\n' if expression else ""
    return (
        f'<DTS:Variable\n {given} DTS:Namespace="User"\n DTS:ObjectName="{name}">'
        f'<DTS:VariableValue DTS:DataType="8">{value}</DTS:VariableValue></DTS:Variable>\n'
    )


def test_a_task_runs_the_statement_that_a_variable_holds() -> None:
    package = variable("Statement", "DELETE FROM etl.City\nWHERE Id &gt; 5;\nEXEC etl.Load_City") + TASK

    assert edges_of(package) == {("WritesTo", "etl.City", 3), ("Executes", "etl.Load_City", 5)}


def test_packages_before_2012_write_variables_as_properties() -> None:
    package = (
        '<DTS:Variable><DTS:Property DTS:Name="Expression"></DTS:Property>'
        '<DTS:Property DTS:Name="EvaluateAsExpression">0</DTS:Property>'
        '<DTS:Property DTS:Name="Namespace">User</DTS:Property>'
        '<DTS:VariableValue DTS:DataType="8">DELETE FROM etl.City</DTS:VariableValue>'
        '<DTS:Property DTS:Name="ObjectName">Statement</DTS:Property></DTS:Variable>'
    )

    assert edges_of(package + TASK) == {("WritesTo", "etl.City", 1)}


@pytest.mark.parametrize(
    ("component", "mode", "property_", "value", "expected"),
    [
        ("OLEDBSource", "3", "SqlCommandVariable", "SELECT a FROM dbo.City", ("ReadsFrom", "dbo.City")),
        ("OLEDBSource", "1", "OpenRowsetVariable", "[dbo].[City]", ("ReadsFrom", "dbo.City")),
        ("OLEDBDestination", "4", "OpenRowsetVariable", "dbo.City", ("WritesTo", "dbo.City")),
    ],
)
def test_data_flows_use_what_variables_hold(
    component: str, mode: str, property_: str, value: str, expected: tuple[str, str]
) -> None:
    part = (
        f'<component componentClassID="Microsoft.{component}"><property name="AccessMode">{mode}</property>'
        f'<property name="SqlCommand">SELECT a FROM dbo.Old</property><property name="OpenRowset">dbo.Old</property>'
        f'<property name="{property_}">User::Held</property></component>'
    )

    assert edges_of(variable("Held", value) + part) == {(*expected, 3)}


def test_what_a_variable_holds_may_be_another_text_when_it_runs() -> None:
    (reference,) = facts_of(variable("Statement", "DELETE FROM etl.City") + TASK).references

    assert reference.is_dynamic


def test_a_name_that_several_containers_declare_is_not_told() -> None:
    held = variable("Statement", "DELETE FROM etl.City") + variable("Statement", "DELETE FROM etl.Town")

    assert edges_of(held + TASK) == set()


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (r"&quot;DELETE FROM \&quot;etl\&quot;.&quot; + @[User::Table]", {"etl.City"}),
        (
            "&quot;DELETE FROM etl.&quot; + @Table + &quot; WHERE Id = &quot; + (DT_WSTR, 10) @[User::Id]",
            {"etl.City"},
        ),
        ("&quot;DELETE FROM etl.&quot; + @[$Project::Table]", set()),
        ("&quot;DELETE FROM etl.&quot; + UPPER(@[User::Table]) + &quot; WHERE 1 = 1&quot;", set()),
        ("@[User::Id] == 1 ? &quot;DELETE FROM etl.A&quot; : &quot;DELETE FROM etl.B&quot;", set()),
        ("@[User::Nested]", {"etl.City"}),
        ("@[User::Statement]", set()),
    ],
)
def test_an_expression_is_put_together_where_the_package_keeps_no_text(
    expression: str, expected: set[str]
) -> None:
    others = variable("Table", "City") + variable(
        "Nested", "", "&quot;DELETE FROM etl.&quot; + @[User::Table]"
    )

    edges = edges_of(others + variable("Statement", "", expression) + TASK)

    assert {key for _, key, _ in edges} == expected


def test_what_the_package_keeps_of_an_expression_comes_first() -> None:
    given = variable(
        "Statement", "DELETE FROM etl.City", "&quot;DELETE FROM etl.&quot; + @[System::PackageName]"
    )

    assert {key for _, key, _ in edges_of(given + TASK)} == {"etl.City"}


def test_expressions_give_properties_of_tasks_and_of_parts_of_data_flows() -> None:
    package = (
        '<DTS:Executable><DTS:PropertyExpression DTS:Name="SqlStatementSource">"EXEC etl.Load_City " + @[$Project::A]'
        "</DTS:PropertyExpression><SQLTask:SqlTaskData /></DTS:Executable>\n"
        '<DTS:Executable><DTS:PropertyExpression DTS:Name="[Cities].[SqlCommand]">"SELECT a FROM etl.City"'
        '</DTS:PropertyExpression><component name="Cities" componentClassID="Microsoft.OLEDBSource">'
        '<property name="AccessMode">2</property><property name="SqlCommand"></property></component>'
        '<component name="Towns" componentClassID="Microsoft.OLEDBSource"><property name="AccessMode">2</property>'
        "</component></DTS:Executable>\n<DTS:Executable><SQLTask:SqlTaskData /></DTS:Executable>"
    )

    assert edges_of(package) == {("Executes", "etl.Load_City", 1), ("ReadsFrom", "etl.City", 2)}


def test_a_file_or_a_connection_is_no_statement() -> None:
    task = '<SQLTask:SqlTaskData SQLTask:SqlStmtSourceType="FileConnection" SQLTask:SqlStatementSource="EXEC dbo.A"/>'

    assert edges_of(task) == set()


def test_a_large_hostile_package_takes_no_time() -> None:
    long = variable("A", "SELECT a FROM b;" * 5_000)
    chain = "".join(
        variable(f"V{number}", "", f"@[User::V{number + 1}] + @[User::V{number + 1}]")
        for number in range(200)
    )
    many = '<DTS:PropertyExpression DTS:Name="SqlStatementSource">@[User::A]</DTS:PropertyExpression><SqlTaskData />'
    large = variable("Statement", "x." * 500_000)
    part = (
        '<component componentClassID="Microsoft.OLEDBSource"><property name="AccessMode">1</property>'
        '<property name="OpenRowsetVariable">Statement</property></component>'
    )
    texts = [
        '<DTS:Variable "' * 50_000,
        "<DTS:VariableValue>" * 50_000,
        variable("Statement", "SELECT a FROM b;" * 20_000) + TASK * 10_000,
        chain + variable("Statement", "", "@V0") + TASK,
        variable("Statement", "", "(" * 4_000 + "&quot;" + "\\" * 2_000) + TASK,
        long + many * 10_000,
        large + part * 8_000,
        large + TASK.replace("<SQLTask:SqlTaskData", '<SQLTask:SqlTaskData IsStoredProc="True"') * 8_000,
    ]
    for text in texts:
        facts_of(text)
