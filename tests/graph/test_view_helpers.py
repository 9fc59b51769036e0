"""Calls of helpers in Razor views: `Html.`, `Url.` and `Ajax.` lead to the extension methods that the view sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph

HELPERS = """namespace Web.Framework;

public static class HtmlExtensions
{
    public static string LabelFor<TModel>(this HtmlHelper<TModel> html, string name) => name;
    public static string Home(this IUrlHelper url) => "/";
}
"""
CONFIG = """<configuration>
  <system.web.webPages.razor>
    <pages><namespaces>
      <add namespace="System.Web.Mvc" />
      <add namespace="Web.Framework"/>
    </namespaces></pages>
  </system.web.webPages.razor>
</configuration>
"""
VIEW = '@model Order\n<p>@Html.LabelFor("Total")</p>\n<a href="@Url.Home()">x</a>\n@Html.Raw("x")\n'

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
EdgesOf = Callable[[Mapping[str, str]], set[tuple[str, str, int]]]


@pytest.fixture(scope="module")
def calls_of(facts_of: FactsOf) -> EdgesOf:
    def calls(texts: Mapping[str, str]) -> set[tuple[str, str, int]]:
        graph, problems = build_graph(facts_of(texts))
        assert not problems
        return {
            (edge.source_file, edge.to_key.rpartition(".")[2], edge.line)
            for edge in graph.edges
            if edge.relation == "Calls"
        }

    return calls


@pytest.mark.parametrize(
    "opened",
    [
        {"Web/Views/Web.config": CONFIG},
        {"Web/Views/_ViewImports.cshtml": "@using Web.Framework\n"},
    ],
)
def test_a_view_calls_the_extensions_that_it_sees(opened: Mapping[str, str], calls_of: EdgesOf) -> None:
    texts = {"Framework/HtmlExtensions.cs": HELPERS, "Web/Views/Order/Edit.cshtml": VIEW, **opened}

    assert calls_of(texts) == {
        ("Web/Views/Order/Edit.cshtml", "LabelFor|METHOD", 2),
        ("Web/Views/Order/Edit.cshtml", "Home|METHOD", 3),
    }


def test_one_helper_is_not_another(calls_of: EdgesOf) -> None:
    view = '<a href="@Url.LabelFor("x")">@Html.Home()</a>@Ajax.Home()'
    texts = {
        "Framework/HtmlExtensions.cs": HELPERS,
        "Web/Views/Edit.cshtml": view,
        "Web/Views/WEB.config": CONFIG,
    }

    assert calls_of(texts) == set()
    assert calls_of({**texts, "Web/Views/Edit.cshtml": "@Url.Home()"}) != set()


def test_other_folders_and_other_code_see_nothing(calls_of: EdgesOf) -> None:
    texts = {
        "Framework/HtmlExtensions.cs": HELPERS,
        "Admin/Views/Edit.cshtml": VIEW,
        "Web/Views/Web.config": CONFIG,
        "Web/Views/other.config": CONFIG,
    }

    assert calls_of(texts) == set()


MODELS = """namespace Web.Models;

public class Order
{
    public string Number { get; set; }
    public Customer Customer { get; set; }
    public List<Line> Lines { get; set; }
    public string Total { get; set; }
}
public class Customer { public string Email { get; set; } }
public class Line { public decimal Price { get; set; } }
"""


@pytest.fixture(scope="module")
def used_in(facts_of: FactsOf) -> Callable[[str], set[str]]:
    def used(view: str) -> set[str]:
        texts = {"Web/Models.cs": MODELS, "Web/HtmlExtensions.cs": EXPRESSIONS, "Web/Views/Edit.cshtml": view}
        graph, problems = build_graph(facts_of(texts))
        assert not problems
        edges = [edge for edge in graph.edges if edge.source_file.endswith(".cshtml")]
        members = {edge.to_key.partition("Web.Models.")[2] for edge in edges if edge.rule == "reads member"}
        return {name.partition("|")[0] for name in members}

    return used


EXPRESSIONS = """namespace Web.Models;

public static class HtmlExtensions
{
    public static string Hint<T, V>(this HtmlHelper<T> html, Expression<Func<T, V>> member) => null;
}
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("@Html.TextBoxFor(m => m.Number)", {"Order.Number"}),
        ("@Html.EditorFor(m => m.Customer.Email, new { x = 1 })", {"Order.Customer", "Customer.Email"}),
        ("@Html.DisplayFor(m => m.Lines[0].Price)", {"Order.Lines", "Line.Price"}),
        (
            "@for (var i = 0; i < 3; i++) { @Html.HiddenFor(m => m.Lines[i].Price) }",
            {"Order.Lines", "Line.Price"},
        ),
        ("@Html.Hint(m => m.Total)", {"Order.Total"}),
        ("@(Html.Kendo().DatePickerFor(m => m.Number).Format(1))", {"Order.Number"}),
        ("@Html.Grid(c => c.Number)", set()),
        ("@Html.CheckBoxListFor(m => m.Lines, x => x.Number)", {"Order.Lines"}),
    ],
)
def test_a_helper_is_given_a_member_of_the_model(
    code: str, expected: set[str], used_in: Callable[[str], set[str]]
) -> None:
    assert used_in(f"@using Web.Models\n@model Order\n{code}") == expected


def test_without_a_model_nothing_is_told(used_in: Callable[[str], set[str]]) -> None:
    assert used_in("@using Web.Models\n@Html.TextBoxFor(m => m.Number)") == set()


MENUS = """namespace Web;

public class MenuBuilder
{
    public MenuBuilder Template(string text) => this;
    public MenuBuilder Position(int at) => this;
}
public class Row { public string Link() => ""; }
public class Panel { public Panel Shadow() => this; }
public static class Grids
{
    public static GridBoundColumnBuilder<T> Centered<T>(this GridBoundColumnBuilder<T> column) => column;
    public static Panel Panel(this Surface surface) => null;
}
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('Html.Vendor().Grid().Columns(c => { c.Bound("x").Template("a"); })', set()),
        ("Html.Vendor().Grid().Pageable(p => p.Position(1))", set()),
        ('Html.Vendor().Grid().Columns(c => { c.Bound("x").Centered().Template("a"); })', {"Centered"}),
        ("Html.Vendor().Grid<Row>().Columns(c => { c.Bound(x => x.Link()); })", {"Link"}),
        ("Html.Vendor().Surface().Panel().Shadow()", {"Panel", "Shadow"}),
        ('Menus.Grid().Columns(c => { c.Bound("x").Template("a"); })', {"Template"}),
    ],
)
def test_what_a_vendor_returns_has_no_own_methods(code: str, expected: set[str], calls_of: EdgesOf) -> None:
    texts = {"Web/Menus.cs": MENUS, "Web/Views/Edit.cshtml": f"@using Web\n@({code})"}

    assert {to.partition("|")[0] for _, to, _ in calls_of(texts)} == expected


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("System.Web.Mvc.ViewPage<Web.Models.Order>", {"Order.Number", "Order.Total"}),
        ("ViewUserControl<Order>", {"Order.Number", "Order.Total"}),
        ("Web.Models.PageOf<Order>", {"Order.Number", "Order.Total"}),
        ("System.Web.Mvc.ViewPage", set()),
        ("System.Web.UI.Page", set()),
    ],
)
def test_a_form_of_mvc_has_a_model(base: str, expected: set[str], facts_of: FactsOf) -> None:
    form = (
        f'<%@ Page Inherits="{base}" %>\n<%@ Import Namespace="Web.Models" %>\n'
        "<%= Html.TextBoxFor(m => m.Number) %>\n<%: Model.Total %>\n"
    )
    own = "namespace Web.Models;\npublic class PageOf<T> : ViewPage<T> { }\n"
    texts = {"Web/Models.cs": MODELS, "Web/PageOf.cs": own, "Web/Views/Edit.aspx": form}
    graph, problems = build_graph(facts_of(texts))

    assert not problems
    members = {edge.to_key for edge in graph.edges if edge.rule == "reads member"}
    assert {key.partition("Web.Models.")[2].partition("|")[0] for key in members} == expected
