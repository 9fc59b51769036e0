"""Visual Basic and C# share one world of types: each finds what the other declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
EdgesOf = Callable[[Mapping[str, str]], set[tuple[str, str, str]]]

SHARP = """
    namespace Shop
    {
        public interface IOrders { Order Find(int id); }
        public class Order { public decimal Total { get; set; } public void Close() { } }
        public class Screen { void Show() { new OrderStore("x").Find(1).Close(); } }
    }
    """
BASIC = """
    Namespace Shop
        Public Class OrderStore
            Implements IOrders

            Public Sub New(name As String)
            End Sub

            Public Function Find(id As Integer) As Order Implements IOrders.Find
                Dim one As New Order
                one.Total = 1
                Log(one)
                Return one
            End Function
        End Class

        Module Tools
            Sub Log(one As Order)
                one.Close()
            End Sub
        End Module
    End Namespace
    """


@pytest.fixture
def edges_of(facts_of: FactsOf) -> EdgesOf:
    """Return from, relation and to of edges, without those of containment."""

    def edges(files: Mapping[str, str]) -> set[tuple[str, str, str]]:
        built = build_graph(facts_of(files))
        assert not built.problems
        found = (edge for edge in built.graph.edges if edge.relation != "Contains")
        return {(edge.from_key, f"{edge.relation} {edge.rule}", edge.to_key) for edge in found}

    return edges


def test_each_language_calls_what_the_other_declares(edges_of: EdgesOf) -> None:
    found = edges_of({"Shop/A.cs": SHARP, "Shop/B.vb": BASIC})

    store = "csharp:Shop.OrderStore"
    assert {
        (f"{store}|TYPE", "Implements base list", "csharp:Shop.IOrders|TYPE"),
        (f"{store}.Find|METHOD", "Implements implements", "csharp:Shop.IOrders.Find|METHOD"),
        (f"{store}.Find|METHOD", "Uses new", "csharp:Shop.Order|TYPE"),
        (f"{store}.Find|METHOD", "Uses sets member", "csharp:Shop.Order.Total|PROPERTY"),
        (f"{store}.Find|METHOD", "Calls static import", "csharp:Shop.Tools.Log|METHOD"),
        ("csharp:Shop.Tools.Log|METHOD", "Calls receiver type", "csharp:Shop.Order.Close|METHOD"),
        ("csharp:Shop.Screen.Show|METHOD", "Calls new", f"{store}.OrderStore|METHOD"),
        ("csharp:Shop.Screen.Show|METHOD", "Calls receiver type", f"{store}.Find|METHOD"),
        ("csharp:Shop.Screen.Show|METHOD", "Calls receiver type", "csharp:Shop.Order.Close|METHOD"),
    } <= found


@pytest.mark.parametrize(
    ("path", "text", "sees"),
    [
        (
            "Shop/C.vb",
            "Namespace Shop.Web\nClass C\nSub M()\nLog(Nothing)\nEnd Sub\nEnd Class\nEnd Namespace",
            True,
        ),
        ("Shop/C.vb", "Imports Shop\nClass C\nSub M()\nLog(Nothing)\nEnd Sub\nEnd Class", True),
        (
            "Shop/C.vb",
            "Namespace Web\nClass C\nSub M()\nLog(Nothing)\nEnd Sub\nEnd Class\nEnd Namespace",
            False,
        ),
        ("Shop/C.cs", "namespace Shop { class C { void M() { Log(null); } } }", False),
    ],
)
def test_members_of_a_module_are_seen_where_its_namespace_is(
    edges_of: EdgesOf, path: str, text: str, sees: bool
) -> None:
    found = edges_of({"Shop/A.cs": SHARP, "Shop/B.vb": BASIC, path: text})

    called = {edge[2] for edge in found if edge[0].endswith("C.M|METHOD")}
    assert ("csharp:Shop.Tools.Log|METHOD" in called) is sees


def test_a_module_is_only_meant_where_it_has_what_is_asked_for(edges_of: EdgesOf) -> None:
    own = "Class Own\nPublic Shared A As Integer\nEnd Class"
    module = f"Namespace Shop\nModule Windows\n{own}\nEnd Module\nEnd Namespace"
    use = "Namespace Shop\nClass C\nSub M()\nx = {}\nEnd Sub\nEnd Class\nEnd Namespace"

    def used(expression: str) -> set[str]:
        found = edges_of({"Shop/A.vb": module, "Shop/B.vb": use.format(expression)})
        return {edge[2] for edge in found if edge[0].endswith("C.M|METHOD")}

    assert used("Windows.Forms.DialogResult.OK") == set()
    assert "csharp:Shop.Windows|TYPE" in used("Windows.Own.A")


def test_a_method_that_is_named_is_called_and_brackets_behind_a_value_ask_for_an_element(
    edges_of: EdgesOf,
) -> None:
    code = """
        Class Store
            Public Act As Action
            Public Property Rest As List(Of Order)
            Shared Function One() As Store
            End Function
            Function All() As List(Of Order)
            End Function
        End Class
        Class Order
            Sub Close()
            End Sub
        End Class
        """
    use = "Class C\nSub M()\nStore.One.Rest(0).Close\nx = Store.One.All\nStore.One.Act()\nEnd Sub\nEnd Class"

    found = edges_of({"Shop/A.vb": code, "Shop/B.vb": use})

    assert {edge[1:] for edge in found if edge[0].endswith("C.M|METHOD")} == {
        ("Calls method group", "csharp:Store.One|METHOD"),
        ("Calls method group", "csharp:Store.All|METHOD"),
        ("Uses reads member", "csharp:Store.Rest|PROPERTY"),
        ("Uses calls delegate", "csharp:Store.Act|FIELD"),
        ("Calls receiver type", "csharp:Order.Close|METHOD"),
    }


@pytest.mark.parametrize("access", ["Public", "Protected", "Private", "Friend"])
def test_what_implements_an_interface_may_be_hidden_in_visual_basic(edges_of: EdgesOf, access: str) -> None:
    basic = f"""
        Namespace Shop
            Public Class Page
                Implements IShown

                {access} Sub Show() Implements IShown.Show
                End Sub
            End Class
            Class Site
                Sub Go(part As IShown)
                    part.Show()
                End Sub
            End Class
        End Namespace
        """
    sharp = "namespace Shop { public interface IShown { void Show(); } }"

    found = edges_of({"Shop/A.vb": basic, "Shop/B.cs": sharp})

    page, shown, site = (f"csharp:Shop.{name}|METHOD" for name in ("Page.Show", "IShown.Show", "Site.Go"))
    assert {(page, "Implements implements", shown), (site, "Calls only implementation", page)} <= found


def test_sql_and_procedures_are_found_in_visual_basic(edges_of: EdgesOf) -> None:
    code = """
        Class Store
            Sub Load(connection As SqlConnection, id As Integer)
                Dim adapter As New SqlDataAdapter("SELECT * FROM dbo.Orders WHERE Id = " & id, connection)
                adapter.Fill(table)
            End Sub
            Sub Save(connection As SqlConnection)
                Using command As New SqlCommand("Order_Insert", connection)
                    With command
                        .CommandType = CommandType.StoredProcedure
                        .ExecuteNonQuery
                    End With
                End Using
            End Sub
            Sub Ask()
                MsgBox("Select an order from the list")
            End Sub
        End Class
        """
    tables = """
        create table dbo.Orders (Id int);
        go
        create procedure dbo.Order_Insert as insert dbo.Orders (Id) values (1)
        """
    found = edges_of({"Shop/Store.vb": code, "Shop/tables.sql": tables})

    assert {edge for edge in found if edge[0].startswith("csharp:")} == {
        ("csharp:Store.Load|METHOD", "ReadsFrom inline sql", "dbo.Orders|TABLE"),
        ("csharp:Store.Save|METHOD", "Executes stored procedure", "dbo.Order_Insert|PROC"),
    }


def test_what_makes_the_controls_of_a_form_calls_what_handles_their_events(edges_of: EdgesOf) -> None:
    form = """
        Class Orders
            Private Sub Save_Click(sender As Object, e As EventArgs) Handles Save.Click, Close.Click
            End Sub
            Private Sub Other()
            End Sub
        End Class
        """
    designer = """
        Partial Class Orders
            Private Sub InitializeComponent()
            End Sub
            Friend WithEvents Save As Button
        End Class
        """

    found = edges_of({"Shop/Orders.vb": form, "Shop/Orders.Designer.vb": designer})

    assert {edge for edge in found if edge[1].startswith("Calls")} == {
        ("csharp:Orders.InitializeComponent|METHOD", "Calls event handler", "csharp:Orders.Save_Click|METHOD")
    }


def test_a_form_is_handled_by_the_visual_basic_behind_it(edges_of: EdgesOf) -> None:
    form = """
        <%@ Page Language="VB" CodeBehind="Orders.aspx.vb" Inherits="Web.Orders" AutoEventWireup="false" %>
        <asp:Button id="one" runat="server" /><asp:Button id="two" runat="server" OnClick="Two_Click" />
        """
    code = """
        Namespace Web
            Partial Class Orders
                Inherits System.Web.UI.Page
                Protected Sub Page_Load(sender As Object, e As EventArgs) Handles Me.Load
                End Sub
                Private Sub One_Click(sender As Object, e As EventArgs) Handles one.Click
                End Sub
                Protected Sub Two_Click(sender As Object, e As EventArgs)
                    Response.Redirect("~/Other.aspx")
                End Sub
                Private Sub Other()
                End Sub
            End Class
        End Namespace
        """
    files = {"Web/Orders.aspx": form, "Web/Orders.aspx.vb": code, "Web/Other.aspx": "<%@ Page %>"}

    handled = {(edge[1], edge[2]) for edge in edges_of(files) if edge[0] == "file:Web/Orders.aspx|FILE"}

    assert handled == {
        ("Handles code-behind", "csharp:Web.Orders|TYPE"),
        ("Handles page event", "csharp:Web.Orders.Page_Load|METHOD"),
        ("Handles event handler", "csharp:Web.Orders.One_Click|METHOD"),
        ("Handles event handler", "csharp:Web.Orders.Two_Click|METHOD"),
    }
    assert ("csharp:Web.Orders.Two_Click|METHOD", "LeadsTo redirect", "file:Web/Other.aspx|FILE") in edges_of(
        files
    )
