"""The facts of Visual Basic are those of the C# that says the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Reader = Callable[..., Any]


@pytest.fixture
def facts(read: Reader) -> Callable[[str], Any]:
    def reader(source: str) -> Any:
        return read("visualbasic", source, path="Shop/A.vb")

    return reader


def in_method(body: str) -> str:
    indented = body.replace("\n", "\n        ")
    return f"""
    Class A
        Private ReadOnly _db As ShopContext
        Sub M(id As Integer, command As SqlCommand)
        {indented}
        End Sub
    End Class
    """


def test_types_have_bases_attributes_and_type_parameters(facts: Callable[[str], Any]) -> None:
    found = facts(
        """
        <Table("Orders")>
        Public MustInherit Class Orders(Of T As {Class, IEntity})
            Inherits Store(Of T)
            Implements IOrders, IDisposable
        End Class
        """
    ).facts.types[0]

    assert (found.key, found.line, found.bases) == (
        "csharp:Orders|TYPE", 2, ("Store<T>", "IOrders", "IDisposable"),
    )  # fmt: skip
    assert found.type_parameters == ("T",)
    assert found.modifiers == {"public", "abstract"}
    assert [(one.name, one.arguments[0].value) for one in found.attributes] == [("Table", ("Orders",))]
    assert [(one.name, one.type) for one in found.constraints] == [("T", "class"), ("T", "IEntity")]


def test_members_have_types_parameters_and_what_they_hand_on(facts: Callable[[str], Any]) -> None:
    members = facts(
        """
        Class A
            Inherits B
            Private WithEvents timer As New Timer
            Sub New(name As String)
                MyBase.New(name)
                Me.Name = name
            End Sub
            Property Name As String
            Function Find(id As Integer?, Optional all As Boolean = False) As List(Of Order)
            End Function
        End Class
        """
    ).facts.members

    assert [(one.element_type, one.name, one.type, one.line) for one in members] == [
        ("field", "timer", "Timer", 3),
        ("constructor", "A", "", 4),
        ("property", "Name", "string", 8),
        ("method", "Find", "List<Order>", 9),
    ]
    assert [(one.name, one.type, one.is_optional) for one in members[3].parameters] == [
        ("id", "int?", False),
        ("all", "bool", True),
    ]
    assert (members[1].hands_to, len(members[1].handed_on), members[1].assignments[0].member) == (
        "base", 1, "Name",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("command.ExecuteReader", ["<command: SqlCommand>.ExecuteReader()"]),
        ("With command\n.Prepare()\nEnd With", ["<command: SqlCommand>.Prepare()"]),
        ("Dim a As New List(Of Order)\na(0).Run", ["<a: List<Order>>[].Run()"]),
        ("For Each o As Order In _db.Orders\no.Run(id)\nNext", ["<o: Order>.Run(<id: int>)"]),
        ("If Check(id) Then Save() Else Drop()", ["Check(<id: int>)", "Save()", "Drop()"]),
        ("Select Case Kind()\nCase One()\nTwo()\nEnd Select", ["Kind()", "One()", "Two()"]),
        ("CType(Find(id), Order).Run()", ["<: Order>.Run()", "Find(<id: int>)"]),
    ],
)
def test_calls_are_made_on_what_their_receivers_are(
    facts: Callable[[str], Any], body: str, expected: list[str]
) -> None:
    assert sorted(facts(in_method(body)).called) == sorted(expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            'Dim sql As String = "SELECT a " & _\n"FROM Orders WHERE Id = " & id\nRun(sql)',
            [("A.M", "'SELECT a \nFROM Orders WHERE Id = ' + <id: int>", "sql")],
        ),
        (
            'Dim sql = $"SELECT a FROM {Table()} WHERE x = ""y"""\nRun(sql)',
            [("A.M", "'SELECT a FROM ' + Table() + ' WHERE x = \"y\"'", "sql")],
        ),
        (
            'Run(String.Format("DELETE FROM Orders WHERE Id = {0}", id))',
            [("A.M", "'DELETE FROM Orders WHERE Id = ' + <id: int>", "Run()")],
        ),
        (
            "Run(<sql>\nSELECT a\nFROM Orders\n</sql>.Value)",
            [("A.M", "'\n    SELECT a\n    FROM Orders\n    '", "Run()")],
        ),
        (
            "Dim q = <![CDATA[ SELECT a\nFROM Orders WHERE x = 'it' ]]>.Value\nRun(q)",
            [("A.M", "' SELECT a\n    FROM Orders WHERE x = 'it' '", "q")],
        ),
        (
            "Run(<sql><![CDATA[SELECT a FROM Orders WHERE a <b AND c> d AND x = '&amp;<!--']]></sql>.Value)",
            [("A.M", "'SELECT a FROM Orders WHERE a <b AND c> d AND x = '&amp;<!--''", "Run()")],
        ),
        (
            'command.CommandText = "Order_Insert"\ncommand.CommandType = CommandType.StoredProcedure',
            [("A.M", "'Order_Insert'", "CommandText")],
        ),
        (
            'With command\n.CommandText = "dbo.Order_Insert"\nEnd With',
            [("A.M", "'dbo.Order_Insert'", "CommandText")],
        ),
        (
            'Dim c As New SqlCommand("Order_Insert", x) With {.CommandType = CommandType.StoredProcedure}',
            [("A.M", "'Order_Insert'", "new SqlCommand()()")],
        ),
    ],
)
def test_strings_are_put_together_and_tell_where_they_go(
    facts: Callable[[str], Any], body: str, expected: list[tuple[str, str, str]]
) -> None:
    assert facts(in_method(body)).strings == expected


def test_imports_open_namespaces_and_the_members_of_types(
    facts: Callable[[str], Any],
) -> None:
    found = facts(
        """
        Option Strict On
        Imports System.Data, D = Shop.Data
        Namespace Shop
            Module Tools
            End Module
        End Namespace
        """
    ).facts.imports

    assert [(one.name, one.alias, one.is_static, one.is_global) for one in found] == [
        ("System.Data", "", False, False),
        ("System.Data", "", True, False),
        ("Shop.Data", "D", False, False),
    ]


def test_modules_are_marked(facts: Callable[[str], Any]) -> None:
    found = facts("Namespace Shop\nModule Tools\nEnd Module\nClass A\nEnd Class\nEnd Namespace").facts.types

    assert [(one.name, "module" in one.modifiers) for one in found] == [("Tools", True), ("A", False)]


def test_clauses_tell_which_events_methods_handle(facts: Callable[[str], Any]) -> None:
    found = facts(
        """
        Class A
            Sub Go() Handles one.Click, Me.Load
            End Sub
        End Class
        """
    ).facts.views

    assert [(one.name, one.how, one.line) for one in found] == [
        ("Go", "handles", 2),
        ("Go", "handles own", 2),
    ]
