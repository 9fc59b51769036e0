"""Web Forms are tied to the classes, methods, forms and database objects that their markup names."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Edges = set[tuple[str, str, str]]

CODE = """
    using System;
    using System.Web.UI;
    namespace Web
    {
        public class Base : Page
        {
            protected override void OnInit(EventArgs e) { }
            protected void Back_Click(object sender, EventArgs e) { }
        }
        public partial class Orders : Base
        {
            protected bool HasRights => true;
            protected void Page_Load(object sender, EventArgs e) { }
            protected override void OnPreRender(EventArgs e) { }
            protected void Save_Click(object sender, EventArgs e) { }
            protected string Describe(object one) { return ""; }
            public void OnSomething() { }
        }
        namespace Widgets { public class Badge : Control { } }
        public class Store
        {
            public object All() { return null; }
            public void Drop(int id) { }
        }
    }
    """
TABLES = """
    create table dbo.Orders (Id int, CustomerId int);
    go
    create table dbo.Customers (Id int);
    go
    create procedure dbo.Order_Update @Id int as update dbo.Orders set CustomerId = 1 where Id = @Id
    """
FORM = "file:Web/Orders.aspx|FILE"
PAGE = "webforms:ASP.Web.Orders_aspx|TYPE"


@pytest.fixture(scope="session")
def edges_of(facts_of: FactsOf) -> Callable[..., Edges]:
    """The edges of a page with the given markup, beside the code and the tables above and further files.

    Edges are (from, relation and rule, to); those that do not lead away from the page are left out.
    """

    def edges(markup: str, **files: str) -> Edges:
        directive = '<%@ Page Language="C#" AutoEventWireup="true" Inherits="Web.Orders" %>\n'
        page = markup if markup.lstrip().startswith("<%@ Page") else directive + markup
        texts = {"Web/Orders.aspx": page, "Web/Orders.aspx.cs": CODE, "Web/tables.sql": TABLES}
        ruled = build_graph(facts_of({**texts, **files}))
        assert not ruled.problems
        return {
            (edge.from_key, f"{edge.relation} {edge.rule}", edge.to_key)
            for edge in ruled.graph.edges
            if edge.from_key in (FORM, PAGE) and edge.relation != "Contains"
        }

    return edges


def method(name: str) -> str:
    return f"csharp:Web.{name}|METHOD"


def handled(name: str) -> tuple[str, str, str]:
    return FORM, "Handles event handler", method(name)


ALWAYS = {
    (FORM, "Handles code-behind", "csharp:Web.Orders|TYPE"),
    (PAGE, "Inherits base list", "csharp:Web.Orders|TYPE"),
    (FORM, "Handles page event", method("Orders.Page_Load")),
    (FORM, "Handles page event", method("Orders.OnPreRender")),
}


def test_a_page_is_handled_by_the_class_behind_it_and_what_the_server_calls(
    edges_of: Callable[..., Edges],
) -> None:
    assert edges_of("<p>nothing</p>") == ALWAYS


def test_without_wiring_only_overrides_are_called(edges_of: Callable[..., Edges]) -> None:
    markup = '<%@ Page AutoEventWireup="false" Inherits="Web.Orders, Web" %>'

    assert edges_of(markup) == {edge for edge in ALWAYS if "Page_Load" not in edge[2]}


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<asp:Button runat="server" OnClick="Save_Click" />', handled("Orders.Save_Click")),
        ('<asp:Button runat="server" onclick="Back_Click" />', handled("Base.Back_Click")),
        ('<button runat="server" onserverclick="Save_Click" />', handled("Orders.Save_Click")),
        ('<asp:ListView runat="server" SelectMethod="Describe" />', handled("Orders.Describe")),
        ('<%# Describe(Eval("Name")) %>', (PAGE, "Calls same type", method("Orders.Describe"))),
        ('<a title="<%= Describe(1) %>">x</a>', (PAGE, "Calls same type", method("Orders.Describe"))),
        ("<% if (HasRights) { %><b></b><% } %>", (PAGE, "Uses reads member", "csharp:Web.Orders.HasRights|PROPERTY")),
        (
            '<asp:ObjectDataSource runat="server" TypeName="Web.Store" SelectMethod="All" />',
            (PAGE, "Calls data source", method("Store.All")),
        ),
        (
            '<%@ Register TagPrefix="w" Namespace="Web.Widgets" Assembly="Web" %><w:Badge runat="server" />',
            (FORM, "Uses server control", "csharp:Web.Widgets.Badge|TYPE"),
        ),
        (
            '<asp:SqlDataSource runat="server" SelectCommand="SELECT Id FROM Orders WHERE Id &gt; 5" />',
            (PAGE, "ReadsFrom inline sql", "dbo.Orders|TABLE"),
        ),
        (
            '<asp:SqlDataSource runat="server" DeleteCommand="DELETE FROM Customers WHERE Id = @Id" />',
            (PAGE, "WritesTo inline sql", "dbo.Customers|TABLE"),
        ),
        (
            '<asp:SqlDataSource runat="server" UpdateCommand="Order_Update" UpdateCommandType="StoredProcedure" />',
            (PAGE, "Executes stored procedure", "dbo.Order_Update|PROC"),
        ),
    ],
)  # fmt: skip
def test_markup_leads_to_what_it_names(
    edges_of: Callable[..., Edges], markup: str, expected: tuple[str, str, str]
) -> None:
    assert edges_of(markup) - ALWAYS == {expected}


@pytest.mark.parametrize(
    "markup",
    [
        '<asp:Button runat="server" OnClientClick="Save_Click" />',
        '<button onclick="Save_Click">x</button>',
        '<asp:Button runat="server" OnClick="Missing_Click" />',
        '<%-- <asp:Button runat="server" OnClick="Save_Click" /> --%>',
        '<asp:SqlDataSource SelectCommand="SELECT Id FROM Orders" />',
        '<asp:Label runat="server" SelectCommand="SELECT Id FROM Orders" />',
        '<asp:ObjectDataSource runat="server" TypeName="Web.Missing" SelectMethod="All" />',
        '<a href="https://example.org/Orders.aspx">x</a>',
    ],
)
def test_what_names_nothing_of_the_server_leads_nowhere(edges_of: Callable[..., Edges], markup: str) -> None:
    assert edges_of(markup) == ALWAYS


def test_blocks_of_visual_basic_call_what_those_of_csharp_do(edges_of: Callable[..., Edges]) -> None:
    markup = """<%@ Page Language="VB" Inherits="Web.Orders" %>
        <% If HasRights AndAlso Not False Then %><a /><%= CStr(Describe(1)) & "" %><% End If %>
        <script runat="server">
            Sub Own(one As Integer)
                Back_Click(Me, Nothing)
            End Sub
        </script>
        """
    called = (PAGE, "Calls same type", method("Orders.Describe"))
    read = (PAGE, "Uses reads member", "csharp:Web.Orders.HasRights|PROPERTY")

    assert edges_of(markup) == ALWAYS | {called, read}
    assert edges_of('<%@ Page Language="VB" Inherits="Orders" %>') == set()


def test_other_forms_are_found_from_the_folder_and_from_the_root(edges_of: Callable[..., Edges]) -> None:
    markup = """
        <%@ Page Inherits="Web.Orders" MasterPageFile="~/Site.Master" %>
        <%@ Register Src="~/Controls/Pager.ascx" TagPrefix="uc" TagName="Pager" %>
        <a href="edit.aspx?id=1">x</a> <a href="../Missing.aspx">x</a>
        """
    files = {
        "Web/Site.Master": "<b></b>",
        "Other/Site.Master": "<b></b>",
        "Web/Controls/Pager.ascx": "<b></b>",
        "Web/Edit.aspx": "<b></b>",
        "Other/Missing.aspx": "<b></b>",
    }

    assert edges_of(markup, **files) - ALWAYS == {
        (FORM, "Uses layout", "file:Web/Site.Master|FILE"),
        (FORM, "Uses control", "file:Web/Controls/Pager.ascx|FILE"),
        (FORM, "Uses link", "file:Web/Edit.aspx|FILE"),
    }


@pytest.mark.parametrize("markers", [(), ("Web/Web.csproj",)], ids=["topmost", "project"])
def test_the_root_is_not_the_folder_of_the_form(facts_of: FactsOf, markers: tuple[str, ...]) -> None:
    files = {
        "Web/Default.aspx": "<b></b>",
        "Web/Admin/Default.aspx": "<b></b>",
        "Web/Admin/List.aspx": '<a href="~/Default.aspx">x</a>',
        "Web/Site.Master": '<a href="~/Default.aspx">x</a>',
        **dict.fromkeys(markers, "<Project />"),
    }

    graph = build_graph(facts_of(files)).graph

    found = {(e.from_key, e.to_key, e.confidence) for e in graph.edges if e.rule == "link"}
    target = "file:Web/Default.aspx|FILE"
    assert found == {
        ("file:Web/Admin/List.aspx|FILE", target, 1.0),
        ("file:Web/Site.Master|FILE", target, 1.0),
    }


def test_a_project_below_another_has_a_root_of_its_own(facts_of: FactsOf) -> None:
    files = {
        "Default.aspx": "<b></b>",
        "App.csproj": "<Project />",
        "Area/Default.aspx": "<b></b>",
        "Area/Area.csproj": "<Project />",
        "Area/Sub/List.aspx": '<a href="~/Default.aspx">x</a>',
        "Other/List.ascx": '<a href="~/Sub/List.aspx">x</a>',
    }

    graph = build_graph(facts_of(files)).graph

    found = {(e.from_key, e.to_key, e.confidence) for e in graph.edges if e.rule == "link"}
    assert found == {
        ("file:Area/Sub/List.aspx|FILE", "file:Area/Default.aspx|FILE", 1.0),
        ("file:Other/List.ascx|FILE", "file:Area/Sub/List.aspx|FILE", 0.8),
    }


def test_web_sites_have_classes_of_one_name(facts_of: FactsOf) -> None:
    page = '<%@ Page Language="C#" CodeFile="Default.aspx.cs" Inherits="_Default" %>'
    code = "public partial class _Default : Page {{ void Page_{name}(object a, EventArgs b) {{ }} }}"
    files = {}
    for name in ("Load", "Init"):
        files[f"{name}/Default.aspx"] = page
        files[f"{name}/Default.aspx.cs"] = code.format(name=name)

    graph = build_graph(facts_of(files)).graph

    found = {(e.from_key, e.to_key) for e in graph.edges if e.rule == "page event"}
    assert found == {
        (f"file:{name}/Default.aspx|FILE", f"csharp:_Default.Page_{name}|METHOD") for name in ("Load", "Init")
    }


def test_one_of_two_forms_that_are_as_near_is_not_guessed(edges_of: Callable[..., Edges]) -> None:
    markup = '<%@ Page Inherits="Web.Orders" MasterPageFile="~/Site.Master" %>'

    assert edges_of(markup, **{"A/Site.Master": "<b></b>", "B/Site.Master": "<b></b>"}) == ALWAYS


@pytest.mark.parametrize(
    ("call", "reached"),
    [
        ('Response.Redirect("Edit.aspx?id=" + id)', "Web/Edit.aspx"),
        ('Response.Redirect("~/Edit.aspx")', "Web/Edit.aspx"),
        ('Response.Redirect(SiteRoot + "/Edit.aspx?id=1", true)', "Web/Edit.aspx"),
        ('Server.Transfer($"~/Edit.aspx?id={id}")', "Web/Edit.aspx"),
        ('Response.Redirect(ResolveUrl("~/Edit.aspx"))', "Web/Edit.aspx"),
        ('Response.Redirect("~/Ping.ashx")', "Web/Ping.ashx"),
        ('Response.Redirect(endResponse: false, url: "~/Edit.aspx")', "Web/Edit.aspx"),
        ('const string Page = "~/Edit.aspx"; Response.Redirect(Page)', "Web/Edit.aspx"),
        ('Response.Redirect(id > 0 ? "~/Edit.aspx" : "~/Missing.aspx")', "Web/Edit.aspx"),
        ('Response.Redirect("https://example.org/Edit.aspx")', None),
        ('Response.Redirect(folder + "Edit.aspx")', None),
        ('Response.Redirect("~/Missing.aspx")', None),
        ('log.Info("Edit.aspx")', None),
    ],
)
def test_methods_lead_to_the_forms_that_they_redirect_to(
    facts_of: FactsOf, call: str, reached: str | None
) -> None:
    code = f"namespace Web {{ public class Orders {{ void Go(int id) {{ {call}; }} }} }}"
    handler = '<%@ WebHandler Class="Web.Ping" %> namespace Web { class Ping { } }'
    files = {"Web/Orders.aspx.cs": code, "Web/Edit.aspx": "<b></b>", "Web/Ping.ashx": handler}

    graph = build_graph(facts_of(files)).graph

    found = {(edge.from_key, edge.to_key) for edge in graph.edges if edge.relation == "LeadsTo"}
    assert found == ({("csharp:Web.Orders.Go|METHOD", f"file:{reached}|FILE")} if reached else set())


@pytest.mark.parametrize(
    ("call", "is_reached"),
    [
        ('Moves.To(this, "~/Edit.aspx?id=1")', True),
        ('Moves.Over("~/Edit.aspx")', True),
        ('Over("~/Edit.aspx")', True),
        ('this.Extended("~/Edit.aspx")', True),
        ('Moves.To("~/Edit.aspx")', False),
        ('Moves.Note("~/Edit.aspx")', False),
        ('Over("~/Missing.aspx")', False),
    ],
)
def test_methods_lead_to_forms_through_helpers(facts_of: FactsOf, call: str, is_reached: bool) -> None:
    code = f"""
        namespace Web
        {{
            public class Base : Page {{ protected void Over(string address) {{ Moves.Over(address); }} }}
            public class Orders : Base {{ void Go() {{ {call}; }} }}
            public static class Moves
            {{
                public static void To(object page, string url) {{ Response.Redirect(ResolveUrl(url), true); }}
                public static void To(string name) {{ Log(name); }}
                public static void Over(string url)
                {{
                    To(null, url);
                }}
                public static void Extended(this Base page, string url) {{ page.Response.Redirect(url); }}
                public static void Note(string url) {{ Log(url); Response.Redirect("~/" + url); }}
            }}
        }}
        """
    files = {"Web/Orders.aspx.cs": code, "Web/Edit.aspx": "<b></b>", "Web/Web.csproj": "<Project />"}

    graph = build_graph(facts_of(files)).graph

    found = {(edge.from_key, edge.to_key) for edge in graph.edges if edge.relation == "LeadsTo"}
    assert found == ({("csharp:Web.Orders.Go|METHOD", "file:Web/Edit.aspx|FILE")} if is_reached else set())


@pytest.mark.parametrize(
    ("statement", "is_reached"),
    [
        ('link.NavigateUrl = "~/Edit.aspx?id=" + id', True),
        ('link.HRef = SiteRoot + "/Edit.aspx"', True),
        ('var a = new HyperLink { NavigateUrl = $"Edit.aspx?id={id}" }', True),
        ('var url = "~/Edit.aspx"; link.PostBackUrl = url', True),
        ('link.NavigateUrl = string.Format("{0}/Edit.aspx", SiteRoot)', True),
        ('link.NavigateUrl = "https://example.org/Edit.aspx"', False),
        ('link.NavigateUrl = folder + "Edit.aspx"', False),
        ('link.ImageUrl = "~/Edit.aspx"', False),
        ('link.NavigateUrl = "~/Missing.aspx"', False),
    ],
)
def test_methods_lead_to_the_forms_that_they_let_controls_lead_to(
    facts_of: FactsOf, statement: str, is_reached: bool
) -> None:
    code = f"using System.Web.UI; namespace Web {{ class Orders : Page {{ void Go(int id) {{ {statement}; }} }} }}"
    files = {"Web/Orders.aspx.cs": code, "Web/Edit.aspx": "<b></b>", "Web/Web.csproj": "<Project />"}

    graph = build_graph(facts_of(files)).graph

    found = {(edge.from_key, edge.to_key) for edge in graph.edges if edge.relation == "LeadsTo"}
    assert found == ({("csharp:Web.Orders.Go|METHOD", "file:Web/Edit.aspx|FILE")} if is_reached else set())


@pytest.mark.parametrize(
    ("call", "is_loaded"),
    [
        ('Page.LoadControl("~/Controls/Pager.ascx")', True),
        ('LoadControl("Controls/Pager.ascx")', True),
        ('(Pager)LoadControl("~/Controls/" + Name)', True),
        ('(Pager)LoadControl(Page.ResolveUrl("~/Controls/" + Name))', True),
        ('LoadControl("~/" + folder + "/Pager.ascx")', False),
        ("LoadControl(typeof(Pager), null)", False),
        ('LoadControl("Pager.ascx")', False),
        ('Register("~/Controls/Pager.ascx")', False),
    ],
)
def test_methods_use_the_controls_that_they_load(facts_of: FactsOf, call: str, is_loaded: bool) -> None:
    method = f"void Go(string folder) {{ var a = {call}; }}"
    code = f'namespace Web {{ public class Orders {{ const string Name = "Pager.ascx"; {method} }} }}'
    files = {
        "Web/Orders.aspx.cs": code,
        "Web/Controls/Pager.ascx": "<b></b>",
        "Web/Web.csproj": "<Project />",
    }

    graph = build_graph(facts_of(files)).graph

    found = {(edge.from_key, edge.to_key) for edge in graph.edges if edge.rule == "control"}
    expected = {("csharp:Web.Orders.Go|METHOD", "file:Web/Controls/Pager.ascx|FILE")}
    assert found == (expected if is_loaded else set())


def test_handlers_and_services_stand_for_their_classes(facts_of: FactsOf) -> None:
    files = {
        "Web/Ping.ashx": """
            <%@ WebHandler Language="C#" Class="Web.Ping" %>
            namespace Web { public class Ping : IHttpHandler { public void ProcessRequest(HttpContext c) { } } }
            """,
        "Web/Mail.asmx": '<%@ WebService Language="C#" CodeBehind="Mail.asmx.cs" Class="Web.Mail" %>',
        "Web/Mail.asmx.cs": """
            namespace Web
            {
                public class Mail { [System.Web.Services.WebMethod] public void Send() { } public void Own() { } }
            }
            """,
        "Web/Rates.svc": '<%@ ServiceHost Language="C#" Service="Web.Rates" %>',
        "Web/Rates.cs": "namespace Web { public class Rates { public int Get() { return 1; } } }",
        "Web/Global.asax": '<%@ Application Codebehind="Global.asax.cs" Inherits="Web.Global" Language="C#" %>',
        "Web/Global.asax.cs": "namespace Web { class Global { void Application_Start() { } void Other() { } } }",
    }

    graph = build_graph(facts_of(files)).graph

    handled = {(e.from_key, e.to_key) for e in graph.edges if e.relation == "Handles"}
    assert handled == {
        ("file:Web/Ping.ashx|FILE", "csharp:Web.Ping|TYPE"),
        ("file:Web/Ping.ashx|FILE", "csharp:Web.Ping.ProcessRequest|METHOD"),
        ("file:Web/Mail.asmx|FILE", "csharp:Web.Mail|TYPE"),
        ("file:Web/Mail.asmx|FILE", "csharp:Web.Mail.Send|METHOD"),
        ("file:Web/Rates.svc|FILE", "csharp:Web.Rates|TYPE"),
        ("file:Web/Global.asax|FILE", "csharp:Web.Global|TYPE"),
        ("file:Web/Global.asax|FILE", "csharp:Web.Global.Application_Start|METHOD"),
    }
    roles = {node.node_key.partition(":")[2]: node.role for node in graph.nodes if node.role}
    assert roles == {
        "Web.Ping|TYPE": "CONTROLLER", "Web.Ping.ProcessRequest|METHOD": "ACTION",
        "Web.Mail|TYPE": "CONTROLLER", "Web.Mail.Send|METHOD": "ACTION",
        "Web.Rates|TYPE": "CONTROLLER",
        "Web.Global|TYPE": "CONTROLLER", "Web.Global.Application_Start|METHOD": "ACTION",
    }  # fmt: skip


def test_a_form_is_no_implementation_beside_the_class_behind_it(facts_of: FactsOf) -> None:
    files = {
        "Web/Editor.ascx": '<%@ Control Inherits="Web.Editor" %><b></b>',
        "Web/Editor.cs": """
            namespace Web
            {
                public interface IEditor { void Save(); }
                public class Editor : IEditor { public void Save() { } }
                public class Host { void Run(IEditor editor) { editor.Save(); } }
            }
            """,
    }

    graph = build_graph(facts_of(files)).graph

    reached = {
        (e.to_key, e.rule)
        for e in graph.edges
        if e.from_key == "csharp:Web.Host.Run|METHOD" and e.relation == "Calls"
    }
    assert ("csharp:Web.Editor.Save|METHOD", "only implementation") in reached


def test_a_page_answers_requests_and_a_control_does_not(facts_of: FactsOf) -> None:
    graph = build_graph(facts_of({"Web/A.aspx": "<%@ Page %>", "Web/B.ascx": "<%@ Control %>"})).graph

    roles = {node.node_key: node.role for node in graph.nodes if node.node_key.startswith("webforms:")}
    assert roles == {"webforms:ASP.Web.A_aspx|TYPE": "CONTROLLER", "webforms:ASP.Web.B_ascx|TYPE": None}


def test_namespaces_are_opened_by_directives_and_web_config(facts_of: FactsOf) -> None:
    files = {
        "Web/a.aspx": '<%@ Page %><%@ Import Namespace="Web.One" %><%= First.Get() %><%= Second.Get() %>',
        "Web/Web.config": '<configuration><add namespace="Web.Two" /></configuration>',
        "Web/a.cs": "namespace Web.One { public static class First { public static int Get() { return 1; } } }",
        "Web/b.cs": "namespace Web.Two { public static class Second { public static int Get() { return 1; } } }",
    }

    graph = build_graph(facts_of(files)).graph

    called = {
        e.to_key
        for e in graph.edges
        if e.relation == "Calls" and e.from_key == "webforms:ASP.Web.a_aspx|TYPE"
    }
    assert called == {"csharp:Web.One.First.Get|METHOD", "csharp:Web.Two.Second.Get|METHOD"}


@pytest.mark.parametrize(
    "include", ['<!-- #include file = "inc.aspx" -->', '<!-- #include virtual="/Web/inc.aspx" -->']
)
def test_what_an_included_form_imports_and_declares_is_that_of_the_form(
    facts_of: FactsOf, include: str
) -> None:
    files = {
        "Web/a.aspx": f"<%@ Page %>{include}<%= Store.Get() %><%= Shared() %>",
        "Web/b.aspx": "<%@ Page %><%= Store.Get() %><%= Shared() %>",
        "Web/inc.aspx": '<!-- #include file="more.aspx" -->\n'
        '<script language="C#" runat="server">\nvoid Shared() { }\n</script>',
        "Web/more.aspx": '<%@ Import Namespace="Data" %>',
        "Web/a.cs": "namespace Data { public static class Store { public static int Get() { return 1; } } }",
    }

    graph = build_graph(facts_of(files)).graph

    assert {(e.from_key, e.to_key, e.rule) for e in graph.edges if e.relation == "Calls"} == {
        ("webforms:ASP.Web.a_aspx|TYPE", "csharp:Data.Store.Get|METHOD", "receiver type"),
        ("webforms:ASP.Web.a_aspx|TYPE", "webforms:ASP.Web.inc_aspx.Shared|METHOD", "include"),
    }
